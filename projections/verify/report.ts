// The result of a verification: the live views match the log and its revisions are right, or a list of differences and
// faults.

import type { JsonObject } from '../../domain/event.ts'
import type { RevisionFaults } from '../../domain/stream-revisions.ts'
import type { Document } from '../../stores/contract/views.ts'

/** Maximum number of differences listed; beyond it they are only counted. */
const MAX_LISTED = 1_000
const MAX_FIELDS = 10
const MAX_TEXT = 200

export interface Difference {
  readonly view: string
  /** Null if the view itself is missing. */
  readonly collection: string | null
  readonly id: string | null
  /** Path of the differing field, such as `body.state.name`; null if the document is missing on one side. */
  readonly field: string | null
  /** JSON, possibly cut off; null if the value is missing. */
  readonly live: string | null
  readonly rebuilt: string | null
}

export interface Report {
  /** Whether the views match the log, and the revisions of each of its streams have no gap and no duplicate. */
  readonly equal: boolean
  /** Position of the last event that both sides have applied. */
  readonly position: string
  readonly events: number
  readonly documents: number
  /** Number of ranking sort keys compared; null if the rankings are in the memory of a process that is not running. */
  readonly ranked: number | null
  /** Number of parked streams, in the live and the rebuilt views alike. */
  readonly parked: number
  /** Whether the live views stopped before the end of the log: no projector runs, or it is stuck. */
  readonly behind: boolean
  readonly differences: readonly Difference[]
  /** The total number of differences. */
  readonly found: number
  /** Of the log. If there is any, the views were not compared. */
  readonly revisions: RevisionFaults
}

export class Findings {
  readonly differences: Difference[] = []
  found = 0

  add(...some: readonly Difference[]): void {
    this.found += some.length
    for (const one of some) if (this.differences.length < MAX_LISTED) this.differences.push(one)
  }
}

/** Compares byte for byte, including the order of fields and the position of the last event. */
export const isSame = (a: Document | null, b: Document | null): boolean => JSON.stringify(a) === JSON.stringify(b)

/** One difference per differing field, or one for the whole document if it is missing on one side. */
export function differencesOf(
  target: Pick<Difference, 'view' | 'collection' | 'id'>,
  live: Document | null,
  rebuilt: Document | null,
): Difference[] {
  if (live === null || rebuilt === null)
    return [{ ...target, field: null, live: textOf(live?.body), rebuilt: textOf(rebuilt?.body) }]
  const fields = [...differingFields({ pos: live.pos, body: live.body }, { pos: rebuilt.pos, body: rebuilt.body }, '')]
  // Equal in content but not byte for byte.
  if (fields.length === 0) fields.push({ field: 'order of fields', live: live.body, rebuilt: rebuilt.body })
  return fields
    .slice(0, MAX_FIELDS)
    .map((one) => ({ ...target, field: one.field, live: textOf(one.live), rebuilt: textOf(one.rebuilt) }))
}

function* differingFields(
  live: unknown,
  rebuilt: unknown,
  path: string,
): Generator<{ field: string; live: unknown; rebuilt: unknown }> {
  if (JSON.stringify(live) === JSON.stringify(rebuilt)) return
  if (!isObject(live) || !isObject(rebuilt)) {
    yield { field: path, live, rebuilt }
    return
  }
  for (const name of new Set([...Object.keys(live), ...Object.keys(rebuilt)])) {
    yield* differingFields(live[name], rebuilt[name], path === '' ? name : `${path}.${name}`)
  }
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

function textOf(value: unknown): string | null {
  const text = value === undefined ? null : JSON.stringify(value)
  return text !== null && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
