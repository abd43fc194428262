import { readDrillResults } from '../../formats/drill-results.js';
import { judgeDrill } from '../../guard/drill/judge.js';
import { drillFile, SCENARIOS } from '../../guard/drill/scenarios.js';
import { stringifyJson } from '../../model/json.js';
import type { Action } from '../action.js';
import { scenarioBlocks, verdictBlocks } from '../drill-blocks.js';
import { EXIT, usageError } from '../errors.js';
import type { Io } from '../io.js';
import type { RawOptions } from '../options.js';
import { folderTold, writeWhole } from '../output.js';
import { printBlocks, printJson } from '../print.js';
import { faultyFile, readSideFile } from '../side-file.js';

/** `capfit drill`: the scenarios, or what a loop that was driven with them got wrong. */
export const drillCommand: Action = async (_typed, raw, io) => {
  if (raw.results !== undefined) return judgeFile(raw.results, raw, io);
  if (raw.output !== undefined) {
    if (raw.scenarios !== true) throw usageError('-o is where --scenarios writes', 'say --scenarios -o FILE');
    await writeWhole(raw.output, `${stringifyJson(drillFile(), 2)}\n`, folderTold(raw, io));
  } else if (raw.scenarios === true || raw.json === true) printJson(io, drillFile());
  else await printBlocks(io, scenarioBlocks(SCENARIOS));
  return EXIT.done;
};

async function judgeFile(path: string, raw: RawOptions, io: Io): Promise<number> {
  if (raw.scenarios === true || raw.output !== undefined) {
    throw usageError('--results judges a file, --scenarios and -o write one', 'say one of them');
  }
  const { records, problems } = await readDrillResults(await readSideFile(path, 'the results'), path);
  if (records === null) throw faultyFile(problems, path);
  const verdict = judgeDrill(SCENARIOS, records);
  if (raw.json === true) printJson(io, verdict);
  else await printBlocks(io, verdictBlocks(verdict));
  return verdict.passed ? EXIT.done : EXIT.no;
}
