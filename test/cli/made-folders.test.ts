import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capfit, put, scratchFolder } from './harness.js';

const folder = scratchFolder();
const policy = put(folder, 'policy.yaml', 'capfit: policy/v1\ncaps: {passes: 20}\n');

describe('folders that -o makes', () => {
  test('are told once, and not where they stand', async () => {
    const made = join(folder, 'new', 'deep');
    const argv = ['card', '--policy', policy, '-o', join(made, 'card.txt')];
    const told = `made the folder ${made}\n`;
    expect((await capfit(argv)).err).toBe(told);
    expect((await capfit(argv)).err).toBe('');
  });

  test('are not told with --quiet', async () => {
    const argv = ['card', '--policy', policy, '-o', join(folder, 'other', 'card.txt'), '--quiet'];
    expect((await capfit(argv)).err).toBe('');
  });
});

describe('help on what is no command', () => {
  test('names the nearest one: wrong usage', async () => {
    const { code, err, out } = await capfit(['help', 'derve']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('Did you mean derive?');
  });

  test.each([['derive'], ['calibrate']])('help %s is help', async (name) => {
    expect((await capfit(['help', name])).out).toContain('Usage: capfit');
  });
});
