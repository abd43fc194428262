import { numberText } from '../model/decimal-text.js';
import { plural } from '../model/words.js';
import { percent } from './drift-words.js';
import type { FalseStopTest, Relation } from './whatif-result.js';

type Tested = Omit<FalseStopTest, 'words'>;

/** Whether good runs lost and regained differ by more than chance, in plain words. */
export function testWords(test: Tested, relation: Relation, verified: number): string {
  const { lost, regained, p_value } = test;
  if (verified === 0) return 'No run is verified: good runs lost and regained cannot be counted.';
  const isOpen = test.lost_bounds !== null || test.regained_bounds !== null;
  if (!isOpen && p_value === null) return noneMoved(test, relation, verified);
  if (relation === 'stricter' || relation === 'looser') return oneWay(test, relation, verified);
  if (isOpen) {
    const side = (count: number, bounds: Tested['lost_bounds']): string => rangeText(bounds ?? [count, count]);
    return `${side(lost, test.lost_bounds)} of ${plural(verified, 'good run')} lost, ${side(regained, test.regained_bounds)} regained: the recording leaves open how many, so whether one policy is harder on good runs cannot be told.`;
  }
  const chance = (p_value as number) < 0.05 ? 'so it is hardly chance' : 'so it may be chance';
  return `${plural(lost, 'good run')} lost, ${regained} regained. If both policies were equally hard on good runs, a split at least this uneven would come up in ${percent(p_value as number)} of cases (exact sign test), ${chance}.`;
}

/** A policy that can only lose good runs, or only regain them. */
function oneWay(test: Tested, relation: 'stricter' | 'looser', verified: number): string {
  const [verb, count, bounds, ci] =
    relation === 'stricter'
      ? (['lose', test.lost, test.lost_bounds, test.lost_ci95] as const)
      : (['regain', test.regained, test.regained_bounds, test.regained_ci95] as const);
  const [low, high] = bounds ?? [count, count];
  const share = low === high ? percent(low / verified) : `${percent(low / verified)} to ${percent(high / verified)}`;
  const interval = ci === null ? '' : `; exact 95 % interval ${percent(ci[0])} to ${percent(ci[1])}`;
  const open = low === high ? '' : ' The recording does not tell which.';
  return `No limit is ${relation === 'stricter' ? 'looser' : 'tighter'} than today's, so it can only ${verb} good runs: ${rangeText([low, high])} of ${verified} (${share}${interval}).${open}`;
}

function rangeText([low, high]: readonly [number, number]): string {
  return low === high ? numberText(low) : `between ${low} and ${high}`;
}

/** That none is lost here does not say that none would be. */
function noneMoved({ lost_ci95 }: Tested, relation: Relation, verified: number): string {
  if (lost_ci95 === null || relation === 'same' || relation === 'looser') return 'No good run changes sides.';
  const here =
    verified === 1 ? 'The one good run here is not lost' : `None of the ${plural(verified, 'good run')} here is lost`;
  return `${here}; of good runs in general up to ${percent(lost_ci95[1])} may be, and so few would hardly show it (exact 95 % interval).`;
}
