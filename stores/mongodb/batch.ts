// How many documents one query fetches at a time.

/**
 * Maximum number of documents per answer. Without a limit a server may allocate memory for the largest possible one:
 * FerretDB for 2^31 documents, 16 GB, which also decides when it frees memory.
 */
export const MAX_BATCH = 10_000
