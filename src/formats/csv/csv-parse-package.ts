/* Loaded late, and by this module: of a package that is joined in, a late import gives no names of its own. */

export { parse } from 'csv-parse';
