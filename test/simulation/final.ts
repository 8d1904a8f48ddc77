// What must be so once a history is at rest: read models and rankings equal to those rebuilt from nothing, byte for byte,
// nothing parked, and every query answering what the plain model says.

import { ALL_VIEWS } from '../../projections/all.ts'
import { createApplier } from '../../projections/apply.ts'
import { Progress } from '../../projections/progress.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { startViews } from '../../projections/start.ts'
import { findGame } from '../../queries/game.ts'
import { findKey } from '../../queries/key.ts'
import { findBoard } from '../../queries/leaderboard.ts'
import { findPlayer } from '../../queries/player.ts'
import { listScores } from '../../queries/scores/list.ts'
import { findSession } from '../../queries/session.ts'
import { rankingKey } from '../../ranking/key.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Rankings } from '../../stores/contract/rankings.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createRankings } from '../../stores/embedded/rankings.ts'
import { createMemoryViews } from '../memory/views.ts'
import { ORIGINS } from './games.ts'
import type { History } from './history.ts'
import type { Model, ModelEntry } from './model.ts'
import type { Running } from './node.ts'
import { same } from './oracle.ts'

const ALL = Number.MAX_SAFE_INTEGER

export async function checkRebuilt({ world, cluster }: History, log: Log): Promise<string[]> {
  const views = createMemoryViews()
  const rankings = createRankings()
  const defects: string[] = []
  const parked = (view: string, event: { readonly type: string }) => void defects.push(`${view} parks ${event.type}`)
  const deps = { log, views, rankings, progress: new Progress(), parked, reopening: () => {}, applied: () => {} }
  await startViews(
    deps,
    ALL_VIEWS.map((view) => createApplier(view, deps)),
    () => {},
  )
  for (const view of ALL_VIEWS) {
    for (const { name } of viewSpec(view).collections) {
      const live = await world.views.scan(viewKey(view), name, null, ALL)
      const rebuilt = await views.scan(viewKey(view), name, null, ALL)
      defects.push(...differences(`${viewKey(view)}/${name}`, live, rebuilt))
      if (name === 'parked') defects.push(...live.map(({ id, body }) => `parked: ${id} ${JSON.stringify(body)}`))
    }
  }
  for (const key of await rankedKeys(views)) {
    const rebuilt = await rankings.range(key, 0, ALL)
    for (const node of cluster.nodes) {
      const live = await rankingsOf(world.rankings, node).range(key, 0, ALL)
      if (!same(live, rebuilt)) defects.push(`ranking ${key} on ${node.name}: ${live.join()} and not ${rebuilt.join()}`)
    }
  }
  return defects
}

const rankingsOf = (shared: Rankings | null, node: Running): Rankings => shared ?? node.rankings

async function rankedKeys(views: Views): Promise<string[]> {
  const ranked = ALL_VIEWS.flatMap((view) => (view.ranked === undefined ? [] : [{ view, ranked: view.ranked }]))
  const boards = await Promise.all(ranked.map(({ view, ranked: { keys } }) => views.scan(viewKey(view), keys, null, ALL)))
  return boards.flat().map(({ body }) => body.ranking as string)
}

function differences(name: string, live: readonly { id: string }[], rebuilt: readonly { id: string }[]): string[] {
  const text = new Map(rebuilt.map((document) => [document.id, JSON.stringify(document)]))
  const wrong = live.flatMap((document) => {
    const [is, due] = [JSON.stringify(document), text.get(document.id)]
    text.delete(document.id)
    return is === due ? [] : [`${name}: live ${is}, rebuilt ${due}`]
  })
  return [...wrong, ...[...text.values()].map((due) => `${name}: live nothing, rebuilt ${due}`)]
}

/** Every query on every node against the model. */
export async function checkFinal({ world, cluster }: History, model: Model): Promise<string[]> {
  return world.scheduler.play(async () => {
    const found = await Promise.all(cluster.nodes.map((node) => checkNode(node, model)))
    return found.flat()
  })
}

async function checkNode(node: Running, model: Model): Promise<string[]> {
  const { queries, name } = node
  const defects: string[] = []
  const expect = (what: string, is: unknown, due: unknown) => {
    if (!same(is, due)) defects.push(`${what} on ${name} is ${JSON.stringify(is)} and should be ${JSON.stringify(due)}`)
  }
  for (const [id, game] of model.games) {
    const found = (await findGame(queries, id))?.state
    expect(`game ${id}`, [found?.name, found?.corsOrigins], [game.name, game.origins])
  }
  for (const [prefix, { permissions, revoked }] of model.keys) {
    const found = (await findKey(queries, prefix))?.state
    expect(`key ${prefix}`, [found?.permissions, found?.revoked], [permissions, revoked])
  }
  for (const [id, player] of model.players) {
    const found = await findPlayer(queries, id)
    expect(`player ${id}`, found === null ? null : { game: found.game, ...found.state }, player)
  }
  for (const id of model.externals.values()) expect(`claimed player ${id}`, model.players.has(id), true)
  for (const [id, { player, ended }] of model.sessions) {
    const found = (await findSession(queries, id))?.state
    expect(`session ${id}`, [found?.player, found?.ended], [player, ended])
  }
  for (const origin of ORIGINS) {
    const find = { view: queries.viewKey('origins'), collection: 'origins', index: 'origin', equal: [origin], limit: ALL }
    const found = await queries.views.find(find)
    const games = [...model.games].filter(([, { origins }]) => origins.includes(origin)).map(([id]) => id)
    expect(`origin ${origin}`, found.map(({ body }) => body.game), games.sort())
  }
  for (const id of model.boards.keys()) {
    const failed = (why: unknown) => [`board ${id} cannot be read on ${name}: ${String(why)}`]
    defects.push(...(await checkBoard(node, model, id).catch(failed)))
  }
  return defects
}

async function checkBoard(node: Running, model: Model, id: string): Promise<string[]> {
  const standing = model.boards.get(id)
  const board = await findBoard(node.queries, id)
  if (standing === undefined || standing.archived) {
    return board === null ? [] : [`board ${id} is archived, and shown on ${node.name}`]
  }
  if (board === null) return [`board ${id} is not shown on ${node.name}`]
  const ranked = model.ranking(id)
  const rows = ranked.map((entry, i) => ({ ...rowOf(model, entry), rank: i + 1 }))
  const defects: string[] = []
  const size = await node.queries.rankings.size(rankingKey(id, 1))
  if (size !== rows.length) defects.push(`board ${id} on ${node.name} has ${size} entries and should have ${rows.length}`)
  for (const order of ['best', 'worst', 'newest', 'oldest'] as const) {
    const page = await listScores(node.queries, board, { ...WHOLE, order })
    const shown = page.rows.map(({ entry: { id, player, name, score, secondary, extra, added, updated }, rank }) => {
      return { id, player, name, score, secondary, extra, added, updated, rank }
    })
    const due = inOrder(rows, order)
    if (!same(shown, due)) {
      defects.push(`board ${id} by ${order} on ${node.name}: ${JSON.stringify(shown)}, should be ${JSON.stringify(due)}`)
    }
  }
  return defects
}

const WHOLE = {
  limit: 10_000,
  offset: 0,
  since: null,
  until: null,
  bestInside: false,
  playerName: null,
  minScore: null,
  maxScore: null,
  player: null,
  around: null,
}

function rowOf(model: Model, entry: ModelEntry) {
  const { id, player, score, secondary, extra, added, updated } = entry
  return { id, player, name: model.nameBeside(entry), score, secondary, extra, added, updated }
}

function inOrder<Row extends { readonly updated: string; readonly rank: number }>(
  rows: readonly Row[],
  order: 'best' | 'worst' | 'newest' | 'oldest',
): Row[] {
  if (order === 'best') return [...rows]
  if (order === 'worst') return rows.toReversed()
  const sign = order === 'newest' ? -1 : 1
  return rows.toSorted((a, b) => (a.updated === b.updated ? a.rank - b.rank : a.updated < b.updated ? -sign : sign))
}
