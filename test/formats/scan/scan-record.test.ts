import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALONE, DEFAULT_READING, isProblem, type Source } from '../../../src/formats/format.js';
import { jsonl } from '../../../src/formats/jsonl.js';
import { createLineSplitter } from '../../../src/formats/lines.js';
import { RecordScanner } from '../../../src/formats/scan/scan-record.js';
import type { Problem } from '../../../src/model/problem.js';
import type { Run } from '../../../src/model/run.js';
import { createRunTable } from '../../../src/model/table.js';
import { comparable, pieces } from './comparable.js';
import { RECORD_LINES } from './record-lines.js';

function sourceOf(bytes: Uint8Array, size: number): Source {
  return { name: 'runs.jsonl', head: bytes.subarray(0, 65_536), bytes: pieces(bytes, size), around: ALONE };
}

interface Read {
  readonly runs: readonly Run[];
  readonly problems: readonly Problem[];
}

async function readSlowly(bytes: Uint8Array, size: number): Promise<Read> {
  const table = createRunTable();
  const problems: Problem[] = [];
  for await (const item of jsonl.read(sourceOf(bytes, size), DEFAULT_READING)) {
    if (isProblem(item)) problems.push(item);
    else table.add(item);
  }
  return { runs: comparable(table), problems };
}

async function readQuickly(bytes: Uint8Array, size: number): Promise<Read & { readonly scanned: number }> {
  const table = createRunTable();
  const problems: Problem[] = [];
  let scanned = 0;
  await jsonl.readInto?.(sourceOf(bytes, size), DEFAULT_READING, {
    depth: 'calls',
    codeForTool: (tool) => table.codeForTool(tool),
    draft(facts, draft) {
      scanned++;
      table.addDraft(facts, draft);
      return true;
    },
    item(item) {
      if (isProblem(item)) problems.push(item);
      else table.add(item);
    },
  });
  return { runs: comparable(table), problems, scanned };
}

describe('the scanner of run records', () => {
  it('gives the runs and the problems of the slow reader, however the records are written', async () => {
    let all = 0;
    let quick = 0;
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, fc.integer({ min: 1, max: 400 }), async (lines, size) => {
        const bytes = new TextEncoder().encode(lines);
        const { scanned, ...read } = await readQuickly(bytes, size);
        expect(read).toEqual(await readSlowly(bytes, size));
        all += read.runs.length;
        quick += scanned;
      }),
      { numRuns: 3000, seed: 5 },
    );
    // A scanner that leaves everything to the slow reader would pass as well.
    expect(quick / all).toBeGreaterThan(0.6);
  });

  it('gives the same of damaged bytes', async () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'add'), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(RECORD_LINES, damage, async (lines, changes) => {
        let bytes = [...new TextEncoder().encode(lines)];
        for (const [at, kind, byte] of changes) {
          const place = at % (bytes.length + 1);
          if (kind === 'set') bytes[place] = byte;
          else
            bytes = [
              ...bytes.slice(0, place),
              ...(kind === 'add' ? [byte] : []),
              ...bytes.slice(place + (kind === 'cut' ? 1 : 0)),
            ];
        }
        const { scanned: _, ...read } = await readQuickly(Uint8Array.from(bytes), 97);
        expect(read).toEqual(await readSlowly(Uint8Array.from(bytes), 97));
      }),
      { numRuns: 3000, seed: 6 },
    );
  });

  it.each([
    [
      'as our writer writes it',
      '{"id":"a","status":"running","passes":[{"input_tokens":1,"output_tokens":2,"calls":[]}]}',
    ],
    ['with spaces', '{"id": "a", "status": "running", "passes": [{"input_tokens": 1, "output_tokens": 2}]}'],
    [
      'with contents in place of digests',
      '{"id":"a","status":"running","passes":[{"calls":[{"tool":"t","args":{"q":"x"},"result":"3 hits"}]}]}',
    ],
    [
      'with members that are not ours',
      '{"id":"a","project":{"name":"x"},"status":"running","passes":[{"note":[1,2]}]}',
    ],
    ['with text beyond ASCII', '{"id":"é","status":"running","labels":{"größe":"ü"},"passes":[]}'],
    ['without passes', '{"id":"a","status":"running","passes":null,"totals":{"passes":3}}'],
  ])('takes a record %s', (_, line) => {
    expect(scanOf(line)).not.toBeNull();
  });

  it.each([
    ['an escape in a name', '{"id":"\\u0061","status":"running"}'],
    ['a member twice', '{"id":"a","status":"running","id":"b"}'],
    ['an exponent', '{"id":"a","status":"running","passes":[{"seconds":1e1}]}'],
    ['a figure of too many digits', '{"id":"a","status":"running","passes":[{"seconds":0.12345678}]}'],
    [
      'a content beside its digest',
      '{"id":"a","status":"running","passes":[{"calls":[{"tool":"t","args":1,"args_digest":"d"}]}]}',
    ],
    ['a status that is none', '{"id":"a","status":"done"}'],
    ['a status of null', '{"id":"a","status":null}'],
    ['no id', '{"status":"running"}'],
    ['a call without a tool', '{"id":"a","status":"running","passes":[{"calls":[{}]}]}'],
    ['something behind the record', '{"id":"a","status":"running"} x'],
  ])('leaves %s to the slow reader', (_, line) => {
    expect(scanOf(line)).toBeNull();
  });
});

function scanOf(line: string): unknown {
  const scanner = new RecordScanner(() => 0);
  let scanned: unknown;
  createLineSplitter().push(new TextEncoder().encode(`${line}\n`), (raw) => {
    scanned = scanner.scan(raw, { file: 'runs.jsonl', line: 1 });
  });
  return scanned;
}
