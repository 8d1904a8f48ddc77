// Keeps the base of the pool: enough games, and tokens of the operator and of each game's keys that are still valid.

import {
  clientDefaults,
  type MadeGame,
  makeBoard,
  makeBucket,
  makeGame,
  makeKey,
  signInGuest,
} from '../front-door/game-fixtures.ts'
import { handshake, must, type World } from '../front-door/world.ts'
import { type Access, type KnownGame, knownBucket, knownGame, knownPlayer, type Pool } from './pool.ts'

const GAMES_MIN = 3
/** Tokens live for an hour. */
const RENEWED_AFTER_MS = 40 * 60_000

export async function keepBase(world: World, pool: Pool): Promise<void> {
  const { nowMs } = world.clock
  await renew(world, pool.operator)
  while (pool.games.length < GAMES_MIN) pool.games.push(await furnishedGame(world))
  for (const game of pool.games) {
    if (!isDue(game.server, nowMs) && !isDue(game.client, nowMs)) continue
    await renewKey(world, game, 'server')
    await renewKey(world, game, 'client')
  }
}

const isDue = ({ token, sinceMs }: Access, nowMs: number): boolean =>
  token === null || nowMs - sinceMs > RENEWED_AFTER_MS

/** Returns false if the key cannot sign in. */
async function renew(world: World, access: Access): Promise<boolean> {
  const { nowMs } = world.clock
  if (!isDue(access, nowMs)) return true
  if (access.signer === null) return false
  const answer = await handshake(world, access.signer)
  if (answer.status !== 200) return false
  access.token = answer.body.token
  access.sinceMs = nowMs
  return true
}

/** A key that was revoked or lost its permissions is replaced. */
async function renewKey(world: World, game: KnownGame, kind: 'server' | 'client'): Promise<void> {
  const access = game[kind]
  if (await renew(world, access)) return
  const permissions =
    kind === 'client' ? clientDefaults(game.id) : [`gm:${game.id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for']
  const signer = await makeKey(world, madeGame(game), { kind, permissions })
  game.keys.push(signer)
  access.signer = signer
  await renew(world, access)
}

const madeGame = ({ id, server }: KnownGame): MadeGame => ({
  id,
  server: server.signer ?? { prefix: '', sign: () => '' },
  token: server.token ?? '',
})

/** A game with a leaderboard, a bucket whose rules admit anyone, rooms, and a guest. */
async function furnishedGame(world: World): Promise<KnownGame> {
  const made = await makeGame(world, 'Base')
  const game = knownGame(made.id, 'Base', made.server)
  game.leaderboards.push(await makeBoard(world, made), await makeBoard(world, made, { unique: false }))
  knownBucket(game, await makeBucket(world, made))
  const rooms = { token: made.token, body: { realtime: { enabled: true, require_player: false } } }
  must(await world.call('PUT', `/api/gm/${made.id}/`, rooms), 200)
  await renewKey(world, game, 'client')
  const guest = await signInGuest(world, made, game.client.token ?? '')
  Object.assign(knownPlayer(game, guest.id), guest)
  return game
}
