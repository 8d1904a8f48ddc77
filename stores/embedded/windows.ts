// In-process sliding windows: for each key the times of its attempts, oldest first.

import { lru } from '../../runtime/lru.ts'
import { CLOCK_BACK_MAX_MS, type WindowSpec, type Windows } from '../contract/transient.ts'

type Attempts = Map<string, number>

/** Beyond `maxKeys` the least recently used key is evicted. */
export function createWindows(maxKeys: number): Windows {
  const windows = lru<string, Attempts>(maxKeys)

  /** Milliseconds until the window has capacity; 0 if it has. */
  function wait({ key, max, withinMs }: WindowSpec, nowMs: number): number {
    const attempts = windows.get(key)
    if (attempts === undefined) return 0
    const counted: number[] = []
    for (const [attempt, atMs] of attempts) {
      if (atMs <= nowMs - withinMs || atMs > nowMs + CLOCK_BACK_MAX_MS) attempts.delete(attempt)
      else counted.push(atMs)
    }
    if (counted.length < max) return 0
    // The attempt that must leave the window first.
    const last = counted.toSorted((a, b) => a - b)[counted.length - max] ?? nowMs
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
