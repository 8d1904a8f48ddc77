// The time of a submission if node clocks differ.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { recordSubmission } from '../../commands/submit-score.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { createMemoryLog } from '../memory/log.ts'
import { rulesOf } from '../rules.ts'
import { BEGINNING_MS, fresh } from './counter-aggregate.ts'

const RULES = rulesOf(true)
const SCORE = { score: '1' as Decimal, secondary: null, extra: null, playerName: null }

async function timeOf(madeMs: number, sentMs: number): Promise<string> {
  const log = createMemoryLog()
  const since = new Date(madeMs).toISOString()
  const target = { game: 'g1', board: 'b1', rules: RULES, since, generation: 1, player: 'p1' }
  const { best } = await recordSubmission({ log, handler: createHandler(log) } as never, target, SCORE, fresh(sentMs))
  return best.submission.time
}

describe('the time of a submission', () => {
  it('is never before the creation of its leaderboard, even if node clocks differ', async () => {
    expect(await timeOf(BEGINNING_MS + 17, BEGINNING_MS)).to.equal(new Date(BEGINNING_MS + 17).toISOString())
  })

  it('is the time of the call if the board was created by a clock more than a minute ahead', async () => {
    const made = BEGINNING_MS + 60_000
    expect(await timeOf(made, BEGINNING_MS)).to.equal(new Date(made).toISOString())
    expect(await timeOf(made + 1, BEGINNING_MS)).to.equal(new Date(BEGINNING_MS).toISOString())
    expect(await timeOf(Date.UTC(2030, 0, 1), BEGINNING_MS)).to.equal(new Date(BEGINNING_MS).toISOString())
  })

  it('is the time of the call otherwise', async () => {
    expect(await timeOf(BEGINNING_MS, BEGINNING_MS + 17)).to.equal(new Date(BEGINNING_MS + 17).toISOString())
  })
})
