import { parentPort, workerData } from 'node:worker_threads';
import { csvPasses } from '../formats/csv/csv.js';
import { ALONE, isProblem, type Source } from '../formats/format.js';
import { jsonl } from '../formats/jsonl.js';
import { createRunTable } from '../model/table.js';
import { reusedPieces } from './open.js';
import { buffersIn, type PartRead, type PartRequest } from './part-messages.js';
import { createPlaces } from './places.js';
import { addTo } from './shared-count.js';

/*
 * The thread that reads one part of a file. It only ever answers with a table of good runs: whatever is to be told
 * of a part, a bad record or an id met twice, is for the main thread to find when it reads that part once more.
 */

class NotPlain extends Error {}

const { path, name, part, depth, rowsUnder, reading, share } = workerData as PartRequest;

/** The bytes of the part, counted for the thread that shows how far all are. */
async function* partBytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of reusedPieces(path, part.from, part.to)) {
    if (share !== null) addTo(share, piece.length);
    yield piece;
  }
}

async function readPart(): Promise<PartRead> {
  const table = createRunTable();
  const places = createPlaces();
  const seen = (id: string, place: { file: string; line: number | null }): void => {
    if (places.claim(id, place) !== null) throw new NotPlain();
  };
  const source: Source = { name, head: new Uint8Array(0), bytes: partBytes(), around: ALONE };
  const lines = await jsonl.readInto?.(source, reading, {
    depth,
    codeForTool: (tool) => table.codeForTool(tool),
    draft(facts, draft) {
      seen(facts.id, facts.origin);
      table.addDraft(facts, draft);
      return true;
    },
    item(item) {
      if (isProblem(item)) throw new NotPlain();
      seen(item.id, item.origin);
      table.add(item);
    },
  });
  return { table: table.pack(), lines: lines ?? 0 };
}

async function readRows(head: Uint8Array): Promise<PartRead> {
  const table = createRunTable();
  const source: Source = { name, head, bytes: partBytes(), around: ALONE, linesBefore: 0 };
  const lines = (await csvPasses.plain?.read(source, table, depth)) ?? null;
  if (lines === null) throw new NotPlain();
  return { table: table.pack(), lines };
}

try {
  const read = await (rowsUnder === null ? readPart() : readRows(rowsUnder));
  parentPort?.postMessage(read, buffersIn(read));
} catch {
  parentPort?.postMessage(null);
}
