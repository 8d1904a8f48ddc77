// The values that a call about a game may send, by name of field or parameter: ids, secrets and paths that the pool
// knows, and times, sizes and permissions that suit it.

import { createHash, generateKeyPairSync } from 'node:crypto'
import type { Clock } from '../front-door/world.ts'
import type { Random } from '../random.ts'
import type { Operation } from './document.ts'
import { type KnownBucket, type KnownGame, type KnownPlayer, type Pool, take } from './pool.ts'

export interface SubjectSources {
  readonly pool: Pool
  readonly random: Random
  readonly clock: Clock
  /** Codes that were mailed, by address. */
  readonly mailedCodes: ReadonlyMap<string, string>
}

const PASSWORDS = ['correct horse battery', 'staple-staple-1']
const DAY_MS = 86_400_000
const PUBLIC_KEYS = Array.from({ length: 4 }, () => {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return x
})
const VIEWS = ['entries', 'players', 'keys', 'leaderboards', 'games']

export const bytesOf = (size: number): Buffer => Buffer.alloc(size, 'scorebook')
const sha256Of = (size: number): string => createHash('sha256').update(bytesOf(size)).digest('hex')

/** Names are drawn for each call; a name may have several values to draw from. */
export type Values = readonly (readonly [name: string, value: () => unknown])[]

export interface About {
  readonly game: KnownGame
  readonly player: KnownPlayer | null
  readonly bucket: KnownBucket | null
}

export function valuesOf({ game, player, bucket }: About, operation: Operation, sources: SubjectSources): Values {
  return [
    ...ofGame(game, player, operation, sources),
    ...ofSignIn(game, player, operation, sources),
    ...ofFiles(bucket, operation, sources.random),
    ...ofQueries(sources),
  ]
}

/** An empty list has no value: the schema alone decides then. */
const oneOf = (list: readonly unknown[], random: Random) => () => random.any(list) ?? undefined

function ofGame(
  game: KnownGame,
  player: KnownPlayer | null,
  { id }: Operation,
  { random, pool }: SubjectSources,
): Values {
  const ofPlayer = () => player?.id
  return [
    ['game', () => game.id],
    ['leaderboard', oneOf(game.leaderboards, random)],
    ['board', oneOf(game.leaderboards, random)],
    ['score', id === 'submitScore' ? () => decimal(random) : oneOf(game.scores, random)],
    ['secondary_score', () => random.pick([null, decimal(random)])],
    ['min_score', () => random.pick(['0', '-100.5', '3'])],
    ['max_score', () => random.pick(['99', '1000000', '5000.25'])],
    ['prefix', () => keyToChange(game, random)],
    ['player', ofPlayer],
    ['around', ofPlayer],
    ...(id === 'deleteGame' ? ([['name', () => game.name]] satisfies Values) : []),
    ['permissions[]', () => permission(game, random)],
    ['public_key', () => random.pick(PUBLIC_KEYS)],
    ['views[]', () => random.pick(VIEWS)],
    ['cors_origins[]', () => random.pick(['https://a.example', 'http://localhost:3000'])],
    ['type', () => random.pick(pool.eventTypes)],
    ['from', oneOf(game.positions, random)],
  ]
}

/** The base keys are seldom changed: calls need their tokens. */
function keyToChange({ keys, server, client }: KnownGame, random: Random): string | undefined {
  const others = keys.filter((key) => key !== server.signer && key !== client.signer)
  return random.any(random.chance(0.9) ? others : keys)?.prefix
}

const decimal = (random: Random): string =>
  random.chance(0.5)
    ? String(random.below(1_000))
    : `${random.chance(0.2) ? '-' : ''}${random.below(90)}.${1 + random.below(9)}`

function permission({ id, leaderboards, buckets }: KnownGame, random: Random): string {
  const all = [`gm:${id}:*`, `gm:${id}:players`, `gm:${id}:history`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']
  const bucket = buckets[0]?.id ?? '*'
  const more = [
    `lb:${leaderboards[0] ?? '*'}:scores`,
    `bkt:${bucket}:files`,
    'lb:*:submit',
    'gm:*:details',
    'sys:games',
  ]
  return random.pick([...all, ...all, ...more])
}

function ofSignIn(game: KnownGame, player: KnownPlayer | null, { id }: Operation, sources: SubjectSources): Values {
  const { random, mailedCodes } = sources
  const isNew = id === 'register'
  const email = id === 'signInByCode' ? random.any(game.emails.filter((one) => mailedCodes.has(one))) : null
  const newEmail = () => `p${random.below(1_000_000)}@example.com`
  const registered = random.any(game.players.filter(({ login }) => login !== null))
  const guest = random.any(game.players.filter(({ guestToken }) => guestToken !== null))
  const refreshed = random.any(game.players.filter(({ refreshToken }) => refreshToken !== null))
  return [
    ['login', () => (isNew ? `player-${random.below(1_000_000_000)}` : registered?.login) ?? undefined],
    ['password', () => (isNew ? random.pick(PASSWORDS) : registered?.password) ?? undefined],
    ['email', () => email ?? newEmail()],
    ['code', () => mailedCodes.get(email ?? '')],
    ['guest_token', () => guest?.guestToken ?? undefined],
    ['refresh_token', () => refreshed?.refreshToken ?? undefined],
    ['ticket', () => take(id === 'redeemRoomTicket' ? game.roomTickets : game.tickets, random) ?? undefined],
    ['external_id', () => (id === 'createPlayer' ? null : player?.externalId) ?? `steam-${random.below(100_000)}`],
  ]
}

/** Schemas of paths differ by their example: a folder's ends in a slash. */
function ofFiles(bucket: KnownBucket | null, { id }: Operation, random: Random): Values {
  const folder = () => random.any(bucket?.folders ?? []) ?? '/'
  const isFolder = ['listFolder', 'createFolder', 'deleteFolder', 'getFolderRules', 'setFolderRules'].includes(id)
  const newName = () => `${random.pick(['save', 'replay', 'µ', 'a b'])}-${random.below(500)}`
  const drawPath = () => {
    if (id === 'createFolder') return `${folder()}${newName()}/`
    if (isFolder) return folder()
    if (id === 'startUpload' && random.chance(0.8)) return `${folder()}${newName()}`
    return random.any([...(bucket?.files ?? []), ...(id === 'explainAccess' ? (bucket?.folders ?? []) : [])])
  }
  const path = drawPath() ?? '/nothing-here'
  const size = random.pick([0, 1, 100, 1 + random.below(2_000)])
  return [
    ['bucket', () => bucket?.id],
    ['path', () => path],
    ['upload', oneOf(bucket?.uploads ?? [], random)],
    ...(id === 'startUpload' ? ([['size', () => size]] satisfies Values) : []),
    ['sha256', () => random.pick([null, sha256Of(size), sha256Of(size + 1)])],
  ]
}

function ofQueries({ random, clock }: SubjectSources): Values {
  const past = (mostMs: number) => () => timeText(clock.nowMs - random.below(mostMs), random)
  const end = () => timeText(clock.nowMs + random.below(DAY_MS), random)
  return [
    ['since', past(DAY_MS)],
    ['until', end],
    ['as_of', past(60_000)],
    ['limit', () => 1 + random.below(30)],
    ['offset', () => random.pick([0, 1, 5, random.below(50), random.below(1_000_000_000)])],
    ['page', () => random.pick([1, 1, 2, 3, 1_000])],
    ['unix_ts', () => Math.floor(clock.nowMs / 1_000)],
  ]
}

function timeText(ms: number, random: Random): string {
  const text = new Date(ms).toISOString()
  return random.chance(0.2) ? text.replace('Z', '+00:00') : text
}
