import { fromPlain } from '../model/plain.js';
import { createRunTable, type PackedTable, type RunTable } from '../model/table.js';
import type { PageData } from '../report/page-data.js';

/** What stands in the page for its program. */
export function dataIn(document: Document): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
}

/** The runs of the page as a table. */
export async function heldRuns({ runs }: PageData): Promise<RunTable> {
  const bytes = Uint8Array.from(atob(runs), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const table = createRunTable();
  table.unpack(fromPlain(await new Response(stream).text()) as PackedTable, 0);
  return table;
}
