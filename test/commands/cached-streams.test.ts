// How many streams stay in memory: by what they hold, not by their number alone.

import { expect } from 'chai'
import type { CommandContext } from '../../commands/command-context.ts'
import { createHandler } from '../../commands/handle.ts'
import { createMemoryLog } from '../memory/log.ts'
import { turn } from '../until.ts'
import { count, counter, fresh, keyed } from './counter-aggregate.ts'

const MAX_STREAMS = 8

describe('streams in memory', () => {
  type Counter = typeof counter
  function opened(aggregate: Counter = counter) {
    const log = createMemoryLog()
    const read: string[] = []
    const readStream: typeof log.readStream = (stream, ...rest) => {
      read.push(stream)
      return log.readStream(stream, ...rest)
    }
    const handler = createHandler({ ...log, readStream }, { maxStreams: MAX_STREAMS })
    const send = async (stream: string, by: number, context: CommandContext = fresh()) => {
      await handler.handle(aggregate, { stream, game: 'g1' }, context, count(by))
      // What the stream holds is counted behind the answer.
      await turn()
    }
    /** Whether a command on a stream reads it. */
    const isRead = async (stream: string) => {
      read.length = 0
      await send(stream, 100)
      return read.includes(stream)
    }
    return { send, isRead }
  }
  const others = Array.from({ length: MAX_STREAMS - 1 }, (_, n) => `other-${n}`)

  it('are as many as the limit while they hold little', async () => {
    const { send, isRead } = opened()
    await send('long', 1)
    for (const stream of others) await send(stream, 1)
    expect(await isRead('long')).to.equal(false)
    await send('one more', 1)
    expect(await isRead('other-0')).to.equal(true)
  })

  it('are fewer where one remembers many calls', async () => {
    const { send, isRead } = opened()
    for (let n = 0; n < 8; n++) await send('long', n, keyed(`key ${n}`))
    for (const stream of others) await send(stream, 1)
    expect(await isRead('long')).to.equal(true)
  })

  it('are fewer where the state of one has many entries', async () => {
    const sized: Counter = { ...counter, size: (state) => state.length }
    const { send, isRead } = opened(sized)
    for (let n = 0; n < 8; n++) await send('long', n)
    for (const stream of others) await send(stream, 1)
    expect(await isRead('long')).to.equal(true)
  })

  it('include the longest, which counts as a quarter of all at most', async () => {
    const { send, isRead } = opened()
    for (let n = 0; n < 100; n++) await send('long', n, keyed(`key ${n}`))
    expect(await isRead('long')).to.equal(false)
    for (const stream of others.slice(0, MAX_STREAMS - 2)) await send(stream, 1)
    expect(await isRead('long')).to.equal(false)
  })
})
