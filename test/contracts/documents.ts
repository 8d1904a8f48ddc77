// A view and its documents for the contract checks of read models.

import type { JsonObject } from '../../domain/event.ts'
import type { Batch, Checkpoint, Document, ViewSpec, Views, Write } from '../../stores/contract/views.ts'

/** Field `a` holds a string or nothing, `n` a number or nothing, `s` a string. */
export const INDEXES = {
  byA: ['a', 'n'],
  byN: ['-n', 'a'],
  mixed: ['a', '-n', 's'],
  byS: ['s'],
  /** The same fields as another index, with one in the other direction. */
  mixedUp: ['a', 'n', 's'],
} as const

export function viewSpec(key = 'things@1', indexes: Readonly<Record<string, readonly string[]>> = INDEXES): ViewSpec {
  return { key, collections: [{ name: 'thing', indexes }] }
}

/** The `n`-th position in the format of the embedded log. */
export function pos(n: number): string {
  return n.toString(16).padStart(16, '0')
}

export function write(id: string, at: number, body: JsonObject | null): Write {
  return { collection: 'thing', id, pos: pos(at), body }
}

export function document(id: string, at: number, body: JsonObject): Document {
  return { id, pos: pos(at), body }
}

interface BatchChange {
  readonly view?: string
  readonly checkpoints?: readonly (readonly [number, Checkpoint])[]
}

export function batch(
  writes: readonly Write[],
  { view = 'things@1', checkpoints = [], ...rest }: BatchChange = {},
): Batch {
  return { view, writes, checkpoints: new Map(checkpoints), ...rest }
}

/** Prepares the view and commits the writes, all in one batch. */
export async function prepareWith(views: Views, writes: readonly Write[]): Promise<void> {
  await views.prepare(viewSpec())
  await views.commit([batch(writes)])
}

/** The documents under these ids. */
export function got(views: Views, ...ids: readonly string[]): Promise<(Document | null)[]> {
  return views.get('things@1', 'thing', ids)
}
