// Rules that change under a live board: whatever happens between the slices of a build, and wherever they are cut, the board
// stands as the plain model says, and live read models equal those rebuilt from nothing.

import { expect } from 'chai'
import { entries } from '../../projections/entries.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { viewKey } from '../../projections/projection.ts'
import { readerOf } from '../../queries/scores/board.ts'
import { listScores } from '../../queries/scores/list.ts'
import { rankingKey } from '../../ranking/key.ts'
import { partitionOf } from '../../stores/contract/partition.ts'
import { historyOf } from '../memory/history.ts'
import { PLAIN } from '../simulation/caller.ts'
import { Random } from '../simulation/random.ts'
import { membersOf, rebuild, rebuiltDifferences } from '../simulation/rebuilt.ts'
import { prepared } from './prepared.ts'
import { BOARD, GAME, RulesWorld } from './rules-world.ts'
import { runToEnd, runWorld } from './run-world.ts'

const SEED = Math.floor(Date.now() / 86_400_000)
const VIEWS = [entries, leaderboards]

async function play(seed: number, steps: number): Promise<void> {
  const random = new Random(seed)
  const world = new RulesWorld(random)
  const run = runWorld(VIEWS, { log: world.log })
  await prepared(run)
  await world.begin()
  for (let step = 0; step < steps; step++) {
    await world.step()
    if (random.chance(0.1)) await runToEnd(run)
    if (random.chance(0.03)) await check(world, run)
  }
  await world.finish()
  await check(world, run)
}

async function check(world: RulesWorld, run: ReturnType<typeof runWorld>): Promise<void> {
  await runToEnd(run)
  const { views, rankings } = run.deps
  expect(run.told.parked).to.deep.equal([])
  const rebuilt = await rebuild(world.log, VIEWS)
  expect(await rebuiltDifferences(views, world.log, rebuilt)).to.deep.equal([])
  for (const key of rebuilt.keys) {
    expect(await membersOf(rankings, key)).to.deep.equal(await membersOf(rebuilt.rankings, key))
  }
  const state = await world.board()
  const board = { id: BOARD, game: GAME, generation: state.generation, state }
  const viewKeyOf = (name: string) => VIEWS.map(viewKey).find((key) => key.startsWith(`${name}@`)) ?? ''
  const queries = { history: historyOf(world.log), views, rankings, viewKey: viewKeyOf }
  const page = await listScores(queries, board, { ...PLAIN, limit: 10_000 })
  const due = world.model.ranking(BOARD).map((entry, i) => {
    const { id, player, score, secondary, extra, added, updated } = entry
    return { id, player, name: world.model.nameBeside(entry), score, secondary, extra, added, updated, rank: i + 1 }
  })
  const shown = page.rows.map(({ entry: { id, player, name, score, secondary, extra, added, updated }, rank }) => {
    return { id, player, name, score, secondary, extra, added, updated, rank }
  })
  expect(shown).to.deep.equal(due)
  const size = await rankings.of(viewKeyOf('entries'), partitionOf(GAME)).size(rankingKey(BOARD, state.generation))
  expect(size).to.equal(due.length)
  for (const { player } of due) {
    const best = await readerOf(queries, board).bestOf(player)
    expect(best?.id).to.equal(due.find((row) => row.player === player)?.id)
  }
}

describe('rules that change under a live board', () => {
  it('give what the model gives, and live what is rebuilt, in 12 random histories', async () => {
    for (let n = 0; n < 12; n++) {
      await play(SEED * 1_000 + n, 120).catch((why: Error) => {
        why.message = `seed ${SEED * 1_000 + n}: ${why.message}`
        throw why
      })
    }
  }).timeout(60_000)
})
