// With what the command line exits.

export const DONE = 0
export const FAILED = 1
/** The command was called wrongly. */
export const USAGE = 2
