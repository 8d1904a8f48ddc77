// Several games, on one or more nodes, and callers who submit to them continuously while servers and nodes fail: what
// was not acknowledged is sent again under the same key, to any node.

import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import type { Answered, Unanswered } from '../front-door/http-client.ts'
import type { World } from '../front-door/world.ts'
import type { Random } from '../random.ts'
import { pause } from '../until.ts'
import { notReplayed, type Submission, send } from './load.ts'

const PLAYERS = 6
/** How often a caller who waits repeats its call. */
export const RETRY_EVERY_MS = 50
/** The share of acknowledged submissions that are sent again, to check that the answer is the same. */
const SENT_AGAIN = 0.05

/** One node, as its callers know it. */
export interface Node {
  readonly world: World
  /** The number of processes that it had before the current one. A process that is never stopped answers every call. */
  incarnation(): number
  /** Whether the end of that process explains this failure of a call that was sent to it. */
  mayLeaveUnanswered(failure: Unanswered, incarnation: number): boolean
}

export interface Acknowledged {
  readonly submission: Submission
  readonly node: Node
  readonly incarnation: number
}

/** One game. */
export interface LoadedGame {
  readonly token: string
  readonly boards: readonly [all: string, unique: string, total: string]
  readonly players: readonly string[]
  /** All that was sent, answered or not. */
  readonly submissions: Submission[]
  /** In the order in which the answers came. */
  readonly acknowledged: Acknowledged[]
  /** The consistency token that promises the most among the answers so far; null before the first. */
  newest: Promised | null
}

/**
 * What a read with a consistency token must show. A token is opaque: what it covers follows from the times of the
 * calls.
 */
interface Promised {
  readonly token: string
  /** The write whose answer had the token. */
  readonly own: Acknowledged
  /** How many writes were acknowledged before that write was first sent. */
  readonly before: number
}

export interface LoadRun {
  readonly nodes: readonly Node[]
  readonly loadedGames: readonly LoadedGame[]
  /** Milliseconds that a caller waits between two submissions, and at least a reader between two reads. */
  readonly paceMs: number
  readonly random: Random
  readonly counts: { sentAgain: number; longestMs: number; repeated: number; unanswered: number }
  /** One line per fault. */
  readonly faults: string[]
  isOver: boolean
}

/** A node that is never stopped. */
export const permanentNode = (world: World): Node => ({ world, incarnation: () => 0, mayLeaveUnanswered: () => false })

export async function openLoadRun(
  nodes: readonly Node[],
  { games, paceMs, random }: { readonly games: number; readonly paceMs: number; readonly random: Random },
): Promise<LoadRun> {
  const [node] = nodes
  if (node === undefined) throw new Error('a load run needs a node')
  const loadedGames: LoadedGame[] = []
  for (let n = 0; n < games; n++) loadedGames.push(await makeLoadedGame(node.world))
  const counts = { sentAgain: 0, longestMs: 0, repeated: 0, unanswered: 0 }
  return { nodes, loadedGames, paceMs, random, counts, faults: [], isOver: false }
}

async function makeLoadedGame(world: World): Promise<LoadedGame> {
  const game = await makeGame(world)
  const make = (rules: object) => makeBoard(world, game, rules)
  const boards = [await make({ unique: false }), await make({}), await make({ keep: 'total' })] as const
  const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
  return { token: game.token, boards, players, submissions: [], acknowledged: [], newest: null }
}

export async function submitUntilOver(loadRun: LoadRun, caller: string): Promise<void> {
  const { random, loadedGames } = loadRun
  for (let n = 0; !loadRun.isOver; n++) {
    const loadedGame = random.pick(loadedGames)
    const score = `${random.below(4_000) / 2}`
    const submission = await acknowledged(loadRun, loadedGame, `${caller}-${n}`, random.pick(loadedGame.boards), score)
    if (random.chance(SENT_AGAIN)) await repeat(loadRun, loadedGame, submission)
    if (loadRun.paceMs > 0) await pause(loadRun.paceMs)
  }
}

/** Sends until it is acknowledged. */
export async function acknowledged(
  loadRun: LoadRun,
  loadedGame: LoadedGame,
  key: string,
  board: string,
  score: string,
): Promise<Submission> {
  const player = loadRun.random.pick(loadedGame.players)
  const submission: Submission = { key, board, player, score, answer: null, failure: null }
  loadedGame.submissions.push(submission)
  const before = loadedGame.acknowledged.length
  for (;;) {
    const sent = await sendOnce(loadRun, loadedGame, submission)
    if (sent !== null && sent.answer.status < 300) {
      submission.answer = sent.answer
      note(loadedGame, { submission, node: sent.node, incarnation: sent.incarnation }, before)
      return submission
    }
    loadRun.counts.sentAgain++
    await pause(RETRY_EVERY_MS)
  }
}

/** Sends an acknowledged submission again, to any node: the answer is the same, or 503. */
async function repeat(loadRun: LoadRun, loadedGame: LoadedGame, submission: Submission): Promise<void> {
  const sent = await sendOnce(loadRun, loadedGame, submission)
  if (sent === null || sent.answer.status === 503) return
  loadRun.counts.repeated++
  loadRun.faults.push(...notReplayed(submission, sent.answer))
}

/** Null if the node ended; any answer but an acknowledgement and 503 ends the run. */
async function sendOnce(
  loadRun: LoadRun,
  { token }: LoadedGame,
  submission: Submission,
): Promise<{ answer: Answered; node: Node; incarnation: number } | null> {
  const node = loadRun.random.pick(loadRun.nodes)
  const incarnation = node.incarnation()
  const answer = await timed(loadRun, () =>
    unlessEnded(loadRun, node, incarnation, () => send(node.world, token, submission)),
  )
  if (answer === null) return null
  if (answer.status >= 300 && answer.status !== 503) {
    throw new Error(`${submission.key} was answered ${answer.status}: ${answer.text}`)
  }
  return { answer, node, incarnation }
}

/** The answer, or null if the node ended in a way that may leave its callers without one. */
export async function unlessEnded(
  loadRun: LoadRun,
  node: Node,
  incarnation: number,
  call: () => Promise<Answered>,
): Promise<Answered | null> {
  try {
    return await call()
  } catch (error) {
    if (!node.mayLeaveUnanswered(error as Unanswered, incarnation)) throw error
    loadRun.counts.unanswered++
    return null
  }
}

async function timed<T>(loadRun: LoadRun, call: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const answer = await call()
  loadRun.counts.longestMs = Math.max(loadRun.counts.longestMs, Math.round(performance.now() - startedMs))
  return answer
}

function note(loadedGame: LoadedGame, own: Acknowledged, before: number): void {
  loadedGame.acknowledged.push(own)
  const token = String(own.submission.answer?.headers['x-consistency-token'])
  if (loadedGame.newest === null || before >= loadedGame.newest.before) loadedGame.newest = { token, own, before }
}

/** The acknowledged writes that a read with the newest token must show. */
export const visibleWithNewest = ({ newest, acknowledged }: LoadedGame): Acknowledged[] =>
  newest === null ? [] : [...acknowledged.slice(0, newest.before), newest.own]

export const newestToken = ({ newest }: LoadedGame): Record<string, string> =>
  newest === null ? {} : { 'x-consistency-token': newest.token }
