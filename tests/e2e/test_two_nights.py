"""Two nights in a row: the second asks only about what changed, and says what it was."""

from pathlib import Path

import pytest

from tests.bench.nights import QUESTIONS, change, keep_night, write_policy, write_questions
from tests.e2e.endpoint import Endpoint
from tests.e2e.reader_model import read_and_reply

N_DOCUMENTS, N_CHANGED = 6, 1


@pytest.mark.usefixtures("prefect")
def test_the_second_night_calls_only_for_changed_documents_and_names_them(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(N_DOCUMENTS):
        write_policy(tmp_path / "in", number, premium=1_000 + number)
    write_questions(tmp_path / "questions.csv")
    with Endpoint(read_and_reply) as endpoint:
        overrides = {
            "warehouse": str(tmp_path / "warehouse"),
            "engine": "openai",
            "model": "m",
            "base_url": endpoint.base_url,
            "api_key": "sk-test",
        }
        first = keep_night(tmp_path, overrides)
        expected = change(tmp_path, N_DOCUMENTS, N_CHANGED)
        second = keep_night(tmp_path, overrides)
        n_requests = endpoint.n_requests
        third = keep_night(tmp_path, overrides)
        assert endpoint.n_requests == n_requests
    assert first.n_calls >= N_DOCUMENTS * len(QUESTIONS)
    assert first.changes == frozenset()
    assert second.n_calls * N_DOCUMENTS == first.n_calls * N_CHANGED
    assert second.n_reused == (N_DOCUMENTS - N_CHANGED) * len(QUESTIONS)
    assert second.changes == expected
    assert (third.n_calls, third.changes) == (0, frozenset())
