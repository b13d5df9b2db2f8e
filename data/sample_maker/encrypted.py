"""Encrypted PDFs that come out the same every time.

MuPDF draws a new file identifier, and so a new key, whenever it encrypts. It keeps an encryption
that is there already: so an empty encrypted file is written by hand and the pages go into that.
"""

import hashlib

import pymupdf

PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
PERMISSIONS = -4
KEEP_ENCRYPTION = 0
"""MuPDF's PDF_ENCRYPT_KEEP."""


def encrypted(document: pymupdf.Document, *, user_password: str) -> bytes:
    """Return the document's bytes under a user password, which may be empty."""
    shell = pymupdf.open(stream=_empty_file(user_password), filetype="pdf")
    shell.authenticate(user_password)
    shell.insert_pdf(document)
    shell.delete_page(0)
    shell.set_toc(document.get_toc())
    return shell.tobytes(garbage=3, deflate=True, no_new_id=True, encryption=KEEP_ENCRYPTION)


def _empty_file(user_password: str) -> bytes:
    """Return a file of one empty page with the standard handler, revision 2 (PDF 1.7, 7.6.3)."""
    identifier = hashlib.md5(user_password.encode(), usedforsecurity=False).digest()
    user, owner_key = _padded(user_password), _digest(_padded("office"))[:5]
    owner = _rc4(owner_key, user)
    permissions = PERMISSIONS.to_bytes(4, "little", signed=True)
    key = _digest(user + owner + permissions + identifier)[:5]
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>",
        b"<</Filter/Standard/V 1/R 2/P %d/O<%s>/U<%s>>>"
        % (PERMISSIONS, owner.hex().encode(), _rc4(key, PADDING).hex().encode()),
    )
    body, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return (
        body
        + b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer\n<</Size 5/Root 1 0 R/Encrypt 4 0 R/ID[<%s><%s>]>>\nstartxref\n%d\n%%%%EOF\n"
        % (identifier.hex().encode(), identifier.hex().encode(), len(body))
    )


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + PADDING)[:32]


def _digest(content: bytes) -> bytes:
    return hashlib.md5(content, usedforsecurity=False).digest()


def _rc4(key: bytes, content: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in content:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
