// Exit codes of the command line.

export const DONE = 0
export const FAILED = 1
/** Invalid usage. */
export const USAGE = 2
