// Reads while servers and nodes fail: whatever is answered holds all that had been acknowledged before it was asked
// for. With the newest consistency token that is what it promises; without one, what the same node has acknowledged.

import type { Answered } from '../front-door/http-client.ts'
import { pause } from '../until.ts'
import { checkAtLeast } from './ledger.ts'
import type { Submission } from './load.ts'
import {
  type Acknowledged,
  ASK_EVERY_MS,
  acknowledged,
  type Node,
  newestSeen,
  type Scene,
  type Stage,
  seenWithNewest,
  unlessEnded,
} from './stage.ts'

export interface ReadUntilOver {
  /** Answers that were compared. */
  readonly answered: number
}

/** One reader: a board of bests, or one entry and its rank, from any node, with and without a token. */
export async function readUntilOver(stage: Stage): Promise<ReadUntilOver> {
  const { random } = stage
  let answered = 0
  while (!stage.isOver) {
    const scene = random.pick(stage.scenes)
    const node = random.pick(stage.nodes)
    const read = random.chance(0.5) ? readBests : readOne
    if (await read(stage, scene, node, random.chance(0.5))) answered++
    await pause(ASK_EVERY_MS)
  }
  return { answered }
}

/** What the node must show: to whom holds the newest token, or to who wrote here and holds none. */
function seen(scene: Scene, node: Node, withToken: boolean): Acknowledged[] {
  const life = node.lives()
  if (withToken) return seenWithNewest(scene)
  return scene.acknowledged.filter((one) => one.node === node && one.life === life)
}

async function get(stage: Stage, scene: Scene, node: Node, withToken: boolean, path: string): Promise<Answered | null> {
  const headers = withToken ? newestSeen(scene) : {}
  const call = () => node.world.call('GET', path, { token: scene.token, headers })
  const read = await unlessEnded(stage, node, node.lives(), call)
  if (read !== null && read.status !== 200 && read.status !== 503) {
    stage.faults.push(`a read of ${path} was answered ${read.status}: ${read.text}`)
  }
  return read?.status === 200 ? read : null
}

async function readBests(stage: Stage, scene: Scene, node: Node, withToken: boolean): Promise<boolean> {
  const [, unique] = scene.boards
  const before = seen(scene, node, withToken).flatMap(({ submission }) =>
    submission.board === unique ? [submission] : [],
  )
  const read = await get(stage, scene, node, withToken, `/api/lb/${unique}/score/?limit=100`)
  if (read === null) return false
  stage.faults.push(...checkAtLeast(read.body.scores, before))
  return true
}

/** An entry that stays as it is: its rank lies between what was there before and what was sent before the answer. */
async function readOne(stage: Stage, scene: Scene, node: Node, withToken: boolean): Promise<boolean> {
  const [all] = scene.boards
  const before = seen(scene, node, withToken).flatMap(({ submission }) =>
    submission.board === all ? [submission] : [],
  )
  const one = stage.random.any(before)
  if (one === null) return false
  const read = await get(stage, scene, node, withToken, `/api/score/${one.answer?.body.submitted}/`)
  if (read === null) return false
  const better = ({ score }: Submission) => Number(score) > Number(one.score)
  const least = 1 + before.filter(better).length
  const notWorse = (other: Submission) =>
    other !== one && other.board === all && !(Number(other.score) < Number(one.score))
  const most = 1 + scene.submissions.filter(notWorse).length
  const { score, rank, player } = read.body
  if (score !== one.score || player !== one.player || rank < least || rank > most) {
    stage.faults.push(`${one.key} ${one.score} is read as ${read.text}, and its rank lies between ${least} and ${most}`)
  }
  return true
}

let asked = 0

/**
 * Submits one to every scene, and reads it from every node with the token of its answer until it is there. Gives the
 * milliseconds from `begunMs` (of `performance.now()`) until the last of them was.
 */
export async function untilReadBack(stage: Stage, name: string, begunMs: number): Promise<number> {
  asked++
  const one = async (scene: Scene) => {
    const [all] = scene.boards
    const { answer } = await acknowledged(stage, scene, `${asked} after ${name}`, all, '1')
    const headers = { 'x-consistency-token': String(answer?.headers['x-consistency-token']) }
    await Promise.all(stage.nodes.map((node) => untilShown(stage, scene, node, headers)))
  }
  await Promise.all(stage.scenes.map(one))
  return Math.round(performance.now() - begunMs)
}

async function untilShown(stage: Stage, { token, boards }: Scene, node: Node, headers: Record<string, string>) {
  const call = () => node.world.call('GET', `/api/lb/${boards[0]}/score/?limit=1`, { token, headers })
  for (;;) {
    const read = await unlessEnded(stage, node, node.lives(), call)
    if (read?.status === 200) return
    if (read !== null && read.status !== 503) throw new Error(`a read was answered ${read.status}: ${read.text}`)
    await pause(ASK_EVERY_MS)
  }
}
