"""The conditions that cues are made of, by what they tell apart; each takes a `Reading`."""
