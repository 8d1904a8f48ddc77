// In-process revocations, for an installation with one node.

import { randomUUID } from 'node:crypto'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../contract/revocations.ts'

interface StoredStatus {
  readonly noted: Noted
  readonly sequence: number
  readonly expiresMs: number
}

/** Maximum changes per answer of `since`. */
const PAGE = 1_000

export function createRevocations(): Revocations {
  const epoch = randomUUID()
  /** In the order of their sequence numbers. */
  const statuses = new Map<Subject, StoredStatus>()
  let last = 0

  function sweep(nowMs: number): void {
    for (const [subject, { expiresMs }] of statuses) {
      if (expiresMs > nowMs) return
      statuses.delete(subject)
    }
  }

  return {
    note: async (changes, nowMs) => {
      sweep(nowMs)
      for (const noted of changes) {
        const before = statuses.get(noted.subject)
        if (before !== undefined && before.noted.pos >= noted.pos) continue
        statuses.delete(noted.subject)
        statuses.set(noted.subject, { noted, sequence: ++last, expiresMs: nowMs + REVOCATIONS_KEPT_MS })
      }
    },

    since: async (version) => {
      const known = sequenceIn(version, epoch)
      const after = known ?? 0
      const newer = after === last ? [] : [...statuses.values()].filter(({ sequence }) => sequence > after)
      const page = newer.slice(0, PAGE)
      const more = newer.length > page.length
      const upTo = more ? (page.at(-1)?.sequence ?? last) : last
      return { version: `${epoch} ${upTo}`, changes: page.map(({ noted }) => noted), whole: known === null, more }
    },

    find: async (subjects) => {
      const found = subjects.map((subject) => statuses.get(subject))
      return found.filter((one) => one !== undefined).map(({ noted }) => noted)
    },
  }
}

function sequenceIn(version: string | null, epoch: string): number | null {
  const [of, sequence] = version?.split(' ') ?? []
  return of === epoch ? Number(sequence) : null
}
