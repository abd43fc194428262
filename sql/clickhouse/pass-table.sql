-- The pass table of capfit: one row a pass, the fields of the run on each of its rows.
-- Run ids are unique over all that is in it; to fill it again, TRUNCATE it first: two rows with one run_id and pass are refused.
-- A run of which no pass is recorded by itself has one row with pass = 0.
-- '' in a text and NULL in a number say "not known". Seconds are whole microseconds, dollars whole billionths of a dollar.
CREATE TABLE IF NOT EXISTS capfit_passes
(
    run_order UInt64,                          -- place of the run in the order of the recording
    run_id String,
    status String,                             -- done_verified, done_claimed, stopped_budget, halted_error, running
    verdict String,                            -- passed, failed, none
    claim String,                              -- completed, blocked, impossible, or ''
    reason String,                             -- why it was stopped or halted, or ''
    started_at String,                         -- ISO 8601, or ''
    labels Nested(name String, value String),  -- agent, task_type, model, ...
    recorded_under_passes Nullable(Int64),     -- the caps in force while recording
    recorded_under_tokens Nullable(Int64),
    recorded_under_microseconds Nullable(Int64),
    recorded_under_nanodollars Nullable(Int64),
    recorded_under_steps Nullable(Int64),
    total_passes Nullable(Int64),              -- totals of the run, where a recorder keeps them beside the passes
    total_tokens Nullable(Int64),
    total_microseconds Nullable(Int64),
    total_nanodollars Nullable(Int64),
    passes_recorded UInt8,                     -- 0: passes were not recorded one by one; 1 with pass = 0: there were none
    pass UInt32,                               -- from 1
    input_tokens Nullable(Int64),              -- all prompt tokens, cached ones included
    output_tokens Nullable(Int64),
    microseconds Nullable(Int64),              -- from the start of this pass to the start of the next, or the end
    nanodollars Nullable(Int64),
    steps Nullable(Int64),                     -- NULL: 1 + 2 a call, 2 without calls
    calls Nested(
        tool String,
        arguments String,                      -- digests of normalized content, equal exactly where contents are
        result String,                         -- '': not recorded, equal to no other
        failed Int8)                           -- 1, 0, or -1: not recorded
)
ENGINE = MergeTree
ORDER BY (run_id, pass);
