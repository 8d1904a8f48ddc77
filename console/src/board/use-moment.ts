// The instant that a leaderboard is shown at, chosen by the position of the slider "Moment". One instant is read at a
// time; the last one wanted is next.

import { useCallback, useEffect, useState } from 'preact/hooks'

/** The last position is now. */
export const POSITIONS = 1_000

interface Span {
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

export interface Moment {
  readonly span: Span
  /** Position of the slider. */
  readonly wanted: number
  /** The position whose rows are read or shown. */
  readonly position: number
  /** The instant of `position`, ISO 8601; null for now. */
  readonly instant: string | null
  readonly move: (to: number) => void
  /** Call it when the rows of `position` are shown. */
  readonly next: () => void
}

/** `created`: when the leaderboard was created, ISO 8601; null while unknown. */
export function useMoment(created: string | null): Moment {
  const [span, setSpan] = useState<Span>({ from: 0, to: 0 })
  const [wanted, setWanted] = useState(POSITIONS)
  const [position, setPosition] = useState(POSITIONS)
  const move = useCallback(
    (to: number) => {
      if (created !== null && wanted >= POSITIONS) setSpan({ from: Date.parse(created), to: Date.now() })
      setWanted(to)
    },
    [created, wanted],
  )
  const next = useCallback(() => setPosition(wanted), [wanted])
  return { span, wanted, position, instant: instantAt(span, position), move, next }
}

/** Continues with the wanted instant as soon as nothing is being read. */
export function useNextMoment({ wanted, position, next }: Moment, isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy && wanted !== position) next()
  }, [isBusy, wanted, position, next])
}
