// An append from either call: checks, writes, commits and answers it, and applies faults.

import { randomUUID } from 'node:crypto'
import { type Expected, judge } from './expectation.ts'
import { takeOne } from './faults.ts'
import { isReady, type Node } from './node.ts'
import { jsonRecord, type LogRecord, type Proposed } from './record.ts'
import { isSoftDeleted, recreatingMetadata } from './stream-metadata.ts'

interface AppendRequest {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly Proposed[]
  /** Unix milliseconds after which it must not be written; Infinity: no deadline. */
  readonly deadlineMs: number
  /** How long it waits for a copy of itself that is being committed. */
  readonly duplicateMs: number
  /** True if the caller has disconnected. */
  readonly cancelled: () => boolean
}

export type Outcome =
  /** Revision -1: the stream does not exist (an empty append). Position null: no longer known. */
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number | null }
  | { readonly kind: 'conflict'; readonly current: number }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'not-ready' }

type Answer = (outcome: Outcome) => void

/** Answers once, or never if a fault or the end of the server prevents it. */
export function append(node: Node, request: AppendRequest, answer: Answer): void {
  node.counters.appends += 1
  const { delayMs } = node.faults
  const leftMs = request.deadlineMs - node.settings.now()
  if (delayMs === 0) handle(node, request, answer)
  else if (leftMs > delayMs) setTimeout(() => handle(node, request, answer), delayMs)
  else setTimeout(() => node.running && answer({ kind: 'timeout' }), leftMs)
}

function handle(node: Node, request: AppendRequest, answer: Answer): void {
  if (!node.running || request.cancelled()) return
  const target = node.membership?.appendTarget() ?? node
  if (target === 'not-ready') answer({ kind: 'not-ready' })
  else if (target === 'swallowed') {
    setTimeout(() => node.running && answer({ kind: 'timeout' }), node.membership?.forwardTimeoutMs)
  } else handleHere(target, request, (outcome) => node.running && answer(outcome))
}

function handleHere(node: Node, request: AppendRequest, answer: Answer): void {
  const refusal = refusalOf(node, request)
  if (refusal !== null) {
    answer(refusal)
    return
  }
  if (takeOne(node.faults, 'loseRequests')) return
  const { journal, recent } = node
  if (takeOne(node.faults, 'conflicts')) {
    answer({ kind: 'conflict', current: journal.tip(request.stream) })
    return
  }
  const ids = request.events.map((event) => event.id)
  const verdict = judge(journal, recent, request.stream, request.expected, ids)
  if (verdict.kind === 'conflict' || verdict.kind === 'deleted') {
    answer(verdict)
    return
  }
  if (verdict.kind === 'unanswered') return
  const reply = takeOne(node.faults, 'loseAnswers') ? () => {} : answer
  if (verdict.kind === 'write') write(node, request, verdict.recreates, reply)
  else acknowledgeAgain(node, request, verdict.record, reply)
}

/** The reason to reject a request regardless of its stream; null: none. */
function refusalOf(node: Node, { deadlineMs, events }: AppendRequest): Outcome | null {
  if (!isReady(node)) return { kind: 'not-ready' }
  if (node.settings.now() >= deadlineMs) return { kind: 'timeout' }
  const bytes = events.reduce((sum, event) => sum + event.data.length, 0)
  return bytes > node.settings.maxAppendBytes ? { kind: 'too-large' } : null
}

/** The first few copies of an append in progress may be answered; the others time out. */
function acknowledgeAgain(node: Node, request: AppendRequest, record: LogRecord, answer: Answer): void {
  if (!node.journal.isCommitted(record)) {
    const copies = (node.copies.get(record) ?? 0) + 1
    node.copies.set(record, copies)
    if (copies <= node.settings.copiesAnswered) {
      const { revision, position } = record
      node.writer.afterCommit(() => node.running && answer({ kind: 'appended', revision, position }))
      return
    }
    const waitMs = Math.min(node.settings.flushMs + request.duplicateMs, request.deadlineMs - node.settings.now())
    setTimeout(() => node.running && answer({ kind: 'timeout' }), waitMs)
    return
  }
  const position = isSoftDeleted(node.journal, request.stream) ? null : record.position
  answer({ kind: 'appended', revision: record.revision, position })
}

function write(node: Node, request: AppendRequest, recreates: boolean, answer: Answer): void {
  const { journal, writer } = node
  const { stream, events } = request
  const tip = journal.tip(stream)
  if (recreates && events.length > 0) {
    const text = recreatingMetadata(journal, stream, tip + 1)
    journal.addOne(`$$${stream}`, jsonRecord(randomUUID(), '$metadata', text))
  }
  const records = journal.add(stream, events)
  for (const record of records) node.recent.put(record.id, stream, record.revision)
  const last = records.at(-1)
  const position = last?.position ?? journal.addBlank()
  const outcome: Outcome = { kind: 'appended', revision: last?.revision ?? tip, position }
  writer.afterCommit(() => node.running && answer(outcome))
}
