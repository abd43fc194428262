import { attributesOf, fieldOf, idOf, messagesOf } from '../../../src/formats/spans/otlp-value.js';
import { isJsonObject, type Json } from '../../../src/model/json.js';

type Message = { readonly [key: string]: Json };
type Row = { readonly [column: string]: unknown };

/** The table of the collector's exporter, with its types and keys. */
export const OTEL_TABLES: readonly string[] = [
  `CREATE TABLE otel_traces (Timestamp DateTime64(9), TraceId String, SpanId String, ParentSpanId String, TraceState String,
    SpanName LowCardinality(String), SpanKind LowCardinality(String), ServiceName LowCardinality(String),
    ResourceAttributes Map(LowCardinality(String), String), ScopeName String, ScopeVersion String,
    SpanAttributes Map(LowCardinality(String), String), Duration UInt64, StatusCode LowCardinality(String),
    StatusMessage String,
    Events Nested (Timestamp DateTime64(9), Name LowCardinality(String), Attributes Map(LowCardinality(String), String)),
    Links Nested (TraceId String, SpanId String, TraceState String, Attributes Map(LowCardinality(String), String)))
    ENGINE = MergeTree PARTITION BY toDate(Timestamp)
    ORDER BY (ServiceName, SpanName, toDateTime(Timestamp), Timestamp)`,
];

/** An attribute as the exporter writes it: a text as it is, anything else as its JSON. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_key, held: Json) =>
    isJsonObject(held) ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1))) : held,
  );
}

const textsOf = (attributes: Message): { [key: string]: string } =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, textOf(value)]),
  );

const CODES: { readonly [code: string]: string } = {
  '1': 'Ok',
  '2': 'Error',
  STATUS_CODE_OK: 'Ok',
  STATUS_CODE_ERROR: 'Error',
};

/** Nanoseconds as the text of a DateTime64(9). */
function momentOf(nanos: bigint): string {
  const seconds = new Date(Number(nanos / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds.replace('T', ' ')}.${String(nanos % 1_000_000_000n).padStart(9, '0')}`;
}

/** The row of one span; `prefix` goes before the id of its trace. */
function spanRow(span: Message, resource: Message, prefix: string): Row {
  const nanosOf = (name: string): bigint => BigInt((fieldOf(span, name) as string | number | undefined) ?? 0);
  const [start, end] = [nanosOf('startTimeUnixNano'), nanosOf('endTimeUnixNano')];
  const status = fieldOf(span, 'status');
  const code = isJsonObject(status) ? fieldOf(status, 'code') : status;
  const events = messagesOf(span, 'events', '');
  return {
    Timestamp: momentOf(start),
    TraceId: `${prefix}${idOf(span, 'traceId', 16, '') ?? ''}`,
    SpanId: idOf(span, 'spanId', 8, '') ?? '',
    ParentSpanId: idOf(span, 'parentSpanId', 8, '') ?? '',
    SpanName: fieldOf(span, 'name') ?? '',
    ServiceName: attributesOf(resource, '')['service.name'] ?? '',
    SpanAttributes: textsOf(attributesOf(span, '')),
    // A span that never ended has an end of 0: the exporter's unsigned difference wraps around.
    Duration: String(BigInt.asUintN(64, end - start)),
    StatusCode: CODES[String(code)] ?? 'Unset',
    StatusMessage: (isJsonObject(status) ? fieldOf(status, 'message') : undefined) ?? '',
    'Events.Timestamp': events.map(() => momentOf(start)),
    'Events.Name': events.map((event) => fieldOf(event, 'name') ?? ''),
    'Events.Attributes': events.map((event) => textsOf(attributesOf(event, ''))),
  };
}

/** The rows of an export, or of several in a list. */
export function rowsOfExport(value: Json, prefix = ''): Row[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((each) => rowsOfExport(each, prefix));
  if (!isJsonObject(value)) return [];
  const inner = isJsonObject(value.trace) ? value.trace : value;
  const list = ['resourceSpans', 'resource_spans', 'batches'].find((name) => Object.hasOwn(inner, name));
  if (list === undefined) return [];
  return messagesOf(inner, list, '').flatMap((group) => {
    const resource = isJsonObject(group.resource) ? group.resource : {};
    const scopes = ['scopeSpans', 'instrumentationLibrarySpans'].flatMap((name) => messagesOf(group, name, ''));
    return scopes.flatMap((scope) => messagesOf(scope, 'spans', '').map((span) => spanRow(span, resource, prefix)));
  });
}
