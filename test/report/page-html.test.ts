import { describe, expect, test } from 'vitest';
import { VERIFIED } from '../../src/calibrate/population.js';
import { paragraph } from '../../src/report/blocks.js';
import { type Page, pageHtml } from '../../src/report/page-html.js';
import { HOSTILE_NAMES } from './fixtures.js';

const ASSETS = { script: 'go()', style: 'p{color:red}', scriptHash: 'sha256-abc=' };

function pageOf(text: string): Page {
  return {
    title: text,
    summary: [text],
    tiles: [{ term: text, figures: [text], notes: [text] }],
    panel: { id: 'whatif', title: text, isLive: true, blocks: [paragraph(text)] },
    sections: [
      { id: 'a', title: text, isLive: true, blocks: [] },
      { id: 'b', title: text, isLive: false, blocks: [], folded: { summary: text, blocks: [paragraph(text)] } },
    ],
    data: {
      schema: 'capfit/page@1',
      population: VERIFIED,
      policy: { capfit: 'policy/v1', name: text },
      percentile: null,
      label: text,
      runs: '',
    },
  };
}

describe('the page', () => {
  const html = pageHtml(pageOf('x'), ASSETS);

  test('lets one script run, and loads nothing', () => {
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
    expect(policy.replaceAll('&#39;', "'")).toBe(
      "default-src 'none'; script-src 'sha256-abc='; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    expect(html).not.toMatch(/(?:src|href)="(?!#)/);
    expect(html).not.toMatch(/https?:|@import|url\(/);
  });

  test('has a place for each live part, and folds away the rest', () => {
    expect([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      ...['main', 'short', 'title-short', 'whatif', 'title-whatif', 'live-whatif'],
      ...['a', 'title-a', 'live-a', 'b', 'title-b', 'data'],
    ]);
    expect(html).toContain('<details><summary>x</summary>\n<p>x</p>\n</details>');
  });

  test('names each of its parts, in the order in which they come', () => {
    expect([...html.matchAll(/<a href="#([^"]*)">/g)].map(([, id]) => id)).toEqual(['whatif', 'a', 'b']);
    for (const [, level] of html.matchAll(/<h(\d)/g)) expect(['1', '2']).toContain(level);
  });

  test.each(HOSTILE_NAMES.map((name) => [name.slice(0, 30), name]))(
    'shows %j as text, and gives it to the program whole',
    (_short, name) => {
      const hostile = pageHtml(pageOf(`</script>${name}`), ASSETS);
      expect([...hostile.matchAll(/<\/?script/gi)]).toHaveLength(4);
      expect(hostile).not.toMatch(/<script>alert/);
      const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(hostile) ?? [];
      expect(JSON.parse(data).policy.name).toBe(`</script>${name}`);
    },
  );
});
