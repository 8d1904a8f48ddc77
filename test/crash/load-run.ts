// Scenes of several games, on one node or more, and callers who submit to them without end while servers and nodes
// fail: what was not acknowledged is sent again under the same key, to whichever node.

import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import type { Answered, Unanswered } from '../front-door/http-client.ts'
import type { World } from '../front-door/world.ts'
import type { Random } from '../random.ts'
import { pause } from '../until.ts'
import { notReplayed, type Submission, send } from './load.ts'

const PLAYERS = 6
/** How often one who waits for something asks. */
export const RETRY_EVERY_MS = 50
/** Of what was acknowledged, so much is sent again, to see that it is answered as before. */
const SENT_AGAIN = 0.05

/** One node, as its callers know it. */
export interface Node {
  readonly world: World
  /** Processes it has had before the one that a call is sent to now: one that nobody tells to end always answers. */
  incarnation(): number
  /** Whether this failure of a call, sent in that life, is what the end of that process may do to its callers. */
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
  readonly boards: readonly [all: string, unique: string]
  readonly players: readonly string[]
  /** All that was sent, whether or not anybody has answered yet. */
  readonly submissions: Submission[]
  /** In the order in which the answers came. */
  readonly acknowledged: Acknowledged[]
  /** The token that promises the most, of those that acknowledged writes were answered with; null before the first. */
  newest: Promised | null
}

/** What a read with a consistency token must show. A token is sealed: what came before its write follows from times. */
interface Promised {
  readonly token: string
  /** The write that the token was answered for. */
  readonly own: Acknowledged
  /** So many of the scene's first acknowledged writes were acknowledged before that write was first sent. */
  readonly before: number
}

export interface LoadRun {
  readonly nodes: readonly Node[]
  readonly loadedGames: readonly LoadedGame[]
  /** Milliseconds that a caller waits between two submissions. */
  readonly paceMs: number
  readonly random: Random
  readonly counts: { sentAgain: number; longestMs: number; repeated: number; unanswered: number }
  /** One line for each thing wrong. */
  readonly faults: string[]
  isOver: boolean
}

/** A node that nobody ends. */
export const permanentNode = (world: World): Node => ({ world, incarnation: () => 0, mayLeaveUnanswered: () => false })

export async function openLoadRun(
  nodes: readonly Node[],
  { games, paceMs, random }: { readonly games: number; readonly paceMs: number; readonly random: Random },
): Promise<LoadRun> {
  const [node] = nodes
  if (node === undefined) throw new Error('a stage takes a node')
  const loadedGames: LoadedGame[] = []
  for (let n = 0; n < games; n++) loadedGames.push(await makeLoadedGame(node.world))
  const counts = { sentAgain: 0, longestMs: 0, repeated: 0, unanswered: 0 }
  return { nodes, loadedGames, paceMs, random, counts, faults: [], isOver: false }
}

async function makeLoadedGame(world: World): Promise<LoadedGame> {
  const game = await makeGame(world)
  const boards = [await makeBoard(world, game, { unique: false }), await makeBoard(world, game)] as const
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

/** What was acknowledged, again, to any node: answered as it was, or not now. */
async function repeat(loadRun: LoadRun, loadedGame: LoadedGame, submission: Submission): Promise<void> {
  const sent = await sendOnce(loadRun, loadedGame, submission)
  if (sent === null || sent.answer.status === 503) return
  loadRun.counts.repeated++
  loadRun.faults.push(...notReplayed(submission, sent.answer))
}

/** Null where the node ended; anything but an acknowledgement and 503 ends the run. */
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

/** The answer, or null where the node ended in a way that may leave its callers without one. */
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
  const begun = performance.now()
  const answer = await call()
  loadRun.counts.longestMs = Math.max(loadRun.counts.longestMs, Math.round(performance.now() - begun))
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
