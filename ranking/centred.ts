// Which part of a ranking surrounds a rank.

/**
 * The offset at which `limit` of `count` rows begin, so that the row with `before` rows before it is in the middle;
 * shifted, not shortened, at either end.
 */
export function centred(before: number, count: number, limit: number): number {
  return Math.max(0, Math.min(before - Math.floor(limit / 2), count - limit))
}
