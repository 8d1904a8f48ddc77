// Concurrent writers and readers of one board, whose windows are indexed from the first entry on.

import { isDeepStrictEqual } from 'node:util'
import type { WindowIndexEvent } from '../../queries/windows/windows.ts'
import { openDirectService } from './api-clients.ts'
import { type Answer, type ApiClient, HISTORY_START_MS } from './play.ts'

const SINCE = new Date(HISTORY_START_MS - 1).toISOString()
const RULES = { ordering: 'desc', secondary_ordering: 'desc', min_score: null, max_score: null } as const
/** Below every score: a filter that excludes nobody, and makes the server count the window. */
const EVERYBODY = { min_score: '-1' }

interface Load {
  readonly unique: boolean
  readonly keep: 'best' | 'latest' | 'total'
  readonly writers: number
  /** Of each. */
  readonly writes: number
}

export async function fastHistory({ unique, keep, writers, writes }: Load) {
  const counts = { made: 0, evicted: 0, failed: 0, counted: 0 }
  const service = await openDirectService({
    from: 0,
    maxBytes: 2 ** 30,
    atOnce: true,
    onEvent: (what: WindowIndexEvent) => void counts[what]++,
    counted: () => void counts.counted++,
  })
  try {
    const api = service.open()
    api.setTime(HISTORY_START_MS)
    const board = (
      await api.call('POST', `/api/gm/${api.game}/lb/`, { body: { name: 'Board', ...RULES, unique, keep } })
    ).body.id
    const load = { api, board, answers: 0, refused: [] as string[], differing: [] as string[] }
    const players = await Promise.all(Array.from({ length: writers }, () => makePlayer(api)))
    let writing = players.length
    const write = (player: string, n: number) => writeAll(load, player, n, writes).finally(() => writing--)
    const read = async () => {
      while (writing > 0) {
        checkPage(load, await list(load, { order: 'best', limit: '100' }))
        // The calls never wait for I/O: without this yield, the other loops would never run.
        await new Promise((next) => setImmediate(next))
      }
    }
    await Promise.all([...players.map(write), read(), read()])
    for (const query of QUESTIONS) await compare(load, { ...query, ...(query.around && { around: players[1] ?? '' }) })
    if (counts.failed > 0) load.differing.push(`${counts.failed} failed`)
    return { ...load, made: counts.made, counted: counts.counted }
  } finally {
    await service.close()
  }
}

const QUESTIONS: readonly Record<string, string>[] = [
  { order: 'best', limit: '100' },
  { order: 'worst', limit: '7', offset: '3' },
  { order: 'newest', limit: '9' },
  { order: 'oldest', limit: '9', offset: '2' },
  { around: 'one of them', limit: '4' },
  { order: 'best', limit: '100', window: 'best' },
  { around: 'one of them', limit: '4', window: 'best' },
]

interface Running {
  readonly api: ApiClient
  readonly board: string
  answers: number
  readonly refused: string[]
  readonly differing: string[]
}

async function makePlayer(api: ApiClient): Promise<string> {
  return (await api.call('POST', `/api/gm/${api.game}/players/`, { body: { name: 'Ada' } })).body.id
}

async function list(load: Running, query: Record<string, string>): Promise<Answer> {
  const answer = await load.api.call('GET', `/api/lb/${load.board}/score/`, { query: { since: SINCE, ...query } })
  load.answers++
  if (answer.status !== 200) load.refused.push(JSON.stringify(answer))
  return answer
}

/**
 * Each write is at once in the window that its writer reads; every tenth is deleted again,
 * and some players are banned for a while.
 */
async function writeAll(load: Running, player: string, first: number, writes: number): Promise<void> {
  const { api, board } = load
  for (let n = 0; n < writes; n++) {
    const body = { score: String((first * 31 + n * 17) % 97), player }
    const { body: sent } = await api.call('POST', `/api/lb/${board}/score/`, { body })
    const { body: own } = await list(load, { around: player, limit: '3', ...(n % 2 === 1 && { window: 'best' }) })
    const rows: { id: string; score: string }[] = own.scores ?? []
    if (!rows.some(({ id, score }) => id === sent.id && score === sent.score)) {
      load.differing.push(`${player} wrote ${JSON.stringify(sent)} and read ${JSON.stringify(own)}`)
    }
    if (n % 10 === 9) await api.call('DELETE', `/api/score/${sent.id}/`)
    if (n % 20 === 15) {
      await api.call('POST', `/api/gm/${api.game}/players/${player}/ban/`, { body: { reason: null } })
      const { body: gone } = await list(load, { around: player, limit: '3' })
      if (gone.player_rank !== null) load.differing.push(`${player} is banned, and there`)
      await api.call('POST', `/api/gm/${api.game}/players/${player}/unban/`)
    }
  }
}

function checkPage(load: Running, { body }: Answer): void {
  const rows: { id: string; rank: number; score: string }[] = body.scores ?? []
  const isInOrder = rows.every((row, i) => {
    const before = rows[i - 1]
    return row.rank === i + 1 && (before === undefined || Number(before.score) >= Number(row.score))
  })
  const isComplete = rows.length === Math.min(100, body.count) && new Set(rows.map(({ id }) => id)).size === rows.length
  if (!isInOrder || !isComplete) load.differing.push(JSON.stringify(body))
}

/** The counted answer. */
async function compare(load: Running, query: Record<string, string>): Promise<void> {
  const indexed = await list(load, query)
  const counted = await list(load, { ...query, ...EVERYBODY })
  if (!isDeepStrictEqual(indexed, counted)) load.differing.push(JSON.stringify({ query, indexed, counted }))
}
