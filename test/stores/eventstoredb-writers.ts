// Writers and subscribers of a log whose server fails: each follows the contract of the log, and each answer must
// come in time.

import { expect } from 'chai'
import type { NewEvent, Position } from '../../domain/event.ts'
import { type AppendResult, type Expected, type Log, NotSent } from '../../stores/contract/log.ts'
import { idsOf, someEvent } from '../contracts/events.ts'
import { pause } from '../until.ts'

/** The deadline of each append. */
export const DEADLINE_MS = 600
/** Time that an append may take beyond its deadline, and a subscriber after the server is back. */
export const SETTLE_MS = 10_000
export const GO_ON_MS = 20_000
const REOPEN_MS = 200

/** Waits for a condition, or fails with its name. */
export async function within(what: string, holds: () => boolean, ms = 15_000): Promise<void> {
  for (const end = performance.now() + ms; !holds(); await pause(5)) {
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain until ${what}`)
  }
}

/** Subscribes like the projections: reopens after a pause, from the last delivered event. */
export function follow(log: Log) {
  const stop = new AbortController()
  const followed = { ids: [] as string[], broken: [] as unknown[], done: Promise.resolve(), stop: () => stop.abort() }
  let after: Position | null = null
  followed.done = (async () => {
    while (!stop.signal.aborted) {
      try {
        for await (const events of log.subscribe(after, 50, stop.signal)) {
          followed.ids.push(...idsOf(events))
          after = events.at(-1)?.position ?? after
        }
      } catch (error) {
        followed.broken.push(error)
        await pause(REOPEN_MS)
      }
    }
  })()
  return followed
}

/** Repeats the same append until the log returns its outcome; each answer must come in time. */
export async function surely(
  log: Log,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
  beforeEachTry: () => void = () => {},
): Promise<AppendResult> {
  for (;;) {
    beforeEachTry()
    const startedMs = performance.now()
    let result: AppendResult | null = null
    try {
      result = await log.append(stream, expected, events)
    } catch (error) {
      if (error instanceof NotSent) throw error
    }
    expect(performance.now() - startedMs, 'time an append took').to.be.below(DEADLINE_MS + SETTLE_MS)
    if (result !== null) return result
    await pause(20)
  }
}

/** Appends where a conflict is not allowed, at any speed of the machine. */
export async function recorded(log: Log, stream: string, expected: Expected, events: readonly NewEvent[]) {
  const result = await surely(log, stream, expected, events)
  if (result.kind !== 'appended') throw new Error(`Appending to ${stream} at ${expected} met a conflict`)
  return result
}

/** Appends single events to a stream of its own until stopped; returns their ids in order. */
export async function writer(log: Log, stream: string, goOn: () => boolean): Promise<string[]> {
  const ids: string[] = []
  while (goOn()) {
    const event = someEvent()
    const result = await surely(log, stream, ids.length === 0 ? 'none' : ids.length - 1, [event])
    expect(result).to.include({ kind: 'appended', revision: ids.length })
    ids.push(event.id)
  }
  return ids
}
