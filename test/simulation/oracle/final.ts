// Checks a history at its end: read models and rankings equal rebuilt ones byte for byte, nothing is quarantined, and
// every query answers as the model says.

import { boardKeyStream } from '../../../domain/board-key.ts'
import { viewsOver } from '../../../projections/all.ts'
import { withActiveBuilds } from '../../../projections/builds/active-builds.ts'
import { createBuildPointer } from '../../../projections/builds/pointer.ts'
import { activeKey } from '../../../projections/builds/state.ts'
import { findByKey } from '../../../queries/board-key.ts'
import { findGame } from '../../../queries/game.ts'
import { findKey } from '../../../queries/key.ts'
import { findBoard } from '../../../queries/leaderboard.ts'
import { BoardReader } from '../../../queries/scores/board-reader.ts'
import { listRows } from '../../../queries/scores/list.ts'
import type { ScoresQuery } from '../../../queries/scores/query.ts'
import { rankingKey } from '../../../ranking/key.ts'
import type { Log } from '../../../stores/contract/log.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import { EVER, PLAIN } from '../callers/caller.ts'
import { ORIGINS } from '../callers/games.ts'
import type { History } from '../history.ts'
import type { Model } from '../model/model.ts'
import type { Running } from '../world/node.ts'
import { checkFilesOn } from './final-files.ts'
import { checkPeople } from './final-people.ts'
import { modelRows, shownRow } from './page-rows.ts'
import { rebuild, rebuiltDifferences, sortKeysOf } from './rebuilt.ts'
import { same } from './same.ts'
import { seasonDifferences } from './seasons.ts'
import { entriesInside, someWindows } from './windows.ts'

const ALL = Number.MAX_SAFE_INTEGER

export async function checkRebuilt({ world, cluster }: History, log: Log): Promise<string[]> {
  // Played, because a rebuild yields to the event loop, which is the scheduler's here.
  const rebuilt = await world.scheduler.play(() => rebuild(log, viewsOver(world)))
  const builds = await createBuildPointer(world.views).read()
  const defects: string[] = []
  // The active builds, and the previous ones that are kept.
  for (const of of [{}, ...(builds.kept === null ? [] : [builds.kept.builds])]) {
    const keyOf = (view: string) => activeKey({ ...builds, shown: { ...builds.shown, ...of } }, view)
    const under = (rankings: AllRankings) => withActiveBuilds({ views: world.views, rankings }, keyOf)
    const nodes = cluster.nodes.map(({ name, ownRankings }) => ({ name, live: under(world.rankings ?? ownRankings) }))
    defects.push(...(await rebuiltDifferences(under(rebuilt.rankings).views, log, rebuilt)))
    for (const key of rebuilt.keys) {
      const due = await sortKeysOf(rebuilt.rankings, key)
      for (const { name, live } of nodes) {
        const is = await sortKeysOf(live.rankings, key)
        if (!same(is, due)) defects.push(`ranking ${key.key} on ${name}: ${is.join()} and not ${due.join()}`)
      }
    }
  }
  return defects
}

/** Compares every query on every node with the model. */
export async function checkFinal({ world, cluster }: History, model: Model): Promise<string[]> {
  return world.scheduler.play(async () => {
    const { random } = world.scheduler
    const windows = new Map([...model.boards.keys()].map((id) => [id, someWindows(random, model, id)]))
    const found = await Promise.all(cluster.nodes.map((node) => checkNode(node, model, windows)))
    return found.flat()
  })
}

type Windows = ReadonlyMap<string, ReturnType<typeof someWindows>>

async function checkNode(node: Running, model: Model, windows: Windows): Promise<string[]> {
  const { queries, name } = node
  const defects: string[] = []
  const expect = (what: string, is: unknown, due: unknown) => {
    if (!same(is, due)) defects.push(`${what} on ${name} is ${JSON.stringify(is)} and should be ${JSON.stringify(due)}`)
  }
  for (const [id, game] of model.games) {
    const found = (await findGame(queries, id))?.state
    const due = [game.name, game.origins, game.signIn]
    expect(`game ${id}`, [found?.name, found?.corsOrigins, found?.signIn], due)
  }
  for (const [prefix, { permissions, revoked }] of model.keys) {
    const found = (await findKey(queries, prefix))?.state
    expect(`key ${prefix}`, [found?.permissions, found?.revoked], [permissions, revoked])
  }
  defects.push(...(await checkPeople(node, model)), ...(await checkFilesOn(node, model)))
  for (const origin of ORIGINS) {
    const find = {
      view: queries.viewKey('origins'),
      collection: 'origins',
      index: 'origin',
      equal: [origin],
      limit: ALL,
    }
    const found = await queries.views.find(find)
    const games = [...model.games].filter(([, { origins }]) => origins.includes(origin)).map(([id]) => id)
    expect(
      `origin ${origin}`,
      found.map(({ body }) => body.game),
      games.sort(),
    )
  }
  for (const [stream, { board }] of model.keyClaims) {
    const present = model.boards.get(board)
    const isUsed = present?.key != null && boardKeyStream(present.game, present.key) === stream
    if (!isUsed) defects.push(`${stream} is claimed for ${board}, which does not have it`)
  }
  for (const id of model.boards.keys()) {
    const failed = (error: unknown) => [`board ${id} cannot be read on ${name}: ${String(error)}`]
    defects.push(...(await checkBoard(node, model, id, windows.get(id) ?? []).catch(failed)))
  }
  return defects
}

async function checkBoard(
  node: Running,
  model: Model,
  id: string,
  some: ReturnType<typeof someWindows>,
): Promise<string[]> {
  const present = model.boards.get(id)
  const board = await findBoard(node.queries, id)
  if (present === undefined || present.archived) {
    return board === null ? [] : [`board ${id} is archived, and shown on ${node.name}`]
  }
  if (board === null) return [`board ${id} is not shown on ${node.name}`]
  const rows = modelRows(model, model.ranking(id))
  const defects: string[] = []
  const { key } = board.state
  const byKey = key === null ? null : await findByKey(node.queries, board.game, key)
  if (key !== present.key || (key !== null && byKey?.board !== id))
    defects.push(`board ${id} on ${node.name} has the key ${key}, found as ${byKey?.board}; should be ${present.key}`)
  const size = await new BoardReader(node.queries, board).rankings.size(rankingKey(id, board.generation))
  if (size !== rows.length)
    defects.push(`board ${id} on ${node.name} has ${size} entries and should have ${rows.length}`)
  for (const order of ['best', 'worst', 'newest', 'oldest'] as const) {
    for (const { of, due: inside } of [
      ...WINDOWS.map((of) => ({ of, due: rows })),
      ...some.map((of) => ({ of, due: modelRows(model, entriesInside(model, id, of)) })),
    ]) {
      const page = await listRows(new BoardReader(node.queries, board), { ...WHOLE, ...of, order })
      const shown = page.rows.map(shownRow)
      const due = inOrder(inside, order)
      if (same(shown, due)) continue
      const asked = `board ${id} by ${order} ${JSON.stringify(of)}`
      defects.push(`${asked} on ${node.name}: ${JSON.stringify(shown)}, should be ${JSON.stringify(due)}`)
    }
  }
  const seasons = await seasonDifferences(node.queries, board, model)
  defects.push(...seasons.map((one) => `${one} (on ${node.name})`), ...notClosed(node, model, id))
  return defects
}

/** After the last run of the timed jobs, no open season is over, and the standing of each closed one is recorded. */
function notClosed({ now, name }: Running, model: Model, board: string): string[] {
  const seasons = model.seasons.get(board)
  if (seasons === undefined) return []
  const over = seasons.opened !== null && Date.parse(seasons.opened.ends) <= now() ? [seasons.last] : []
  const closed = Array.from({ length: seasons.last }, (_, at) => at + 1).filter(seasons.isClosed)
  const unrecorded = closed.filter((season) => !seasons.recorded.has(season))
  return [
    ...over.map((season) => `season ${season} of ${board} is over and open on ${name}`),
    ...unrecorded.map((season) => `the standing of season ${season} of ${board} is not recorded`),
  ]
}

const WHOLE = { ...PLAIN, limit: 10_000 }
/** No window, and twice a window with everything in it, which an index answers. */
const WINDOWS: readonly Partial<ScoresQuery>[] = [{}, EVER, { ...EVER, shownInside: true }]

function inOrder<Row extends { readonly updated: string; readonly rank: number }>(
  rows: readonly Row[],
  order: 'best' | 'worst' | 'newest' | 'oldest',
): Row[] {
  if (order === 'best') return [...rows]
  if (order === 'worst') return rows.toReversed()
  const sign = order === 'newest' ? -1 : 1
  return rows.toSorted((a, b) => (a.updated === b.updated ? a.rank - b.rank : a.updated < b.updated ? -sign : sign))
}
