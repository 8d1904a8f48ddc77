// A game with at least one of everything, whose texts all contain a marker; and how it is deleted.

import { SERVERS_SETTLE_MS } from '../../server/node/deletion.ts'
import { pause } from '../until.ts'
import { clientToken, EVERYTHING_OPEN, type MadeGame, makeGame, sendUpload, signInGuest } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { mailedCode } from './mails.ts'
import { must, tokenOf, type World } from './world.ts'

export interface GameToDelete {
  readonly game: MadeGame
  readonly name: string
  readonly client: string
  readonly board: string
  readonly bucket: string
  readonly score: string
  /** A player's token, refresh token and id. */
  readonly player: { readonly id: string; readonly token: string; readonly refresh: string }
}

/** `marker`: letters only. */
export async function makeGameToDelete(world: World, marker: string): Promise<GameToDelete> {
  const name = `${marker} game`
  const game = await makeGame(world, name)
  const { token } = game
  const at = `/api/gm/${game.id}/`
  const call = async (method: string, path: string, body: unknown, status: number, by = token): Promise<Body> =>
    must(await world.call(method, path, { token: by, body }), status)
  const fixed = { id: 'lobby', name: `${marker} lobby`, max_members: 8, listed: true }
  const origin = `https://${marker}.example.com`.toLowerCase()
  await call('PUT', at, { cors_origins: [origin], realtime: { enabled: true }, fixed_rooms: [fixed] }, 200)
  const client = await clientToken(world, game)
  const registration = {
    login: `${marker}-login`,
    password: 'a long password',
    email: `${marker}@example.com`,
    name: `${marker} one`,
  }
  const registered = await call('POST', `${at}player/register/`, registration, 201, client)
  const guest = await signInGuest(world, game, client, `${marker} guest`)
  await call('POST', `${at}players/`, { name: `${marker} known`, external_id: `${marker}-external` }, 201)
  const email = `${marker}.code@example.com`.toLowerCase()
  const code = await mailedCode(world, game.id, client, email)
  await call('POST', `${at}player/code/verify/`, { email, code }, 201, client)
  const board: string = (await call('POST', `${at}lb/`, { name: `${marker} board`, ordering: 'desc' }, 201)).id
  const all: string = (await call('POST', `${at}lb/`, { name: `${marker} all`, ordering: 'asc', unique: false }, 201))
    .id
  const sent = { score: '7.5', extra_data: { note: `${marker} extra` }, player_name: `${marker} stage` }
  const score: string = (await call('POST', `/api/lb/${board}/score/`, sent, 201, guest.token)).id
  for (let n = 0; n < 40; n++) await call('POST', `/api/lb/${all}/score/`, { ...sent, score: `${n}` }, 201, guest.token)
  await call('POST', `${at}players/${registered.player.id}/ban/`, { reason: `${marker} reason` }, 200)
  await call('POST', `/api/lb/${board}/score/`, { score: '9', player: registered.player.id }, 403).catch(() => {})
  await call('POST', `${at}players/${registered.player.id}/unban/`, {}, 200)
  await call('POST', `/api/lb/${board}/score/`, sent, 201, registered.token)
  const bucket: string = (await call('POST', `${at}buckets/`, { name: `${marker} bucket` }, 201)).id
  await call('PUT', `/api/bkt/${bucket}/dir/rules/`, { path: '/', rules: EVERYTHING_OPEN, child_rules: null }, 200)
  await call('POST', `/api/bkt/${bucket}/dir/`, { path: `/${marker}-folder/` }, 201, guest.token)
  for (const end of ['kept', 'gone']) await uploaded(world, game, bucket, `/${marker}-folder/${marker}-${end}`, marker)
  must(await world.call('DELETE', `/api/bkt/${bucket}/file/?path=/${marker}-folder/${marker}-gone`, { token }), 200)
  await call('POST', `/api/bkt/${bucket}/upload/`, { path: `/${marker}-open`, size: 3 }, 201, guest.token)
  const player = { id: guest.id, token: guest.token, refresh: guest.refreshToken }
  return { game, name, client, board, bucket, score, player }
}

async function uploaded(world: World, game: MadeGame, bucket: string, path: string, content: string): Promise<void> {
  const upload = await sendUpload(world, game, bucket, path, `${content} bytes`)
  must(await world.call('POST', `/api/bkt/${bucket}/upload/${upload}/complete/`, { token: game.token }), 200)
}

export async function deleteGame(world: World, game: string, name: string, headers = {}) {
  const token = await tokenOf(world, world.operator)
  return world.call('DELETE', `/api/gm/${game}/`, { token, body: { name }, headers })
}

/**
 * Sets the clock past the time in which every node learns of the deletion. A server process uses the machine’s clock.
 */
export function eraseNow(world: World): void {
  if (!('pid' in world)) world.clock.nowMs += SERVERS_SETTLE_MS
}

/** Calls `eraseNow`, and waits until everything is removed. */
export async function untilErased(world: World, game: string): Promise<void> {
  const token = await tokenOf(world, world.operator)
  eraseNow(world)
  for (;;) {
    const { text } = await world.call('GET', '/api/sys/events/', { token })
    const lines = text.split('\n').filter((line) => line.includes('"GameErased"'))
    if (lines.some((line) => line.includes(game))) return
    await pause(20)
  }
}
