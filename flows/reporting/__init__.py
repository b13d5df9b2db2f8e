"""The HTML report of a run: one file that opens offline.

`cards` reads what is shown from the warehouse, `pictures` draws the quotes on their pages,
`charts` lays out the bars, `page` fills the template. Nothing here decides anything.
"""
