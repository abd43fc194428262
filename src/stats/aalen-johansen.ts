/** How many left the group that is watched at one time, and how. */
export interface Exits {
  /** Not negative; each time once, ascending. */
  readonly time: number;
  readonly successes: number;
  /** Endings after which no success can come: the competing event. */
  readonly failures: number;
  /** Lost from sight at this time, after its endings: what would have come of them is not known. */
  readonly censored: number;
}

/** One time of the estimate. */
export interface IncidenceStep extends Exits {
  /** Those still watched just before this time's endings. */
  readonly atRisk: number;
  /** Estimated share of all that have neither succeeded nor failed just before this time's endings. */
  readonly openBefore: number;
  /** Estimated share of all that have succeeded by this time. */
  readonly incidence: number;
}

/** The share that has succeeded by a time, and how sure it is. */
export interface IncidenceAt {
  readonly incidence: number;
  readonly variance: number;
  /** Pointwise 95 % interval; `null` where none exists: nothing or all has succeeded, or nothing can vary. */
  readonly ci95: readonly [low: number, high: number] | null;
  /** Those still watched just before this time's endings. */
  readonly atRisk: number;
}

/**
 * The cumulative incidence of success where failures compete with it and some are censored: the share that succeeds by
 * each time, without pretending that a failed one could still succeed, as one minus Kaplan-Meier would. O. O. Aalen and
 * S. Johansen, Scandinavian Journal of Statistics 5 (1978); J. D. Kalbfleisch and R. L. Prentice (1980), section 7.2.
 * It takes for granted that the censored would have gone on as those did that stayed in sight.
 *
 * @returns a step for each time at which anyone left
 * @throws RangeError when times do not ascend, or a count is no whole number from 0
 */
export function aalenJohansen(exits: readonly Exits[]): IncidenceStep[] {
  requireExits(exits);
  const occupied = exits.filter((each) => countOf(each) > 0);
  let atRisk = occupied.reduce((sum, each) => sum + countOf(each), 0);
  let openBefore = 1;
  let incidence = 0;
  return occupied.map((each) => {
    const { successes, failures } = each;
    const before = { atRisk, openBefore };
    incidence += openBefore * (successes / atRisk);
    openBefore *= (atRisk - successes - failures) / atRisk;
    atRisk -= countOf(each);
    return { ...each, ...before, incidence: Math.min(1, incidence) };
  });
}

function countOf({ successes, failures, censored }: Exits): number {
  return successes + failures + censored;
}

/**
 * The estimate at a time; `null` where it is not identified: nobody was watched so long, and some were open to the end.
 *
 * The variance is that of the delta method, each time's endings being multinomial: G. E. Dinse and M. G. Larson,
 * Biometrika 73 (1986); E. Marubini and M. G. Valsecchi, Analysing Survival Data (1995), section 10.4. The interval
 * is taken on the scale ln(-ln), so that it stays within 0 and 1: M. Pintilie, Competing Risks (2006), section 4.3.
 *
 * @param steps what `aalenJohansen` gave
 */
export function incidenceAt(steps: readonly IncidenceStep[], time: number): IncidenceAt | null {
  const last = steps.at(-1);
  if (last === undefined || (time > last.time && isOpen(last))) return null;
  const past = steps.filter((step) => step.time <= time);
  const incidence = past.at(-1)?.incidence ?? 0;
  const variance = past.reduce((sum, step) => sum + varianceFrom(step, incidence), 0);
  const next = steps.find((step) => step.time >= time);
  return {
    incidence,
    // Where all have succeeded the terms cancel, but for the last digits.
    variance: Math.max(0, variance),
    ci95: logLogInterval(incidence, variance),
    atRisk: next?.atRisk ?? 0,
  };
}

function isOpen({ atRisk, successes, failures }: IncidenceStep): boolean {
  return atRisk > successes + failures;
}

function varianceFrom(
  { atRisk, successes, failures, openBefore, incidence: then }: IncidenceStep,
  now: number,
): number {
  const ended = successes + failures;
  const since = now - then;
  // Where all have ended nothing can come after, so that the first term is none.
  const ofOpen = ended < atRisk ? (since * since * ended) / (atRisk * (atRisk - ended)) : 0;
  const ofStep = (openBefore * openBefore * successes * (atRisk - successes)) / atRisk ** 3;
  const shared = (since * openBefore * successes) / (atRisk * atRisk);
  return ofOpen + ofStep - 2 * shared;
}

/** The number that 2.5 % of a standard normal variable lie above. */
const NORMAL_975 = 1.959963984540054;
/** What is left of terms that cancel. */
const NOTHING = 1e-14;

function logLogInterval(incidence: number, variance: number): readonly [number, number] | null {
  if (!(incidence > 0 && incidence < 1) || !(variance > NOTHING * incidence * incidence)) return null;
  const width = (NORMAL_975 * Math.sqrt(variance)) / (incidence * Math.abs(Math.log(incidence)));
  return [incidence ** Math.exp(width), incidence ** Math.exp(-width)];
}

function requireExits(exits: readonly Exits[]): void {
  let before = Number.NEGATIVE_INFINITY;
  for (const { time, successes, failures, censored } of exits) {
    if (!(time > before && time >= 0))
      throw new RangeError(`aalenJohansen requires ascending times from 0, got ${time}`);
    before = time;
    const broken = [successes, failures, censored].find((count) => !Number.isSafeInteger(count) || count < 0);
    if (broken !== undefined) throw new RangeError(`aalenJohansen requires whole counts from 0, got ${broken}`);
  }
}
