// Checks the arguments of reads of a log, so that all adapters refuse the same.

/** Throws a RangeError for a limit that is not an integer of at least 1. */
export function requireLimit(limit: number): number {
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw new RangeError(`A limit must be at least 1, not ${limit}`)
  return limit
}

/** Throws a RangeError for a revision that no event can have: one that is negative or not an integer. */
export function requireRevision(revision: number): number {
  const isRevision = Number.isSafeInteger(revision) && revision >= 0
  if (!isRevision) throw new RangeError(`A revision must be an integer of at least 0, not ${revision}`)
  return revision
}
