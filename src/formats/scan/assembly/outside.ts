/*
 * What the scanner asks of JavaScript. Places are addresses in the scanner's memory.
 */

/** The code that the table gives to a tool met for the first time. */
export declare function codeForTool(from: usize, to: usize): i32;

/** Writes the normal form of a content into memory and gives its length; below 0: it has none. */
export declare function normalForm(from: usize, to: usize): i32;

/** Whether a value is JSON that any reader takes. */
export declare function isJson(from: usize, to: usize): bool;

/** Takes the run that has ended; false where it is not plain. */
export declare function endRun(): bool;
