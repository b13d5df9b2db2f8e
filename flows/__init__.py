"""All that touches the world: flows, engines, ledger, warehouse, settings, command line."""
