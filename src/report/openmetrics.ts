import type { MetricFamily, MetricSample, MetricsReport } from '../replay/metrics-result.js';
import { escapeTerminal } from './escape.js';

/** The gauges in the OpenMetrics text format, 1.0.0. */
export function openMetrics({ families }: MetricsReport): string {
  return `${families.flatMap(familyLines).join('\n')}\n# EOF\n`;
}

/** Widest that a label's value is written. */
const VALUE_WIDTH = 200;

/**
 * A value out of the data as a label may carry it: what a terminal would obey is written out, but for the line feed,
 * which the format has an escape for.
 */
export function labelValue(value: string): string {
  return value
    .split('\n')
    .map((line) => escapeTerminal(line, VALUE_WIDTH))
    .join('\n');
}

function familyLines({ name, help, unit, samples }: MetricFamily): string[] {
  return [
    `# TYPE ${name} gauge`,
    `# UNIT ${name} ${unit}`,
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map((sample) => `${name}${labelSet(sample)} ${sample.value}`),
  ];
}

function labelSet({ labels }: MetricSample): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
