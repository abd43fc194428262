import { deriveAsked } from '../../replay/asked-derive.js';
import { deriveBlocks } from '../../report/derive-blocks.js';
import { warningBlocks } from '../../report/diagnosis-blocks.js';
import { hiddenBlocks } from '../../report/hidden-blocks.js';
import { checkPushedDown, type EngineFlags, type EngineOption, inMemory } from '../engine-option.js';
import { EXIT } from '../errors.js';
import type { Io } from '../io.js';
import { checkLabels, withQuestions } from '../open-questions.js';
import { deriveOptions } from '../options.js';
import { printBlocks, printJson } from '../print.js';

/** What looks at each run many times over. */
const NOT_ASKED: readonly string[] = ['joint', 'optimize', 'spend', 'crossValidate', 'cluster', 'explain'];

/** `capfit derive --engine`: the same of runs that lie in a database. */
export async function deriveByEngine(
  typed: readonly string[],
  raw: EngineFlags,
  engine: EngineOption,
  io: Io,
): Promise<number> {
  checkPushedDown(raw, Object.fromEntries(NOT_ASKED.map((flag) => [flag, inMemory(engine)])));
  const options = deriveOptions(raw);
  // What one policy costs each group takes replays.
  const depth = options.by.length > 0 ? 'passes' : 'figures';
  const { report, caps } = await withQuestions(typed, raw, engine, io, depth, async (questions) => {
    await checkLabels(questions, options.by);
    return deriveAsked(questions, options);
  });
  if (raw.json === true) printJson(io, report);
  else {
    await printBlocks(io, [
      ...deriveBlocks(report, { warnings: false }),
      ...hiddenBlocks(report.hidden, report.accepted_rate, { verbose: raw.verbose === true }),
      ...warningBlocks(report.warnings),
    ]);
  }
  return Object.keys(caps).length === 0 ? EXIT.no : EXIT.done;
}
