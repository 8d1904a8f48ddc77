// Puts what an answer holds into the pool: ids, tokens, paths and links, found by the names of the schemas in the
// document.

import { ed25519Signer, hmacSigner, type Signer } from '../front-door/world.ts'
import type { Schema } from './document.ts'
import type { Call } from './draw-call.ts'
import { resolved } from './draw-value.ts'
import {
  forget,
  forgetWhere,
  type KnownGame,
  knownBucket,
  knownGame,
  knownPlayer,
  type Pool,
  remember,
} from './pool.ts'
import type { Reply } from './send-call.ts'

type Found = Readonly<Record<string, unknown>>
const GAMES_MAX = 6
const LINKS_MAX = 10
const UPLOADS_MAX = 6
const DEAD_MAX = 20

export function harvestOperation(call: Call, found: Found, pool: Pool): void {
  BY_OPERATION[call.operation.id]?.(call, found, pool)
}

const BY_OPERATION: Readonly<Record<string, (call: Call, found: Found, pool: Pool) => void>> = {
  requestChallenge: ({ subject: { game }, headers }, found) => {
    const signer = game.keys.find(({ prefix }) => prefix === headers['x-api-key'])
    if (signer === undefined) return
    remember(game.challenges, { signer, requestId: String(found.request_id), nonce: String(found.nonce) })
  },
  createGame: (_, found, pool) => {
    const { id, name } = found.game as Found
    const signer = signerOf(found.key as Found)
    if (signer !== null && pool.games.length < GAMES_MAX) pool.games.push(knownGame(String(id), String(name), signer))
  },
  deleteGame: (_, found, pool) => {
    const game = pool.games.find(({ id }) => id === found.deleted)
    if (game === undefined) return
    forget(pool.games, game)
    for (const token of [game.server.token, game.client.token, ...game.players.map((player) => player.token)]) {
      if (token !== null) remember(pool.deadTokens, token, DEAD_MAX)
    }
  },
  updateKey: ({ subject: { game } }, { prefix }, pool) => replaceBaseKey(game, prefix, pool),
  revokeKey: ({ subject: { game } }, { deleted }, pool) => replaceBaseKey(game, deleted, pool),
  deletePlayer: ({ subject: { game } }, found, pool) => {
    const player = game.players.find(({ id }) => id === found.deleted)
    if (typeof player?.token === 'string') remember(pool.deadTokens, player.token, DEAD_MAX)
  },
  signOut: ({ caller: { token, player } }, _, pool) => {
    if (token !== null) remember(pool.deadTokens, token, DEAD_MAX)
    if (player !== null) player.token = null
  },
  mailCode: ({ subject: { game }, body }) => {
    const { email } = body as Found
    if (typeof email === 'string') remember(game.emails, email)
  },
  createSignInTicket: ({ subject: { game } }, { ticket }) => remember(game.tickets, String(ticket)),
  createRoomTicket: ({ subject: { game } }, { ticket }) => remember(game.roomTickets, String(ticket)),
  startUpload: ({ subject: { bucket }, body }, { upload_id, url, headers }, pool) => {
    remember(bucket?.uploads ?? [], String(upload_id), UPLOADS_MAX)
    const size = Number((body as Found).size)
    remember(
      pool.links,
      { method: 'PUT', url: String(url), headers: headers as Readonly<Record<string, string>>, size },
      LINKS_MAX,
    )
  },
  getDownloadLink: (_, { url }, pool) => remember(pool.links, { method: 'GET', url: String(url) }, LINKS_MAX),
}

/** A base key that changed may lack a permission: calls get another one. */
function replaceBaseKey(game: KnownGame, prefix: unknown, pool: Pool): void {
  for (const access of [game.server, game.client]) {
    if (access.signer?.prefix !== prefix) continue
    if (access.token !== null) remember(pool.deadTokens, access.token, DEAD_MAX)
    access.signer = null
    access.token = null
  }
}

/** A token that was refused is not sent again as a valid one. */
export function dropToken({ caller, subject: { game } }: Call, pool: Pool): void {
  if (caller.player?.token === caller.token && caller.player !== null) caller.player.token = null
  for (const access of [pool.operator, game.server, game.client]) {
    if (access.token === caller.token) access.token = null
  }
}

/** What the game's own server does not find is gone. */
export function forgetSubject({ ids, operation, subject: { game, bucket, values } }: Call): void {
  for (const id of ids) {
    forget(game.leaderboards, id)
    forget(game.scores, id)
    forgetWhere(game.players, (player) => player.id === id)
    if (operation.path === '/api/bkt/{bucket}/') forgetWhere(game.buckets, (one) => one.id === id)
    if (bucket !== null) forget(bucket.uploads, id)
  }
  const path = String(values.get('path')?.())
  if (bucket === null || path === '/') return
  forget(bucket.files, path)
  forget(bucket.folders, path)
}

/** The key in an answer, if its secret is shown. */
export function signerOf({ prefix, secret, private_key: seed }: Found): Signer | null {
  if (typeof secret === 'string') return hmacSigner(String(prefix), secret)
  return typeof seed === 'string' ? ed25519Signer(String(prefix), seed) : null
}

export interface Harvest {
  readonly call: Call
  readonly pool: Pool
  readonly schemas: Readonly<Record<string, Schema>>
}

/** Elements of a list that are looked at. */
const ITEMS_MAX = 10

const ETAGS_MAX = 200

export function harvestReply({ status, json, lines, headers }: Reply, harvest: Harvest): void {
  const { call, pool } = harvest
  const token = headers['x-consistency-token']
  if (typeof token === 'string') remember(pool.consistencyTokens, token)
  if (headers.etag !== undefined) rememberEtag(pool.etags, call, headers.etag)
  if (status === 401 && call.operation.proof === 'bearer') dropToken(call, pool)
  if (status === 404 && call.caller.kind === 'server') forgetSubject(call)
  const schema = call.operation.answers.get(status)?.schema
  if (status >= 300 || schema === undefined) return
  harvestOperation(call, json as Found, pool)
  for (const value of lines ?? [json]) visit(schema, value, harvest)
}

function rememberEtag(etags: Pool['etags'], { path }: Call, etag: string): void {
  etags.set(path.replace(/\?.*/, ''), etag)
  const [oldest] = etags.keys()
  if (etags.size > ETAGS_MAX && oldest !== undefined) etags.delete(oldest)
}

function visit(schema: Schema, value: unknown, harvest: Harvest): void {
  if (typeof value !== 'object' || value === null) return
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) {
    for (const choice of choices as Schema[]) visit(choice, value, harvest)
    return
  }
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : ''
  const found = value as Found
  const { items, properties = {} } = resolved(schema, harvest.schemas)
  BY_SCHEMA[name]?.(found, harvest)
  if (Array.isArray(value)) {
    for (const one of value.slice(0, ITEMS_MAX)) visit((items ?? {}) as Schema, one, harvest)
    return
  }
  for (const [field, member] of Object.entries(properties as Record<string, Schema>)) {
    visit(member, found[field], harvest)
  }
}

const BY_SCHEMA: Readonly<Record<string, (found: Found, harvest: Harvest) => void>> = {
  Game: ({ id, name }, { pool }) => {
    const game = pool.games.find((one) => one.id === id)
    if (game !== undefined) game.name = String(name)
  },
  MadeKey: (found, { call, pool }) => {
    const signer = signerOf(found)
    const game = pool.games.find(({ id }) => id === found.game)
    if (signer !== null && game === call.subject.game) remember(game.keys, signer)
  },
  Leaderboard: ({ id }, { call }) => remember(call.subject.game.leaderboards, String(id)),
  Player: (found, { call: { subject } }) => {
    const player = knownPlayer(subject.game, String(found.id))
    player.isBanned = found.banned !== null
    player.externalId = found.external_id as string | null
  },
  SignedIn: (found, { call }) => {
    const player = knownPlayer(call.subject.game, String((found.player as Found).id))
    player.token = String(found.token)
    player.refreshToken = String(found.refresh_token)
    if (typeof found.guest_token === 'string') player.guestToken = found.guest_token
    const { login, password } = call.body as Found
    if (call.operation.id !== 'register' || typeof login !== 'string' || typeof password !== 'string') return
    player.login = login
    player.password = password
  },
  SubmittedScore: ({ id }, { call }) => remember(call.subject.game.scores, String(id)),
  RankedScore: ({ id }, { call }) => remember(call.subject.game.scores, String(id)),
  Bucket: ({ id }, { call }) => void knownBucket(call.subject.game, String(id)),
  Folder: ({ path }, { call }) => remember(call.subject.bucket?.folders ?? [], String(path)),
  File: ({ path }, { call }) => remember(call.subject.bucket?.files ?? [], String(path)),
  Event: ({ position, type }, { call, pool }) => {
    remember(call.subject.game.positions, String(position))
    remember(pool.eventTypes, String(type))
  },
}
