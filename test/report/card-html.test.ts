import { describe, expect, test } from 'vitest';
import { buildCard } from '../../src/report/card.js';
import { renderCardMarkdown } from '../../src/report/card-blocks.js';
import { renderCardHtml } from '../../src/report/card-html.js';
import { DERIVE, HOSTILE_NAMES, POLICY, REPLAY } from './fixtures.js';

describe('the card as HTML', () => {
  const card = buildCard(POLICY, { derive: DERIVE, replay: REPLAY });
  const html = renderCardHtml(card);

  test('runs nothing and loads nothing', () => {
    expect(html).toContain(
      'content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"',
    );
    expect(html).not.toMatch(/<script|src=|href=|https?:/);
    expect(html.length).toBeLessThan(20_000);
  });

  test('says what the card says in every other form, under headings in order', () => {
    const headings = [...html.matchAll(/<h(\d)>(.*?)<\/h\d>/g)].map(
      ([, level, text]) => `${'#'.repeat(Number(level))} ${text}`,
    );
    const markdown = renderCardMarkdown(card)
      .split('\n')
      .filter((line) => line.startsWith('#'));
    expect(headings.map((line) => line.replace(/^#+/, '').trim())).toEqual(
      markdown.map((line) => line.replace(/^#+/, '').trim()),
    );
    expect(headings.map((line) => line.indexOf(' '))).toEqual([1, ...headings.slice(1).map(() => 2)]);
    for (const { text, provenance } of card.limits) for (const each of [text, provenance]) expect(html).toContain(each);
  });

  test.each(HOSTILE_NAMES.map((name) => [name.slice(0, 30), name]))('shows %j as text', (_short, name) => {
    const hostile = renderCardHtml(buildCard({ ...POLICY, name, check: name, haltOn: [name] }));
    expect(hostile).not.toMatch(/<(?:script|img|!--)/);
    expect(hostile.length).toBeLessThan(20_000);
  });
});
