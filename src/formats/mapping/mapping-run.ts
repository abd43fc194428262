import { ExactNumber, type Json } from '../../model/json.js';
import { isLimitName } from '../../model/limits.js';
import type { Run } from '../../model/run.js';
import { type Check, STATUSES } from '../../model/status.js';
import { damageLabel } from '../damage.js';
import { limitOfWord } from '../endings.js';
import { type Moment, quote } from '../fields.js';
import { type ReadingOptions, RecordError } from '../format.js';
import { runOfRecord } from '../record.js';
import type { Ask } from './mapping-ask.js';
import { passesAmongEvents } from './mapping-events.js';
import { type Passes, passesInList } from './mapping-passes.js';
import type { Mapping } from './mapping-plan.js';
import type { MappedRecord } from './mapping-records.js';
import { capOf, checkOf, figureOf, knownFields, momentOf, single, wordOf } from './mapping-values.js';

/**
 * The run that a mapping makes of a record.
 *
 * @throws RecordError when an expression fails, or what it gives is nothing that its field can hold
 */
export async function runOfMapped(record: MappedRecord, mapping: Mapping, options: ReadingOptions): Promise<Run> {
  const word = async (ask: Ask | null): Promise<string | null> =>
    ask === null ? null : wordOf(await ask.of(record.value, record.scope), ask.key);
  const moment = async (ask: Ask | null): Promise<Moment | null> =>
    ask === null ? null : momentOf(await ask.of(record.value, record.scope), ask.key, mapping.timeUnit);

  const verdict = mapping.check === null ? null : await mapping.check.of(record.value, record.scope);
  const { check, claim } = verdictOf(checkOf(verdict, 'check', options.passMark), mapping, options);
  const { raw_reason, ...ending } = endingOf(await word(mapping.status), await word(mapping.reason), check);
  const ended = await moment(mapping.endedAt);
  const found = await passesOf(record, mapping, ended, options);
  const told = await each(mapping.labels, record, (value, path) => single(value, path));
  const labels = record.isDamaged ? { ...told, ...damageLabel(true) } : told;
  return runOfRecord(
    {
      id: (await word(mapping.id)) ?? record.key,
      ...ending,
      check,
      claim: (await word(mapping.claim)) ?? claim,
      labels: raw_reason === null ? labels : { ...labels, raw_reason },
      started_at: (await moment(mapping.startedAt))?.iso ?? null,
      recorded_under: await each(mapping.recordedUnder, record, capOf),
      ...(await spendOf(record, mapping, found)),
    },
    record.place,
  );
}

/** The verdict of a model is its opinion: the agent's claim has a witness, and no program has checked it. */
function verdictOf(
  given: Check,
  mapping: Mapping,
  options: ReadingOptions,
): { readonly check: Check; readonly claim: string | null } {
  if (!mapping.isJudge || options.trustJudge) return { check: given, claim: null };
  return { check: 'none', claim: given === 'passed' ? 'completed' : null };
}

/** How the run ended. Where no status is mapped, a reason that is a limit stopped it; else it was done. */
function endingOf(
  status: string | null,
  word: string | null,
  check: Check,
): { readonly status: string; readonly reason: string | null; readonly raw_reason: string | null } {
  const limit = word === null ? null : isLimitName(word) ? word : limitOfWord(word);
  const ended = endedAs(status, limit, check);
  const reason = ended === 'stopped_budget' ? (limit ?? word) : ended === 'halted_error' ? word : null;
  return { status: ended, reason, raw_reason: reason === word ? null : word };
}

function endedAs(status: string | null, limit: string | null, check: Check): string {
  if (status === null && limit !== null) return 'stopped_budget';
  if (status === null || status === 'done') return check === 'passed' ? 'done_verified' : 'done_claimed';
  if ((STATUSES as readonly string[]).includes(status)) return status;
  throw new RecordError(
    `status is ${quote(status)}`,
    `the expression must give done, ${STATUSES.join(', ')}; such as 'outcome = "ok" ? "done" : "halted_error"'`,
  );
}

async function passesOf(
  record: MappedRecord,
  mapping: Mapping,
  ended: Moment | null,
  { idleGap }: ReadingOptions,
): Promise<Passes> {
  const { value, scope } = record;
  if (mapping.events !== null) return passesAmongEvents(value, mapping.events, mapping, scope, ended, idleGap);
  if (mapping.passes !== null) return passesInList(value, mapping.passes, mapping, scope, ended, idleGap);
  return { passes: null, seconds: null };
}

/** Passes and totals. A run of which only totals are known and which made no model call is known to the last pass. */
async function spendOf(
  record: MappedRecord,
  mapping: Mapping,
  found: Passes,
): Promise<{ readonly passes: Json; readonly totals: Json }> {
  const stated = await each(mapping.totals, record, (value, path, name) =>
    figureOf(value, path, mapping.unknown.get(name) ?? []),
  );
  const totals = knownFields({ ...stated, seconds: stated.seconds ?? found.seconds });
  const made = totals?.passes ?? null;
  const isNone = found.passes === null && (made instanceof ExactNumber ? Number(made.text) : made) === 0;
  return { passes: isNone ? [] : found.passes, totals };
}

/** What a group of named expressions gives. */
async function each(
  asks: ReadonlyMap<string, Ask>,
  { value, scope }: MappedRecord,
  read: (value: Json, path: string, name: string) => Json,
): Promise<{ [name: string]: Json }> {
  const fields: [string, Json][] = [];
  for (const [name, ask] of asks) fields.push([name, read(await ask.of(value, scope), ask.key, name)]);
  return Object.fromEntries(fields);
}
