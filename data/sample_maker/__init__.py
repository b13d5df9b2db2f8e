"""Makes insurance policies that nobody has written, with the answers that stand in them."""
