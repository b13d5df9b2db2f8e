"""Functions from tables and values to tables and values: no network, file or clock."""
