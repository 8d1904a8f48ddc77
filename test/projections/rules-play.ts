// Random histories of one board whose rules change. Each is checked against the plain model and against rebuilt views.
// Previews are checked against the board after the change.

import { expect } from 'chai'
import { partitionOf } from '../../domain/partition.ts'
import { running } from '../../domain/rule-change.ts'
import { entries } from '../../projections/entries.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { viewKey } from '../../projections/projection.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { type Preview, previewAnswer } from '../../queries/preview-answer.ts'
import { effectOfRules } from '../../queries/rule-effect.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows } from '../../queries/scores/list.ts'
import { rankingKey } from '../../ranking/key.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { historyOf } from '../memory/history.ts'
import { Random } from '../random.ts'
import { PLAIN } from '../simulation/callers/caller.ts'
import type { ModelEntry } from '../simulation/model/model.ts'
import { rebuild, rebuiltDifferences, sortKeysOf } from '../simulation/oracle/rebuilt.ts'
import { prepareWorld } from './prepare-world.ts'
import { BOARD, GAME, RulesWorld } from './rules-world.ts'
import { runToEnd, runWorld } from './run-world.ts'

const VIEWS = [entries, leaderboards]

type Run = ReturnType<typeof runWorld>

const viewKeyOf = (name: string) => VIEWS.map(viewKey).find((key) => key.startsWith(`${name}@`)) ?? ''

const queriesOf = (world: RulesWorld, { deps: { views, rankings } }: Run): QueryDeps => {
  return { history: historyOf(world.log), views, rankings, viewKey: viewKeyOf }
}

async function startWorld(seed: number) {
  const random = new Random(seed)
  const world = new RulesWorld(random)
  const run = runWorld(VIEWS, { log: world.log })
  await prepareWorld(run)
  await world.begin()
  return { random, world, run }
}

/** The seed decides where ranges are cut, how events are batched, and when everything is checked. */
export async function playRules(seed: number, steps: number): Promise<void> {
  const { random, world, run } = await startWorld(seed)
  for (let step = 0; step < steps; step++) {
    await world.step()
    if (random.chance(0.1)) await runToEnd(run)
    if (random.chance(0.03)) await check(world, run)
  }
  await world.finish()
  await check(world, run)
}

/** Previews other rules for a random board, then applies them and compares. */
export async function playPreview(seed: number, steps: number): Promise<void> {
  const { world, run } = await startWorld(seed)
  for (let step = 0; step < steps; step++) await world.step()
  await world.requestOtherRules()
  await runToEnd(run)
  const state = await world.board()
  const requested = running(state)
  if (requested === null) throw new Error('no rule change was requested')
  const board = { id: BOARD, game: GAME, generation: state.generation, state }
  const queries = queriesOf(world, run)
  const effect = await effectOfRules(queries, {
    maxBytes: 2 ** 27,
    board,
    rules: requested.rules,
    upTo: await world.log.head(),
    slices: new TimeSlices(),
  })
  const { preview } = await previewAnswer(queries, effect, null)
  const before = world.model.ranking(BOARD)
  await world.finish()
  await check(world, run)
  expect(preview).to.deep.equal(actualMoves(world, before, world.model.ranking(BOARD)))
}

function actualMoves({ model }: RulesWorld, before: readonly ModelEntry[], after: readonly ModelEntry[]): Preview {
  const rankIn = (rows: readonly ModelEntry[], player: string) => {
    const at = rows.findIndex((row) => row.player === player)
    return at < 0 ? null : at + 1
  }
  const behind = Math.max(before.length, after.length) + 1
  const moved = [...new Set([...before, ...after].map(({ player }) => player))]
    .map((player) => ({ player, before: rankIn(before, player), after: rankIn(after, player) }))
    .filter((one) => one.before !== one.after)
    .sort((a, b) => {
      const [x, y] = [a, b].map((one) => [one.before ?? behind, one.after ?? behind]) as [number[], number[]]
      const distance = ([from = 0, to = 0]: number[]) => Math.abs(from - to)
      return distance(y) - distance(x) || Math.min(...x) - Math.min(...y) || (a.player < b.player ? -1 : 1)
    })
  const top = moved.map(({ player, before, after }) => {
    return { player, player_name: model.players.get(player)?.name ?? null, before, after }
  })
  return { entries_before: before.length, entries_after: after.length, changed: moved.length, top }
}

async function check(world: RulesWorld, run: Run): Promise<void> {
  await runToEnd(run)
  const { views, rankings } = run.deps
  expect(run.reports.parked).to.deep.equal([])
  const rebuilt = await rebuild(world.log, VIEWS)
  expect(await rebuiltDifferences(views, world.log, rebuilt)).to.deep.equal([])
  for (const key of rebuilt.keys) {
    expect(await sortKeysOf(rankings, key)).to.deep.equal(await sortKeysOf(rebuilt.rankings, key))
  }
  const state = await world.board()
  const board = { id: BOARD, game: GAME, generation: state.generation, state }
  const queries = queriesOf(world, run)
  const page = await listRows(new BoardReader(queries, board), { ...PLAIN, limit: 10_000 })
  const expected = world.model.ranking(BOARD).map((entry, i) => {
    const { id, player, score, secondary, extra, added, updated } = entry
    return { id, player, name: world.model.nameBeside(entry), score, secondary, extra, added, updated, rank: i + 1 }
  })
  const shown = page.rows.map(({ entry: { id, player, name, score, secondary, extra, added, updated }, rank }) => {
    return { id, player, name, score, secondary, extra, added, updated, rank }
  })
  expect(shown).to.deep.equal(expected)
  const size = await rankings.of(viewKeyOf('entries'), partitionOf(GAME)).size(rankingKey(BOARD, state.generation))
  expect(size).to.equal(expected.length)
  for (const { player } of expected) {
    const best = await new BoardReader(queries, board).bestOf(player)
    expect(best?.id).to.equal(expected.find((row) => row.player === player)?.id)
  }
}
