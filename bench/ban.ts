// Bans a player with 10,000 entries on 100 boards. Measures processor and clock time until the tenant is answered; by
// then no leaderboard may show the player. The unban must restore every board byte for byte.

import { createHash } from 'node:crypto'
import { freshServer } from './support/fresh-server.ts'
import { cpuSecondsOf, median, type Size } from './support/measure.ts'
import { type Server, startLoader } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'
import { call, handshake, signIn, submitText } from './support/test-game.ts'

const BOARDS = 100
const ENTRIES_A_BOARD = 100
const OTHERS = 1
const CONNECTIONS = 32
/** The goal in seconds. */
const GOAL_S = 1
const PAGE = 100

interface Answer {
  readonly id: string
}

export async function benchBan({ rounds }: Size): Promise<BenchRow[]> {
  const { server, world, stop } = await freshServer()
  const loader = startLoader()
  try {
    const { port } = server
    const token = await handshake(port, world.key)
    const boards = await Promise.all(
      Array.from({ length: BOARDS }, async (_, n) => {
        const body = { name: `Board ${n}`, ordering: 'desc', unique: false }
        return (await call<Answer>(port, 'POST', `/api/gm/${world.game}/lb/`, { token, body })).id
      }),
    )
    const players = await signIn(port, world, 1 + OTHERS)
    const submissions = boards.flatMap((board) =>
      Array.from({ length: ENTRIES_A_BOARD * (1 + OTHERS) }, (_, n) =>
        submitText(board, players[n % players.length] ?? '', { score: String((n * 7919) % 1_000) }),
      ),
    )
    await loader.load({ port, connections: CONNECTIONS, requests: submissions })
    const me = await call<Answer>(port, 'GET', `/api/gm/${world.game}/player/me/`, { token: players[0] ?? '' })
    const about = `/api/gm/${world.game}/players/${me.id}`

    const before = await everyRow(port, token, boards)
    const bans: Spent[] = []
    const unbans: Spent[] = []
    for (let round = 0; round < rounds; round++) {
      bans.push(await spent(server, () => call(port, 'POST', `${about}/ban/`, { token })))
      const during = await everyRow(port, token, boards)
      if (during.rows !== before.rows - BOARDS * ENTRIES_A_BOARD) throw new Error(`${during.rows} rows are left`)
      unbans.push(await spent(server, () => call(port, 'POST', `${about}/unban/`, { token })))
      const after = await everyRow(port, token, boards)
      if (after.digest !== before.digest) throw new Error('the boards are not what they were before the ban')
    }
    const entries = (BOARDS * ENTRIES_A_BOARD).toLocaleString('en')
    return [
      row(`ban of a player with ${entries} entries over ${BOARDS} boards, until the answer`, bans),
      row('the same, unban; every board byte for byte as before', unbans),
    ]
  } finally {
    await loader.stop()
    await stop()
  }
}

/** All rows of all boards, and their number. */
async function everyRow(port: number, token: string, boards: readonly string[]) {
  const hash = createHash('sha256')
  let rows = 0
  for (const board of boards) {
    for (let offset: number | null = 0; offset !== null; ) {
      const path = `/api/lb/${board}/score/?limit=${PAGE}&offset=${offset}`
      const page: { scores: unknown[]; next_offset: number | null } = await call(port, 'GET', path, { token })
      hash.update(JSON.stringify(page))
      rows += page.scores.length
      offset = page.next_offset
    }
  }
  return { rows, digest: hash.digest('hex') }
}

/** Seconds. */
interface Spent {
  readonly cpu: number
  readonly time: number
}

async function spent({ pid }: Server, work: () => Promise<unknown>): Promise<Spent> {
  const [before, began] = [cpuSecondsOf(pid), performance.now()]
  await work()
  return { time: (performance.now() - began) / 1_000, cpu: cpuSecondsOf(pid) - before }
}

function row(what: string, all: readonly Spent[]): BenchRow {
  const cpu = median(all.map((one) => one.cpu))
  const time = median(all.map((one) => one.time))
  return {
    what,
    limit: `${GOAL_S.toFixed(2)} s`,
    ours: `${cpu.toFixed(2)} cpu s (${time.toFixed(2)} s)`,
    ratio: (cpu / GOAL_S).toFixed(3),
    goal: '< 1',
    met: cpu < GOAL_S,
  }
}
