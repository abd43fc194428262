import { LIMITS, type LimitName } from '../model/limits.js';
import type { LimitCuts, WhatIfPolicy } from '../replay/whatif-result.js';
import { formatCount, formatExact } from './format.js';
import type { Table } from './table.js';
import { right } from './whatif-tables.js';

/** Which limits bind, today and under the candidate. */
export function limitTable(today: WhatIfPolicy, candidate: WhatIfPolicy): Table {
  const names = [...new Set([...today.limits, ...candidate.limits].map(({ limit }) => limit))];
  const of = (policy: WhatIfPolicy, name: string): LimitCuts | null =>
    policy.limits.find(({ limit }) => limit === name) ?? null;
  return {
    title: 'Which limits stop runs',
    columns: [
      { header: 'limit', align: 'left', maxWidth: 20 },
      ...['today', 'first', 'only it', 'others too', 'candidate', 'first', 'only it', 'others too'].map(right),
    ],
    rows: names.map((name) => [name, ...cutCells(of(today, name)), ...cutCells(of(candidate, name))]),
    notes: [
      'first: runs that it stops before any other limit, good ones in brackets; only it: runs that no other limit would stop; others too: runs that another one would stop as well',
    ],
  };
}

function cutCells(cuts: LimitCuts | null): string[] {
  if (cuts === null) return ['none', '-', '-', '-'];
  const cell = (all: number, good: number): string =>
    `${formatCount(all)}${good === 0 ? '' : ` (${formatCount(good)})`}`;
  return [
    cuts.is_rule || !isLimit(cuts.limit) ? `x ${formatCount(cuts.cap)}` : formatExact(cuts.limit, cuts.cap),
    cell(cuts.first, cuts.first_verified),
    cell(cuts.only, cuts.only_verified),
    cell(cuts.shared, cuts.shared_verified),
  ];
}

function isLimit(name: string): name is LimitName {
  return LIMITS.some((limit) => limit === name);
}
