"""How a question is built: its language, the clause that asks, its noun phrases."""
