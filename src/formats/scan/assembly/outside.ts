/*
 * What the scanner asks of JavaScript. Places are addresses in the scanner's memory.
 */

/** The code that the table gives to a tool met for the first time. */
export declare function codeForTool(from: usize, to: usize): i32;

/** Writes the normal form of a content into memory and gives its length; below 0: it has none. */
export declare function normalForm(from: usize, to: usize): i32;

/** Whether a value is JSON that any reader takes. */
export declare function isJson(from: usize, to: usize): bool;

/** Milliseconds since 1970 of the time in [from, to), NaN where it is none. */
export declare function millisOf(from: usize, to: usize): f64;

/** Whether bytes beyond ASCII are text that readers take. */
export declare function isText(from: usize, to: usize): bool;

/**
 * A number for what the run that is read says of itself beside id, start and passes; below 0: it makes no sense.
 *
 * @param isKept whether the number will be given for other runs as well
 */
export declare function knowSetting(isKept: bool): i32;
