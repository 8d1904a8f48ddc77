// The target data of the attacks: a game with a board of many entries, a bucket with a file, 500 guests and their
// tokens, and what an adversary may have of the operators. Created with rates off, before the server starts with its
// default limits.

import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, callerFrom } from './caller.ts'

export interface AttackedGame {
  readonly game: string
  readonly board: string
  readonly bucket: string
  /** Path of a file of 8 MiB in the bucket. */
  readonly file: string
  readonly clientKey: Key
  readonly operators: Operators
  /** Ids of two players. */
  readonly pair: readonly [string, string]
  /** Bearer tokens. */
  readonly serverToken: string
  readonly clientToken: string
  readonly bystander: string
  readonly guests: readonly string[]
  /** A guest with `LONG_STREAM` submissions to the board. */
  readonly busy: string
}

export interface Key {
  readonly prefix: string
  readonly secret: string
}

/** What an adversary may know or have got of the operators. */
interface Operators {
  /** Prefix of a valid operator key. */
  readonly prefix: string
  /** A token of the game that an operator asked for. */
  readonly gameToken: string
  /** Tokens of a revoked operator key: of the installation, and of the game. */
  readonly revoked: readonly [string, string]
}

export interface AttackedGameSize {
  readonly entries: number
  readonly guests: number
}

/** Its pages may call the game. */
export const ALLOWED_ORIGIN = 'null'
const LONG_STREAM = 6_000
const FILE_BYTES = 8 * 1_048_576
const LANES = 16

async function tokenOf(caller: Caller, { prefix, secret }: Key): Promise<string> {
  const headers = { 'x-api-key': prefix }
  const { request_id, nonce } = await caller.must('POST', '/api/auth/jwt/challenge/', { headers })
  const unix_ts = Math.floor(Date.now() / 1000)
  const challenge = createHmac('sha256', secret).update(`${request_id}.${nonce}.${unix_ts}.`).digest('base64url')
  const { token } = await caller.must('POST', '/api/auth/jwt/redeem/', {
    headers,
    body: { request_id, challenge, unix_ts },
  })
  return token
}

export async function makeAttackedGame(port: number, dataDir: string, size: AttackedGameSize): Promise<AttackedGame> {
  const caller = callerFrom('127.0.0.1', port, LANES)
  const operatorKey: Key = JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
  const operator = await tokenOf(caller, operatorKey)
  const made = await caller.must('POST', '/api/gm/', { token: operator, body: { name: 'Attacked' } })
  const game: string = made.game.id
  const serverToken = await tokenOf(caller, made.key)
  const token = serverToken
  const gm = `/api/gm/${game}`
  const settings = { realtime: { enabled: true, max_rooms: 100 }, cors_origins: [ALLOWED_ORIGIN] }
  await caller.must('PUT', `${gm}/`, { token, body: settings })
  const keyBody = { name: 'client', kind: 'client', algorithm: 'hmac-sha256' }
  const clientKey: Key = await caller.must('POST', `${gm}/keys/`, { token, body: keyBody })
  const clientToken = await tokenOf(caller, clientKey)
  const { id: board } = await caller.must('POST', `${gm}/lb/`, { token, body: { name: 'Board', ordering: 'desc' } })
  const newPlayer = async (name: string): Promise<string> =>
    (await caller.must('POST', `${gm}/players/`, { token, body: { name } })).id
  await inLanes(size.entries, async (n) => {
    const body = { player: await newPlayer(`Player ${n}`), score: String((n * 7919) % 1_000_003) }
    await caller.must('POST', `/api/lb/${board}/score/`, { token, body })
  })
  const pair = [await newPlayer('First'), await newPlayer('Second')] as const
  const guests: string[] = []
  await inLanes(size.guests + 1, async (n) => {
    const body = { name: `Guest ${n}` }
    guests.push((await caller.must('POST', `${gm}/player/guest/`, { token: clientToken, body })).token)
  })
  const bystander = guests.pop() ?? ''
  const busy = guests[0] ?? ''
  await inLanes(LONG_STREAM, (n) =>
    caller.must('POST', `/api/lb/${board}/score/`, { token: busy, body: { score: String(n % 100) } }),
  )
  const limits = { max_file_bytes: FILE_BYTES, max_bytes: 200 * FILE_BYTES, player_max_bytes: 2 * FILE_BYTES }
  const downloads = { monthly_download_bytes: 1_000_000 * FILE_BYTES }
  const bucketBody = { name: 'Files', ...limits, ...downloads }
  const { id: bucket } = await caller.must('POST', `${gm}/buckets/`, { token, body: bucketBody })
  const anyone = { list_folders: 'anyone', list_files: 'anyone', mkdir: 'player', create: 'player', read: 'anyone' }
  const rules = { ...anyone, overwrite: 'creator', delete: 'creator' }
  await caller.must('PUT', `/api/bkt/${bucket}/dir/rules/`, { token, body: { path: '/', rules, child_rules: null } })
  const file = '/large.bin'
  const upload = await caller.must('POST', `/api/bkt/${bucket}/upload/`, {
    ...{ token, body: { path: file, size: FILE_BYTES } },
  })
  await caller.put(new URL(upload.url).pathname, upload.headers, Buffer.alloc(FILE_BYTES, 7))
  await caller.must('POST', `/api/bkt/${bucket}/upload/${upload.upload_id}/complete/`, { token })
  const operators = await operatorsOf(caller, { operatorKey, operator, game })
  caller.close()
  return {
    ...{ game, board, bucket, file, clientKey, operators, pair },
    ...{ serverToken, clientToken, bystander, guests, busy },
  }
}

interface OperatorsOf {
  readonly operatorKey: Key
  /** Its token. */
  readonly operator: string
  readonly game: string
}

async function operatorsOf(caller: Caller, { operatorKey, operator, game }: OperatorsOf): Promise<Operators> {
  const gameTokenOf = async (token: string): Promise<string> =>
    (await caller.must('POST', `/api/gm/${game}/token/`, { token })).token
  const body = { name: 'revoked', algorithm: 'hmac-sha256' }
  const other: Key = await caller.must('POST', '/api/sys/keys/', { token: operator, body })
  const others = await tokenOf(caller, other)
  const revoked = [others, await gameTokenOf(others)] as const
  await caller.must('DELETE', `/api/sys/keys/${other.prefix}/`, { token: operator })
  return { prefix: operatorKey.prefix, gameToken: await gameTokenOf(operator), revoked }
}

async function inLanes(count: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
