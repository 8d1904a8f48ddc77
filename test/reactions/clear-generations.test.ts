// How the removal of an inactive generation is cut into ranges of the board's history.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { workingKeys } from '../../credentials/master.ts'
import { boardStream, createLeaderboard, leaderboard } from '../../domain/leaderboard.ts'
import { finishRuleChange, recomputeEntries } from '../../domain/rule-change.ts'
import { scoreStream } from '../../domain/score.ts'
import { EMBEDDED_RANGES, type RangePolicy, SERVER_RANGES } from '../../reactions/build-generations.ts'
import { clearGenerations } from '../../reactions/clear-generations.ts'
import { ownContext } from '../../reactions/own-context.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { createMemoryViews } from '../memory/views.ts'
import { rulesOf } from '../rules.ts'

const GAME = 'agame'
const BOARD = 'b1'
const SUBMISSIONS = scoreStream(BOARD, 'p1')
const SIGNAL = new AbortController().signal

/**
 * A board with this many submissions, whose rules were changed; the ranges that its inactive generation is removed in.
 */
async function clearedIn(policy: RangePolicy, submissions: number) {
  const log = createMemoryLog()
  const keys = workingKeys(new Uint8Array(32).fill(7))
  const handler = createHandler(log)
  const commands = { handler, log, vault: createMemoryVault(), keys, publish: async () => {} }
  const views = createMemoryViews()
  const queries = { history: log, views, rankings: createRankings(), viewKey: (name: string) => name }
  const about = { stream: boardStream(BOARD), game: GAME, board: BOARD }
  const board = { name: 'B', description: '', rules: rulesOf(true) }
  await handler.handle(leaderboard, about, ownContext(1), createLeaderboard(board))
  const meta = { ...someEvent({}).meta, game: GAME, board: BOARD, player: 'p1' }
  for (let n = 0; n < submissions; n++) {
    const event = someEvent({ type: 'ScoreSubmitted', data: { id: `s${n}` }, meta })
    await log.append(SUBMISSIONS, n === 0 ? 'none' : n - 1, [event])
  }
  await handler.handle(leaderboard, about, ownContext(1), recomputeEntries('c1'))
  await handler.handle(leaderboard, about, ownContext(1), finishRuleChange('c1', null, submissions))
  const deps = { commands, queries, now: () => 1, waitForProjection: async () => true, policy }
  const { takes, react } = clearGenerations(deps, 0)
  for (let revision = 0; ; revision++) {
    const [event] = await log.readStream(about.stream, revision, 1)
    if (event === undefined) break
    if (takes.includes(event.type)) await react(event, SIGNAL)
  }
  const cleared = (await log.readStream(about.stream, 0, 100)).filter(({ type }) => type === 'LeaderboardSliceCleared')
  return cleared.map(({ data }) => data.upTo)
}

describe('clearing a generation', () => {
  const changed = { stream: boardStream(BOARD), revision: 2 }

  it('takes 200 events of the history at once with embedded stores', async () => {
    // The first event of the history is the creation of the board.
    expect(await clearedIn(EMBEDDED_RANGES, 450)).to.deep.equal([
      { stream: SUBMISSIONS, revision: 198 },
      { stream: SUBMISSIONS, revision: 398 },
      changed,
    ])
  })

  it('takes 2,000 events of the history at once on servers', async () => {
    expect(await clearedIn(SERVER_RANGES, 2_001)).to.deep.equal([{ stream: SUBMISSIONS, revision: 1_998 }, changed])
  })
})
