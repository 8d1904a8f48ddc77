// The log while a server is unavailable: a line at the change of state, one a minute after that, and none of them a
// stack.

import { expect } from 'chai'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { StoredEvent } from '../../domain/event.ts'
import { createRepeatedFailures, failureText, LINE_EVERY_MS } from '../../runtime/repeated-failures.ts'
import { watch } from '../../server/metrics/node-metrics.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'

const event: StoredEvent = {
  id: '00000000-0000-4000-8000-000000000000',
  type: 'GameCreated',
  data: {},
  meta: { v: 1, game: 'g', command: 'c', actor: null, request: null, time: '2026-11-21T07:05:01.123Z' },
  stream: 'game-g',
  revision: 0,
  position: '1',
}
const AWAY = new StoreUnavailable('EventStoreDB does not answer (127.0.0.1:2113)')

describe('repeated failures', () => {
  it('are logged at the first one, then once a minute with the number in between', () => {
    let nowMs = 0
    const failures = createRepeatedFailures(() => nowMs)
    const lines: unknown[] = []
    for (; nowMs < 3 * LINE_EVERY_MS; nowMs += 100) {
      const line = failures.line(AWAY)
      if (line !== null) lines.push([nowMs, line])
    }
    expect(lines).to.deep.equal([
      [0, {}],
      [60_000, { repeated: 599 }],
      [120_000, { repeated: 599 }],
    ])
  })

  it('are logged at once if they are of another kind or after the outage has ended', () => {
    const failures = createRepeatedFailures(() => 0)
    expect(failures.line(AWAY)).to.deep.equal({})
    expect(failures.line(new StoreUnavailable('Redis does not answer'))).to.deep.equal({})
    expect(failures.line(new TypeError('EventStoreDB'))).to.deep.equal({})
    expect(failures.line(AWAY)).to.equal(null)
    expect([failures.ended(), failures.ended()]).to.deep.equal([true, false])
    expect(failures.line(AWAY)).to.deep.equal({})
  })

  it('are counted separately up to a number of kinds', () => {
    const failures = createRepeatedFailures(() => 0)
    for (let n = 0; n < 101; n++) failures.line(new Error(`kind ${n}`))
    expect([failures.line(new Error('kind 100')), failures.line(new Error('kind 0'))]).to.deep.equal([null, {}])
  })

  it('show the message of an unavailable store, and the stack of any other error', () => {
    expect(failureText(AWAY)).to.equal(AWAY.message)
    expect(failureText(new TypeError('x is undefined'))).to.match(/^TypeError: x is undefined\n +at /)
  })
})

describe('the log of a node whose log server is unavailable', () => {
  it('has two lines for hundreds of failures, and one when the views continue', async () => {
    const lines: string[] = []
    const registry = new Registry()
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
    const watching = watch(log, registry)
    for (let n = 0; n < 300; n++) {
      watching.reopening(AWAY)
      watching.reactionFailed(n % 2 === 0 ? 'end_bans' : 'finish_files', AWAY)
    }
    watching.applied(1, event)
    watching.applied(1, event)
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal([
      { level: 50, failure: AWAY.message, msg: 'views: going on from the last checkpoint' },
      { level: 50, process: 'end_bans', failure: AWAY.message, msg: 'process failed, trying again' },
      { level: 30, msg: 'views: following the log again' },
    ])
    const counted = await registry.metrics()
    expect(counted).to.match(/^scorebook_projection_reopened_total 300$/m)
    expect(counted).to.match(/^scorebook_process_failures_total\{process="finish_files"\} 150$/m)
  })
})
