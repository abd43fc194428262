import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXPORTERS } from '../../src/exporters/index.js';
import { capfit, put, scratchFolder } from './harness.js';

const folder = scratchFolder();
const POLICY = put(folder, 'policy.yaml', 'capfit: policy/v1\nname: "tiny\\u001b[31m"\ncaps: {passes: 3, usd: 0.5}\n');

const SNIPPET = `// The stop policy "tiny\\u001b[31m" for Strands Agents (TypeScript), written by capfit export.
// Checked against: @strands-agents/sdk 1.16.0 (run here with a stub model).
// At 3 passes the caller receives: an ordinary AgentResult, no error: stopReason 'limitTurns' and no answer.
// Model calls billed by then: 3 (N under a cap of N); the tools of the last call run too.
// Asked for by this policy, and not said here:
//   - caps.usd 0.5: no setting counts money; use capfit/guard

/** Options of agent.invoke() and agent.stream(), made anew for every run: the clock starts here. */
export function stopSettings() {
  return {
    limits: { turns: 3 },
  };
}

// const result = await agent.invoke(prompt, stopSettings());
`;

const NOTES = `Checked against: @strands-agents/sdk 1.16.0 (run here with a stub model).
At 3 passes the caller receives: an ordinary AgentResult, no error: stopReason 'limitTurns' and no answer.
Model calls billed by then: 3 (N under a cap of N); the tools of the last call run too.
Asked for by this policy, and not said here:
  - caps.usd 0.5: no setting counts money; use capfit/guard
`;

describe('capfit export', () => {
  test('the snippet goes to standard output, the notes to standard error', async () => {
    expect(await capfit(['export', '--policy', POLICY, '--to', 'strands'])).toEqual({
      code: 0,
      out: SNIPPET,
      err: NOTES,
    });
  });

  test('on a terminal the notes are told once: by the snippet, and apart where it has no comments', async () => {
    const shown = await capfit(['export', '--policy', POLICY, '--to', 'strands'], { isTerminal: true });
    expect(shown).toEqual({ code: 0, out: SNIPPET, err: '' });
    const json = await capfit(['export', '--policy', POLICY, '--to', 'json'], { isTerminal: true });
    expect(json.err).toContain('Checked against');
    const file = join(folder, 'terminal.ts');
    const written = await capfit(['export', '--policy', POLICY, '--to', 'strands', '-o', file], { isTerminal: true });
    expect(written.err).toBe(NOTES);
  });

  test('--quiet keeps the notes back', async () => {
    expect(await capfit(['export', '--policy', POLICY, '--to', 'strands', '-q'])).toMatchObject({
      out: SNIPPET,
      err: '',
    });
  });

  test('-o writes the file and prints nothing but the notes and the folder made', async () => {
    const file = join(folder, 'new/stop.ts');
    expect(await capfit(['export', '--policy', POLICY, '--to', 'strands', '-o', file])).toEqual({
      code: 0,
      out: '',
      err: `made the folder ${join(folder, 'new')}\n${NOTES}`,
    });
    expect(readFileSync(file, 'utf8')).toBe(SNIPPET);
  });

  test('--json is the whole value', async () => {
    const { out, err } = await capfit(['export', '--policy', POLICY, '--to', 'strands', '--json']);
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      schema: 'capfit/export@1',
      id: 'strands',
      title: 'Strands Agents (TypeScript)',
      language: 'typescript',
      settings: { limits: { turns: 3 } },
      checkedAgainst: { version: '@strands-agents/sdk 1.16.0', how: 'run here with a stub model' },
      passCap: 3,
      callerReceives: "an ordinary AgentResult, no error: stopReason 'limitTurns' and no answer",
      billedCalls: { rule: 'N', calls: 3, note: 'the tools of the last call run too' },
      differs: [],
      cannotExpress: ['caps.usd 0.5: no setting counts money; use capfit/guard'],
      text: SNIPPET,
    });
  });

  test('the help shows an example', async () => {
    expect((await capfit(['export', '--help'])).out).toMatch(/Examples:\n {2}\$ capfit export --policy /);
  });

  test('--list names every target', async () => {
    const { out } = await capfit(['export', '--list']);
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual([...EXPORTERS.map(({ id }) => id), '']);
    const listed = JSON.parse((await capfit(['export', '--list', '--json'])).out) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(EXPORTERS.map(({ id }) => id));
  });

  test.each([
    [2, ['--to', 'langgrap', '--policy', POLICY], /--to langgrap: unknown\n {2}did you mean langgraph\? One of: /],
    [2, ['--to', 'xyzzy-frame', '--policy', POLICY], /unknown\n {2}One of: openai-agents-py, /],
    [2, ['--policy', POLICY], /export needs --to NAME\n {2}one of: /],
    [2, ['--to', 'json'], /export needs --policy FILE/],
    [3, ['--to', 'json', '--policy', 'none.yaml'], /none\.yaml/],
    [3, ['--to', 'json', '--policy', POLICY, '-o', folder], /it is a folder/],
  ])('exit %d: %j', async (code, argv, said) => {
    expect(await capfit(['export', ...argv])).toMatchObject({ code, out: '', err: expect.stringMatching(said) });
  });
});
