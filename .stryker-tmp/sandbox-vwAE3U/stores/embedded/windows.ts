// In-process sliding windows: for each key the times of its attempts, oldest first.

import { LRUCache } from 'lru-cache'
import type { WindowSpec, Windows } from '../contract/transient.ts'

/** Clocks of nodes differ, and are set right, by less than this: what lies further ahead was noted by a wrong one. */
const CLOCK_BACK_MAX_MS = 60_000

type Attempts = Map<string, number>

/** Past `maxKeys` the key not used for longest is forgotten. */
export function createWindows(maxKeys: number): Windows {
  const windows = new LRUCache<string, Attempts>({ max: maxKeys })

  /** Milliseconds until there is a place; 0 where there is one. */
  function wait({ key, most, withinMs }: WindowSpec, nowMs: number): number {
    const attempts = windows.get(key)
    if (attempts === undefined) return 0
    const counted: number[] = []
    for (const [attempt, atMs] of attempts) {
      if (atMs <= nowMs - withinMs || atMs > nowMs + CLOCK_BACK_MAX_MS) attempts.delete(attempt)
      else counted.push(atMs)
    }
    if (counted.length < most) return 0
    // The one that must be over for another to begin.
    const last = counted.toSorted((a, b) => a - b)[counted.length - most] ?? nowMs
    return Math.max(1, last + withinMs - nowMs)
  }

  return {
    enter: async (specs, attempt, nowMs) => {
      const waits = specs.map((spec) => wait(spec, nowMs))
      if (waits.some((ms) => ms > 0)) return waits
      for (const { key } of specs) {
        const attempts: Attempts = windows.get(key) ?? new Map()
        windows.set(key, attempts.set(attempt, nowMs))
      }
      return waits
    },
    leave: async (specs, attempt) => {
      for (const { key } of specs) windows.get(key)?.delete(attempt)
    },
  }
}
