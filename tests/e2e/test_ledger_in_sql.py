"""What the ledger wrote and what SQL sums is the same, to the billionth of a dollar."""

from decimal import Decimal
from pathlib import Path

from flows.ledger import Ledger
from flows.warehouse import Warehouse
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import failing
from tests.e2e.engine_tasks import ask, different_tasks, found, settings_for
from transforms.values import Usage

CACHED = {
    "prompt_tokens": 262_960,
    "completion_tokens": 1,
    "total_tokens": 262_961,
    "prompt_tokens_details": {"cached_tokens": 257_955},
}


def test_the_months_total_in_sql_is_the_sum_of_the_ledger(tmp_path: Path) -> None:
    warehouse = Warehouse.open(str(tmp_path / "warehouse"), create=True)
    ledger = Ledger.open(warehouse.ledger_path)
    prices = {"m": {"input": "0.15", "cached_input": "0.0375", "output": "0.6"}}
    with Endpoint(found) as endpoint:
        endpoint.play(Act(usage=CACHED), failing(500), Act(text="nonsense"), Act(usage={}))
        settings = settings_for(endpoint, prices=prices, concurrency=1)
        generated = ask(settings, ledger, different_tasks(9))
    ledger.publish_calls(warehouse.write_calls)
    ledger.publish_calls(warehouse.write_calls)
    total = warehouse.query(
        "select sum(cost_usd) as usd, count(*) as n_calls from llm_call_df"
        " where date_trunc('month', called_at) = (select max(date_trunc('month', called_at))"
        " from llm_call_df)"
    ).row(0, named=True)
    calls = ledger.all_calls()
    ledger.close()
    usage = sum((each.usage for each in generated if each.usage.cost_usd is not None), Usage())
    assert total["n_calls"] == calls.height == 11
    assert total["usd"] == calls["cost_usd"].sum() == usage.cost_usd
    assert total["usd"] > Decimal("0.0104")
    assert calls["cost_usd"].null_count() == 1
