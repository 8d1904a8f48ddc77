// Reads directly after writes, each compared exactly with the expected board: on another node with the consistency
// token of the write, and on the same node without it.

import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import type { Answered } from '../front-door/http-client.ts'
import { must, type World } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import type { SideBySide } from './side-by-side.ts'

const PLAYERS = 5
/** One in this many reads goes to the writer's own node, without a token. */
const OWN_EVERY = 5

interface ReadsProof {
  readonly elsewhere: number
  readonly own: number
  /** Reads that got 503 and were repeated. */
  readonly behind: number
  /** One line for each wrong answer. */
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
 * Concurrent writers, each on a board of its own, so that it knows all entries. `reads` is the total of all writers.
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
    /** Faults of the nodes during the run. */
    meanwhile?(): Promise<void>
  },
): Promise<ReadsProof> {
  const proof = { elsewhere: 0, own: 0, behind: 0, stale: [] as string[] }
  const each = Math.ceil(reads / writers)
  const setUp = async (writer: number) => {
    // Alternates between the two directions.
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
      // All scores are different, so the order by score is total.
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
 * Suspends all projectors this many times, for longer than a write waits for its view and shorter than their leases:
 * what is acknowledged meanwhile is in no view yet, and a reader knows of it only by its token.
 */
export async function suspendProjectors({ projectors }: SideBySide, times: number): Promise<void> {
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
  return sorted.map((row, index) => ({ rank: index + 1, ...row }))
}

function differs(answer: Answered, due: readonly Row[], what: string): string[] {
  const shown = must(answer, 200).scores.map(({ rank, id, player, score }: Row) => ({ rank, id, player, score }))
  const [is, should] = [JSON.stringify(shown), JSON.stringify(due)]
  return is === should ? [] : [`after ${what}: ${is} instead of ${should}`]
}
