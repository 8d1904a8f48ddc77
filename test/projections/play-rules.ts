// Plays boards whose rules change, and compares the views, the windows and the previews of them with the model.

import { expect } from 'chai'
import { targetOf } from '../../commands/score-target.ts'
import { readingImprovements } from '../../commands/season-improvements.ts'
import { seasonOfSubmission } from '../../commands/season-of-submission.ts'
import type { JsonObject } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { running } from '../../domain/rule-change.ts'
import { SEASONS_PER_CHUNK } from '../../domain/season-records.ts'
import { createGameClearing } from '../../projections/clear-game.ts'
import { entries } from '../../projections/entries.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { standingAtClosing } from '../../queries/closed-season/standing.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { type Preview, previewAnswer } from '../../queries/preview-answer.ts'
import { effectOfRules } from '../../queries/rule-effect.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import { listRows } from '../../queries/scores/list.ts'
import { nextSeason } from '../../queries/seasons.ts'
import { Windows } from '../../queries/windows/windows.ts'
import { playersKey, rankingKey } from '../../ranking/key.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { historyOf } from '../memory/history.ts'
import { Random } from '../random.ts'
import { applyBreaking } from '../simulation/broken-writes.ts'
import { PLAIN } from '../simulation/callers/caller.ts'
import type { ModelEntry } from '../simulation/model/model.ts'
import { modelRows, shownRow } from '../simulation/oracle/page-rows.ts'
import { rebuild, rebuiltDifferences, sortKeysOf } from '../simulation/oracle/rebuilt.ts'
import { seasonBoards, seasonDifferences } from '../simulation/oracle/seasons.ts'
import { entriesInside, someWindows } from '../simulation/oracle/windows.ts'
import { prepareWorld } from './prepare-world.ts'
import { BOARD, GAME, RulesWorld } from './rules-world.ts'
import { runToEnd, runWorld } from './run-world.ts'

const VIEWS = [entries, leaderboards]
const TIMES_BROKEN = 3
/** One history of these. */
const WITH_MANY_SEASONS = 10
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
  // Some histories have seasons in two chunks.
  if (seed % WITH_MANY_SEASONS === 0) await world.passSeasons(SEASONS_PER_CHUNK - 2)
  return { random, world, run, windows: windowsOf(world, run) }
}

/**
 * Indexes of windows of any size, made at their first request. Throws where one does not agree with the documents:
 * nothing is written while a window is read.
 */
function windowsOf(world: RulesWorld, run: Run): Windows {
  const deps = { ...queriesOf(world, run), log: world.log, reached: () => world.log.head() }
  const onEvent = (what: string, _key: string, error?: unknown) => {
    if (what === 'failed') throw error
  }
  const counted = (reason: string) => {
    if (reason === 'moving' || reason === 'failed') throw new Error(`a window with an index was counted: ${reason}`)
  }
  return new Windows(deps, { from: -1, maxBytes: 2 ** 30, atOnce: true, onEvent, counted })
}

/** The seed decides where ranges are cut, how events are batched, and when everything is checked. */
export async function playRules(seed: number, steps: number): Promise<void> {
  const { random, world, run, windows } = await startWorld(seed)
  const asked: Window[] = []
  const checkAll = async () => {
    await check(world, run)
    for (let n = 0; n < WINDOWS; n++) asked.push(...someWindows(random, world.model, BOARD))
    // Also earlier ones, whose indexes follow the board.
    for (const window of asked.slice(-MAX_WINDOWS)) await checkWindow(world, run, windows, window)
  }
  for (let step = 0; step < steps; step++) {
    await stepOf(world, run, random)
    if (random.chance(0.1)) await runToEnd(run)
    if (random.chance(0.03)) await checkAll()
  }
  await world.finish()
  await checkAll()
  await windows.stop()
  await world.clearAll()
  await runToEnd(run)
  expect(await strayEntries(world, run)).to.deep.equal([])
  expect(await leftOfGame(world, run)).to.deep.equal([])
}

/**
 * The same history, of whose views only the seasons are checked: each one's rows with both ranks, the list, standings,
 * and what submissions are answered. Takes a tenth of the time.
 */
export async function playSeasons(seed: number, steps: number): Promise<void> {
  const { random, world, run } = await startWorld(seed)
  const checkAll = async () => {
    await runToEnd(run)
    await checkSeasons(world, queriesOf(world, run))
  }
  for (let step = 0; step < steps; step++) {
    await stepOf(world, run, random)
    if (random.chance(0.1)) await runToEnd(run)
    if (random.chance(0.02)) await checkAll()
  }
  await world.finish()
  await checkAll()
  expect(run.reports.parked).to.deep.equal([])
}

/** One step, and what its submission is answered. */
async function stepOf(world: RulesWorld, run: Run, random: Random): Promise<void> {
  const before = world.submitted
  await world.step()
  if (world.submitted !== before) await checkSubmission(world, run, random)
}

/** The documents that are left once the game is deleted. */
async function leftOfGame(world: RulesWorld, { deps }: Run): Promise<string[]> {
  const builds = { active: VIEWS, inStep: VIEWS, inProgress: [] }
  const events = await world.log.readAll(null, 10_000)
  const [last] = events.slice(-1)
  if (last === undefined) throw new Error('nothing was recorded')
  const begun = { ...last, type: 'GameErasureBegun', position: `${last.position}+` }
  await createGameClearing(deps, () => builds, null).clear(events, begun)
  const left: string[] = []
  for (const view of VIEWS) {
    for (const { name } of viewSpec(view).collections) {
      left.push(...(await deps.views.scan(viewKey(view), name, null, 10_000)).map(({ id }) => `${name}/${id}`))
    }
  }
  return left
}

/** Documents of entries, and of rankings, in generations that neither the board nor a closed season has. */
async function strayEntries(world: RulesWorld, run: Run): Promise<string[]> {
  const { views } = run.deps
  const queries = queriesOf(world, run)
  const board = await boardOf(world)
  const key = viewKey(entries)
  const found = [
    ...(await views.scan(key, 'entries', null, 10_000)),
    ...(await views.scan(key, 'generations', null, 10_000)),
  ]
  const own = new Set([rankingKey(BOARD, board.generation)])
  for (const { generation, season } of await seasonBoards(queries, board, world.seasons.last)) {
    own.add(rankingKey(BOARD, generation, season)).add(playersKey(BOARD, generation, season))
  }
  const rankingOf = ({ generation, season, entries: counted, ranking }: JsonObject) => {
    if (generation === undefined) return String(ranking)
    if (season === undefined) return rankingKey(BOARD, Number(generation))
    const keyOf = counted === undefined ? rankingKey : playersKey
    return keyOf(BOARD, Number(generation), Number(season))
  }
  return found.filter(({ body }) => !own.has(rankingOf(body))).map(({ id }) => id)
}

/**
 * Applies the log of such a history with writes that fail part way, some times, and compares the views with rebuilt
 * ones. Returns the number of failed writes.
 */
export async function playBrokenWrites(seed: number, steps: number): Promise<number> {
  const { random, world, run } = await startWorld(seed)
  for (let step = 0; step < steps; step++) await world.step()
  await world.finish()
  await check(world, run)
  const rebuilt = await rebuild(world.log, VIEWS)
  let breaks = 0
  for (let time = 0; time < TIMES_BROKEN; time++) {
    const tried = await applyBreaking(world.log, rebuilt, random)
    expect(tried.differences).to.deep.equal([])
    breaks += tried.breaks
  }
  return breaks
}

/** Previews other rules for a random board, then applies them and compares. */
export async function playPreview(seed: number, steps: number): Promise<void> {
  const { world, run } = await startWorld(seed)
  for (let step = 0; step < steps; step++) await world.step()
  await world.requestOtherRules()
  await runToEnd(run)
  const board = await boardOf(world)
  const requested = running(board.state)
  if (requested === null) throw new Error('no rule change was requested')
  const queries = queriesOf(world, run)
  const effect = await effectOfRules(queries, {
    maxBytes: 2 ** 27,
    board,
    rules: requested.rules,
    upTo: await world.log.head(),
    slices: new TimeSlices(),
  })
  const { preview } = await previewAnswer(queries, effect, { paging: null, summary: true })
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
  const [entered, left] = [moved.filter((one) => one.before === null), moved.filter((one) => one.after === null)]
  const podium = (rows: readonly ModelEntry[]) =>
    rows.slice(0, 3).map(({ player, score, secondary }) => {
      return { player, player_name: model.players.get(player)?.name ?? null, score, secondary_score: secondary }
    })
  const summary = {
    moved: moved.length - entered.length - left.length,
    entered: entered.length,
    left: left.length,
    podium: { before: podium(before), after: podium(after) },
  }
  return { entries_before: before.length, entries_after: after.length, changed: moved.length, top, summary }
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
  const board = await boardOf(world)
  const queries = queriesOf(world, run)
  const page = await listRows(new BoardReader(queries, board), { ...PLAIN, limit: 10_000 })
  const expected = modelRows(world.model, world.model.ranking(BOARD))
  expect(page.rows.map(shownRow)).to.deep.equal(expected)
  const size = await rankings.of(viewKeyOf('entries'), partitionOf(GAME)).size(rankingKey(BOARD, board.generation))
  expect(size).to.equal(expected.length)
  for (const { player } of expected) {
    const best = await new BoardReader(queries, board).bestOf(player)
    expect(best?.id).to.equal(expected.find((row) => row.player === player)?.id)
  }
  await checkSeasons(world, queries)
}

async function checkSeasons(world: RulesWorld, queries: QueryDeps): Promise<void> {
  expect(await seasonDifferences(queries, await boardOf(world), world.model)).to.deep.equal([])
  const { isOpen, last } = world.seasons
  if (!isOpen && last > 0) {
    const next = await nextSeason(queries, BOARD)
    expect(next?.season).to.equal(last + 1)
    if (world.seasons.rows(last + 1).length > 0) expect(next?.hasSubmissions).to.equal(true)
    if (!world.seasons.hasJoined(last + 1)) expect(next?.hasSubmissions).to.equal(false)
  }
  for (let season = 1; season <= last; season++) {
    if (!world.seasons.isClosed(season)) continue
    const standing = await standingAtClosing(queries, { board: BOARD, season })
    expect(standing, `standing of season ${season}`).to.deep.equal(world.seasons.standing(season))
  }
}

/** What the last submission is answered of its season, while the views show it or not, also when it is repeated. */
async function checkSubmission(world: RulesWorld, run: Run, random: Random): Promise<void> {
  const [isVisible, replayed] = [random.chance(0.1), random.chance(0.3)]
  const { submitted: recorded, log } = world
  if (recorded === null) throw new Error('nothing was submitted')
  if (isVisible) await runToEnd(run)
  const board = await boardOf(world)
  const { player, joined } = recorded
  const queries = queriesOf(world, run)
  const deps = { commands: { log }, queries, isImproved: readingImprovements(log) }
  const at = { board, target: targetOf(board, player), recorded: { ...recorded, replayed }, isVisible }
  const answered = await seasonOfSubmission(deps, { ...at, freshness: 'now' })
  const rank = joined !== null && isVisible ? world.seasons.rankOf(joined.season, player) : null
  expect(answered ?? null, JSON.stringify({ isVisible, replayed })).to.deep.equal(joined && { ...joined, rank })
}

async function boardOf(world: RulesWorld) {
  const state = await world.board()
  return { id: BOARD, game: GAME, generation: state.generation, state }
}

type Window = ReturnType<typeof someWindows>[number]

/** New ones at each check, and the most that are compared. */
const WINDOWS = 2
const MAX_WINDOWS = 12

/** Compares a window, counted and from an index. */
async function checkWindow(world: RulesWorld, run: Run, windows: Windows, window: Window): Promise<void> {
  const board = await boardOf(world)
  const queries = queriesOf(world, run)
  const expected = modelRows(world.model, entriesInside(world.model, BOARD, window))
  for (const isIndexed of [false, true]) {
    const reader = new BoardReader(isIndexed ? { ...queries, windows } : queries, board)
    const { rows } = await listRows(reader, { ...PLAIN, limit: 10_000, ...window })
    expect(rows.map(shownRow), JSON.stringify({ ...window, isIndexed })).to.deep.equal(expected)
  }
}
