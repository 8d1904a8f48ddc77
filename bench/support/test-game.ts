// The game and board of a measurement, created through the HTTP API, and the requests of its players.

import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pMap from 'p-map'

/** Calls that make players at one time: a server on a shared machine answers more of them too late. */
const CALLS_IN_FLIGHT = 64

/** The credentials to use the game again after a server restart on the same folder. */
export interface World {
  readonly game: string
  readonly board: string
  readonly key: { readonly prefix: string; readonly secret: string }
}

export interface NewBoard {
  readonly name: string
  readonly unique: boolean
  readonly keep?: 'latest' | 'total'
  readonly seasons?: { readonly cron: string; readonly time_zone: string }
}

/** A season that began just now ends in 11 to 12 hours: after all of these measurements. */
export function endingInHalfADay() {
  return { cron: `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, time_zone: 'UTC' }
}

interface Sent {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A port of this machine, or the origin of a server. */
type At = number | string

/** Sends a call that must succeed, and returns its body; null if it has none. */
export async function call<Body>(at: At, method: string, path: string, sent: Sent = {}): Promise<Body> {
  const { token, headers = {}, body } = sent
  const answer = await fetch(`${typeof at === 'number' ? `http://127.0.0.1:${at}` : at}${path}`, {
    method,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text || 'null')
}

/** A bearer token with all permissions of an HMAC key. `nowMs`: the server's clock, Unix milliseconds. */
export async function handshake(at: At, { prefix, secret }: World['key'], nowMs = Date.now()): Promise<string> {
  const headers = { 'X-API-Key': prefix }
  const request = await call<{ request_id: string; nonce: string }>(at, 'POST', '/api/auth/jwt/challenge/', {
    headers,
  })
  const unixTs = Math.floor(nowMs / 1000)
  const message = `${request.request_id}.${request.nonce}.${unixTs}.`
  const body = {
    request_id: request.request_id,
    challenge: createHmac('sha256', secret).update(message).digest('base64url'),
    unix_ts: unixTs,
  }
  const { token } = await call<{ token: string }>(at, 'POST', '/api/auth/jwt/redeem/', { headers, body })
  return token
}

/** Creates a game with a server key and a board on an empty server. */
export async function makeWorld(port: number, dataDir: string, board: NewBoard): Promise<World> {
  const operator: World['key'] = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
  return makeGame(port, operator, board)
}

/** Creates a game with a server key and a board. */
export async function makeGame(at: At, operator: World['key'], board: NewBoard): Promise<World> {
  const made = await call<{ game: { id: string }; key: World['key'] }>(at, 'POST', '/api/gm/', {
    token: await handshake(at, operator),
    body: { name: 'Bench' },
  })
  const { prefix, secret } = made.key
  const key = { prefix, secret }
  const { id } = await call<{ id: string }>(at, 'POST', `/api/gm/${made.game.id}/lb/`, {
    token: await handshake(at, key),
    body: { ...board, ordering: 'desc' },
  })
  return { game: made.game.id, board: id, key }
}

/** Bearer tokens of new players, signed in as guests with a client key. */
export async function signIn(port: number, world: World, players: number): Promise<string[]> {
  const token = await clientToken(port, world)
  const signInOne = async (_: unknown, n: number) => (await guest(port, { world, token, name: `Player ${n}` })).token
  return pMap(Array.from({ length: players }), signInOne, { concurrency: CALLS_IN_FLIGHT })
}

/** A bearer token of a new client key. */
export async function clientToken(at: At, { game, key }: World): Promise<string> {
  const made = await call<World['key']>(at, 'POST', `/api/gm/${game}/keys/`, {
    token: await handshake(at, key),
    body: { name: 'client', kind: 'client', algorithm: 'hmac-sha256' },
  })
  return handshake(at, made)
}

interface NewGuest {
  readonly world: World
  /** Of a client key. */
  readonly token: string
  readonly name: string
}

/** Signs a new player in. */
export function guest(at: At, { world, token, name }: NewGuest): Promise<{ token: string; player: { id: string } }> {
  return call(at, 'POST', `/api/gm/${world.game}/player/guest/`, { token, body: { name } })
}

/** The text of a GET request. */
export function getText(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`
}

/** New players, made by a server key's token. */
export function makePlayers(at: At, { game }: World, token: string, count: number): Promise<string[]> {
  const make = async (_: unknown, n: number) => {
    const body = { name: `Player ${n}` }
    return (await call<{ id: string }>(at, 'POST', `/api/gm/${game}/players/`, { token, body })).id
  }
  return pMap(Array.from({ length: count }), make, { concurrency: CALLS_IN_FLIGHT })
}

/** The text of a score submission request. */
export const submitText = (
  board: string,
  token: string,
  body: { readonly score: string; readonly player?: string },
): string => postText(`/api/lb/${board}/score/`, token, body)

/** The text of a POST request. */
export function postText(path: string, token: string, body: object): string {
  const text = JSON.stringify(body)
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}

/** The JSON body of the text of an answer. */
export function bodyOf<Body>(answer: string): Body {
  return JSON.parse(Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString())
}
