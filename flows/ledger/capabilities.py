"""What endpoints can do, as far as it has been found out."""

from datetime import datetime

from flows.ledger.entries import stamp
from flows.ledger.store import Store


class Capabilities:
    """The part of the ledger that remembers what an endpoint takes, and when it wants rest."""

    store: Store

    def read_form(self, endpoint: str, model: str) -> str | None:
        """Return the form that worked last, as JSON, or null when nothing was learned."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select form from capability where endpoint = :endpoint and model = :model",
                {"endpoint": endpoint, "model": model},
            )
        return rows[0]["form"] if rows else None

    def record_form(self, endpoint: str, model: str, form: str, *, at: datetime) -> None:
        """Remember the form that works."""
        with self.store.transaction(is_synced=False) as transaction:
            transaction.run(
                "insert into capability values (:endpoint, :model, :form, :at)"
                " on conflict (endpoint, model) do update set"
                " form = excluded.form, learned_at = excluded.learned_at",
                {"endpoint": endpoint, "model": model, "form": form, "at": stamp(at)},
            )

    def pause_endpoint(self, endpoint: str, *, until: datetime) -> None:
        """Tell every process to send an endpoint nothing before a time."""
        with self.store.transaction(is_synced=False) as transaction:
            transaction.run(
                "insert into pause values (:endpoint, :until) on conflict (endpoint) do update"
                " set until = excluded.until where excluded.until > pause.until",
                {"endpoint": endpoint, "until": stamp(until)},
            )

    def paused_until(self, endpoint: str) -> datetime | None:
        """Return when an endpoint may be asked again, or null when none has said."""
        with self.store.reading() as transaction:
            rows = transaction.run(
                "select until from pause where endpoint = :endpoint", {"endpoint": endpoint}
            )
        return datetime.fromisoformat(rows[0]["until"]) if rows else None
