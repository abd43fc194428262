import { quote } from '../fields.js';

/** What JSONata throws: a record with a code, or an error of its own inside. */
interface Thrown {
  readonly code?: unknown;
  readonly message?: string;
  readonly position?: number;
  readonly token?: unknown;
  readonly value?: unknown;
  readonly value2?: unknown;
}

/** An end that capfit itself puts to an evaluation; its words are for the user. */
export class ExpressionStop extends Error {}

/** Why an expression is none, or fails, in plain words and with the place where JSONata tells one. */
export function reasonOf(error: unknown): string {
  if (error instanceof ExpressionStop) return error.message;
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown;
  const say = typeof thrown.code === 'string' ? REASONS.get(thrown.code) : undefined;
  const reason = say === undefined ? `JSONata cannot make sense of it: ${inShort(thrown.message)}` : say(thrown);
  return typeof thrown.position === 'number' ? `${reason} (at character ${thrown.position})` : reason;
}

const LONGEST_EXPRESSION = 120;

/** An expression as a message shows it: on one line, and not all of a long one. */
export function shownExpression(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > LONGEST_EXPRESSION ? `${line.slice(0, LONGEST_EXPRESSION)}…` : line;
}

const LONGEST_ORIGINAL = 80;

function inShort(message: string | undefined): string {
  const line = (message ?? 'no reason given').replace(/\s+/g, ' ');
  return line.length > LONGEST_ORIGINAL ? `${line.slice(0, LONGEST_ORIGINAL)}…` : line;
}

type Say = (thrown: Thrown) => string;

const notAVariable: Say = () => 'a variable is named with $ before it';
const meansNothing: Say = ({ token }) => `${shown(token)} means nothing there`;
const noFunction: Say = ({ token }) =>
  `${token === undefined ? 'a value' : shown(token)} is called like a function, and is none`;
const wrongArgument: Say = ({ token, value }) => `$${String(token)} does not take ${shown(value)}`;
const notWhole: Say = ({ value }) => `a range such as [1..9] needs whole numbers, not ${shown(value)}`;
const tooLong: Say = () => 'it makes a list that is too long';
const unsortable: Say = () => 'what the list is to be sorted by is not all numbers or all texts';
const saysItself: Say = ({ token, message }) => `$${String(token)} says: ${inShort(message)}`;
const noPicture: Say = ({ token }) => `the picture of $${String(token)} does not describe a time or a number`;

/** By the code of the fault. */
const REASONS: ReadonlyMap<string, Say> = new Map<string, Say>([
  ['S0101', () => 'a text is not closed by its quote'],
  ['S0102', ({ token }) => `the number ${String(token)} is too large`],
  ['S0103', () => 'a backslash in a text stands before what is no escape'],
  ['S0104', () => '\\u in a text needs four hexadecimal digits'],
  ['S0105', () => 'a name in backquotes is not closed'],
  ['S0106', () => 'a comment is not closed'],
  ['S0201', ({ token }) => `${shown(token)} cannot stand there`],
  ['S0202', ({ token, value }) => `${shown(value)} must stand where ${shown(token)} does`],
  ['S0203', ({ value }) => `it ends where ${shown(value)} is missing`],
  ['S0204', meansNothing],
  ['S0205', meansNothing],
  ['S0206', meansNothing],
  ['S0207', () => 'it ends too early'],
  ['S0208', notAVariable],
  ['S0211', ({ token }) => `${shown(token)} needs something before it`],
  ['S0212', notAVariable],
  ['S0213', ({ value }) => `${shown(value)} is no name of a field: in a path it stands in backquotes`],
  ['S0214', notAVariable],
  ['S0301', () => 'a regular expression is empty'],
  ['S0302', () => 'a regular expression is not closed by /'],
  ['T0410', wrongArgument],
  ['T0411', wrongArgument],
  ['T0412', wrongArgument],
  ['T1003', ({ value }) => `a key of an object must be a text, not ${shown(value)}`],
  ['T1005', noFunction],
  ['T1006', noFunction],
  ['T1007', noFunction],
  ['T1008', noFunction],
  ['T2001', ({ token, value }) => `${shown(token)} needs a number on its left, not ${shown(value)}`],
  ['T2002', ({ token, value }) => `${shown(token)} needs a number on its right, not ${shown(value)}`],
  ['T2003', notWhole],
  ['T2004', notWhole],
  ['T2006', () => 'what stands behind ~> is no function'],
  ['T2007', unsortable],
  ['T2008', unsortable],
  ['T2009', ({ token, value, value2 }) => `${shown(token)} cannot compare ${shown(value)} with ${shown(value2)}`],
  ['T2010', ({ token, value }) => `${shown(token)} compares numbers or texts, not ${shown(value)}`],
  ['D1001', () => 'a number in it is too large'],
  ['D1002', ({ value }) => `a minus sign needs a number behind it, not ${shown(value)}`],
  ['D1004', () => 'a regular expression matches the empty text, and would match for ever'],
  ['D1009', ({ value }) => `the key ${shown(value)} of an object is given twice`],
  ['D2014', tooLong],
  ['D2015', tooLong],
  ['D3001', () => 'a number in it is infinite, or none'],
  ['D3030', ({ value }) => `${shown(value)} is no number`],
  ['D3050', () => '$reduce needs a function of two arguments'],
  ['D3060', ({ value }) => `${shown(value)} has no square root`],
  ['D3061', () => 'a power in it is too large'],
  ['D3070', () => '$sort needs a function to compare by where a list is not all numbers or all texts'],
  ['D3110', ({ value }) => `${shown(value)} is no time in ISO 8601`],
  ['D3132', noPicture],
  ['D3133', noPicture],
  ['D3134', noPicture],
  ['D3135', noPicture],
  ['D3136', noPicture],
  ['D3137', saysItself],
  ['D3138', () => '$single finds more than one'],
  ['D3139', () => '$single finds none'],
  ['D3140', ({ value }) => `${shown(value)} is no encoded address`],
  ['D3141', saysItself],
]);

/** A value of the data, a sign of the expression, or what an expression made: functions hold all of their world. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const isMade = typeof value === 'object' && value !== null && Object.keys(value).some((key) => MADE.test(key));
  return typeof value === 'function' || isMade ? 'a function' : quote(value);
}

const MADE = /^_jsonata_/;
