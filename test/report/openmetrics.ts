/** A gauge as it was written. */
export interface Gauge {
  readonly unit: string;
  readonly help: string;
  readonly samples: { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

/** Reads OpenMetrics text as its specification has it, gauges only; every breach is an error. */
export function parseOpenMetrics(text: string): Map<string, Gauge> {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.pop() !== '# EOF') throw new Error('must end with # EOF and a line feed');
  const gauges = new Map<string, { unit: string; help: string; samples: Gauge['samples'] }>();
  let current = '';
  const seen = new Set<string>();
  for (const line of lines) {
    const meta = /^# (TYPE|UNIT|HELP) (\S+) (.*)$/.exec(line);
    if (meta !== null) {
      const [, kind, name = '', rest = ''] = meta;
      if (kind === 'TYPE') {
        if (rest !== 'gauge' || gauges.has(name) || !NAME.test(name)) throw new Error(`bad family: ${line}`);
        gauges.set(name, { unit: '', help: '', samples: [] });
        current = name;
      }
      const gauge = gauges.get(name);
      if (gauge === undefined || name !== current || gauge.samples.length > 0) throw new Error(`out of place: ${line}`);
      if (kind === 'UNIT') {
        if (!name.endsWith(`_${rest}`)) throw new Error(`unit is no suffix: ${line}`);
        gauge.unit = rest;
      }
      if (kind === 'HELP') gauge.help = unescaped(rest);
      continue;
    }
    const sample = /^([^{ ]+)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line);
    if (sample === null) throw new Error(`no sample: ${line}`);
    const [, name = '', set, value] = sample;
    if (name !== current) throw new Error(`families are mixed: ${line}`);
    const labels = set === undefined ? {} : labelsIn(set);
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(key)) throw new Error(`twice: ${line}`);
    seen.add(key);
    gauges.get(name)?.samples.push({ labels, value: Number(value) });
  }
  return gauges;
}

function labelsIn(set: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < set.length) {
    const at = LABEL.lastIndex;
    const match = LABEL.exec(set);
    if (match === null) throw new Error(`bad labels from ${at}: ${set}`);
    const [, name = '', value = ''] = match;
    if (name in labels) throw new Error(`label twice: ${set}`);
    labels[name] = unescaped(value);
  }
  return labels;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}
