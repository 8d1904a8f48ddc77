// Reads straight after writes, each compared exactly with what the board must hold: on another node with the write's
// consistency token, and on the same node without.

import type { Answered } from '../front-door/http-client.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/scenery.ts'
import { must, type World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import type { SideBySide } from './side-by-side.ts'

const PLAYERS = 5
/** One read in so many is of the writer's own node, without a token. */
const OWN_EVERY = 5

interface ReadsProof {
  readonly elsewhere: number
  readonly own: number
  /** Answered 503 and asked again. */
  readonly behind: number
  /** One line for each answer that is not what it must be. */
  readonly stale: readonly string[]
}

const BETWEEN_HOLDS_MS = 500
const HELD_MS = 3_000

interface Row {
  readonly rank: number
  readonly id: string
  readonly player: string
  readonly score: string
}

/**
 * Writers side by side, each on a board of its own, so that it knows all that is there. `reads` is over all of them.
 */
export async function proveReadsAfterWrites(
  [a, b]: readonly [World, World],
  {
    reads,
    writers,
    seed,
    meanwhile,
  }: {
    readonly reads: number
    readonly writers: number
    readonly seed: number
    /** What befalls the nodes beside. */
    meanwhile?(): Promise<void>
  },
): Promise<ReadsProof> {
  const proof = { elsewhere: 0, own: 0, behind: 0, stale: [] as string[] }
  const each = Math.ceil(reads / writers)
  const setUp = async (writer: number) => {
    // Every other one the other way round.
    const [written, elsewhere] = writer % 2 === 0 ? [a, b] : [b, a]
    const game = await makeGame(written)
    const board = await makeBoard(written, game)
    const players = await Promise.all(Array.from({ length: PLAYERS }, () => makePlayer(written, game)))
    return { random: new Random(seed + writer), written, elsewhere, game, board, players }
  }
  const write = async ({ random, written, elsewhere, game, board, players }: Awaited<ReturnType<typeof setUp>>) => {
    const bests = new Map<string, Omit<Row, 'rank'>>()
    for (let n = 0; n < each; n++) {
      const player = random.pick(players)
      // No score comes twice: order by score is all the order there is.
      const score = `${random.below(1_000)}.${String(n + 1).padStart(6, '0')}1`
      const answer = await written.call('POST', `/api/lb/${board}/score/`, {
        token: game.token,
        body: { score, player },
      })
      if (answer.status >= 300) throw new Error(`a submission was answered ${answer.status}: ${answer.text}`)
      const best = bests.get(player)
      if (best === undefined || Number(score) > Number(best.score))
        bests.set(player, { id: answer.body.id, player, score })
      const due = boardOf(bests)
      const path = `/api/lb/${board}/score/?limit=100`
      const headers = { 'x-consistency-token': String(answer.headers['x-consistency-token']) }
      const one = () => elsewhere.call('GET', path, { token: game.token, headers })
      proof.stale.push(...differs(await untilAnswered(one, proof), due, `${score} on the other node`))
      proof.elsewhere++
      if (n % OWN_EVERY > 0) continue
      const own = () => written.call('GET', path, { token: game.token })
      proof.stale.push(...differs(await untilAnswered(own, proof), due, `${score} on the same node`))
      proof.own++
    }
  }
  const all = await Promise.all(Array.from({ length: writers }, (_, writer) => setUp(writer)))
  await Promise.all([...all.map(write), meanwhile?.()])
  return proof
}

/**
 * Holds all projectors, so many times, for longer than a write waits for its view and shorter than their leases: what
 * is answered meanwhile is in no view yet, and only its token tells a reader so.
 */
export async function holdProjectors({ projectors }: SideBySide, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await pause(BETWEEN_HOLDS_MS)
    for (const projector of projectors) projector.signal('SIGSTOP')
    await pause(HELD_MS)
    for (const projector of projectors) projector.signal('SIGCONT')
  }
}

async function untilAnswered(call: () => Promise<Answered>, proof: { behind: number }): Promise<Answered> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    proof.behind++
  }
}

function boardOf(bests: ReadonlyMap<string, Omit<Row, 'rank'>>): Row[] {
  const sorted = [...bests.values()].sort((one, other) => Number(other.score) - Number(one.score))
  return sorted.map((row, place) => ({ rank: place + 1, ...row }))
}

function differs(answer: Answered, due: readonly Row[], what: string): string[] {
  const shown = must(answer, 200).scores.map(({ rank, id, player, score }: Row) => ({ rank, id, player, score }))
  const [is, should] = [JSON.stringify(shown), JSON.stringify(due)]
  return is === should ? [] : [`after ${what}: ${is} instead of ${should}`]
}
