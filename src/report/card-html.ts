import type { Card } from './card.js';
import { cardBlocks } from './card-blocks.js';
import { nameText } from './escape.js';
import { documentHtml } from './page-html.js';
import { renderHtml } from './render-html.js';

/** The card as a page of its own: no script, nothing loaded, one A4 sheet. */
export function renderCardHtml(card: Card): string {
  const title = card.name === null ? 'Stop-policy card' : `Stop-policy card: ${nameText(card.name)}`;
  const body = `<body>\n<main>\n${renderHtml(cardBlocks(card), { above: 0 })}\n</main>\n</body>`;
  return documentHtml(title, [], STYLE, body);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --soft: #a3abb5; --line: #3d444d; --paper: #15181d; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 1.2rem; }
h1, h2, p, li, dt, dd { overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 1rem 0 .3rem; border-bottom: 1px solid var(--line); }
p { margin: .3rem 0; }
dl { margin: .3rem 0; display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: .15rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
ul, ol { margin: .3rem 0; padding-left: 1.2rem; }
.hint { color: var(--soft); }
@media (max-width: 36rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .4rem; }
}
@page { size: A4; margin: 12mm; }
@media print {
  :root { --ink: #000; --soft: #444; --line: #aaa; --paper: #fff; color-scheme: light; }
  body { font-size: 9.2pt; line-height: 1.35; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 15pt; }
  h2 { font-size: 10.5pt; margin-top: 2.6mm; break-after: avoid; }
  dt, dd, li { break-inside: avoid; }
}
`;
