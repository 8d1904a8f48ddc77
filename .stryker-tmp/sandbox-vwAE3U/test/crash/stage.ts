// Scenes of several games, on one node or more, and callers who submit to them without end while servers and nodes
// fail: what was not acknowledged is sent again under the same key, to whichever node.

import type { Answered, Unanswered } from '../front-door/http-client.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/scenery.ts'
import type { World } from '../front-door/world.ts'
import type { Random } from '../random.ts'
import { pause } from '../until.ts'
import { notReplayed, type Submission, send } from './load.ts'

const PLAYERS = 6
/** How often one who waits for something asks. */
export const ASK_EVERY_MS = 50
/** Of what was acknowledged, so much is sent again, to see that it is answered as before. */
const SENT_AGAIN = 0.05

/** One node, as its callers know it. */
export interface Node {
  readonly world: World
  /** Processes it has had before the one that a call is sent to now: one that nobody tells to end always answers. */
  lives(): number
  /** Whether this failure of a call, sent in that life, is what the end of that process may do to its callers. */
  forgives(failure: Unanswered, life: number): boolean
}

export interface Acknowledged {
  readonly submission: Submission
  readonly node: Node
  readonly life: number
}

/** One game. */
export interface Scene {
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

export interface Stage {
  readonly nodes: readonly Node[]
  readonly scenes: readonly Scene[]
  /** Milliseconds that a caller waits between two submissions. */
  readonly paceMs: number
  readonly random: Random
  readonly told: { sentAgain: number; longestMs: number; repeated: number; unanswered: number }
  /** One line for each thing wrong. */
  readonly faults: string[]
  isOver: boolean
}

/** A node that nobody ends. */
export const lasting = (world: World): Node => ({ world, lives: () => 0, forgives: () => false })

export async function setStage(
  nodes: readonly Node[],
  { games, paceMs, random }: { readonly games: number; readonly paceMs: number; readonly random: Random },
): Promise<Stage> {
  const [node] = nodes
  if (node === undefined) throw new Error('a stage takes a node')
  const scenes: Scene[] = []
  for (let n = 0; n < games; n++) scenes.push(await makeScene(node.world))
  const told = { sentAgain: 0, longestMs: 0, repeated: 0, unanswered: 0 }
  return { nodes, scenes, paceMs, random, told, faults: [], isOver: false }
}

async function makeScene(world: World): Promise<Scene> {
  const game = await makeGame(world)
  const boards = [await makeBoard(world, game, { unique: false }), await makeBoard(world, game)] as const
  const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
  return { token: game.token, boards, players, submissions: [], acknowledged: [], newest: null }
}

export async function submitUntilOver(stage: Stage, caller: string): Promise<void> {
  const { random, scenes } = stage
  for (let n = 0; !stage.isOver; n++) {
    const scene = random.pick(scenes)
    const score = `${random.below(4_000) / 2}`
    const submission = await acknowledged(stage, scene, `${caller}-${n}`, random.pick(scene.boards), score)
    if (random.chance(SENT_AGAIN)) await repeat(stage, scene, submission)
    if (stage.paceMs > 0) await pause(stage.paceMs)
  }
}

/** Sends until it is acknowledged. */
export async function acknowledged(
  stage: Stage,
  scene: Scene,
  key: string,
  board: string,
  score: string,
): Promise<Submission> {
  const player = stage.random.pick(scene.players)
  const submission: Submission = { key, board, player, score, answer: null, failure: null }
  scene.submissions.push(submission)
  const before = scene.acknowledged.length
  for (;;) {
    const sent = await sendOnce(stage, scene, submission)
    if (sent !== null && sent.answer.status < 300) {
      submission.answer = sent.answer
      note(scene, { submission, node: sent.node, life: sent.life }, before)
      return submission
    }
    stage.told.sentAgain++
    await pause(ASK_EVERY_MS)
  }
}

/** What was acknowledged, again, to any node: answered as it was, or not now. */
async function repeat(stage: Stage, scene: Scene, submission: Submission): Promise<void> {
  const sent = await sendOnce(stage, scene, submission)
  if (sent === null || sent.answer.status === 503) return
  stage.told.repeated++
  stage.faults.push(...notReplayed(submission, sent.answer))
}

/** Null where the node ended; anything but an acknowledgement and 503 ends the run. */
async function sendOnce(
  stage: Stage,
  { token }: Scene,
  submission: Submission,
): Promise<{ answer: Answered; node: Node; life: number } | null> {
  const node = stage.random.pick(stage.nodes)
  const life = node.lives()
  const answer = await timed(stage, () => unlessEnded(stage, node, life, () => send(node.world, token, submission)))
  if (answer === null) return null
  if (answer.status >= 300 && answer.status !== 503) {
    throw new Error(`${submission.key} was answered ${answer.status}: ${answer.text}`)
  }
  return { answer, node, life }
}

/** The answer, or null where the node ended in a way that may leave its callers without one. */
export async function unlessEnded(
  stage: Stage,
  node: Node,
  life: number,
  call: () => Promise<Answered>,
): Promise<Answered | null> {
  try {
    return await call()
  } catch (why) {
    if (!node.forgives(why as Unanswered, life)) throw why
    stage.told.unanswered++
    return null
  }
}

async function timed<T>(stage: Stage, call: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const answer = await call()
  stage.told.longestMs = Math.max(stage.told.longestMs, Math.round(performance.now() - begun))
  return answer
}

function note(scene: Scene, own: Acknowledged, before: number): void {
  scene.acknowledged.push(own)
  const token = String(own.submission.answer?.headers['x-consistency-token'])
  if (scene.newest === null || before >= scene.newest.before) scene.newest = { token, own, before }
}

/** The acknowledged writes that a read with the newest token must show. */
export const seenWithNewest = ({ newest, acknowledged }: Scene): Acknowledged[] =>
  newest === null ? [] : [...acknowledged.slice(0, newest.before), newest.own]

export const newestSeen = ({ newest }: Scene): Record<string, string> =>
  newest === null ? {} : { 'x-consistency-token': newest.token }
