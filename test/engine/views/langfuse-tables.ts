/** The columns of Langfuse's own tables that the view asks for, with their types and keys. */
export const LANGFUSE_TABLES: readonly string[] = [
  `CREATE TABLE traces (id String, timestamp DateTime64(3), name String, metadata Map(LowCardinality(String), String),
    release Nullable(String), version Nullable(String), project_id String, environment LowCardinality(String) DEFAULT 'default',
    tags Array(String), event_ts DateTime64(3), is_deleted UInt8)
    ENGINE = ReplacingMergeTree(event_ts, is_deleted) PARTITION BY toYYYYMM(timestamp)
    PRIMARY KEY (project_id, toDate(timestamp)) ORDER BY (project_id, toDate(timestamp), id)`,
  `CREATE TABLE observations (id String, trace_id String, project_id String, type LowCardinality(String),
    parent_observation_id Nullable(String), start_time DateTime64(3), end_time Nullable(DateTime64(3)), name String,
    metadata Map(LowCardinality(String), String), level LowCardinality(String), status_message Nullable(String),
    input Nullable(String), output Nullable(String), provided_model_name Nullable(String),
    provided_usage_details Map(LowCardinality(String), UInt64), usage_details Map(LowCardinality(String), UInt64),
    cost_details Map(LowCardinality(String), Decimal64(12)), total_cost Nullable(Decimal64(12)),
    tool_calls Array(String), tool_call_names Array(String), event_ts DateTime64(3), is_deleted UInt8)
    ENGINE = ReplacingMergeTree(event_ts, is_deleted) PARTITION BY toYYYYMM(start_time)
    PRIMARY KEY (project_id, type, toDate(start_time)) ORDER BY (project_id, type, toDate(start_time), id)`,
  `CREATE TABLE scores (id String, timestamp DateTime64(3), project_id String, trace_id Nullable(String),
    observation_id Nullable(String), name String, value Float64, source String, data_type String,
    string_value Nullable(String), event_ts DateTime64(3), is_deleted UInt8)
    ENGINE = ReplacingMergeTree(event_ts, is_deleted) PARTITION BY toYYYYMM(timestamp)
    PRIMARY KEY (project_id, toDate(timestamp), name) ORDER BY (project_id, toDate(timestamp), name, id)`,
];

type Fields = { readonly [name: string]: unknown };

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);

/** Metadata as Langfuse stores it: a map of texts, whatever is no text as its JSON. */
function metadataOf(value: unknown): { [name: string]: string } {
  const object = typeof value === 'string' && value.startsWith('{') ? (JSON.parse(value) as unknown) : value;
  if (object === null || typeof object !== 'object' || Array.isArray(object)) return {};
  return Object.fromEntries(Object.entries(object).map(([name, held]) => [name, textOf(held) ?? '']));
}

const EVENT_TS = '2026-11-01T00:00:00.000Z';

/** A row of `observations` for an observation as the API writes it. */
export function observationRow(observation: Fields, traceId: string, more: Fields = {}): Fields {
  return {
    id: observation.id,
    trace_id: observation.traceId ?? traceId,
    project_id: 'p',
    type: observation.type,
    parent_observation_id: observation.parentObservationId ?? null,
    start_time: observation.startTime,
    end_time: observation.endTime ?? null,
    name: observation.name ?? '',
    metadata: metadataOf(observation.metadata),
    level: observation.level ?? '',
    status_message: observation.statusMessage ?? null,
    input: textOf(observation.input),
    output: textOf(observation.output),
    provided_model_name: observation.model ?? null,
    provided_usage_details: observation.providedUsageDetails ?? {},
    usage_details: observation.usageDetails ?? {},
    cost_details: observation.costDetails ?? {},
    total_cost: observation.totalCost ?? null,
    tool_calls: ((observation.toolCalls ?? []) as readonly unknown[]).map(textOf),
    tool_call_names: observation.toolCallNames ?? [],
    event_ts: EVENT_TS,
    is_deleted: 0,
    ...more,
  };
}

/** A row of `traces`. */
export function traceRow(trace: Fields, more: Fields = {}): Fields {
  return {
    id: trace.id,
    timestamp: trace.timestamp,
    name: trace.name ?? '',
    metadata: metadataOf(trace.metadata),
    release: trace.release ?? null,
    version: trace.version ?? null,
    project_id: 'p',
    environment: trace.environment ?? '',
    tags: trace.tags ?? [],
    event_ts: EVENT_TS,
    is_deleted: 0,
    ...more,
  };
}

/** A row of `scores`. */
export function scoreRow(score: Fields, traceId: string, index: number, more: Fields = {}): Fields {
  return {
    id: score.id ?? `${traceId}-score-${index}`,
    timestamp: EVENT_TS,
    project_id: 'p',
    trace_id: traceId,
    observation_id: score.observationId ?? null,
    name: score.name,
    value: typeof score.value === 'number' ? score.value : 0,
    source: score.source ?? '',
    data_type: score.dataType ?? 'NUMERIC',
    string_value: score.stringValue ?? null,
    event_ts: EVENT_TS,
    is_deleted: 0,
    ...more,
  };
}

/** A trace as the trace view downloads it. */
export interface Export {
  readonly trace: Fields;
  readonly observations: readonly Fields[];
}

/** The rows of whole traces. */
export function rowsOfExports(exports: readonly Export[]): {
  readonly traces: Fields[];
  readonly observations: Fields[];
  readonly scores: Fields[];
} {
  const idOf = ({ trace }: Export): string => trace.id as string;
  const scoresOf = ({ trace }: Export): readonly Fields[] =>
    (typeof trace.scores === 'string' ? JSON.parse(trace.scores) : (trace.scores ?? [])) as readonly Fields[];
  return {
    traces: exports.map(({ trace }) => traceRow(trace)),
    observations: exports.flatMap((each) => each.observations.map((it) => observationRow(it, idOf(each)))),
    scores: exports.flatMap((each) => scoresOf(each).map((it, index) => scoreRow(it, idOf(each), index))),
  };
}
