"""What the answer flow is made of: scopes, plan, loop driver, rows, commit."""
