// Checks what an append expects of its stream: write, already written, or refused. With an exact revision or
// `no_stream` the ids are compared with the stream, one by one; otherwise only with the recent ids.

import type { Journal } from './journal.ts'
import type { RecentIds } from './recent-ids.ts'
import type { LogRecord } from './record.ts'
import { isSoftDeleted } from './stream-metadata.ts'

export type Expected = number | 'any' | 'no_stream' | 'stream_exists'

type Verdict =
  | { readonly kind: 'write'; readonly recreates: boolean }
  /** `record` is the last of the events as first written. */
  | { readonly kind: 'written'; readonly record: LogRecord }
  /** The revision of the stream; -1: none. */
  | { readonly kind: 'conflict'; readonly current: number }
  | { readonly kind: 'deleted' }
  /** Old ids in another order, with `any`: the real server never answers. */
  | { readonly kind: 'unanswered' }

/** Revision as a signed number: -1 no stream, -2 any, -4 stream exists. */
export function expectedNumber(expected: Expected): number {
  if (expected === 'no_stream') return -1
  if (expected === 'any') return -2
  return expected === 'stream_exists' ? -4 : expected
}

export function judge(
  journal: Journal,
  recent: RecentIds,
  stream: string,
  expected: Expected,
  ids: readonly string[],
): Verdict {
  if (journal.isTombstoned(stream)) return { kind: 'deleted' }
  const current = journal.tip(stream)
  const softDeleted = isSoftDeleted(journal, stream)
  const write: Verdict = { kind: 'write', recreates: softDeleted }
  const conflict: Verdict = { kind: 'conflict', current }
  if (expected === 'stream_exists') {
    if (softDeleted) return { kind: 'deleted' }
    if (current < 0 && journal.tip(`$$${stream}`) < 0) return conflict
  }
  if (expected === 'any' || expected === 'stream_exists') {
    const found = ids.map((id) => recent.get(id, stream))
    const last = found.at(-1)
    if (found[0] === null || found.length === 0) return write
    if (last === null || last === undefined || found.includes(null)) return conflict
    const isOtherOrder = found.some((one, n) => n > 0 && (one?.revision ?? 0) < (found[n - 1]?.revision ?? 0))
    return isOtherOrder ? { kind: 'unanswered' } : written(journal, stream, last.revision)
  }
  const from = expected === 'no_stream' ? -1 : expected
  if (from === current) return write
  if (from > current || ids.length === 0) return conflict
  const records = journal.stream(stream)?.records ?? []
  const same = ids.every((id, index) => records[from + 1 + index]?.id === id)
  if (same) return written(journal, stream, from + ids.length)
  const startsOtherwise = records[from + 1]?.id !== ids[0]
  return expected === 'no_stream' && softDeleted && startsOtherwise ? write : conflict
}

function written(journal: Journal, stream: string, revision: number): Verdict {
  const record = journal.stream(stream)?.records[revision]
  if (record === undefined) throw new Error(`the recent ids name revision ${revision} of ${stream}, which is not there`)
  return { kind: 'written', record }
}
