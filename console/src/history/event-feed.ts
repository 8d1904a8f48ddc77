// The newest events of a game under a filter: those recorded, then those that are recorded from now on. Holds a bounded
// number, and reports at most once per frame.

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Api, type GameEvent, Unreachable } from '../api.ts'
import { endsSession } from '../session.ts'

export interface EventFilter {
  readonly type?: string
  readonly player?: string
  readonly board?: string
  readonly request?: string
  /** ISO 8601: inclusive start and exclusive end. With an end nothing is followed. */
  readonly since?: string
  readonly until?: string
}

/** Whether an event is listed, of those that the server answers. */
export type Accept = (event: GameEvent) => boolean

interface FeedState {
  /** Oldest first. */
  readonly events: readonly GameEvent[]
  /** Number of events dropped because there were too many. */
  readonly dropped: number
  readonly isFollowing: boolean
  readonly error: unknown
}

interface FeedOptions {
  readonly api: Pick<Api, 'eventsOnce'>
  readonly game: string
  readonly filter: EventFilter
  readonly accept: Accept
  readonly onState: (state: FeedState) => void
  /** Calls back before the next frame. */
  readonly frame: (run: () => void) => void
}

export const EVENTS_MAX = 5_000
/** The first window that holds this many events is the beginning of the list. */
const ENOUGH = 100
const MINUTE_MS = 60_000
const WINDOWS_MS = [5 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS, 30 * 24 * 60 * MINUTE_MS]
const AGAIN_MS = 2_000

const EMPTY: FeedState = { events: [], dropped: 0, isFollowing: false, error: null }
/** Changes within this time are drawn together. */
const DRAWN_EVERY_MS = 100
/**
 * A pause is at least this many times as long as the drawing before it: where drawing is slow, more changes are drawn
 * together.
 */
const PAUSE_FACTOR = 25
const DRAWN_MAX_MS = 1_000

/** Returns a function that ends the feed. */
function followEvents({ api, game, filter, accept, onState, frame }: FeedOptions): () => void {
  const ending = new AbortController()
  let events: GameEvent[] = []
  let dropped = 0
  let isFollowing = false
  let isDrawn = true
  let error: unknown = null

  const draw = () => {
    isDrawn = true
    if (!ending.signal.aborted) onState({ events, dropped, isFollowing, error })
  }
  const changed = () => {
    if (!isDrawn) return
    isDrawn = false
    frame(draw)
  }
  const add = (added: readonly GameEvent[]) => {
    const all = events.concat(added)
    dropped += Math.max(0, all.length - EVENTS_MAX)
    events = all.slice(-EVENTS_MAX)
    changed()
  }
  const run = async () => {
    const beganMs = Date.now()
    const { since: _, ...matching } = filter
    const read = await recentEvents(api, game, filter, ending.signal, accept)
    add(read.filter(accept))
    if (filter.until !== undefined) return
    let waiting: GameEvent[] = []
    const flush = () => {
      if (waiting.length > 0) add(waiting)
      waiting = []
    }
    let last = read.at(-1)?.position
    while (!ending.signal.aborted) {
      const start = last === undefined ? { since: new Date(beganMs).toISOString() } : { from: last }
      isFollowing = true
      error = null
      changed()
      try {
        for await (const event of api.eventsOnce(game, { ...matching, ...start, follow: true }, ending.signal)) {
          last = event.position
          if (!accept(event)) continue
          if (waiting.length === 0) frame(flush)
          waiting.push(event)
        }
      } catch (failure) {
        if (ending.signal.aborted) return
        isFollowing = false
        error = failure
        changed()
        if (!(failure instanceof Unreachable)) return
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  run().catch((failure: unknown) => {
    error = failure
    changed()
  })
  return () => ending.abort()
}

/**
 * Events up to now, oldest first, of which at least `ENOUGH` are accepted where there are as many; of one request, and
 * of a range of times, all up to `EVENTS_MAX`.
 */
export async function recentEvents(
  api: FeedOptions['api'],
  game: string,
  filter: EventFilter,
  signal: AbortSignal,
  accept: Accept = () => true,
): Promise<GameEvent[]> {
  const now = Date.now()
  const isBounded = filter.request !== undefined || filter.since !== undefined || filter.until !== undefined
  const starts = isBounded ? [] : WINDOWS_MS.map((ms) => ({ since: new Date(now - ms).toISOString() }))
  let events: GameEvent[] = []
  for (const start of [...starts, {}]) {
    events = []
    for await (const event of api.eventsOnce(game, { ...filter, ...start, limit: EVENTS_MAX }, signal))
      events.push(event)
    if (events.length === EVENTS_MAX || events.filter(accept).length >= ENOUGH) break
  }
  return events
}

/**
 * The feed of a component; null until the first events are read. Pauses the list, not the reading, while `isPaused`.
 */
export function useFeed(
  api: Api,
  game: string,
  { filter, accept, isPaused }: { readonly filter: EventFilter; readonly accept: Accept; readonly isPaused: boolean },
): FeedState | null {
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
    return followEvents({ api, game, filter: JSON.parse(key) as EventFilter, accept, onState, frame })
  }, [api, game, key, accept])

  useEffect(() => {
    if (!isPaused) setState((before) => (before === null ? null : latest.current))
  }, [isPaused])
  return state
}
