import type pc from 'picocolors';
import { cut, escapeTerminal } from './escape.js';
import { formatCount } from './format.js';
import { textWidth } from './width.js';
import { pad, wrap } from './wrap.js';

type Colors = ReturnType<typeof pc.createColors>;

/** One line of a histogram. */
export interface Bar {
  readonly label: string;
  readonly count: number;
  /** What lies in this bin: `p99 21`, `cap 26`. */
  readonly marks: readonly string[];
}

/** A histogram as a value. Its texts are plain; the drawing escapes them. */
export interface BarChart {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly notes: readonly string[];
}

/** Bars longer than this say no more. */
const MAX_BAR = 40;
const MIN_BAR = 4;
/** Parts of a character cell, by eighths. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** The histogram as lines no wider than `width`: label, bar, count, marks. */
export function drawBars(chart: BarChart, width: number, colors: Colors): string[] {
  const rows = chart.bars.map((bar) => ({
    label: escapeTerminal(bar.label, Math.floor(width * 0.4)),
    share: bar.count,
    count: formatCount(bar.count),
    marks: bar.marks.length === 0 ? '' : `<- ${escapeTerminal(bar.marks.join(', '))}`,
  }));
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => textWidth(text)));
  const labelWidth = widest(rows.map((row) => row.label));
  const countWidth = widest(rows.map((row) => row.count));
  const room = width - labelWidth - countWidth - 4;
  const barWidth = Math.max(MIN_BAR, Math.min(MAX_BAR, room - widest(rows.map((row) => row.marks))));
  const most = Math.max(1, ...chart.bars.map((bar) => bar.count));
  const lines = rows.map((row) => {
    const bar = barText(row.share / most, barWidth);
    const drawn = `${bar === '' ? '' : colors.cyan(bar)}${' '.repeat(barWidth - textWidth(bar))}`;
    const marks = cut(row.marks, Math.max(0, room - barWidth));
    const line = `${pad(row.label, labelWidth, 'right')} ${drawn} ${pad(row.count, countWidth, 'right')}`;
    return marks === '' ? line : `${line}  ${colors.yellow(marks)}`;
  });
  const title = wrap(escapeTerminal(chart.title), width).map((line) => colors.bold(line));
  return [...title, ...lines, ...chart.notes.flatMap((note) => wrap(escapeTerminal(note), width))];
}

/** A bar by eighths of a column; something is never drawn as nothing. */
function barText(share: number, width: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}
