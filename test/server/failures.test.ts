// Damaged views during a start and in a process that runs, without stores.

import { expect } from 'chai'
import { pino } from 'pino'
import { retryOnDamage } from '../../server/failures.ts'
import { DerivedDamaged } from '../../stores/embedded/derived-database.ts'

const DAMAGED = new DerivedDamaged('views.sqlite', 'is damaged', null)

/** A log whose lines are collected. */
function lines() {
  const texts: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void texts.push(JSON.parse(line).msg) })
  return { log, texts }
}

/** Starts of which each finds this damage: what they reject with, and their number. */
async function failedStarts(damage: DerivedDamaged): Promise<readonly [failure: unknown, starts: number]> {
  let starts = 0
  const failure = await retryOnDamage(lines().log, async (onDamage) => {
    starts += 1
    onDamage(damage)
    throw damage
  }).catch((error: unknown) => error)
  return [failure, starts]
}

describe('a start that finds the views damaged', () => {
  it('logs it and begins again', async () => {
    const { log, texts } = lines()
    const running = { stop: async () => {} }
    let starts = 0
    const started = await retryOnDamage(log, async (onDamage) => {
      starts += 1
      if (starts > 1) return running
      onDamage(DAMAGED)
      throw DAMAGED
    })
    expect([started, starts, texts]).to.deep.equal([running, 2, ['views.sqlite is damaged']])
  })

  it('fails if the second attempt finds it, too', async () => {
    expect(await failedStarts(DAMAGED)).to.deep.equal([DAMAGED, 2])
  })

  it('does not begin again if the file could not be moved, because it would meet the same file', async () => {
    const notMoved = new DerivedDamaged('views.sqlite', 'is damaged and could not be moved', null, false)
    expect(await failedStarts(notMoved)).to.deep.equal([notMoved, 1])
  })

  it('does not begin again after another failure', async () => {
    const { log, texts } = lines()
    let starts = 0
    const failure = await retryOnDamage(log, async () => {
      starts += 1
      throw new Error('port in use')
    }).catch(String)
    expect([failure, starts, texts]).to.deep.equal(['Error: port in use', 1, []])
  })
})

describe('a process that finds the views damaged', () => {
  /** Starts, and resolves with what happened once the process would have ended. */
  function ended(at: 'during the start' | 'later', stop: () => Promise<void>): Promise<readonly string[]> {
    const { log, texts } = lines()
    return new Promise((resolve) => {
      const exit = () => resolve([...texts, 'exit'])
      void retryOnDamage(
        log,
        async (onDamage) => {
          if (at === 'during the start') onDamage(DAMAGED)
          else setImmediate(onDamage, DAMAGED)
          return {
            stop: async () => {
              texts.push('stop')
              await stop()
            },
          }
        },
        exit,
      )
    })
  }

  it('logs it once, stops in order, and ends', async () => {
    expect(await ended('later', async () => {})).to.deep.equal(['views.sqlite is damaged', 'stop', 'exit'])
  })

  it('ends, too, if the stop fails', async () => {
    const failing = () => Promise.reject(DAMAGED)
    expect(await ended('later', failing)).to.deep.equal(['views.sqlite is damaged', 'stop', 'exit'])
  })

  it('ends, too, if the damage was found during a start that succeeded nevertheless', async () => {
    expect(await ended('during the start', async () => {})).to.deep.equal(['views.sqlite is damaged', 'stop', 'exit'])
  })
})
