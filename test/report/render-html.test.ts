import { describe, expect, test } from 'vitest';
import { type Block, facts, heading, list, paragraph, strong } from '../../src/report/blocks.js';
import { renderHtml } from '../../src/report/render-html.js';
import { HOSTILE_NAMES, UNSAFE_OUTPUT } from './fixtures.js';

const BLOCKS: readonly Block[] = [
  heading('The whole', 1),
  heading('A part'),
  paragraph('A <b> & "c".'),
  strong('Mind.'),
  facts([{ term: 'term', text: 'text' }]),
  list(['one', 'two']),
  { kind: 'list', ordered: true, items: [{ text: 'doubt', hint: 'look' }] },
  {
    kind: 'table',
    table: {
      title: 'Sizes',
      columns: [
        { header: 'metric', align: 'left' },
        { header: 'p99', align: 'right' },
      ],
      rows: [['passes', '21 [1]'], ['tokens']],
      notes: ['of 310'],
    },
  },
  {
    kind: 'bars',
    chart: { title: 'passes', bars: [{ label: '1 to 2', count: 3, marks: ['cap 2'] }], notes: ['none above'] },
  },
  { kind: 'pre', lines: ["capfit report 'a b'", '  --json'] },
];

describe('blocks as HTML', () => {
  test('each kind, below a heading that names them', () => {
    expect(renderHtml(BLOCKS, { above: 2 }).split('\n')).toEqual([
      '<h3>The whole</h3>',
      '<h3>A part</h3>',
      '<p>A &lt;b&gt; &amp; &quot;c&quot;.</p>',
      '<p><strong>Mind.</strong></p>',
      '<dl><dt>term</dt><dd>text</dd></dl>',
      '<ul><li>one</li><li>two</li></ul>',
      '<ol><li>doubt<br><span class="hint">look</span></li></ol>',
      '<div class="scroll" tabindex="0" role="group" aria-label="Sizes"><table><caption>Sizes</caption>' +
        '<thead><tr><th scope="col">metric</th><th scope="col" class="number">p99</th></tr></thead>' +
        '<tbody><tr><th scope="row">passes</th><td class="number">21 [1]</td></tr>' +
        '<tr><th scope="row">tokens</th><td class="number"></td></tr></tbody></table></div><p class="note">[1] of 310</p>',
      '<table class="bars"><caption>passes</caption><tbody><tr><th scope="row" class="number">1 to 2</th>' +
        '<td><meter min="0" max="3" value="3" aria-label="1 to 2"></meter></td><td class="number">3</td><td>cap 2</td></tr>' +
        '</tbody></table><p class="note">none above</p>',
      '<pre tabindex="0">capfit report &#39;a b&#39;',
      '  --json</pre>',
    ]);
  });

  test('headings of a whole document begin at the first level', () => {
    expect(renderHtml(BLOCKS.slice(0, 2), { above: 0 })).toBe('<h1>The whole</h1>\n<h2>A part</h2>');
  });

  test.each(HOSTILE_NAMES.map((name) => [name.slice(0, 30), name.slice(0, 5_000)]))(
    '%j shows as text in every kind',
    (_short, name) => {
      const blocks: Block[] = [
        heading(name),
        paragraph(name),
        facts([{ term: name, text: name }]),
        { kind: 'list', ordered: false, items: [{ text: name, hint: name }] },
        {
          kind: 'table',
          table: { title: name, columns: [{ header: name, align: 'left' }], rows: [[name]], notes: [name] },
        },
        { kind: 'bars', chart: { title: name, bars: [{ label: name, count: 1, marks: [name] }], notes: [name] } },
      ];
      const html = renderHtml(blocks, { above: 2 });
      const ours =
        /<\/?(?:h3|p|dl|dt|dd|ul|li|br|span|div|table|caption|thead|tbody|tr|th|td|meter)(?: [a-z-]+="[^"<>]*")*>/g;
      const left = html.replaceAll(ours, '');
      expect(left).not.toMatch(/[<>"']/);
      expect(html).not.toMatch(UNSAFE_OUTPUT);
      expect(html.length).toBeLessThan(200_000);
    },
  );
});
