"""All that touches the world: flows, engines, ledger, warehouse, settings, command line."""

from flows import prefect_setup

__all__ = ["prefect_setup"]
"""Imported first of all: it sets what Prefect reads when it is imported."""
