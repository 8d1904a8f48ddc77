// How far a rule change records ranges ahead of the views, what it waits for before each, and how the generation before
// is cleared.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { workingKeys } from '../../credentials/master.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { boardStream, createLeaderboard, leaderboard } from '../../domain/leaderboard.ts'
import { finishRuleChange, rebuildEntries } from '../../domain/rule-change.ts'
import { scoreStream } from '../../domain/score.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import {
  buildGenerations,
  EMBEDDED_RANGES,
  type FoldedHistory,
  type RangePolicy,
  SERVER_RANGES,
} from '../../reactions/build-generations.ts'
import { clearGenerations } from '../../reactions/clear-generations.ts'
import { ownContext } from '../../reactions/reaction.ts'
import { queryDeps } from '../../server/compose.ts'
import { someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runWorld } from '../projections/run-world.ts'
import { rulesOf } from '../rules.ts'
import { gate, turn } from '../until.ts'

const GAME = 'agame'
const BOARD = 'b1'
const SUBMISSIONS = scoreStream(BOARD, 'p1')
const SLICES = 3
const SIGNAL = new AbortController().signal

/** The positions of the submissions. */
let positions: string[] = []

/** The requested sizes of ranges. */
let requestedSizes: number[] = []

/** One event per range. */
const folded: FoldedHistory = {
  events: SLICES,
  end: { event: { stream: SUBMISSIONS, revision: SLICES - 1 } },
  next(after, entries) {
    requestedSizes.push(entries)
    const revision = after === null ? 0 : positions.indexOf(after) + 1
    return revision === SLICES ? null : { upTo: { stream: SUBMISSIONS, revision }, events: 1 }
  },
}

/**
 * A requested change of a board with a few submissions. `waitForProjection` gets the position that the views must
 * reach.
 */
async function asked(waitForProjection: (position: string) => Promise<boolean>, policy: RangePolicy = SERVER_RANGES) {
  const log = createMemoryLog()
  const world = runWorld(ALL_VIEWS, { log })
  await prepareWorld(world)
  const keys = workingKeys(new Uint8Array(32).fill(7))
  const handler = createHandler(log)
  const commands = { handler, log, vault: createMemoryVault(), keys, publish: async () => {} }
  const { views, rankings } = world.deps
  const queries = queryDeps({ stores: { views, rankings, history: log } })
  const about = { stream: boardStream(BOARD), game: GAME, board: BOARD }
  const rules = rulesOf(true)
  await handler.handle(leaderboard, about, ownContext(1), createLeaderboard({ name: 'B', description: '', rules }))
  const meta = { ...someEvent({}).meta, game: GAME, board: BOARD, player: 'p1' }
  for (let n = 0; n < SLICES; n++) {
    const event = someEvent({ type: 'ScoreSubmitted', data: { id: `s${n}` }, meta })
    await log.append(SUBMISSIONS, n === 0 ? 'none' : n - 1, [event])
  }
  positions = (await log.readStream(SUBMISSIONS, 0, SLICES)).map(({ position }) => position)
  await handler.handle(leaderboard, about, ownContext(1), rebuildEntries('c1'))
  const reaction = () =>
    buildGenerations({
      ...{ commands, queries, now: () => 1 },
      waitForProjection: async (written) => written === null || waitForProjection(written.position),
      folding: { prepare: async () => folded, drop: () => {} },
      policy,
    })
  const recorded = async () => (await log.readStream(about.stream, 0, 100)).slice(1)
  const nth = async (n: number): Promise<StoredEvent> => (await recorded())[n] ?? expect.fail(`there is no event ${n}`)
  return { reaction, recorded, nth }
}

describe('building a generation', () => {
  it('records a range only when the views have the one before, with embedded stores', async () => {
    const waited: string[] = []
    const views = async (position: string) => waited.push(position) > 0
    const { reaction, recorded, nth } = await asked(views, EMBEDDED_RANGES)
    const { react } = reaction()
    for (let n = 0; n <= SLICES; n++) await react(await nth(n), SIGNAL)
    const positionsOf = (await recorded()).map(({ position }) => position)
    // The last one also waits before the generation is activated.
    expect(waited).to.deep.equal([...positionsOf.slice(0, SLICES + 1), positionsOf[SLICES]])
  })

  it('records one range ahead of the views on servers, and activates the generation once they have applied all', async () => {
    const waited: string[] = []
    const { reaction, recorded, nth } = await asked(async (position) => {
      waited.push(position)
      return true
    })
    const { react } = reaction()
    for (let n = 0; n <= SLICES; n++) await react(await nth(n), SIGNAL)
    const events = await recorded()
    const slices = Array(SLICES).fill('LeaderboardSliceBuilt')
    expect(events.map(({ type }) => type)).to.deep.equal([
      'LeaderboardRulesRequested',
      ...slices,
      'LeaderboardRulesChanged',
    ])
    const [requested, first, second, third] = events.map(({ position }) => position)
    expect(waited).to.deep.equal([requested, requested, first, second, third])
  })

  it('requests ranges of 200 entries on servers, and of 25 with embedded stores', async () => {
    for (const [policy, entries] of [
      [SERVER_RANGES, 200],
      [EMBEDDED_RANGES, 25],
    ] as const) {
      requestedSizes = []
      const { reaction, nth } = await asked(async () => true, policy)
      await reaction().react(await nth(0), SIGNAL)
      expect(requestedSizes).to.deep.equal([entries])
    }
  })

  it('records no range while the views lack the last but one', async () => {
    const held = gate()
    let requested = ''
    const { reaction, recorded, nth } = await asked(async (position) => {
      if (position !== requested) await held.opened
      return true
    })
    requested = (await nth(0)).position
    const { react } = reaction()
    for (const n of [0, 1]) await react(await nth(n), SIGNAL)
    const reacting = react(await nth(2), SIGNAL)
    // Nothing here takes longer than a few.
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(await recorded()).to.have.lengthOf(3)
    held.open()
    await reacting
    expect(await recorded()).to.have.lengthOf(4)
  })

  it('waits for the range itself if another reaction recorded the one before, and if an event is delivered again', async () => {
    const waited: string[] = []
    const { reaction, recorded, nth } = await asked(async (position) => {
      waited.push(position)
      return waited.length !== 4
    })
    await reaction().react(await nth(0), SIGNAL)
    const { react } = reaction()
    for (const n of [1, 2]) await react(await nth(n), SIGNAL)
    const last = await nth(3)
    // The views do not reach it: it is delivered again.
    expect(await react(last, SIGNAL).catch(({ message }) => message)).to.match(/^the views have not reached position/)
    await react(last, SIGNAL)
    const [requested, first, second, third] = (await recorded()).map(({ position }) => position)
    expect(waited).to.deep.equal([requested, first, first, second, third, third])
  })
})

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
  await handler.handle(leaderboard, about, ownContext(1), rebuildEntries('c1'))
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
