// Says which parts of a page an action has changed: the action names tags, and each read that shows such a thing is
// repeated at once.

import { useEffect, useRef } from 'preact/hooks'

/** What actions change, and reads show. */
type Kind = 'game' | 'board' | 'player' | 'session' | 'key' | 'bucket' | 'file' | 'view'

/** All things of a kind, or the one with an id. */
export type Tag = Kind | `${Kind}:${string}`

type Listener = (changed: readonly Tag[]) => void

const listeners = new Set<Listener>()

/** Whether a read of `shown` shows a thing of `changed`. All of a kind include each one of it. */
export function concerns(shown: readonly Tag[], changed: readonly Tag[]): boolean {
  return shown.some((one) =>
    changed.some((other) => one === other || kindOf(one) === other || (one === kindOf(one) && kindOf(other) === one)),
  )
}

const kindOf = (tag: Tag): string => tag.split(':', 1)[0] ?? tag

/** Repeats the reads that show one of these. Call it when the server has answered the action. */
export function invalidate(...changed: readonly Tag[]): void {
  for (const listener of [...listeners]) listener(changed)
}

/** What follows from an action on the server, such as the files of a deleted player, is read again this much later. */
const FOLLOWS_MS = 1_200

/** Calls back when one of these changes, and a moment later for what follows from the change. */
export function useInvalidated(shown: readonly Tag[], onChange: () => void): void {
  const latest = useRef({ shown, onChange })
  latest.current = { shown, onChange }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const listener: Listener = (changed) => {
      if (!concerns(latest.current.shown, changed)) return
      latest.current.onChange()
      clearTimeout(timer)
      timer = setTimeout(() => latest.current.onChange(), FOLLOWS_MS)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      clearTimeout(timer)
    }
  }, [])
}
