import { describe, expect, test } from 'vitest';
import { capfit, WORKED_EXAMPLE } from './harness.js';

describe('what the recording hid', () => {
  test.each(['derive', 'calibrate'])('%s: a section where runs were cut short, JSON always', async (command) => {
    const { out } = await capfit([command, WORKED_EXAMPLE], { columns: 80 });
    expect(out).toContain('── What the recording hid ───');
    const { hidden } = JSON.parse((await capfit([command, WORKED_EXAMPLE, '--by', 'kind', '--json'])).out) as {
      hidden: { censored: object; groups: { labels: object; censored: { runs: number } }[] };
    };
    expect(hidden.censored).toEqual({ runs: 79, stopped_budget: 79, running: 0 });
    expect(
      Object.fromEntries(hidden.groups.map((each) => [Object.values(each.labels)[0], each.censored.runs])),
    ).toEqual({ success: 0, stuck: 53, wander: 26, halt: 0 });
  });

  test('nothing hidden: no section, one line where all is listed, zeros in JSON', async () => {
    const argv = ['derive', WORKED_EXAMPLE, '--where', 'kind=success'];
    expect((await capfit(argv)).out).not.toContain('recording hid');
    expect((await capfit([...argv, '--verbose'])).out).toContain('The recording hid nothing that is known of');
    expect(JSON.parse((await capfit([...argv, '--json'])).out)).toMatchObject({
      hidden: { censored: { runs: 0 }, near_cap: { runs: 0 }, recorded_under: { passes: 60 } },
    });
  });
});
