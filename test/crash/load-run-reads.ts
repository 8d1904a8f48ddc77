// Reads while servers and nodes fail: every answer contains all that was acknowledged before the read. With the newest
// consistency token that is what the token promises; without one, what the same node has acknowledged.

import type { Answered } from '../front-door/http-client.ts'
import { pause } from '../until.ts'
import { checkAtLeast, checkTotalsBetween } from './ledger.ts'
import type { Submission } from './load.ts'
import {
  type Acknowledged,
  acknowledged,
  type LoadedGame,
  type LoadRun,
  type Node,
  newestToken,
  RETRY_EVERY_MS,
  unlessEnded,
  visibleWithNewest,
} from './load-run.ts'

export interface ReadUntilOver {
  /** Answers that were compared. */
  readonly answered: number
}

/** One reader: a unique board, totals, or one entry and its rank, from any node, with and without a token. */
export async function readUntilOver(loadRun: LoadRun): Promise<ReadUntilOver> {
  const { random } = loadRun
  let answered = 0
  while (!loadRun.isOver) {
    const loadedGame = random.pick(loadRun.loadedGames)
    const node = random.pick(loadRun.nodes)
    const read = random.pick([readBests, readTotals, readOne])
    if (await read(loadRun, loadedGame, node, random.chance(0.5))) answered++
    await pause(Math.max(RETRY_EVERY_MS, loadRun.paceMs))
  }
  return { answered }
}

/** What the node must show: to a reader with the newest token, or to one who wrote here and has none. */
function visible(loadedGame: LoadedGame, node: Node, withToken: boolean): Acknowledged[] {
  const incarnation = node.incarnation()
  if (withToken) return visibleWithNewest(loadedGame)
  return loadedGame.acknowledged.filter((one) => one.node === node && one.incarnation === incarnation)
}

async function get(
  loadRun: LoadRun,
  loadedGame: LoadedGame,
  node: Node,
  withToken: boolean,
  path: string,
): Promise<Answered | null> {
  const headers = withToken ? newestToken(loadedGame) : {}
  const call = () => node.world.call('GET', path, { token: loadedGame.token, headers })
  const read = await unlessEnded(loadRun, node, node.incarnation(), call)
  if (read !== null && read.status !== 200 && read.status !== 503) {
    loadRun.faults.push(`a read of ${path} was answered ${read.status}: ${read.text}`)
  }
  return read?.status === 200 ? read : null
}

async function readBests(loadRun: LoadRun, loadedGame: LoadedGame, node: Node, withToken: boolean): Promise<boolean> {
  const [, unique] = loadedGame.boards
  const before = visible(loadedGame, node, withToken).flatMap(({ submission }) =>
    submission.board === unique ? [submission] : [],
  )
  const read = await get(loadRun, loadedGame, node, withToken, `/api/lb/${unique}/score/?limit=100`)
  if (read === null) return false
  loadRun.faults.push(...checkAtLeast(read.body.scores, before))
  return true
}

async function readTotals(loadRun: LoadRun, loadedGame: LoadedGame, node: Node, withToken: boolean): Promise<boolean> {
  const [, , total] = loadedGame.boards
  const isOn = ({ board }: Submission) => board === total
  const before = visible(loadedGame, node, withToken).map(({ submission }) => submission)
  const read = await get(loadRun, loadedGame, node, withToken, `/api/lb/${total}/score/?limit=100`)
  if (read === null) return false
  const sent = loadedGame.submissions.filter(isOn)
  loadRun.faults.push(...checkTotalsBetween(read.body.scores, before.filter(isOn), sent))
  return true
}

/**
 * An entry that does not change: its rank is between those by the entries before the read and by all sent until the
 * answer.
 */
async function readOne(loadRun: LoadRun, loadedGame: LoadedGame, node: Node, withToken: boolean): Promise<boolean> {
  const [all] = loadedGame.boards
  const before = visible(loadedGame, node, withToken).flatMap(({ submission }) =>
    submission.board === all ? [submission] : [],
  )
  const one = loadRun.random.any(before)
  if (one === null) return false
  const read = await get(loadRun, loadedGame, node, withToken, `/api/score/${one.answer?.body.submitted}/`)
  if (read === null) return false
  const better = ({ score }: Submission) => Number(score) > Number(one.score)
  const minRank = 1 + before.filter(better).length
  const notWorse = (other: Submission) =>
    other !== one && other.board === all && !(Number(other.score) < Number(one.score))
  const maxRank = 1 + loadedGame.submissions.filter(notWorse).length
  const { score, rank, player } = read.body
  if (score !== one.score || player !== one.player || rank < minRank || rank > maxRank) {
    loadRun.faults.push(
      `${one.key} ${one.score} is read as ${read.text}, and its rank should be between ${minRank} and ${maxRank}`,
    )
  }
  return true
}

let readBacks = 0

/**
 * Submits one score to every game, and reads it from every node with the consistency token of its answer until it is
 * visible. Returns the milliseconds from `begunMs` (of `performance.now()`) until the last one was.
 */
export async function untilReadBack(loadRun: LoadRun, name: string, startedMs: number): Promise<number> {
  readBacks++
  const one = async (loadedGame: LoadedGame) => {
    const [all] = loadedGame.boards
    const { answer } = await acknowledged(loadRun, loadedGame, `${readBacks} after ${name}`, all, '1')
    const headers = { 'x-consistency-token': String(answer?.headers['x-consistency-token']) }
    await Promise.all(loadRun.nodes.map((node) => untilShown(loadRun, loadedGame, node, headers)))
  }
  await Promise.all(loadRun.loadedGames.map(one))
  return Math.round(performance.now() - startedMs)
}

async function untilShown(
  loadRun: LoadRun,
  { token, boards }: LoadedGame,
  node: Node,
  headers: Record<string, string>,
) {
  const call = () => node.world.call('GET', `/api/lb/${boards[0]}/score/?limit=1`, { token, headers })
  for (;;) {
    const read = await unlessEnded(loadRun, node, node.incarnation(), call)
    if (read?.status === 200) return
    if (read !== null && read.status !== 503) throw new Error(`a read was answered ${read.status}: ${read.text}`)
    await pause(RETRY_EVERY_MS)
  }
}
