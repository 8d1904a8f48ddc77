// The rules of a leaderboard at a position, while it records rules and seasons; and how much of its stream is read.

import { expect } from 'chai'
import { rulesAt } from '../../commands/rules-at.ts'
import { boardStream } from '../../domain/leaderboard.ts'
import type { Log } from '../../stores/contract/log.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { Random } from '../random.ts'
import { SEED } from '../seeds.ts'
import { eventually } from '../until.ts'

const BOARD = 'board'

describe('the rules of a leaderboard at a position', () => {
  it('are those that it had recorded by then, newest first, at each position and at any time', async () => {
    const random = new Random(SEED)
    const log = createMemoryLog()
    const recorded: { readonly position: string; readonly rules: readonly object[] }[] = []
    let rules: readonly object[] = []
    for (let n = 0; n < 300; n++) {
      const type = n === 0 ? 'LeaderboardCreated' : random.chance(0.1) ? 'LeaderboardRulesChanged' : 'SeasonClosed'
      const data = type === 'SeasonClosed' ? { season: n } : { rules: { number: n } }
      const result = await appended(log, boardStream(BOARD), n - 1 < 0 ? 'none' : n - 1, [
        { ...someEvent(), type, data },
      ])
      if (data.rules !== undefined) rules = [data.rules, ...rules]
      recorded.push({ position: result.position, rules })
      const asked = random.pick(recorded)
      expect(await rulesAt(log, BOARD, asked.position)).to.deep.equal(asked.rules)
    }
    expect(await rulesAt(log, BOARD, '')).to.deep.equal([])
    expect(await rulesAt(createMemoryLog(), BOARD, recorded.at(-1)?.position ?? '')).to.deep.equal([])
  })

  it('are read once, and later only what the leaderboard has recorded since', async () => {
    const log = createMemoryLog()
    let read = 0
    const counting: Pick<Log, 'readStream'> = {
      readStream: async (...asked) => {
        const page = await log.readStream(...asked)
        read += page.length
        return page
      },
    }
    const record = async (first: number, count: number) => {
      let position = ''
      for (let n = first; n < first + count; n++) {
        const event = { ...someEvent(), type: n === 0 ? 'LeaderboardCreated' : 'SeasonClosed', data: { rules: { n } } }
        position = (await appended(log, boardStream(BOARD), n === 0 ? 'none' : n - 1, [event])).position
      }
      return position
    }
    const counts: number[] = []
    for (const [first, count] of [
      [0, 250],
      [250, 0],
      [250, 3],
    ] as const) {
      read = 0
      const position = await record(first, count)
      await rulesAt(counting, BOARD, position)
      counts.push(read)
    }
    expect(counts).to.deep.equal([250, 0, 3])
  })

  it('are read twice for any number of concurrent calls, and each sees what was recorded before it', async () => {
    const log = createMemoryLog()
    const held: (() => void)[] = []
    const slow: Pick<Log, 'readStream'> = {
      readStream: async (...asked) => {
        const page = await log.readStream(...asked)
        await new Promise<void>((go) => held.push(go))
        return page
      },
    }
    const create = { ...someEvent(), type: 'LeaderboardCreated', data: { rules: { number: 1 } } }
    const { position: first } = await appended(log, boardStream(BOARD), 'none', [create])
    const before = rulesAt(slow, BOARD, first)
    await eventually(() => held.length === 1)
    const change = { ...someEvent(), type: 'LeaderboardRulesChanged', data: { rules: { number: 2 } } }
    const { position: second } = await appended(log, boardStream(BOARD), 0, [change])
    const later = Array.from({ length: 50 }, () => rulesAt(slow, BOARD, second))
    held[0]?.()
    expect(await before).to.deep.equal([{ number: 1 }])
    await eventually(() => held.length === 2)
    held[1]?.()
    for (const rules of await Promise.all(later)) expect(rules).to.deep.equal([{ number: 2 }, { number: 1 }])
    expect(held).to.have.length(2)
  })
})
