// When messages are sent, by a clock that the test controls.

import { expect } from 'chai'
import { createFlushScheduler, type FlushScheduler } from '../../realtime/flush-scheduler.ts'
import { TICK_MOST_MS, TICK_MS, TICK_OF_TELLING } from '../../realtime/limits.ts'

describe('a tick of the rooms', () => {
  /** `takesMs` is how long telling takes each time; answers after how many milliseconds each tick was due. */
  function ticking(takesMs: number) {
    const waited: number[] = []
    const told: string[] = []
    let nowMs = 1_000
    let due: (() => void) | null = null
    const after = (ms: number, then: () => void) => {
      waited.push(ms)
      due = then
    }
    const tick: FlushScheduler = createFlushScheduler((why) => told.push(String(why)), {
      elapsedMs: () => nowMs,
      after,
    })
    const connection = (name: string) => ({ flush: () => void told.push(name) })
    const say = (name: string) => {
      const one = connection(name)
      tick.room({
        flush: () => {
          nowMs += takesMs
          told.push(`room ${name}`)
          tick.connection(one)
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
    return { tick, say, pass, end, waited, told }
  }

  it('tells rooms first, then connections, once for all that was said', () => {
    const { say, end, waited, told } = ticking(0)
    say('a')
    say('b')
    expect(waited).to.have.length(1)
    end()
    expect(told).to.deep.equal(['room a', 'room b', 'a', 'b'])
  })

  it('lets a lone one wait for nothing, and one after another for as long as a tick is', () => {
    const { say, pass, end, waited } = ticking(0)
    say('a')
    end()
    pass(2)
    say('b')
    end()
    pass(TICK_MS)
    say('c')
    expect(waited.map((ms) => Math.max(0, ms))).to.deep.equal([0, TICK_MS - 2, 0])
  })

  it('is longer where telling takes long, though never longer than the longest', () => {
    const second = (takesMs: number) => {
      const { say, end, waited } = ticking(takesMs)
      say('a')
      end()
      say('b')
      return waited[1]
    }
    expect(second(0.1)).to.equal(TICK_MS)
    expect(second(2)).to.equal(2 * TICK_OF_TELLING)
    expect(second(100)).to.equal(TICK_MOST_MS)
  })

  it('is followed by one more only where something was said meanwhile that it did not tell', () => {
    const { tick, say, end, waited, told } = ticking(0)
    say('a')
    tick.connection({ flush: () => say('b') })
    end()
    expect([told, waited.length]).to.deep.equal([['room a', 'a'], 2])
    end()
    expect([told, waited.length]).to.deep.equal([['room a', 'a', 'room b', 'b'], 2])
  })

  it('goes on where telling one of them fails', () => {
    const { tick, say, end, told } = ticking(0)
    tick.room({
      flush: () => {
        throw new Error('no')
      },
    })
    say('a')
    end()
    expect(told).to.deep.equal(['Error: no', 'room a', 'a'])
  })
})
