// Reads from the server for a component: once, again on demand, or repeatedly while the page is visible.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { repeat } from './repeat.ts'
import { endsSession } from './session.ts'
import { type Tag, useInvalidated } from './tags.ts'

export interface Loaded<Value> {
  /** What was read last; null before. */
  readonly value: Value | null
  /** Why the last read failed; null if it did not. */
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
}

/** Reads take at most a twentieth of the time. */
const PAUSE_FACTOR = 20

interface LoadOptions {
  /** Reads again so often while the page is visible. */
  readonly everyMs?: number | undefined
  /** A pause is at least this many times as long as the read before it, in place of PAUSE_FACTOR. */
  readonly pauseFactor?: number | undefined
  /** Answers the value of the key before until the new one is read. */
  readonly keeps?: boolean
  /** What the value shows: an action that changes one of these repeats the read. */
  readonly tags?: readonly Tag[]
}

const NO_TAGS: readonly Tag[] = []

/** `key`: the read is repeated, and its value forgotten, when it changes. Null: nothing is read. */
export function useLoad<Value>(
  key: string | null,
  read: () => Promise<Value>,
  { everyMs, pauseFactor = PAUSE_FACTOR, keeps = false, tags = NO_TAGS }: LoadOptions = {},
): Loaded<Value> {
  const [state, setState] = useState<{ key: string | null; value: Value | null; error: unknown }>({
    key,
    value: null,
    error: null,
  })
  const [times, setTimes] = useState(0)
  const latest = useRef(read)
  latest.current = read
  const [isLoading, setLoading] = useState(key !== null)

  useEffect(() => {
    if (key === null) return
    let over = false
    const load = async () => {
      setLoading(true)
      try {
        const value = await latest.current()
        if (!over) setState({ key, value, error: null })
      } catch (error) {
        if (!over && !endsSession(error))
          setState((last) => ({ key, value: last.key === key || keeps ? last.value : null, error }))
      }
      if (!over) setLoading(false)
    }
    const end = repeat(load, { everyMs: everyMs ?? null, pauseFactor })
    return () => {
      over = true
      end()
    }
  }, [key, everyMs, pauseFactor, times])

  const reload = useCallback(() => setTimes((before) => before + 1), [])
  useInvalidated(tags, reload)
  const isOwn = state.key === key
  const value = isOwn || keeps ? state.value : null
  return { value, error: isOwn ? state.error : null, isLoading: key !== null && (isLoading || !isOwn), reload }
}
