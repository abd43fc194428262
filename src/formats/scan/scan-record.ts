import type { Depth } from '../../model/depth.js';
import { parseJson } from '../../model/json.js';
import type { Run } from '../../model/run.js';
import type { RunSetting } from '../../model/run-batch.js';
import { CHECKS, CLAIMS, STATUSES, statusCheckConflict } from '../../model/status.js';
import { readLabels, readRecordedUnder, readTotals } from '../record.js';
import { type FoundPart, PART, Scanner } from './scanner-module.js';

/**
 * Takes run records from their bytes, what is plain in them by `assembly/record.ts`. What many runs share, such as their
 * labels, is understood once and then known by its number.
 *
 * @param codeForTool the code under which the table keeps a tool
 */
export function createRecordScanner(codeForTool: (tool: string) => number, depth: Depth): Scanner {
  const statuses = createMeanings((text) => oneOf(STATUSES, text));
  const checks = createMeanings((text) => oneOf(CHECKS, text));
  const claims = createMeanings<Run['claim']>((text) => oneOf(CLAIMS, text));
  const reasons = createMeanings<Run['reason']>((text) => JSON.parse(text) as string);
  const labelMaps = createMeanings<Run['labels']>((text) => readLabels({ labels: parseJson(text) }));
  const capMaps = createMeanings<Run['recordedUnder']>((text) =>
    readRecordedUnder({ recorded_under: parseJson(text) }),
  );
  const sums = createMeanings((text) => readTotals({ totals: parseJson(text) }));
  const settingOf = (part: (part: number) => FoundPart | null): RunSetting | null => {
    const status = statuses.of(part(PART.status), 'running');
    const check = checks.of(part(PART.check), 'none');
    const claim = claims.of(part(PART.claim), null);
    const labels = labelMaps.of(part(PART.labels), NO_LABELS);
    const recordedUnder = capMaps.of(part(PART.recordedUnder), NO_CAPS);
    const reason = reasons.of(part(PART.reason), null);
    const totals = sums.of(part(PART.totals), null);
    if (status === undefined || check === undefined || claim === undefined) return null;
    if (labels === undefined || recordedUnder === undefined || reason === undefined || totals === undefined)
      return null;
    if (statusCheckConflict(status, check) !== null) return null;
    return { status, reason, check, claim, labels, recordedUnder, totals };
  };
  return new Scanner({ codeForTool, settingOf, millisOf: Date.parse }, depth);
}

/** @throws Error where the text is none of the words */
function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((each) => each === JSON.parse(text));
  if (word === undefined) throw new Error(text);
  return word;
}

const NO_LABELS: Run['labels'] = new Map();
const NO_CAPS: Run['recordedUnder'] = new Map();

/** What the text of a part means, worked out once for each number. */
interface Meanings<Value> {
  /** `undefined` where it means nothing. */
  of(part: FoundPart | null, absent: Value): Value | undefined;
}

/** @param meaningOf throws where the text has no meaning */
function createMeanings<Value>(meaningOf: (text: string) => Value): Meanings<Value> {
  const known: Value[] = [];
  return {
    of(part, absent) {
      if (part === null) return absent;
      const shared = part.number < 0 ? undefined : known[part.number];
      if (shared !== undefined) return shared;
      try {
        const meaning = meaningOf(part.text());
        if (part.number >= 0) known[part.number] = meaning;
        return meaning;
      } catch {
        return undefined;
      }
    },
  };
}
