import * as Plot from '@observablehq/plot';
import { element } from './elements.js';

/** Names of colours: the style says what they are, in light, in dark and on paper. */
export const COLORS = {
  good: 'var(--good)',
  bad: 'var(--bad)',
  cap: 'var(--cap)',
  line: 'var(--soft)',
  paper: 'var(--paper)',
} as const;

/** A chart of the page. */
export interface Chart {
  readonly root: HTMLElement;
  /** Draws it as wide as its place is; nothing where it is drawn so already. @param isPrinted on a sheet of paper */
  fit(isPrinted?: boolean): void;
  /** Draws it again, for other figures. */
  redraw(): void;
}

export interface ChartOptions {
  /** What it shows, in words that stand above it. */
  readonly title: string;
  /** The same for whoever cannot see it: with the figures that matter. */
  describe(): string;
  options(width: number): Plot.PlotOptions;
  /** Puts what moves without a new drawing on top. */
  readonly finish?: (drawn: Drawn) => void;
  /** Width on paper, in pixels. */
  readonly printed: number;
}

export type Drawn = (SVGSVGElement | HTMLElement) & Plot.Plot;

/** On an A4 sheet within its margins. */
export const SHEET = 688;
const NARROWEST = 200;

export function createChart({ title, describe, options, finish, printed }: ChartOptions, ...below: Node[]): Chart {
  const place = element('div', { class: 'place' });
  const root = element('figure', {}, element('figcaption', {}, title), place, ...below);
  let drawnAt = 0;
  const draw = (width: number): void => {
    drawnAt = width;
    const drawn = Plot.plot({
      marginLeft: 46,
      marginBottom: 36,
      ...options(width),
      width,
      style: { background: 'transparent', color: 'inherit', fontSize: '12px', fontFamily: 'inherit' },
      ariaLabel: describe(),
    });
    drawn.setAttribute('role', 'img');
    // It speaks by its own words, not mark by mark: the library names each by its kind.
    for (const mark of drawn.querySelectorAll('g[aria-label]')) mark.removeAttribute('aria-label');
    finish?.(drawn);
    place.replaceChildren(drawn);
  };
  return {
    root,
    fit(isPrinted = false) {
      const width = isPrinted ? printed : Math.max(NARROWEST, Math.floor(place.clientWidth));
      if (width !== drawnAt) draw(width);
    },
    redraw() {
      if (drawnAt > 0) draw(drawnAt);
    },
  };
}

/** What the colours of a chart stand for. */
export function legendOf(entries: readonly (readonly [name: string, color: string])[]): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    ...entries.map(([name, color]) => element('li', {}, swatchOf(color), name)),
  );
}

export function swatchOf(color: string): HTMLElement {
  const swatch = element('span', { class: 'swatch', 'aria-hidden': 'true' });
  swatch.style.background = color;
  return swatch;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line across a chart, with a name above it, that can be moved. */
export interface Mark {
  /** Draws it into a chart, below everything that is drawn there later. */
  into(drawn: Drawn): void;
  /** @param value on the horizontal axis; `null`: there is none @param side of its name, where there is room */
  move(value: number | null, name: string, side?: Side): void;
}

export type Side = 'left' | 'right';
const LETTER = 7;

/** @param row in which its name stands, from 0 @param kind a class of the style */
export function createMark(kind: string, row: number): Mark {
  let drawn: Drawn | null = null;
  let at: number | null = null;
  let named = '';
  let preferred: Side = 'right';
  const line = document.createElementNS(SVG, 'line');
  const text = document.createElementNS(SVG, 'text');
  const group = document.createElementNS(SVG, 'g');
  group.setAttribute('class', `mark ${kind}`);
  group.append(line, text);
  const place = (): void => {
    const x = drawn?.scale('x');
    const y = drawn?.scale('y');
    group.toggleAttribute('hidden', at === null);
    group.style.display = at === null ? 'none' : '';
    if (at === null || x === undefined || y === undefined || !Array.isArray(x.domain)) return;
    const [least, most] = x.domain as [number, number];
    const [left, right] = x.range as [number, number];
    const [bottom, top] = y.range as [number, number];
    const where = x.apply(Math.min(most, Math.max(least, at))) as number;
    const room = named.length * LETTER;
    const isLate = preferred === 'left' ? where - room > left - room / 4 : where + room > right;
    text.textContent = named;
    text.setAttribute('x', String(where + (isLate ? -4 : 4)));
    text.setAttribute('y', String(top - 16 + 12 * row));
    text.setAttribute('text-anchor', isLate ? 'end' : 'start');
    for (const [name, value] of [
      ['x1', where],
      ['x2', where],
      ['y1', bottom],
      ['y2', named === '' ? top : top - 20 + 12 * row],
    ] as const)
      line.setAttribute(name, String(value));
  };
  return {
    into(next) {
      drawn = next;
      next.append(group);
      place();
    },
    move(value, name, side = 'right') {
      at = value;
      named = name;
      preferred = side;
      place();
    },
  };
}

/** A point of a chart, with a name beside it, that can be moved. */
export interface Dot {
  into(drawn: Drawn): void;
  /** @param point in the units of the chart; `null`: it is not shown */
  move(point: readonly [x: number, y: number] | null): void;
}

export function createDot(kind: string, name: string, dy: number): Dot {
  let drawn: Drawn | null = null;
  let at: readonly [number, number] | null = null;
  const circle = document.createElementNS(SVG, 'circle');
  const text = document.createElementNS(SVG, 'text');
  const group = document.createElementNS(SVG, 'g');
  group.setAttribute('class', `dot ${kind}`);
  group.append(circle, text);
  circle.setAttribute('r', '6');
  text.textContent = name;
  const place = (): void => {
    const x = drawn?.scale('x');
    const y = drawn?.scale('y');
    group.style.display = at === null ? 'none' : '';
    if (at === null || x === undefined || y === undefined) return;
    const [left, right] = x.range as [number, number];
    const [across, down] = [x.apply(at[0]) as number, y.apply(at[1]) as number];
    const isLate = across > (left + right) / 2;
    circle.setAttribute('cx', String(across));
    circle.setAttribute('cy', String(down));
    text.setAttribute('x', String(across + (isLate ? -9 : 9)));
    text.setAttribute('y', String(down + dy));
    text.setAttribute('text-anchor', isLate ? 'end' : 'start');
  };
  return {
    into(next) {
      drawn = next;
      next.append(group);
      place();
    },
    move(point) {
      at = point;
      place();
    },
  };
}
