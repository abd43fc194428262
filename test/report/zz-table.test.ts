import fc from 'fast-check'; import { expect, test } from 'vitest';
import { renderTextTable as now } from '../../src/report/text-table.js';
import { renderTextTable as old } from '../../src/report/zz-old-table.js';
const cell = fc.oneof(fc.string({ unit: fc.constantFrom('a','b',' ','漢','é','🎉','1','.','─','e\u0301','-','\n','\u001b','\ue000','%'), maxLength: 14 }), fc.constantFrom('', '1,234', 'a long cell of text that goes on and on', '漢字漢字漢字漢字', 'x'.repeat(60)), fc.string({unit:'grapheme',maxLength:8}));
const table = fc.integer({min:1,max:6}).chain((n)=>fc.record({ title: fc.option(cell), columns: fc.array(fc.record({header: cell, align: fc.constantFrom('left' as const,'right' as const)}),{minLength:n,maxLength:n}), rows: fc.array(fc.array(cell,{minLength:0,maxLength:n}),{maxLength:6}), notes: fc.array(cell,{maxLength:2}) }));
test('same', () => { fc.assert(fc.property(table, fc.integer({min:10,max:140}), fc.boolean(), (t,width,color)=>{ expect(now(t,{width,color})).toBe(old(t,{width,color})); }), {numRuns: 20000}); }, 500000);
