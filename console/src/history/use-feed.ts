// The feed of events of a component.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { endsSession } from '../session.ts'
import { type EventFilter, type FeedState, followEvents } from './event-feed.ts'

const EMPTY: FeedState = { events: [], dropped: 0, isFollowing: false, error: null }
/** Changes within this time are drawn together. */
const DRAWN_EVERY_MS = 100
/**
 * A pause is at least this many times as long as the drawing before it: where drawing is slow, more changes are drawn
 * together.
 */
const PAUSE_FACTOR = 25
const DRAWN_MAX_MS = 1_000

/** Null until the first events are read. Pauses the list, not the reading, while `isPaused`. */
export function useFeed(api: Api, game: string, filter: EventFilter, isPaused: boolean): FeedState | null {
  const [state, setState] = useState<FeedState | null>(null)
  const latest = useRef<FeedState>(EMPTY)
  const paused = useRef(isPaused)
  paused.current = isPaused
  const key = JSON.stringify(filter)

  useEffect(() => {
    setState(null)
    let costMs = 0
    const frame = (run: () => void) => {
      const draw = () => {
        const began = performance.now()
        run()
        // Preact renders in a microtask.
        queueMicrotask(() => {
          costMs = performance.now() - began
        })
      }
      setTimeout(
        () => requestAnimationFrame(draw),
        Math.min(DRAWN_MAX_MS, Math.max(DRAWN_EVERY_MS, costMs * PAUSE_FACTOR)),
      )
    }
    const onState = (next: FeedState) => {
      if (endsSession(next.error)) return
      latest.current = next
      if (!paused.current) setState(next)
    }
    return followEvents({ api, game, filter: JSON.parse(key) as EventFilter, onState, frame })
  }, [api, game, key])

  useEffect(() => {
    if (!isPaused) setState((before) => (before === null ? null : latest.current))
  }, [isPaused])
  return state
}
