// Drops versions and builds of views that no live node uses.

import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import { type Projection, viewKey } from './projection.ts'

/** Checks once; `used` are the keys of all views that live nodes use. */
export type DropUnused = (used: readonly string[]) => Promise<void>

export interface OldViewsDeps {
  readonly views: Views
  readonly rankings: AllRankings
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number
  /** Called for each view that was dropped. */
  dropped(view: string): void
}

/**
 * Returns a check that drops a version or build of these projections that is not in `own` and has been unused for
 * `graceMs`.
 */
export function createDropUnused(
  { views, rankings, elapsedMs, dropped }: OldViewsDeps,
  projections: readonly Projection[],
  graceMs: number,
  own: () => readonly string[] = () => projections.map(viewKey),
): DropUnused {
  const names = new Set(projections.map(({ name }) => name))
  const unusedSince = new Map<string, number>()
  return async (used) => {
    const due: string[] = []
    for (const key of await views.list()) {
      const isOurs = names.has(key.split('@')[0] ?? '')
      if (!isOurs || own().includes(key) || used.includes(key)) {
        unusedSince.delete(key)
        continue
      }
      const since = unusedSince.get(key) ?? elapsedMs()
      unusedSince.set(key, since)
      if (elapsedMs() - since < graceMs) continue
      due.push(key)
    }
    for (const key of due) await rankings.drop(key)
    // All at once: clearing a large view takes long, but each stops being a view as soon as its drop begins.
    await Promise.all(
      due.map(async (key) => {
        await views.drop(key)
        unusedSince.delete(key)
        dropped(key)
      }),
    )
  }
}
