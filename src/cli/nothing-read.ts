import { formatPlace } from '../model/problem.js';
import { plural } from '../model/words.js';
import { ALL_FORMATS, FORMAT_IDS } from './all-formats.js';
import { type CommandError, fileError } from './errors.js';
import type { IngestSummary } from './ingest-summary.js';

/** No file was recognised. */
export function nothingRecognised(summary: IngestSummary, typed: readonly string[]): CommandError {
  const listed = summary.unrecognised.slice(0, 5).join(', ');
  return fileError(
    `${typed.join(' ')}: none of ${plural(summary.unrecognised.length, 'file')} is recognised as recorded runs (${listed}${summary.unrecognised.length > 5 ? ', …' : ''})`,
    `known formats: ${FORMAT_IDS.join(', ')}; --from names one`,
  );
}

/** A file that the user named and no format claims. */
export function unrecognised(name: string, head: Uint8Array): CommandError {
  const isBinary = head.includes(0);
  return fileError(
    `${name}: not recognised as recorded runs`,
    isBinary
      ? 'the content is binary; capfit reads text, plain or packed with gzip or zstd'
      : `known formats: ${ALL_FORMATS.map((format) => `${format.id} (${format.description})`).join('; ')}; --from names one`,
  );
}

/** Files were read, and no run came out. */
export function noRecords(summary: IngestSummary): CommandError {
  const [first] = summary.problems;
  if (first !== undefined) {
    return fileError(
      `no run could be read: ${plural(summary.problems.length, 'bad record')}, the first at ${formatPlace(first.place)}: ${first.reason}`,
      first.hint,
    );
  }
  return fileError(`${summary.files.map((file) => file.path).join(', ')}: no run in it`, 'it holds no record');
}
