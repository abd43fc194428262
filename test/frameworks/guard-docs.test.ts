import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/guard/index.js';
import { INSTALLED, titleOf } from './guard-suite.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(import.meta.dirname, 'node_modules', '.cache');
const DOCS = readFileSync(join(ROOT, 'docs/guard-adapters.md'), 'utf8');

type Snippet = { run(model: unknown): Promise<RunReport> };

/** The snippet of that name as a module, which finds the frameworks where they are and capfit in its sources. */
async function snippet(name: string): Promise<Snippet> {
  const [, code] = DOCS.match(new RegExp(`^\`\`\`ts ${name}\n([\\s\\S]*?)^\`\`\`$`, 'm')) ?? [];
  if (code === undefined) throw new Error(`docs/guard-adapters.md has no snippet "${name}"`);
  mkdirSync(CACHE, { recursive: true });
  const path = join(CACHE, `snippet-${name}.ts`);
  const guard = join(ROOT, 'src/guard');
  writeFileSync(
    path,
    code.replaceAll("'capfit/guard'", `'${guard}/index.ts'`).replace(/'capfit\/guard\/(.*)'/g, `'${guard}/$1.ts'`),
  );
  return (await import(path)) as Snippet;
}

/** Models that ask for a look at the next thing, three times and once more than the caps allow. */
const MODELS: { readonly [name: string]: () => Promise<unknown> } = {
  async 'vercel-ai'() {
    const { MockLanguageModelV3 } = await import('ai/test');
    let n = 0;
    return new MockLanguageModelV3({
      doGenerate: async () => ({
        content: [{ type: 'tool-call', toolCallId: `c${++n}`, toolName: 'look', input: JSON.stringify({ n }) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 10, text: 10, reasoning: 0 },
        },
        warnings: [],
      }),
    });
  },
  async langchain() {
    const { AIMessage, fakeModel } = await import('langchain');
    const model = fakeModel();
    for (const n of [1, 2, 3, 4]) {
      const call = { type: 'tool_call' as const, id: `c${n}`, name: 'look', args: { n } };
      const message = new AIMessage({ content: '', tool_calls: [call] });
      model.respond(
        Object.assign(message, { usage_metadata: { input_tokens: 100, output_tokens: 10, total_tokens: 110 } }),
      );
    }
    return model;
  },
  async 'openai-agents'() {
    const { setTracingDisabled, Usage } = await import('@openai/agents');
    const { functionCall, ScriptedModel } = await import('@openai/agents/testing');
    setTracingDisabled(true);
    return new ScriptedModel(
      [1, 2, 3, 4].map((n) => ({
        usage: new Usage({ requests: 1, inputTokens: 100, outputTokens: 10, totalTokens: 110 }),
        output: [functionCall('look', { n }, { callId: `c${n}` })],
      })),
    );
  },
};

describe.skipIf(!INSTALLED)(titleOf('docs/guard-adapters.md'), () => {
  test.each(Object.keys(MODELS))('the snippet for %s runs, and stops', async (name) => {
    const { run } = await snippet(name);
    const report = await run(await MODELS[name]?.());
    expect(report).toMatchObject({ status: 'stopped_budget', reason: 'passes', passes: 3, tokens: 330 });
  });
});

test('the table names what is published, and the versions that were tried', () => {
  const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const { exports: published } = json(join(ROOT, 'package.json')) as { exports: { readonly [name: string]: unknown } };
  const { dependencies } = json(join(import.meta.dirname, 'package.json')) as {
    dependencies: { readonly [name: string]: string };
  };
  const rows = [...DOCS.matchAll(/^\|.*`capfit(\/guard\/[\w-]+)`.*\| `(\S+)` (\S+) \|$/gm)];
  expect(rows.map(([, entry]) => `.${entry}`)).toEqual(
    Object.keys(published).filter((name) => name.startsWith('./guard/')),
  );
  expect(rows.map(([, , name = '', version]) => [name, version])).toEqual(
    rows.map(([, , name = '']) => [name, dependencies[name]]),
  );
});
