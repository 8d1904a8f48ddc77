// Writers and subscribers of a log whose server fails: each follows the contract of the log, and each answer must
// come in time.

import { expect } from 'chai'
import type { NewEvent, Position } from '../../domain/event.ts'
import { type AppendResult, type Expected, type Log, NotSent } from '../../stores/contract/log.ts'
import { idsOf, someEvent } from '../contracts/events.ts'
import { pause } from '../until.ts'

/** Of each append. */
export const DEADLINE_MS = 600
/** What an append may take beyond its deadline, and a follower after the server is back. */
export const SETTLE_MS = 10_000
export const GO_ON_MS = 20_000
const REOPEN_MS = 200

/** Waits for a condition, or fails saying which. */
export async function until(what: string, holds: () => boolean, ms = 15_000): Promise<void> {
  for (const end = performance.now() + ms; !holds(); await pause(5)) {
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain until ${what}`)
  }
}

/** Follows as the projections do: opened again, a moment later, after the last event that was given. */
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
      } catch (why) {
        followed.broken.push(why)
        await pause(REOPEN_MS)
      }
    }
  })()
  return followed
}

/** Sends the same events at the same revision until the log says what became of them; each answer must come in time. */
export async function surely(
  log: Log,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
  beforeEachTry: () => void = () => {},
): Promise<AppendResult> {
  for (;;) {
    beforeEachTry()
    const begun = performance.now()
    let result: AppendResult | null = null
    try {
      result = await log.append(stream, expected, events)
    } catch (error) {
      if (error instanceof NotSent) throw error
    }
    expect(performance.now() - begun, 'time an append took').to.be.below(DEADLINE_MS + SETTLE_MS)
    if (result !== null) return result
    await pause(20)
  }
}

/** Appends what must not meet a conflict, on a machine of any speed. */
export async function recorded(log: Log, stream: string, expected: Expected, events: readonly NewEvent[]) {
  const result = await surely(log, stream, expected, events)
  if (result.kind !== 'appended') throw new Error(`Appending to ${stream} at ${expected} met a conflict`)
  return result
}

/** Appends one event after another to a stream of its own until told to stop; gives the ids in their order. */
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
