import { stringifyJson } from '../../model/json.js';
import { check } from '../../replay/check.js';
import type { CheckReport } from '../../replay/check-result.js';
import { checkBlocks } from '../../report/check-blocks.js';
import { checkGithub } from '../../report/check-github.js';
import { checkJunit } from '../../report/check-junit.js';
import type { Action } from '../action.js';
import { blocksText } from '../blocks-text.js';
import { EXIT } from '../errors.js';
import { checkBounds, type GateOptions } from '../gate-options.js';
import type { Io } from '../io.js';
import { loadRuns } from '../load.js';
import { readOptions } from '../options.js';
import { checkTarget, folderTold, writeWhole } from '../output.js';
import { loadPolicy } from '../policy-option.js';
import { formatOption } from '../print.js';
import { loadOtherRuns, refuseQuarantine } from '../two-sets.js';

/** `capfit check`: whether new runs still fit the policy. */
export const checkCommand: Action = async (typed, raw: GateOptions, io) => {
  const options = readOptions(raw);
  const bounds = checkBounds(raw, io);
  if (raw.against !== undefined) refuseQuarantine(options);
  if (raw.output !== undefined) checkTarget(raw.output);
  const policy = await loadPolicy(raw.policy as string);
  const { runs } = await loadRuns(typed, options, io);
  const old = raw.against === undefined ? null : (await loadOtherRuns(raw.against, options, io)).runs;
  const report = check(runs, policy, bounds, old);
  const text = written(report, raw, raw.output === undefined ? io : { ...io, color: false });
  if (raw.output === undefined) io.out(text);
  else await writeWhole(raw.output, [text], folderTold(raw, io));
  return report.passed ? EXIT.done : EXIT.no;
};

function written(report: CheckReport, raw: GateOptions, io: Io): string {
  switch (formatOption(raw)) {
    case 'json':
      return `${stringifyJson(report, 2)}\n`;
    case 'junit':
      return checkJunit(report);
    case 'github':
      return checkGithub(report, raw.policy as string);
    case 'markdown':
      return blocksText({ ...io, markdown: true }, checkBlocks(report));
    default:
      return blocksText(io, checkBlocks(report));
  }
}
