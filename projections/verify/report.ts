// What a verification finds: that the live views are what follows from the log, or where they are not.

import type { JsonObject } from '../../domain/event.ts'
import type { Document } from '../../stores/contract/views.ts'

/** Maximum of differences listed; beyond it they are only counted. */
const TOLD_MAX = 1_000
const FIELDS_MAX = 10
const TEXT_MAX = 200

export interface Difference {
  readonly view: string
  /** Null where the view itself is not there. */
  readonly collection: string | null
  readonly id: string | null
  /** Path of what differs, such as `body.state.name`; null where the whole is here or there alone. */
  readonly field: string | null
  /** JSON, or its beginning; null where there is nothing. */
  readonly live: string | null
  readonly rebuilt: string | null
}

export interface Report {
  readonly equal: boolean
  /** The last event that both have. */
  readonly position: string
  readonly events: number
  readonly documents: number
  /** Members of rankings; null where they were not to be compared, as they live in a process that is not running. */
  readonly ranked: number | null
  /** Streams that are parked, in the live views and the rebuilt ones alike. */
  readonly parked: number
  /** Whether the live views came to a stand before the end of the log: nobody runs them, or they are stuck. */
  readonly behind: boolean
  readonly differences: readonly Difference[]
  /** How many there are in all. */
  readonly found: number
}

export class Findings {
  readonly differences: Difference[] = []
  found = 0

  add(...some: readonly Difference[]): void {
    this.found += some.length
    for (const one of some) if (this.differences.length < TOLD_MAX) this.differences.push(one)
  }
}

/** Byte for byte: also the order of fields, and the event that the document took last. */
export const isSame = (a: Document | null, b: Document | null): boolean => JSON.stringify(a) === JSON.stringify(b)

/** One for each field that differs, or one for the whole where it is missing on one side. */
export function differencesOf(
  place: Pick<Difference, 'view' | 'collection' | 'id'>,
  live: Document | null,
  rebuilt: Document | null,
): Difference[] {
  if (live === null || rebuilt === null)
    return [{ ...place, field: null, live: told(live?.body), rebuilt: told(rebuilt?.body) }]
  const fields = [...differingFields({ pos: live.pos, body: live.body }, { pos: rebuilt.pos, body: rebuilt.body }, '')]
  // The same in all they hold, and not byte for byte.
  if (fields.length === 0) fields.push({ field: 'order of fields', live: live.body, rebuilt: rebuilt.body })
  return fields
    .slice(0, FIELDS_MAX)
    .map((one) => ({ ...place, field: one.field, live: told(one.live), rebuilt: told(one.rebuilt) }))
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

function told(value: unknown): string | null {
  const text = value === undefined ? null : JSON.stringify(value)
  return text !== null && text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
}
