// The version of this program.

export const VERSION = '0.2.0'
