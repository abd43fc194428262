type Child = Node | string;

/** An element with attributes and children; texts are texts, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Puts these into the place of a section that the program fills, in place of what was there. */
export function fill(section: string, ...parts: Child[]): void {
  document.getElementById(`live-${section}`)?.replaceChildren(...parts);
}

/** A table of texts: its first column names the rows, the others are numbers unless `texts` names them. */
export function tableOf(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Child[])[],
  texts: readonly number[] = [],
): HTMLElement {
  const kindOf = (column: number): { class?: string } =>
    column === 0 || texts.includes(column) ? {} : { class: 'number' };
  const headCells = head.map((text, at) =>
    text === '' ? element('td', kindOf(at)) : element('th', { scope: 'col', ...kindOf(at) }, text),
  );
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, at) => (at === 0 ? element('th', { scope: 'row' }, cell) : element('td', kindOf(at), cell))),
    ),
  );
  const table = element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...headCells)),
    element('tbody', {}, ...body),
  );
  return element('div', { class: 'scroll', role: 'group', 'aria-label': caption, tabindex: '0' }, table);
}

/** Of all parts that can scroll, those that do are reached by the keyboard, and no others. */
export function markScrollers(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('.scroll, pre')];
  // All are measured before any is marked: a mark in between would make the browser lay the page out once more for each.
  const measured = parts.map((part) => ({
    part,
    isWide: part.scrollWidth > part.clientWidth + 1,
    scrolls: part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight,
  }));
  for (const { part, isWide, scrolls } of measured) {
    if (scrolls) part.tabIndex = 0;
    else part.removeAttribute('tabindex');
    part.toggleAttribute('data-wide', isWide);
  }
}

/** How long after the last change parts are marked, in milliseconds: while a slider moves nobody reads the marks. */
const MARKED_AFTER = 150;
let marking: ReturnType<typeof setTimeout> | undefined;

/** The same once a reader has let go. */
export function markScrollersSoon(): void {
  clearTimeout(marking);
  marking = setTimeout(markScrollers, MARKED_AFTER);
}
