// The version this program says it is.

export const VERSION = '0.2.0'
