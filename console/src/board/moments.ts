// Positions of the slider "Moment", and the instants that they mean.

/** The last position is now. */
export const POSITIONS = 1_000

export interface Span {
  /** Unix milliseconds: the leaderboard's creation, and now. */
  readonly from: number
  readonly to: number
}

/** The instant of a position as ISO 8601; null for now. */
export function instantAt({ from, to }: Span, position: number): string | null {
  if (position >= POSITIONS) return null
  const share = Math.max(0, position) / POSITIONS
  return new Date(from + Math.floor((to - from) * share)).toISOString()
}

/** The nearest position of an instant. */
export function positionOf({ from, to }: Span, instant: string | null): number {
  if (instant === null || to <= from) return POSITIONS
  const share = (Date.parse(instant) - from) / (to - from)
  return Math.max(0, Math.min(POSITIONS - 1, Math.round(share * POSITIONS)))
}
