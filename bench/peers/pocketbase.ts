// PocketBase by its HTTP API. POCKETBASE_SUPERUSER is `<email>:<password>` of `pocketbase superuser upsert`. Per
// leaderboard this makes a collection with one record per player, under the player's id. A player may change the own
// record only. This hook in the program's main.go keeps the better score, also in calls with many:
//
//     app.OnRecordUpdateRequest("bench", "bench_2").BindFunc(func(e *core.RecordRequestEvent) error {
//       if standing := e.Record.Original(); e.Record.GetFloat("score") <= standing.GetFloat("score") {
//         return e.JSON(200, standing)
//       }
//       return e.Next()
//     })
//
// PocketBase has no request for the entries around a player. Its client asks for those above and those from its own
// score down, which it knows. `around` counts both requests as one, and its p99 is that of one request. The answers
// have no ranks: to count the players above, PocketBase reads all of them.
//
// PocketBase opens SQLite with synchronous=NORMAL: a power failure can undo the last scores that it has confirmed. To
// compare durable scores, give the program a DBConnect with synchronous(FULL).

import pMap from 'p-map'
import { call } from '../support/test-game.ts'
import { type Peer, type PeerCalls, type PeerScore, requestText, SIGN_INS } from './peer.ts'

const PLAYERS = 'bench_players'
const BOARDS = ['bench', 'bench_2'] as const
/** Players whose records one call makes. */
const PLAYERS_OF_CALL = 50
const MAX_REQUESTS = 3 * PLAYERS_OF_CALL
/** SQLite has one writer. */
const CALLS_IN_FLIGHT = 2
/** Entries that `around` shows on each side. */
const SIDE = 10

/** A request in `POST /api/batch`. */
interface Batched {
  readonly method: 'POST' | 'PATCH'
  readonly url: string
  readonly body: object
}

export const pocketbase: Peer = async (origin, players) => {
  const token = await superuserToken(origin)
  await makeCollections(origin, token)
  const numbers = Array.from({ length: players }, (_, n) => n)
  const make = async (first: number) => {
    const requests = numbers.slice(first, first + PLAYERS_OF_CALL).flatMap(recordsOf)
    await call(origin, 'POST', '/api/batch', { token, body: { requests } })
  }
  await pMap(
    numbers.filter((n) => n % PLAYERS_OF_CALL === 0),
    make,
    { concurrency: CALLS_IN_FLIGHT },
  )
  const signIn = async (n: number) => (await signedIn(origin, PLAYERS, emailOf(n), passwordOf(n))).token
  const tokens = await pMap(numbers, signIn, { concurrency: SIGN_INS })
  return callsOf(new URL(origin).host, tokens, token)
}

async function superuserToken(origin: string): Promise<string> {
  const [email, password] = process.env.POCKETBASE_SUPERUSER?.split(/:(.*)/s) ?? []
  if (!email || !password) throw new Error('Set POCKETBASE_SUPERUSER to <email>:<password> of a superuser.')
  return (await signedIn(origin, '_superusers', email, password)).token
}

function signedIn(origin: string, collection: string, identity: string, password: string): Promise<{ token: string }> {
  return call(origin, 'POST', `/api/collections/${collection}/auth-with-password`, { body: { identity, password } })
}

/** Makes them, or empties those of an earlier run. */
async function makeCollections(origin: string, token: string): Promise<void> {
  const players = {
    name: PLAYERS,
    type: 'auth',
    authAlert: { enabled: false },
    // The cheapest hash: sign-ins are not compared.
    fields: [{ name: 'password', type: 'password', cost: 4 }],
  }
  const board = (name: string) => ({
    name,
    type: 'base',
    listRule: '@request.auth.id != ""',
    updateRule: 'id = @request.auth.id',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'score', type: 'number' },
    ],
    indexes: [`CREATE INDEX idx_${name} ON ${name} (score DESC)`],
  })
  const collections = [players, ...BOARDS.map(board)]
  const body = { collections, deleteMissing: false }
  await call(origin, 'PUT', '/api/collections/import', { token, body })
  for (const { name } of collections) await call(origin, 'DELETE', `/api/collections/${name}/truncate`, { token })
  const settings = { batch: { enabled: true, maxRequests: MAX_REQUESTS, timeout: 60 } }
  await call(origin, 'PATCH', '/api/settings', { token, body: settings })
}

/** 15 characters. */
const idOf = (n: number): string => `player${String(n).padStart(9, '0')}`
const emailOf = (n: number): string => `${idOf(n)}@example.com`
const passwordOf = (n: number): string => `password of ${idOf(n)}`
const recordsPath = (collection: string): string => `/api/collections/${collection}/records`

/** A player, and the entry on each leaderboard. */
function recordsOf(n: number): Batched[] {
  const password = passwordOf(n)
  const player = { id: idOf(n), email: emailOf(n), password, passwordConfirm: password }
  const entry = { id: idOf(n), name: `Player ${n}`, score: 0 }
  return [
    { method: 'POST', url: recordsPath(PLAYERS), body: player },
    ...BOARDS.map((board): Batched => ({ method: 'POST', url: recordsPath(board), body: entry })),
  ]
}

function callsOf(host: string, tokens: readonly string[], serverToken: string): PeerCalls {
  const best = new Float64Array(tokens.length)
  const path = recordsPath(BOARDS[0])
  const request = (player: number, method: string, to: string, body?: object) =>
    requestText(host, tokens[player] ?? '', method, to, body)
  const submit = (player: number, score: number) => {
    best[player] = Math.max(best[player] ?? 0, score)
    return request(player, 'PATCH', `${path}/${idOf(player)}`, { score })
  }
  const around = (player: number) => {
    const above = `filter=${encodeURIComponent(`score>${best[player]}`)}&sort=score`
    const below = `filter=${encodeURIComponent(`score<=${best[player]}`)}&sort=-score`
    return [above, below].map((query) => request(player, 'GET', `${path}?${query}&perPage=${SIDE}&skipTotal=1`))
  }
  const top = (player: number) => request(player, 'GET', `${path}?sort=-score&perPage=20&skipTotal=1`)
  const written = ({ player, board, score }: PeerScore): Batched => {
    return { method: 'PATCH', url: `${recordsPath(BOARDS[board])}/${idOf(player)}`, body: { score } }
  }
  const requests = (scores: readonly PeerScore[]) => [
    requestText(host, serverToken, 'POST', '/api/batch', { requests: scores.map(written) }),
  ]
  return { submit, around, top, many: { connections: CALLS_IN_FLIGHT, requests } }
}
