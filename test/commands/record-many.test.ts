// Submissions of one call in groups: a group that fails, and groups that take too long, hold back the later ones.

import { expect } from 'chai'
import { type ReadySubmission, type RecordManyDeps, recordMany } from '../../commands/record-many.ts'
import type { Rules } from '../../domain/board-rules.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { Board } from '../../queries/leaderboard.ts'
import { Failed } from '../../runtime/all-of.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { contextAt, GAME, LONG_AGO_MS } from './sign-in/sign-in-rig.ts'

const RULES: Rules = { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null }
const SINCE = new Date(LONG_AGO_MS).toISOString()

function submissionOf(player: string): ReadySubmission {
  const target = { game: GAME, board: 'board', rules: RULES, since: SINCE, generation: 1, player }
  const content = { score: '1' as Decimal, secondary: null, extra: null, playerName: null }
  return { prepared: { board: {} as Board, target, content, name: null }, context: contextAt() }
}

/** Players in turn: each round is a group of its own. */
const ROUNDS = ['a', 'b', 'a', 'b', 'a', 'b'].map(submissionOf)

/** The sizes of the groups that began, and how the call ended. */
async function outcomeOf(error: Error, tookMs = 0) {
  const began: number[] = []
  let nowMs = 0
  const { now } = performance
  const handleGroup = async (commands: readonly unknown[]) => {
    began.push(commands.length)
    nowMs += tookMs
    return commands.map(() => new Failed(error))
  }
  const deps = { handler: { handleGroup } } as unknown as RecordManyDeps
  performance.now = () => nowMs
  try {
    const outcomes = await recordMany(deps, ROUNDS, new TimeSlices()).catch((failure: unknown) => failure)
    return { began, outcomes }
  } finally {
    performance.now = now
  }
}

describe('the groups of a call with many submissions', () => {
  const refused = new Refusal('unprocessable', 'score_above_maximum', 'It is too high.')

  it('all begin where submissions are refused', async () => {
    const { began, outcomes } = await outcomeOf(refused)
    expect(began).to.deep.equal([2, 2, 2])
    expect(outcomes).to.deep.equal(ROUNDS.map(() => refused))
  })

  it('do not begin after one with an unknown outcome', async () => {
    const unknown = new Refusal('unavailable', 'log_unavailable', 'The log does not answer.')
    const { began, outcomes } = await outcomeOf(unknown)
    expect(began).to.deep.equal([2])
    expect(outcomes).to.equal(unknown)
  })

  it('do not begin more than eight seconds after the first', async () => {
    expect((await outcomeOf(refused, 3_999)).began).to.deep.equal([2, 2, 2])
    const { began, outcomes } = await outcomeOf(refused, 4_000)
    expect(began).to.deep.equal([2, 2])
    expect(outcomes).to.include({ kind: 'unavailable', code: 'log_unavailable' })
  })
})
