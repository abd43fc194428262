import { exportPolicy, notesOf } from '../../exporters/export-policy.js';
import type { Exporter } from '../../exporters/exporter.js';
import { EXPORTERS, findExporter } from '../../exporters/index.js';
import { stringifyJson } from '../../model/json.js';
import type { Action } from '../action.js';
import { choiceHint } from '../choice.js';
import { EXIT, usageError } from '../errors.js';
import type { Io } from '../io.js';
import { checkTarget, folderTold, writeWhole } from '../output.js';
import { loadPolicy } from '../policy-option.js';
import { printJson } from '../print.js';

/** `capfit export`: a policy as the settings of one framework, with what is lost on the way. */
export const exportCommand: Action = async (_typed, raw, io) => {
  if (raw.list === true) {
    listTargets(io, raw.json === true);
    return EXIT.done;
  }
  const exporter = targetOption(raw.to);
  if (raw.policy === undefined) {
    throw usageError('export needs --policy FILE', 'capfit calibrate RUNS --out DIR writes one');
  }
  if (raw.output !== undefined) checkTarget(raw.output);
  const value = exportPolicy(exporter, await loadPolicy(raw.policy));
  const text = raw.json === true ? `${stringifyJson({ schema: 'capfit/export@1', ...value }, 2)}\n` : value.text;
  if (raw.output === undefined) await io.out(text);
  else await writeWhole(raw.output, [text], folderTold(raw, io));
  // On a terminal the head of the snippet has just said the same; JSON has no comments to say it in.
  const isSaid = io.isTerminal && raw.output === undefined && value.language !== 'json';
  if (raw.json !== true && raw.quiet !== true && !isSaid) io.err(`${notesOf(value).join('\n')}\n`);
  return EXIT.done;
};

function listTargets(io: Io, isJson: boolean): void {
  if (isJson) {
    printJson(
      io,
      EXPORTERS.map(({ id, title, language, setting, unit, checked, billed }) => {
        return { id, title, language, setting, unit, checked, billed };
      }),
    );
    return;
  }
  const width = Math.max(...EXPORTERS.map(({ id }) => id.length));
  for (const { id, title } of EXPORTERS) io.out(`${id.padEnd(width)}  ${title}\n`);
}

function targetOption(name: string | undefined): Exporter {
  const known = EXPORTERS.map(({ id }) => id);
  if (name === undefined) throw usageError('export needs --to NAME', `one of: ${known.join(', ')}`);
  const found = findExporter(name);
  if (found !== null) return found;
  throw usageError(`--to ${name}: unknown`, choiceHint(name, known));
}
