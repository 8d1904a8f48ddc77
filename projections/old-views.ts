// Versions of views that nobody reads or writes any more are dropped; those that another program still serves are left.

import type { AllRankings } from '../stores/contract/rankings.ts'
import type { Views } from '../stores/contract/views.ts'
import { type Projection, viewKey } from './projection.ts'

/** Looks once, given the keys of all views that live nodes use. */
export type DropUnused = (used: readonly string[]) => Promise<void>

export interface OldViewsDeps {
  readonly views: Views
  readonly rankings: AllRankings
  /** Milliseconds that never go back. */
  elapsedMs(): number
  /** Told of each that was dropped. */
  dropped(view: string): void
}

/** Drops a version or build of these projections, other than those that `own` names now, that was found unused for this long. */
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
    // All at once: a large one is cleared away for long, and none is a view any more from the beginning on.
    await Promise.all(
      due.map(async (key) => {
        await views.drop(key)
        unusedSince.delete(key)
        dropped(key)
      }),
    )
  }
}
