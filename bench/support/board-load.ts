// A server on a copy of a large board, and the calls of its players: submissions, pages around a player, and both mixed.

import { cp, rm } from 'node:fs/promises'
import { numbers, playerId } from './events.ts'
import { freshFolder } from './fresh-server.ts'
import { largeBoard } from './large-board.ts'
import { ROOT, type Server, startOurs, untilIdle } from './processes.ts'
import { getText, handshake, submitText } from './test-game.ts'

const PAGE = 20
const SCORES = 10_000_000
/** A score has at most 30 digits before the point. `SCORES` doubled this often is the last range that fits. */
const MAX_DOUBLINGS = 76
const WRITES_OF_100 = 20

export interface BoardLoad {
  readonly server: Server
  readonly dataDir: string
  /**
   * Submissions of players drawn uniformly. The n-th submission of a player is drawn from a range of 10,000,000 × 2^n, where
   * n = 0 is the one that the board contains. So about three of four improve the player's entry, however often the player
   * has submitted: a small board, whose players submit more often, does the same work as a large one. Scores get longer by
   * one digit in about three submissions of a player. The range stops growing at n = 76; then fewer submissions improve.
   */
  submissions(count: number): string[]
  /** Pages around players drawn uniformly. */
  pages(count: number): string[]
  /** Of 100 calls 20 are submissions; half of the others read a page around a player, half the top 20. */
  mixed(count: number): string[]
  /** Stops the server. The folder stays. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Starts `checkout` on a copy of its board of `entries`, and waits until it is idle. */
export async function boardLoad(entries: number, checkout = ROOT, env: NodeJS.ProcessEnv = {}): Promise<BoardLoad> {
  const { dataDir: kept, world } = await largeBoard(entries, checkout)
  const dataDir = await freshFolder()
  await cp(kept, dataDir, { recursive: true })
  const server = await startOurs(dataDir, env, checkout)
  await untilIdle(server)
  const token = await handshake(server.port, world.key)
  const random = numbers(3)
  const submissionsOf = new Uint32Array(entries)
  const submission = () => {
    const player = random(entries)
    const n = (submissionsOf[player] ?? 0) + 1
    submissionsOf[player] = n
    return submitText(world.board, token, { score: scoreText(random(SCORES), n), player: playerId(player) })
  }
  const around = () => getText(`/api/lb/${world.board}/score/?around=${playerId(random(entries))}&limit=${PAGE}`, token)
  const top = () => getText(`/api/lb/${world.board}/score/?limit=${PAGE}`, token)
  const either = () => {
    const drawn = random(100)
    if (drawn < WRITES_OF_100) return submission()
    return drawn % 2 === 0 ? around() : top()
  }
  const many = (one: () => string) => (count: number) => Array.from({ length: count }, one)
  return {
    server,
    dataDir,
    submissions: many(submission),
    pages: many(around),
    mixed: many(either),
    stop: () => server.stop(),
    remove: () => rm(dataDir, { recursive: true }),
  }
}

/** The score of a player's n-th submission: `drawn` below `SCORES`, scaled to the range of that submission. */
function scoreText(drawn: number, n: number): string {
  return `${BigInt(drawn) << BigInt(Math.min(n, MAX_DOUBLINGS))}.5`
}
