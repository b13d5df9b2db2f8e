"""Settings: precedence, bounds, and errors that a user can act on."""

import traceback
from decimal import Decimal
from pathlib import Path

import pytest

from flows.ingesting.sources import find_sources
from flows.ledger import Ledger
from flows.settings import Settings, load_settings
from transforms.errors import InputError


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COMPLINE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_defaults_need_nothing() -> None:
    settings = load_settings()
    assert (settings.warehouse, settings.engine, settings.k) == ("warehouse", "auto", 5)


def test_a_command_wins_over_the_environment_and_that_over_the_file(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_folder / "compline.toml").write_text('k = 6\nmodel = "file"\nengine = "openai"\n')
    monkeypatch.setenv("COMPLINE_K", "7")
    monkeypatch.setenv("COMPLINE_MODEL", "environment")
    settings = load_settings(model="command", k=None)
    assert (settings.model, settings.k, settings.engine) == ("command", 7, "openai")


def test_the_usual_openai_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    settings = load_settings()
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "sk-1"
    assert settings.base_url == "http://127.0.0.1:8000/v1"


def test_prices_and_tiers_come_as_tables_of_the_file(empty_folder: Path) -> None:
    (empty_folder / "compline.toml").write_text(
        '[model_tiers]\ncheap = "small"\n[prices.small]\ninput = "0.15"\noutput = "0.60"\n'
    )
    settings = load_settings()
    assert settings.model_tiers == {"cheap": "small"}
    assert settings.prices["small"].output == Decimal("0.60")


def test_no_secret_leaves_through_public_or_in_a_traceback() -> None:
    settings = load_settings(
        api_key="sk-1",
        base_url="http://user:word@host/v1?api-key=query",
        ledger_url="postgresql://u:p@h/d",
        warehouse="s3://me:mine@bucket/house",
    )
    public = settings.public()
    assert (public["base_url"], public["warehouse"]) == ("http://host/v1", "s3://bucket/house")
    assert not [
        secret for secret in ("sk-1", "word", "query", "u:p", "mine") if secret in str(public)
    ]
    assert not [secret for secret in ("sk-1", "word", "query", "u:p") if secret in repr(settings)]


@pytest.mark.parametrize(
    "url", ["postgresql://u:hunter2@[h/d", "postgresql://u:hunter2@h/d?nope=1"]
)
def test_a_wrong_ledger_url_is_not_quoted_with_its_password(url: str) -> None:
    pytest.importorskip("psycopg", reason="needs the extra for PostgreSQL")
    with pytest.raises(InputError, match="ledger_url") as error:
        Ledger.open(url)
    assert "hunter2" not in "".join(traceback.format_exception(error.value))


def test_a_document_url_with_a_password_is_refused_unquoted() -> None:
    with pytest.raises(InputError, match="password") as error:
        find_sources(["sftp://me:hunter2@host/policies"])
    assert "hunter2" not in f"{error.value} {error.value.hint}"


def test_every_bound_is_finite() -> None:
    bounds = [name for name in Settings.model_fields if "budget" in name or name.startswith("max")]
    assert len(bounds) == 14
    assert all(getattr(load_settings(), name) is not None for name in bounds)


def test_every_setting_is_described() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


@pytest.mark.parametrize(
    ("file", "variable", "message", "hint"),
    [
        ("kk = 1", None, "unknown setting 'kk'", "'k'"),
        ("k = 0", None, "setting 'k'", "correct it in"),
        ("k = ", None, "cannot be read", "compline.toml"),
        ("", ("COMPLINE_MODLE", "x"), "'COMPLINE_MODLE'", "'COMPLINE_MODEL'"),
        ("", ("COMPLINE_ROUTES", "{"), "cannot be read", "COMPLINE_"),
        ("", ("COMPLINE_CONFIG", "none.toml"), "'none.toml' does not exist", "COMPLINE_CONFIG"),
    ],
)
def test_a_wrong_setting_says_which_and_what_to_do(
    empty_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    variable: tuple[str, str] | None,
    message: str,
    hint: str,
) -> None:
    (empty_folder / "compline.toml").write_text(file)
    if variable:
        monkeypatch.setenv(*variable)
    with pytest.raises(InputError) as caught:
        load_settings()
    assert message in str(caught.value)
    assert hint in caught.value.hint
