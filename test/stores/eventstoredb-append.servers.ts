// Appends over a call whose answers the test supplies, including answers that no real server gave.

import { EventEmitter } from 'node:events'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import streamMessages from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { createAccess } from '../../stores/eventstoredb/access.ts'
import { createAppender, OutcomeUnknown } from '../../stores/eventstoredb/append.ts'
import type { EventStoreConnection } from '../../stores/eventstoredb/event-store-connection.ts'
import type { Events } from '../../stores/eventstoredb/events.ts'
import { parseServer } from '../../stores/eventstoredb/server.ts'
import { someEvent } from '../contracts/events.ts'
import { timeout } from '../servers/eventstoredb/batch-append-call.ts'
import { pause, turn } from '../until.ts'

const { BatchAppendResp } = streamMessages

class Call extends EventEmitter {
  readonly requests: BatchAppendReq[] = []
  isCancelled = false
  cancel(): void {
    this.isCancelled = true
  }
  write(request: BatchAppendReq): boolean {
    this.requests.push(request)
    return true
  }
  /** Answers the n-th request as appended at a revision. */
  answer(n: number, revision: number): void {
    const answer = this.#answerTo(n)
    const success = new BatchAppendResp.Success()
    success.setCurrentRevision(String(revision))
    answer.setSuccess(success)
    this.emit('data', answer)
  }
  /** Answers the n-th request as one whose deadline is past. */
  timeOut(n: number): void {
    const answer = this.#answerTo(n)
    answer.setError(timeout())
    this.emit('data', answer)
  }
  /** With the correlation id as a server of 23.10 returns it. */
  #answerTo(n: number) {
    const text = this.requests[n]?.getCorrelationId()?.getString().replaceAll('-', '') ?? ''
    const bits = new sharedMessages.UUID.Structured()
    bits.setMostSignificantBits(BigInt.asIntN(64, BigInt(`0x${text.slice(0, 16)}`)).toString())
    bits.setLeastSignificantBits(BigInt.asIntN(64, BigInt(`0x${text.slice(16)}`)).toString())
    const id = new sharedMessages.UUID()
    id.setStructured(bits)
    const answer = new BatchAppendResp()
    answer.setCorrelationId(id)
    return answer
  }
}

/** Longer than any test: what is not answered at once is never answered. */
const NEVER_MS = 600_000

function appending(stored: readonly StoredEvent[] = [], deadlineMs = 200) {
  const calls: Call[] = []
  const openBatch = async () => {
    calls.push(new Call())
    return calls.at(-1)
  }
  const connection = { openBatch } as unknown as EventStoreConnection
  const watch = { begin: () => () => {}, heard: () => {}, silent: () => {} }
  const line = { ...watch, connection: () => connection, follow: () => {}, hasLeft: () => false, close: async () => {} }
  const events: Events = {
    stream: async (_stream, from) => stored.filter(({ revision }) => revision >= from),
    all: async () => [],
    at: async () => null,
  }
  const access = createAccess(parseServer('esdb://nowhere'), {})
  return { calls, append: createAppender({ line, events, access, deadlineMs, probe: 's-check' }).append }
}

const caught = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('an append to EventStoreDB', () => {
  it('returns the position of the event, read from the log if the server does not return it', async () => {
    const event = someEvent()
    const { calls, append } = appending([{ ...event, stream: 's-1', revision: 4, position: '000000000000000az' }])
    const result = append('s-1', 3, [event])
    await turn()
    calls[0]?.answer(0, 4)
    expect(await result).to.deep.equal({ kind: 'appended', revision: 4, position: '000000000000000az' })
  })

  it('has an unknown outcome when the call ends, and the next append opens another call', async () => {
    const { calls, append } = appending([], NEVER_MS)
    for (const [n, ending] of [['end'], ['error', new Error('gone')]].entries()) {
      const results = [append('s-1', 'none', [someEvent()]), append('s-2', 'none', [someEvent()])].map(caught)
      await turn()
      expect(calls).to.have.length(n + 1)
      calls[n]?.emit(...(ending as [string]))
      for (const result of await Promise.all(results)) expect(result).to.be.an.instanceOf(OutcomeUnknown)
    }
  })

  it('has an unknown outcome after its deadline, and late or repeated answers have no effect', async () => {
    const stored = [{ ...someEvent(), stream: 's-1', revision: 0, position: '000000000000000az' }]
    const { calls, append } = appending(stored)
    const startedMs = performance.now()
    const late = caught(append('s-1', 'none', [someEvent()]))
    expect(await late).to.be.an.instanceOf(OutcomeUnknown)
    expect(performance.now() - startedMs).to.be.at.least(190)
    const next = append('s-1', 'none', [someEvent()])
    await turn()
    calls[0]?.answer(0, 7)
    calls[1]?.answer(0, 0)
    calls[1]?.answer(0, 0)
    expect(await next).to.deep.equal({ kind: 'appended', revision: 0, position: '000000000000000az' })
  })

  it('says that the clocks may differ where a server finds the deadline past long before it is', async () => {
    const { calls, append } = appending([], NEVER_MS)
    const late = caught(append('s-1', 'none', [someEvent()]))
    await turn()
    calls[0]?.timeOut(0)
    expect(await late).to.be.an.instanceOf(OutcomeUnknown)
    expect(String(((await late) as Error).cause)).to.match(
      /to s-1: Timeout\. Its clock may be far ahead of this machine's/,
    )
  })

  it('uses another call after an append was not answered, and ends the first call once no append waits on it', async () => {
    const stored = [{ ...someEvent(), stream: 's-2', revision: 0, position: '000000000000000az' }]
    const { calls, append } = appending(stored)
    const unanswered = caught(append('s-1', 'none', [someEvent()]))
    await pause(100)
    const waiting = append('s-2', 'none', [someEvent()])
    expect(await unanswered).to.be.an.instanceOf(OutcomeUnknown)
    const next = append('s-3', 'none', [someEvent()])
    await turn()
    expect(calls.map(({ requests, isCancelled }) => [requests.length, isCancelled])).to.deep.equal([
      [2, false],
      [1, false],
    ])
    calls[0]?.answer(1, 0)
    calls[1]?.answer(0, 0)
    expect((await Promise.all([waiting, next])).map(({ kind }) => kind)).to.deep.equal(['appended', 'appended'])
    await turn()
    expect(calls.map(({ isCancelled }) => isCancelled)).to.deep.equal([true, false])
  })

  it('stays on its call if later appends on it are answered', async () => {
    const stored = [{ ...someEvent(), stream: 's-2', revision: 0, position: '000000000000000az' }]
    const { calls, append } = appending(stored)
    const unanswered = caught(append('s-1', 'none', [someEvent()]))
    const answered = append('s-2', 'none', [someEvent()])
    await turn()
    calls[0]?.answer(1, 0)
    await answered
    expect(await unanswered).to.be.an.instanceOf(OutcomeUnknown)
    const next = append('s-2', 'none', [someEvent()])
    await turn()
    expect(calls).to.have.length(1)
    calls[0]?.answer(2, 0)
    await next
  })

  it('is sent in order, also while the call is being opened', async () => {
    const { calls, append } = appending()
    const events = Array.from({ length: 20 }, () => someEvent())
    const results = events.map((event, n) => caught(append(`s-${n}`, 'none', [event])))
    await turn()
    const ids = calls[0]?.requests.map((request) => request.getProposedMessagesList()[0]?.getId()?.getString())
    expect(calls).to.have.length(1)
    expect(ids).to.deep.equal(events.map(({ id }) => id))
    calls[0]?.emit('end')
    await Promise.all(results)
  })
})
