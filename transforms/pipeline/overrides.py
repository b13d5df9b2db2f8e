"""Rows of the routing table as a deployment wants them: the `routes` of `compline.toml`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from transforms.errors import InputError
from transforms.pipeline.decide import Route, When, spread_at_most
from transforms.values import RouteName


def overridden(routes: Sequence[Route], overrides: Mapping[str, object]) -> tuple[Route, ...]:
    """Return the routes with rows replaced by name, as `compline.toml` says.

    An override is a route ("batch") or a table with `route`, `spread` or both; `spread` fits only
    rows that look at the spread. Raises InputError for an unknown row, key or value.
    """
    names = [row.name for row in routes]
    for name in overrides:
        if name not in names:
            raise InputError(
                f"routes: no row is called {name!r}", hint=f"rows are {', '.join(names)}"
            )
    return tuple(
        _with_override(row, overrides[row.name]) if row.name in overrides else row for row in routes
    )


def _with_override(row: Route, override: object) -> Route:
    changes = override if isinstance(override, Mapping) else {"route": override}
    if unknown := sorted(set(changes) - {"route", "spread"}):
        raise InputError(
            f"routes.{row.name}: {unknown[0]!r} cannot be set", hint="set route or spread"
        )
    route = changes.get("route", row.route)
    if route not in get_args(RouteName):
        raise InputError(
            f"routes.{row.name}: {route!r} is not a route",
            hint=f"routes are {' and '.join(get_args(RouteName))}",
        )
    if "spread" not in changes:
        return replace(row, route=route)
    return replace(row, route=route, when=_spread_condition(row, changes["spread"]))


def _spread_condition(row: Route, spread: object) -> When:
    limit = spread if isinstance(spread, int | float) and not isinstance(spread, bool) else -1.0
    if row.when.limit is not None and 0 <= limit <= 1:
        return spread_at_most(limit)
    raise InputError(
        f"routes.{row.name}: spread = {spread!r} does not fit",
        hint="spread is a number from 0 to 1, for the row tight_scores",
    )
