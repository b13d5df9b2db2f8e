-- The ledger: what was asked of models, what came back, and what it cost.
-- Rows are only added, except counters (spending), what a run or job has come to, and texts that
-- `forget` blanks. Times are UTC in ISO 8601; money is whole billionths of a US dollar.

-- One row per execution of a question set.
create table if not exists run (
    run_id text primary key,
    root_run_id text not null,      -- first run of a chain of resumes: bounds and reuse span it
    resumed_from text,
    set_id text not null,
    settings_hash text not null,
    started_at text not null,
    finished_at text
);

-- One row per distinct request; the text is null when texts are not kept.
create table if not exists request (
    request_hash text primary key,
    request_json text,
    doc_ids text not null           -- JSON list of the documents it quotes
);

-- One row per attempt, written with its reservation before anything is sent.
create table if not exists attempt (
    call_id text not null,
    attempt integer not null,
    run_id text,
    pair_id text,
    doc_id text,
    iteration_number integer,
    step integer,
    purpose text not null,
    engine text not null,
    endpoint text not null,
    model text not null,
    request_hash text not null,
    reserved_tokens bigint not null,
    reserved_nanousd bigint not null,
    is_priced integer not null,     -- 0: the model's price is unknown, only tokens are bounded
    called_at text not null,
    primary key (call_id, attempt)
);
create index if not exists attempt_by_run on attempt (run_id);

-- One row per attempt that ended, written with its counters before anything else happens.
create table if not exists settlement (
    call_id text not null,
    attempt integer not null,
    outcome text not null,
    http_status integer,
    finish_reason text,
    prompt_tokens bigint,
    cached_tokens bigint,
    completion_tokens bigint,
    reasoning_tokens bigint,
    cost_nanousd bigint,
    price_source text,
    latency_ms bigint not null,
    counted_tokens bigint not null, -- what the bounds count: the usage, or the reservation
    counted_nanousd bigint not null,
    budget_left_tokens bigint,
    budget_left_nanousd bigint,
    error text,
    settled_at text not null,
    chunk_id text,                  -- part of llm_call_df that carries the row
    published_at text,
    primary key (call_id, attempt)
);
create index if not exists settlement_unpublished on settlement (chunk_id) where published_at is null;

-- One row per response; the newest of a request hash answers it.
create table if not exists response (
    call_id text not null,
    attempt integer not null,
    request_hash text not null,
    body text,                      -- as received; null when texts are not kept
    elapsed_ms bigint not null,     -- of the call, with its retries and waits
    stored_at text not null,
    primary key (call_id, attempt)
);
create index if not exists response_by_hash on response (request_hash, stored_at);

-- One row per request that a generation step made, answered or not: what a replay follows.
create table if not exists step_request (
    run_id text not null,
    pair_id text not null,
    iteration_number integer not null,
    step integer not null,
    seq integer not null,           -- 1 the answer, 2 its correction, then the next tier's
    request_hash text not null,
    endpoint text not null,
    model text not null,
    call_id text,                   -- response that answered it
    attempt integer,
    failure text,                   -- why none did
    message text,
    usage text not null,            -- JSON, as the step reported it
    elapsed_ms bigint not null,
    primary key (run_id, pair_id, iteration_number, step, seq)
);

-- One row per bound that is counted: a run, a day, a month.
create table if not exists spending (
    scope text not null,
    scope_key text not null,
    tokens bigint not null,
    nanousd bigint not null,
    primary key (scope, scope_key)
);

-- One row per job of a Batch API, written before the endpoint is told of it.
create table if not exists batch_job (
    token text primary key,         -- ours, sent along: finds a job whose id was not written any more
    job_id text,                    -- the endpoint's
    endpoint text not null,
    submitted_at text not null,
    closed_at text
);

-- One row per attempt that travels in a job.
create table if not exists batch_item (
    custom_id text primary key,
    token text not null,
    call_id text not null,
    attempt integer not null,
    request_hash text not null
);
create index if not exists batch_item_by_job on batch_item (token);

-- One row per endpoint that asked to be left alone for a while: every process keeps to it.
create table if not exists pause (
    endpoint text primary key,
    until text not null
);

-- One row per endpoint and model: the richest form of request it takes.
create table if not exists capability (
    endpoint text not null,
    model text not null,
    form text not null,
    learned_at text not null,
    primary key (endpoint, model)
);
