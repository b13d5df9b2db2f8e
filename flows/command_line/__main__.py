"""`python -m flows.command_line` is `compline`."""

from flows.command_line import main

main()
