// Puts what an answer holds into the pool: ids, tokens, paths and links, found by the names of the schemas in the
// document.

import type { Schema } from './document.ts'
import type { Call } from './draw-call.ts'
import { resolved } from './draw-value.ts'
import { dropToken, forgetSubject, harvestOperation, signerOf } from './harvest-operation.ts'
import { knownBucket, knownPlayer, type Pool, remember } from './pool.ts'
import type { Reply } from './send-call.ts'

export interface Harvest {
  readonly call: Call
  readonly pool: Pool
  readonly schemas: Readonly<Record<string, Schema>>
}

type Found = Readonly<Record<string, unknown>>

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
