/**
 * How much is asked of recorded runs, each including what stands before: the figures of whole runs, for percentiles; passes
 * and tools, for caps; contents of calls, for rules.
 */
export type Depth = 'figures' | 'passes' | 'calls';
