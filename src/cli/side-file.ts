import { isUtf8 } from 'node:buffer';
import { NOT_UTF8 } from '../formats/lines.js';
import { formatPlace, type Problem } from '../model/problem.js';
import { CommandError, EXIT, fileError } from './errors.js';
import { StreamFault } from './fault.js';
import { fileBytes, openBytes } from './open.js';
import { kindOfPath, nounOf } from './path-kind.js';

/**
 * The text of a file that a flag names, packed or not; a byte-order mark is no part of it.
 *
 * @param what the file in the message: "the policy", "the prices"
 * @throws CommandError with exit code 3
 */
export async function readSideFile(path: string, what: string, hint = 'check the path'): Promise<string> {
  const found = kindOfPath(path);
  if (found.kind === 'missing') throw fileError(`${path}: ${what} cannot be read (no such file)`, hint);
  if (found.kind !== 'file' && found.kind !== 'handed') {
    throw fileError(
      `${path}: ${what} cannot be read: it is ${nounOf(found)}`,
      found.kind === 'folder' ? 'name a file in it' : 'name a file',
    );
  }
  try {
    return textOf(await allBytes(path), path);
  } catch (error) {
    if (!(error instanceof StreamFault)) throw error;
    throw fileError(`${path}: ${what} cannot be read: ${error.message}`, error.hint);
  }
}

/** More is no file of this kind. */
const LARGEST_BYTES = 256 * 1024 * 1024;

async function allBytes(path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (await openBytes(fileBytes(path))).bytes) {
    length += chunk.length;
    if (length > LARGEST_BYTES)
      throw new StreamFault(`it is larger than ${LARGEST_BYTES / 1024 / 1024} MB`, 'is it the file that you mean?');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const NEWLINE = 0x0a;

/** Text of another encoding would be read with other letters in its names, and match nothing. */
function textOf(bytes: Buffer, path: string): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  let [line, start] = [1, 0];
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break;
    [line, start] = [line + 1, end + 1];
  }
  throw fileError(`${path}:${line}: ${NOT_UTF8.reason}`, NOT_UTF8.hint);
}

/** All that is wrong with such a file, each with its line and told once. */
export function faultyFile(problems: readonly Problem[], path: string): CommandError {
  const [first, ...rest] = problems;
  if (first === undefined) return fileError(`${path}: cannot be read`);
  const told = new Map([first, ...rest].map((each) => [`${formatPlace(each.place)}: ${each.reason}`, each.hint]));
  const [[message, hint] = ['', ''], ...others] = [...told];
  return new CommandError(
    message,
    hint,
    EXIT.unreadable,
    others.map(([other, what]) => ({ message: other, hint: what })),
  );
}
