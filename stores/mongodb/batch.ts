// How many documents one query fetches at a time.

/**
 * At most so many in one answer. For unlimited reads a server may reserve memory for the batch size it gets:
 * FerretDB for 2^31 of them, 16 GB, by which it also measures when to look for what it may free.
 */
export const BATCH_MOST = 10_000
