import { deriveAsked } from '../../replay/asked-derive.js';
import { deriveBlocks } from '../../report/derive-blocks.js';
import { warningBlocks } from '../../report/diagnosis-blocks.js';
import { hiddenBlocks } from '../../report/hidden-blocks.js';
import { checkPushedDown, type EngineFlags, type EngineOption } from '../engine-option.js';
import { EXIT } from '../errors.js';
import type { Io } from '../io.js';
import { checkLabels, withQuestions } from '../open-questions.js';
import { deriveOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';

const IN_MEMORY = 'leave --engine out, with --where to hold fewer runs in memory';
/** What looks at each run many times over. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  joint: IN_MEMORY,
  optimize: IN_MEMORY,
  spend: IN_MEMORY,
  crossValidate: IN_MEMORY,
  cluster: IN_MEMORY,
  explain: IN_MEMORY,
};

/** `capfit derive --engine`: the same of runs that lie in a database. */
export async function deriveByEngine(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  io: Io,
): Promise<number> {
  checkPushedDown(raw, NOT_ASKED);
  const options = deriveOptions(raw);
  // What one policy costs each group takes replays.
  const depth = options.by.length > 0 ? 'passes' : 'figures';
  const { report, caps } = await withQuestions(typed, raw, engine, io, depth, async (questions) => {
    await checkLabels(questions, options.by);
    return deriveAsked(questions, options);
  });
  if (raw.json === true) printJson(io, report);
  else {
    printBlocks(io, [
      ...deriveBlocks(report, { warnings: false }),
      ...hiddenBlocks(report.hidden, report.accepted_rate, { verbose: raw.verbose === true }),
      ...warningBlocks(report.warnings),
    ]);
  }
  return Object.keys(caps).length === 0 ? EXIT.no : EXIT.done;
}
