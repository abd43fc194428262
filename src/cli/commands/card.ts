import { stringifyJson } from '../../model/json.js';
import type { Policy } from '../../policy/policy.js';
import { simulate } from '../../replay/simulate.js';
import { buildCard, type CardFacts } from '../../report/card.js';
import { renderCardMarkdown, renderCardText } from '../../report/card-blocks.js';
import { renderCardHtml } from '../../report/card-html.js';
import type { Action } from '../action.js';
import { choosePolicy } from '../chosen-policy.js';
import { EXIT, usageError } from '../errors.js';
import { tellUnknownTools } from '../exempt-option.js';
import type { Io } from '../io.js';
import { loadRuns } from '../load.js';
import { type RawOptions, readOptions } from '../options.js';
import { checkTarget, folderTold, writeWhole } from '../output.js';
import { formatOption } from '../print.js';
import { calibrateRuns } from './calibrate.js';

/** `capfit card`: of a policy file, of recorded runs, or of a policy held against recorded runs. */
export const cardCommand: Action = async (typed, raw, io) => {
  if (raw.output !== undefined) checkTarget(raw.output);
  const { policy, facts } = await cardOf(typed, raw, io);
  if (facts.derive != null && Object.keys(policy.caps).length === 0) {
    io.err('capfit: no cap could be derived; capfit derive says why\n');
    return EXIT.no;
  }
  const text = await writeCard(policy, facts, raw, raw.output === undefined ? io : { ...io, color: false });
  if (raw.output === undefined) io.out(text);
  else await writeWhole(raw.output, [text], folderTold(raw, io));
  return EXIT.done;
};

async function cardOf(
  typed: readonly string[],
  raw: RawOptions,
  io: Io,
): Promise<{ policy: Policy; facts: CardFacts }> {
  const chosen = await choosePolicy(raw);
  if (chosen === null) {
    if (typed.length === 0)
      throw usageError(
        'card needs recorded runs, or --policy FILE or --preset NAME',
        'for instance capfit card runs.jsonl',
      );
    const { policy, report, whole } = (await calibrateRuns(typed, raw, io)).calibration;
    return { policy, facts: { derive: report.derive, replay: whole } };
  }
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  if (typed.length === 0) {
    if (chosen.derivesCaps)
      throw usageError(`the caps of ${raw.preset} are derived from runs`, 'name recorded runs too');
    return { policy: chosen.for([]).policy, facts: {} };
  }
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  tellUnknownTools(runs, raw, io);
  const { policy, derived } = chosen.for(runs);
  return { policy, facts: { derive: derived, replay: simulate(runs, policy, population) } };
}

async function writeCard(policy: Policy, facts: CardFacts, raw: RawOptions, io: Io): Promise<string> {
  const card = buildCard(policy, facts);
  switch (formatOption(raw)) {
    case 'json':
      return `${stringifyJson(card, 2)}\n`;
    case 'yaml': {
      const { stringify } = await import('../yaml-package.js');
      return stringify(card, { lineWidth: 100, aliasDuplicateObjects: false });
    }
    case 'markdown':
      return `${renderCardMarkdown(card).trimEnd()}\n`;
    case 'html':
      return renderCardHtml(card);
    default:
      return `${renderCardText(card, { width: io.columns, color: io.color }).trimEnd()}\n`;
  }
}
