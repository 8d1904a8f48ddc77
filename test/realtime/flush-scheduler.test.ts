// The times of flushes, by a clock that the test controls.

import { expect } from 'chai'
import { createFlushScheduler, type FlushScheduler } from '../../realtime/flush-scheduler.ts'
import { FLUSH_INTERVAL_FACTOR, FLUSH_INTERVAL_MAX_MS, FLUSH_INTERVAL_MS } from '../../realtime/limits.ts'

describe('the flush scheduler of the rooms', () => {
  /** `takesMs` is the duration of each flush; `waited` has the delay before each flush in milliseconds. */
  function scheduling(takesMs: number) {
    const waited: number[] = []
    const received: string[] = []
    let nowMs = 1_000
    let due: (() => void) | null = null
    const after = (ms: number, then: () => void) => {
      waited.push(ms)
      due = then
    }
    const flushScheduler: FlushScheduler = createFlushScheduler((error) => received.push(String(error)), {
      elapsedMs: () => nowMs,
      after,
    })
    const connection = (name: string) => ({ flush: () => void received.push(name) })
    const say = (name: string) => {
      const one = connection(name)
      flushScheduler.room({
        flush: () => {
          nowMs += takesMs
          received.push(`room ${name}`)
          flushScheduler.connection(one)
        },
      })
    }
    const pass = (ms: number) => {
      nowMs += ms
    }
    const end = () => {
      const run = due
      due = null
      run?.()
    }
    return { flushScheduler, say, pass, end, waited, received }
  }

  it('flushes rooms first, then connections, each once', () => {
    const { say, end, waited, received } = scheduling(0)
    say('a')
    say('b')
    expect(waited).to.have.length(1)
    end()
    expect(received).to.deep.equal(['room a', 'room b', 'a', 'b'])
  })

  it('flushes at once after an idle time, and then at most once per interval', () => {
    const { say, pass, end, waited } = scheduling(0)
    say('a')
    end()
    pass(2)
    say('b')
    end()
    pass(FLUSH_INTERVAL_MS)
    say('c')
    expect(waited.map((ms) => Math.max(0, ms))).to.deep.equal([0, FLUSH_INTERVAL_MS - 2, 0])
  })

  it('lengthens the interval if flushing is slow, up to the maximum', () => {
    const second = (takesMs: number) => {
      const { say, end, waited } = scheduling(takesMs)
      say('a')
      end()
      say('b')
      return waited[1]
    }
    expect(second(0.1)).to.equal(FLUSH_INTERVAL_MS)
    expect(second(2)).to.equal(2 * FLUSH_INTERVAL_FACTOR)
    expect(second(100)).to.equal(FLUSH_INTERVAL_MAX_MS)
  })

  it('schedules another flush only if something was scheduled during the last one', () => {
    const { flushScheduler, say, end, waited, received } = scheduling(0)
    say('a')
    flushScheduler.connection({ flush: () => say('b') })
    end()
    expect([received, waited.length]).to.deep.equal([['room a', 'a'], 2])
    end()
    expect([received, waited.length]).to.deep.equal([['room a', 'a', 'room b', 'b'], 2])
  })

  it('continues if one flush fails', () => {
    const { flushScheduler, say, end, received } = scheduling(0)
    flushScheduler.room({
      flush: () => {
        throw new Error('no')
      },
    })
    say('a')
    end()
    expect(received).to.deep.equal(['Error: no', 'room a', 'a'])
  })
})
