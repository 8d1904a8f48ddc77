// The instant that a leaderboard is shown at: the address has it, the slider "Moment" moves it. One instant is read at
// a time; the last one wanted is next.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

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

export interface Moment {
  readonly span: Span
  /** The instant of the address, and of the slider; null for now. */
  readonly wanted: string | null
  /** The instant whose rows are read or shown. */
  readonly instant: string | null
  /** Position of the slider. */
  readonly position: number
  readonly moveTo: (instant: string | null) => void
  readonly movePosition: (position: number) => void
  /** Call it when the rows of `instant` are shown. */
  readonly next: () => void
}

interface MomentSetting {
  /** When the leaderboard was created, ISO 8601; null while unknown. */
  readonly created: string | null
  readonly at: string | null
  readonly onMove: (at: string | null) => void
}

export function useMoment({ created, at, onMove }: MomentSetting): Moment {
  // Stays while the past is shown, so that a position means the same instant.
  const [to, setTo] = useState(() => Date.now())
  const [instant, setInstant] = useState(at)
  const from = created === null ? to : Date.parse(created)
  const moveTo = useCallback(
    (next: string | null) => {
      if (at === null) setTo(Date.now())
      onMove(next)
    },
    [at, onMove],
  )
  const movePosition = (position: number) => {
    const end = at === null ? Date.now() : to
    if (at === null) setTo(end)
    // A key at now moves one position back from now.
    onMove(instantAt({ from, to: end }, position))
  }
  const next = useCallback(() => setInstant(at), [at])
  const span = { from, to: Math.max(to, at === null ? 0 : Date.parse(at)) }
  return { span, wanted: at, instant, position: usePosition(span, at), moveTo, movePosition, next }
}

/** The position of the instant, which stays the one that was chosen where rounding would choose a neighbour. */
function usePosition(span: Span, at: string | null): number {
  const last = useRef(POSITIONS)
  const isLast = instantAt(span, last.current) === at
  if (!isLast) last.current = positionOf(span, at)
  return last.current
}

/** Continues with the wanted instant as soon as nothing is being read. */
export function useNextMoment({ wanted, instant, next }: Moment, isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy && wanted !== instant) next()
  }, [isBusy, wanted, instant, next])
}
