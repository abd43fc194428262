import { plural, shownValue } from '../model/words.js';
import { momentOf } from './audit-prints.js';
import { brief } from './check-alerts.js';
import { type CheckEvidence, type Found, type Judged, judged, off } from './check-evidence.js';
import { type LabelsSeen, MOST_LABEL_VALUES } from './labels-seen.js';

const DAY = 24 * 60 * 60 * 1000;

/** Whole days from the day of the measurement to the check; `null` where either is not known. */
export function cardAge(date: string | null, now: string | null): number | null {
  const [measured, moment] = [date, now].map((text) => (text === null ? null : momentOf(text)));
  return measured == null || moment == null ? null : Math.floor((moment - measured) / DAY);
}

/** Whether the measurement is too old to stand on. */
export function judgeAge({ bounds, measured }: CheckEvidence): Judged {
  const age = cardAge(measured.date, bounds.now);
  const dated = brief(measured.date ?? '');
  const figure = age === null ? 'unknown' : `${plural(Math.max(0, age), 'day')} (measured ${dated})`;
  const base = { code: 'card_age', title: 'card age', figure };
  const bound = bounds.maxAgeDays;
  if (bound === null) return off(base);
  // A day of grace: the day of a measurement is told by another clock, and in another time zone.
  const isFuture = age !== null && age < -1;
  const finding: Found | null =
    age !== null && Math.max(0, age) <= bound && !isFuture
      ? null
      : {
          code: 'card_age',
          severity: 'error',
          message:
            age === null
              ? `age of the measurement: unknown, ${measured.date === null ? 'the policy keeps no date in measured' : `measured.date in the policy is no date: ${dated}`}; bound ${plural(bound, 'day')}`
              : isFuture
                ? `age of the measurement: the policy is dated ${dated}, after the day of the check`
                : `age of the measurement: ${figure}; bound ${plural(bound, 'day')}`,
          value: age,
          bound,
          hint: 'record newer runs under a generous cap and run capfit calibrate again',
        };
  return judged({ ...base, bound: `at most ${plural(bound, 'day')}` }, [finding]);
}

/** Whether the runs carry models or prompts that the measured ones did not. */
export function judgeLabels(evidence: CheckEvidence): Judged {
  const { bounds, labels, replay } = evidence;
  const names = labelNames(evidence);
  const known = new Map(names.map((name) => [name, knownValues(evidence, name)] as const));
  const comparable = names.filter((name) => known.get(name) != null);
  const carried = bounds.labels.filter((name) => labels.has(name));
  const findings = comparable.flatMap((name) =>
    labelFindings(name, known.get(name) as ReadonlySet<string>, labels, replay.runs),
  );
  const figure =
    comparable.length > 0
      ? `compared: ${comparable.map(brief).join(', ')}`
      : carried.length > 0
        ? `not compared: ${carried.map(brief).join(', ')} (neither measured.labels in the policy, nor --against)`
        : 'the runs carry none';
  const base = { code: 'label_changed', title: 'model and prompt', figure, bound: 'no new value' };
  return judged(base, findings, comparable.length > 0);
}

/** The labels that are looked at: those of the bounds, and those that the policy names. */
export function labelNames({ bounds, measured }: Pick<CheckEvidence, 'bounds' | 'measured'>): string[] {
  return [...new Set([...bounds.labels, ...measured.labels.keys()])];
}

/** The values that the measured runs had: as the policy says, else as the old runs say; `null` where neither does. */
function knownValues({ measured, old }: CheckEvidence, name: string): ReadonlySet<string> | null {
  const values = measured.labels.get(name) ?? old?.labels.get(name)?.keys() ?? null;
  return values === null ? null : new Set(values);
}

function labelFindings(name: string, known: ReadonlySet<string>, labels: LabelsSeen, runs: number): Found[] {
  const seen = labels.get(name);
  if (seen === undefined) {
    return [
      finding('label_gone', 'warning', `no run carries the label ${brief(name)}, which the measured runs had`, 0, GONE),
    ];
  }
  // So many known values name runs, not models: a new one is no change.
  if (known.size > MOST_LABEL_VALUES) {
    const message = `${brief(name)} had ${known.size} values, too many to compare`;
    return [finding('label_many', 'note', message, known.size, 'name a coarser label')];
  }
  const fresh = [...seen].filter(([value]) => !known.has(value));
  if (fresh.length === 0) return [];
  const count = fresh.reduce((sum, [, each]) => sum + each, 0);
  const measured = known.size === 0 ? 'none' : [...known].map(brief).join(', ');
  const message = `${brief(name)} has changed: ${count} of ${plural(runs, 'run')} have ${valuesText(fresh.map(([value]) => value))}; measured: ${measured}`;
  return [finding('label_changed', 'error', message, count, CHANGED)];
}

/** Up to twenty values by name, of more some. */
function valuesText(values: readonly string[]): string {
  if (values.length <= MOST_LABEL_VALUES) return values.map(shownBrief).join(', ');
  return `${values.length} values that were not measured, for instance ${values.slice(0, 5).map(shownBrief).join(', ')}`;
}

function shownBrief(value: string): string {
  return brief(shownValue(value));
}

const CHANGED = 'another model or prompt needs other passes: calibrate again on runs that carry it';
const GONE = 'record it again: without it a change of model or prompt is not seen';

function finding(code: string, severity: Found['severity'], message: string, value: number, hint: string): Found {
  return { code, severity, message, value, bound: severity === 'error' ? 0 : null, hint };
}
