"""An endpoint with a certificate of a private authority: trusted when the settings name it."""

import datetime as dt
import ipaddress
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from flows.ledger import Ledger
from tests.e2e.endpoint import Endpoint
from tests.e2e.engine_tasks import ask, found, settings_for, task
from transforms.errors import InputError


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a PEM file with a key and its self-signed certificate for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "loopback.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    ledger = Ledger.open(":memory:")
    yield ledger
    ledger.close()


def test_a_private_authority_is_trusted_when_it_is_named(certificate: Path, ledger: Ledger) -> None:
    with Endpoint(found, certificate=certificate) as endpoint:
        settings = settings_for(endpoint, ca_bundle=str(certificate))
        [generated] = ask(settings, ledger, [task()])
    assert generated.answer.answer_found


def test_an_unknown_authority_is_not_trusted(certificate: Path, ledger: Ledger) -> None:
    with Endpoint(found, certificate=certificate) as endpoint:
        [generated] = ask(settings_for(endpoint, max_attempts=1), ledger, [task()])
        assert endpoint.n_requests == 0
    assert generated.error is not None
    assert "certificate" in generated.error.lower()


def test_a_bundle_that_is_not_there_is_named(certificate: Path, ledger: Ledger) -> None:
    with (
        Endpoint(found, certificate=certificate) as endpoint,
        pytest.raises(InputError, match=r"nowhere\.pem"),
    ):
        ask(settings_for(endpoint, ca_bundle="nowhere.pem"), ledger, [task()])
