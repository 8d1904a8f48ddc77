// What only the operation says about an answer: what was deleted or ended, and the answers whose schema has no name.

import { ed25519Signer, hmacSigner, type Signer } from '../front-door/world.ts'
import type { Call } from './draw-call.ts'
import { forget, forgetWhere, type KnownGame, knownGame, type Pool, remember } from './pool.ts'

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
