// A server on a copy of a large board, and the calls of its players: submissions, pages around a player, and both
// mixed.

import { cp, rm } from 'node:fs/promises'
import { numbers, playerId } from './events.ts'
import { freshFolder } from './fresh-server.ts'
import { largeBoard } from './large-board.ts'
import { ROOT, type Server, startOurs, untilIdle } from './processes.ts'
import { getText, handshake, submitText, type World } from './test-game.ts'

const PAGE = 20
const SCORES = 10_000_000
const WRITES_OF_100 = 20

interface Calls {
  /** Submissions of players drawn uniformly, as `drawnSubmissions` draws them. */
  submissions(count: number): string[]
  /** Pages around players drawn uniformly. */
  pages(count: number): string[]
  /** Of 100 calls 20 are submissions; half of the others read a page around a player, half the top 20. */
  mixed(count: number): string[]
}

export interface BoardLoad extends Calls {
  readonly server: Server
  readonly dataDir: string
  readonly world: World
  /** With all permissions of the game's key. */
  readonly token: string
  /** Stops the server early: its files can be read then. */
  stop(): Promise<void>
}

interface BoardOptions {
  readonly entries: number
  /** The folder whose dist/ runs. */
  readonly checkout?: string
  readonly env?: NodeJS.ProcessEnv
  /** Whether each player has an open session. */
  readonly signedIn?: boolean
}

/**
 * Starts the server of a checkout on a copy of its board of `entries`, waits until it is idle, and calls `measure`.
 * Then stops the server and removes the copy, also if anything failed.
 */
export async function withBoardLoad<Result>(
  options: BoardOptions,
  measure: (board: BoardLoad) => Promise<Result>,
): Promise<Result> {
  const { entries, checkout = ROOT, env = {}, signedIn = false } = options
  const { dataDir: kept, world } = await largeBoard(entries, checkout, signedIn)
  const dataDir = await freshFolder()
  try {
    await cp(kept, dataDir, { recursive: true })
    const server = await startOurs(dataDir, env, checkout)
    try {
      await untilIdle(server)
      const token = await handshake(server.port, world.key)
      const stop = () => server.stop()
      return await measure({ server, dataDir, world, token, stop, ...callsOf(world, entries, token) })
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

function callsOf({ board }: World, entries: number, token: string): Calls {
  const random = numbers(3)
  const draw = drawnSubmissions(entries, random)
  const submission = () => {
    const { player, score } = draw()
    return submitText(board, token, { score, player: playerId(player) })
  }
  const around = () => getText(`/api/lb/${board}/score/?around=${playerId(random(entries))}&limit=${PAGE}`, token)
  const top = () => getText(`/api/lb/${board}/score/?limit=${PAGE}`, token)
  const either = () => {
    const drawn = random(100)
    if (drawn < WRITES_OF_100) return submission()
    return drawn % 2 === 0 ? around() : top()
  }
  const many = (one: () => string) => (count: number) => Array.from({ length: count }, one)
  return {
    submissions: many(submission),
    pages: many(around),
    mixed: many(either),
  }
}

/**
 * Draws submissions of players uniformly. Three of four improve the player's entry, however often the player has
 * submitted: the players of a small board submit more often than those of a large one, and do the same work.
 */
export function drawnSubmissions(players: number, random: (below: number) => number) {
  const submissionsOf = new Uint32Array(players)
  return (player = random(players)): { readonly player: number; readonly score: string } => {
    const n = (submissionsOf[player] ?? 0) + 1
    submissionsOf[player] = n
    return { player, score: `${scoreOf(n, random)}.5` }
  }
}

/**
 * The score of a player's n-th submission, where n = 0 is the one in the board, drawn below `SCORES`. The first is
 * drawn from twice that range, so that it gets any rank. Of the later ones three of four are above all earlier ones,
 * and the others are below them.
 */
function scoreOf(n: number, random: (below: number) => number): number {
  if (n === 1) return random(2 * SCORES)
  return random(4) === 0 ? 0 : n * SCORES + random(SCORES)
}
