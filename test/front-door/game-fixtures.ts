// Creates games, keys, boards, players and guests over HTTP.

import type { Body } from './http-client.ts'
import { ed25519Signer, handshake, hmacSigner, must, type Signer, tokenOf, type World } from './world.ts'

export interface MadeGame {
  readonly id: string
  /** The first server key of the game, and a token with all of its permissions. */
  readonly server: Signer
  readonly token: string
}

export async function makeGame(world: World, name = 'Quest'): Promise<MadeGame> {
  const operator = await tokenOf(world, world.operator)
  const made = must(await world.call('POST', '/api/gm/', { token: operator, body: { name } }), 201)
  const server = hmacSigner(made.key.prefix, made.key.secret)
  return { id: made.game.id, server, token: await tokenOf(world, server) }
}

export interface KeyOptions {
  readonly kind?: 'server' | 'client'
  readonly algorithm?: 'hmac-sha256' | 'ed25519'
  readonly permissions?: readonly string[]
}

/** The operator grants the requested permissions, as they may grant any of the game. */
export async function makeKey(world: World, game: MadeGame, options: KeyOptions = {}): Promise<Signer> {
  const body = { name: 'a key', kind: 'server', algorithm: 'hmac-sha256', ...options }
  const token = options.permissions === undefined ? game.token : await tokenOf(world, world.operator)
  const made = must(await world.call('POST', `/api/gm/${game.id}/keys/`, { token, body }), 201)
  return made.secret === undefined ? ed25519Signer(made.prefix, made.private_key) : hmacSigner(made.prefix, made.secret)
}

export async function keyToken(world: World, game: MadeGame, options: KeyOptions = {}): Promise<string> {
  return tokenOf(world, await makeKey(world, game, options))
}

export async function makeBoard(world: World, game: MadeGame, options: object = {}): Promise<string> {
  const body = { name: 'Board', ordering: 'desc', ...options }
  return must(await world.call('POST', `/api/gm/${game.id}/lb/`, { token: game.token, body }), 201).id
}

export async function makePlayer(world: World, game: MadeGame, name = 'Ada'): Promise<string> {
  return must(await world.call('POST', `/api/gm/${game.id}/players/`, { token: game.token, body: { name } }), 201).id
}

export interface Guest {
  readonly id: string
  readonly token: string
  readonly refreshToken: string
  readonly guestToken: string
}

/** Signs a guest in with a token of the game, usually of a client key. */
export async function signInGuest(world: World, game: MadeGame, token: string, name?: string): Promise<Guest> {
  const body = name === undefined ? {} : { name }
  const made: Body = must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token, body }), 201)
  return { id: made.player.id, token: made.token, refreshToken: made.refresh_token, guestToken: made.guest_token }
}

/** The default permissions of a client key. */
export const clientDefaults = (game: string): string[] => [
  `gm:${game}:buckets`,
  `gm:${game}:realtime`,
  `gm:${game}:boards`,
  'bkt:*:details',
  'bkt:*:files',
  'lb:*:details',
  'lb:*:scores',
  'lb:*:submit',
  'score:*:details',
]

/** A token of a client key, as a game on a player’s device has it. */
export async function clientToken(world: World, game: MadeGame): Promise<string> {
  return must(await handshake(world, await makeKey(world, game, { kind: 'client' })), 200).token
}

export const EVERYTHING_OPEN = {
  list_folders: 'anyone',
  list_files: 'anyone',
  mkdir: 'anyone',
  create: 'anyone',
  read: 'anyone',
  overwrite: 'anyone',
  delete: 'anyone',
}

/** A bucket whose rules allow everything to any token with the `files` permission. */
export async function makeBucket(world: World, game: MadeGame, name = 'Saves'): Promise<string> {
  const { token } = game
  const { id } = must(await world.call('POST', `/api/gm/${game.id}/buckets/`, { token, body: { name } }), 201)
  const body = { path: '/', rules: EVERYTHING_OPEN, child_rules: null }
  must(await world.call('PUT', `/api/bkt/${id}/dir/rules/`, { token, body }), 200)
  return id
}

/** Begins an upload of the tenant and sends the bytes to its link; returns the id of the upload. */
export async function sendUpload(
  world: World,
  game: MadeGame,
  bucket: string,
  path: string,
  content: string | { readonly text: string; readonly type: string } = 'content',
): Promise<string> {
  const { text, type } = typeof content === 'string' ? { text: content, type: undefined } : content
  const bytes = Buffer.from(text)
  const sent = { token: game.token, body: { path, size: bytes.length, ...(type && { content_type: type }) } }
  const newUpload: Body = must(await world.call('POST', `/api/bkt/${bucket}/upload/`, sent), 201)
  // Only links of the local store lead back to the server.
  const isItsOwn = new URL(newUpload.url).pathname.startsWith('/api/files/local/')
  const outcome = isItsOwn
    ? (await fetch(reachable(world, newUpload.url), { method: 'PUT', headers: newUpload.headers, body: bytes })).status
    : await world.files.send({ url: newUpload.url, headers: newUpload.headers }, bytes)
  if (outcome !== 'stored' && outcome !== 200) throw new Error(`the link answers ${outcome}`)
  return newUpload.upload_id
}

/** Links name the configured port; the server listens on another one. */
function reachable(world: World, link: string): URL {
  const url = new URL(link)
  url.port = String(world.port)
  return url
}

export async function makeFile(
  world: World,
  game: MadeGame,
  bucket: string,
  path: string,
  content?: Parameters<typeof sendUpload>[4],
): Promise<void> {
  const upload = await sendUpload(world, game, bucket, path, content)
  must(await world.call('POST', `/api/bkt/${bucket}/upload/${upload}/complete/`, { token: game.token }), 200)
}
