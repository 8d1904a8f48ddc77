// Compares boards as of an instant, and the movements of a player's rank, with the model of what had happened by then.
// Runs after a history, at instants from all of it.

import { type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import { history as historyView } from '../../../projections/history.ts'
import { viewKey } from '../../../projections/projection.ts'
import { type Board, findBoard } from '../../../queries/leaderboard.ts'
import { PastBoards } from '../../../queries/past/boards.ts'
import { movementOf } from '../../../queries/past/movement.ts'
import { pastReader } from '../../../queries/past/reader.ts'
import { viewReached } from '../../../queries/reached.ts'
import { listRows } from '../../../queries/scores/list.ts'
import { PLAIN } from '../callers/caller.ts'
import { applyOwn } from '../callers/rules.ts'
import type { History, Sending } from '../history.ts'
import { Model, type Sent } from '../model/model.ts'
import { sameRules } from '../model/rules.ts'
import type { Running } from '../world/node.ts'
import { again } from './again.ts'
import { modelRows, shownRow } from './page-rows.ts'
import { same } from './same.ts'
import { entriesInside, someWindows } from './windows.ts'

const INSTANTS = 10
const POINTS = 5
const WHOLE = { ...PLAIN, limit: 10_000 }

/** `model` is the final one: names are the present ones, and deleted players are on no past board. */
export async function checkPast(
  { world, cluster, sendings }: History,
  events: readonly StoredEvent[],
  model: Model,
): Promise<string[]> {
  const { random } = world.scheduler
  const byCommand = new Map(sendings.map((sending) => [sending.command, sending]))
  const asOf = (time: string) => modelAsOf(byCommand, events, model, time)
  const times = [...new Set(events.filter(isOfBoards).map(({ meta }) => meta.time))]
  const asked = random.shuffled(times).slice(0, INSTANTS)
  return world.scheduler.play(async () => {
    const node = random.any(cluster.nodes)
    if (node === null) return []
    const past = pastOn(node, world.history === null)
    const defects: string[] = []
    for (const id of model.boards.keys()) {
      const board = await findBoard(node.queries, id)
      if (board === null) continue
      for (const time of asked) {
        const then = asOf(time)
        const windows = someWindows(random, model, id)
        defects.push(...(await again(() => checkBoard(node, past, board, { time, then, windows }, model))))
      }
      const player = random.any(model.sent.filter((one) => one.board === id))?.player
      if (player !== undefined) defects.push(...(await again(() => checkMovement(node, past, board, player, asOf))))
    }
    return defects
  })
}

const OF_BOARDS = ['board-', 'lb_', 'player-']
const isOfBoards = ({ stream }: StoredEvent) => OF_BOARDS.some((prefix) => stream.startsWith(prefix))

function pastOn({ queries, commands }: Running, isInViews: boolean): PastBoards {
  const { views } = queries
  const reached = (game: string) => (isInViews ? viewReached(views, viewKey(historyView), game) : commands.log.head())
  return new PastBoards({ queries, log: commands.log, reached, activeBuilds: () => '' })
}

const instantOf = (asOf: string) => ({
  path: [],
  asOf,
  signal: new AbortController().signal,
})

/** An instant, the model of what had happened by then, and windows to read of it. */
interface Past {
  readonly time: string
  readonly then: Model
  readonly windows: ReturnType<typeof someWindows>
}

async function checkBoard(
  node: Running,
  past: PastBoards,
  board: Board,
  { time, then, windows }: Past,
  model: Model,
): Promise<string[]> {
  const instant = instantOf(time)
  const found = await past.at(board, instant)
  const present = then.boards.get(board.id)
  const isThere = present !== undefined && !present.archived
  const what = `board ${board.id} as of ${time} on ${node.name}`
  if (found === null || !isThere)
    return (found === null) === !isThere ? [] : [`${what} is ${isThere ? 'not ' : ''}there`]
  const defects: string[] = []
  for (const { of, inside } of [
    { of: {}, inside: then.ranking(board.id) },
    ...windows.map((of) => ({ of, inside: entriesInside(then, board.id, of) })),
  ]) {
    const { rows } = await listRows(pastReader(past.deps, found, false, instant), { ...WHOLE, ...of })
    const shown = rows.map(shownRow)
    const due = modelRows(model, inside)
    const asked = `${what} ${JSON.stringify(of)}`
    if (!same(shown, due)) defects.push(`${asked}: ${JSON.stringify(shown)}, should be ${JSON.stringify(due)}`)
  }
  const { name, description, rules } = found.board.state
  const text = { name, description }
  const dueText = { name: present.name, description: present.description }
  if (!same(text, dueText))
    defects.push(`${what} says ${JSON.stringify(text)} and should say ${JSON.stringify(dueText)}`)
  if (!sameRules(rules, present.rules))
    defects.push(`${what} has rules ${JSON.stringify(rules)} and should have ${JSON.stringify(present.rules)}`)
  return defects
}

async function checkMovement(
  node: Running,
  past: PastBoards,
  board: Board,
  player: string,
  asOf: (time: string) => Model,
): Promise<string[]> {
  const now = new Date(node.now()).toISOString()
  const points = await movementOf(past, board, { player, points: POINTS }, instantOf(now))
  const what = `how ${player} moved on ${board.id} by ${node.name}`
  const isDeleted = !asOf(now).players.has(player)
  if (isDeleted || points.length === 0) return isDeleted === (points.length === 0) ? [] : [`${what} has no point`]
  return points.flatMap(({ time, rank, score }) => {
    const ranking = asOf(time).ranking(board.id)
    const at = ranking.findIndex((entry) => entry.player === player)
    const due = { rank: at < 0 ? null : at + 1, score: ranking[at]?.score ?? null }
    return same({ rank, score }, due) ? [] : [`${what} at ${time}: ${rank}, ${score}; should be ${JSON.stringify(due)}`]
  })
}

/** What had happened up to the last event of each game whose time is not later. */
function modelAsOf(
  byCommand: ReadonlyMap<string, Sending>,
  events: readonly StoredEvent[],
  model: Model,
  asOf: string,
): Model {
  const then = new Model()
  for (const [id, player] of model.players) then.players.set(id, { ...player, banned: null })
  const cuts = new Map<string | null, string>()
  for (const { meta, position } of events) if (meta.time <= asOf) cuts.set(meta.game, position)
  for (const { stream, type, data, meta, ...rest } of events) {
    if (rest.position > (cuts.get(meta.game) ?? '')) continue
    const sending = byCommand.get(meta.command)
    const id = stream.slice(stream.indexOf('-') + 1)
    const player = then.players.get(id)
    if (type === 'PlayerBanned' && player !== undefined) player.banned = { since: meta.time, until: null, reason: null }
    if (type === 'PlayerUnbanned' && player !== undefined) player.banned = null
    if (stream.startsWith('board-')) {
      if (sending === undefined) applyOwn(then, type, meta.board)
      sending?.call.apply(then, { stream, type, data, meta, ...rest })
    }
    if (type === 'ScoreSubmitted' && sending !== undefined)
      then.record({ ...unsafeCast<Sent>(sending.call.args), id: String(data.id), time: meta.time })
    if (type === 'ScoreDeleted') then.remove((one) => isDeletedBy(one, meta, data))
  }
  return then
}

/** On a board with one entry per player, removes all of the player's submissions, else this one. */
function isDeletedBy(one: Sent, { board, player }: StoredEvent['meta'], data: StoredEvent['data']): boolean {
  return data.upTo !== null ? one.board === board && one.player === player : one.id === data.id
}
