// A server on a copy of a large board, and the calls of its players: submissions, pages around a player, and both mixed.

import { cp, rm } from 'node:fs/promises'
import { numbers, playerId } from './events.ts'
import { freshFolder } from './fresh-server.ts'
import { largeBoard } from './large-board.ts'
import { ROOT, type Server, startOurs, untilIdle } from './processes.ts'
import { getText, handshake, submitText } from './test-game.ts'

const PAGE = 20
const SCORES = 10_000_000
const WRITES_OF_100 = 20

export interface BoardLoad {
  readonly server: Server
  readonly dataDir: string
  /** Submissions of players drawn uniformly. */
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
  const submission = () => {
    const score = `${random(SCORES)}.5`
    return submitText(world.board, token, { score, player: playerId(random(entries)) })
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
