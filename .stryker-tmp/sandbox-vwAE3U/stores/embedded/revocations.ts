// In-process revocations, for an installation with one node.

import { randomUUID } from 'node:crypto'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../contract/revocations.ts'

interface Held {
  readonly noted: Noted
  readonly place: number
  readonly expiresMs: number
}

/** What one `since` answers at most. */
const PAGE = 1_000

export function createRevocations(): Revocations {
  const epoch = randomUUID()
  /** In the order of their places. */
  const held = new Map<Subject, Held>()
  let last = 0

  function sweep(nowMs: number): void {
    for (const [subject, { expiresMs }] of held) {
      if (expiresMs > nowMs) return
      held.delete(subject)
    }
  }

  return {
    note: async (changes, nowMs) => {
      sweep(nowMs)
      for (const noted of changes) {
        const before = held.get(noted.subject)
        if (before !== undefined && before.noted.pos >= noted.pos) continue
        held.delete(noted.subject)
        held.set(noted.subject, { noted, place: ++last, expiresMs: nowMs + REVOCATIONS_KEPT_MS })
      }
    },

    since: async (version) => {
      const known = placeIn(version, epoch)
      const after = known ?? 0
      const newer = after === last ? [] : [...held.values()].filter(({ place }) => place > after)
      const page = newer.slice(0, PAGE)
      const more = newer.length > page.length
      const upTo = more ? (page.at(-1)?.place ?? last) : last
      return { version: `${epoch} ${upTo}`, changes: page.map(({ noted }) => noted), whole: known === null, more }
    },

    find: async (subjects) => {
      const found = subjects.map((subject) => held.get(subject))
      return found.filter((one) => one !== undefined).map(({ noted }) => noted)
    },
  }
}

function placeIn(version: string | null, epoch: string): number | null {
  const [of, place] = version?.split(' ') ?? []
  return of === epoch ? Number(place) : null
}
