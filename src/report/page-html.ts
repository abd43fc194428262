import type { Block } from './blocks.js';
import { escapeHtml, escapeScriptJson } from './escape.js';
import type { PageData } from './page-data.js';
import type { Tile } from './page-headline.js';
import { renderHtml } from './render-html.js';

/** A part of the page: fixed words, a place that the page's program fills, and what is folded away below. */
export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Whether the program has something to show here. */
  readonly isLive: boolean;
  readonly folded?: { readonly summary: string; readonly blocks: readonly Block[] };
}

/** What a page is made of. */
export interface Page {
  readonly title: string;
  /** What stands below the title, in one sentence each. */
  readonly summary: readonly string[];
  readonly tiles: readonly Tile[];
  /** The part with the controls, which stays in sight. */
  readonly panel: PageSection;
  readonly sections: readonly PageSection[];
  readonly data: PageData;
}

/** What is bundled when the package is built. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** `sha256-…` of the script, in base64: nothing else on the page may run. */
  readonly scriptHash: string;
}

/**
 * The report as one HTML file that asks for nothing else: no network, no font, no image. Its policy lets only the one
 * script run, so that no text out of the data can.
 */
export function pageHtml(page: Page, { script, style, scriptHash }: PageAssets): string {
  const { panel, sections, data } = page;
  const body = `<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<h1>${escapeHtml(page.title, TITLE_WIDTH)}</h1>
${page.summary.map((sentence) => `<p>${escapeHtml(sentence, SENTENCE_WIDTH)}</p>`).join('\n')}
</header>
<main id="main" tabindex="-1">
<section id="short" aria-labelledby="title-short">
<h2 id="title-short">Today’s policy in short</h2>
<dl class="tiles">${page.tiles.map(tileHtml).join('')}</dl>
</section>
<nav aria-label="Parts of the report"><ul>${[panel, ...sections].map(linkHtml).join('')}</ul></nav>
<div class="desk">
${sectionHtml(panel, 'panel')}
<div class="parts">
${sections.map((section) => sectionHtml(section)).join('\n')}
</div>
</div>
</main>
<script type="application/json" id="data">${escapeScriptJson(JSON.stringify(data))}</script>
<script>${script}</script>
</body>`;
  return documentHtml(page.title, [`script-src '${scriptHash}'`], style, body);
}

/**
 * A document that may load nothing and send nothing.
 *
 * @param allowed what its content-security policy allows beside styles of its own
 */
export function documentHtml(title: string, allowed: readonly string[], style: string, body: string): string {
  // The chart library writes style elements of its own.
  const policy = [
    "default-src 'none'",
    ...allowed,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title, TITLE_WIDTH)}</title>
<style>${style}</style>
</head>
${body}
</html>
`;
}

const TITLE_WIDTH = 120;
const SENTENCE_WIDTH = 600;

function linkHtml({ id, title }: PageSection): string {
  return `<li><a href="#${id}">${escapeHtml(title)}</a></li>`;
}

function tileHtml({ term, figures, notes }: Tile): string {
  const large = figures.map((figure) => `<dd class="figure">${escapeHtml(figure, TITLE_WIDTH)}</dd>`);
  const small = notes.map((note) => `<dd class="note">${escapeHtml(note, SENTENCE_WIDTH)}</dd>`);
  return `<div><dt>${escapeHtml(term)}</dt>${[...large, ...small].join('')}</div>`;
}

function sectionHtml({ id, title, blocks, isLive, folded }: PageSection, kind?: string): string {
  const parts = [
    renderHtml(blocks, UNDER_SECTION),
    isLive ? `<div class="live" id="live-${id}"></div>` : '',
    folded === undefined || folded.blocks.length === 0
      ? ''
      : `<details><summary>${escapeHtml(folded.summary)}</summary>\n${renderHtml(folded.blocks, UNDER_SECTION)}\n</details>`,
  ];
  return `<section id="${id}"${kind === undefined ? '' : ` class="${kind}"`} aria-labelledby="title-${id}">
<h2 id="title-${id}">${escapeHtml(title)}</h2>
${parts.filter((part) => part !== '').join('\n')}
</section>`;
}

const UNDER_SECTION = { above: 2 } as const;
