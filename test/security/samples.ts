// One valid call for every route of the table, built new for each use, so that it succeeds for a caller who may make
// it. A route without a sample fails the tests that go through the table.

import { randomUUID } from 'node:crypto'
import type { Route } from '../../http/route.ts'
import { allRoutes } from '../../http/routes/all.ts'
import {
  clientToken,
  EVERYTHING_OPEN,
  type Guest,
  type MadeGame,
  makeBoard,
  makeBucket,
  makeFile,
  makeGame,
  makeKey,
  makePlayer,
  sendUpload,
  signInGuest,
} from '../front-door/game-fixtures.ts'
import type { Body, Sent } from '../front-door/http-client.ts'
import { mailedCode } from '../front-door/mails.ts'
import { must, requestChallenge, type Signer, signed, tokenOf, type World } from '../front-door/world.ts'
import { eventually } from '../until.ts'

/** The table itself; its handlers are not called. */
export const TABLE: readonly Route[] = allRoutes(Object.create(null), { version: '0', url: 'http://127.0.0.1' })

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** One game with at least one of everything; all its names contain `marker`. */
export interface SampleGame {
  readonly world: World
  readonly game: MadeGame
  readonly marker: string
  readonly board: string
  readonly bucket: string
  readonly player: string
  readonly score: string
  readonly key: Signer
  readonly client: string
  readonly guest: Guest
}

export async function makeSampleGame(world: World, marker: string): Promise<SampleGame> {
  const game = await makeGame(world, `${marker} game`)
  const board = await makeBoard(world, game, { name: `${marker} board` })
  const player = await makePlayer(world, game, `${marker} player`)
  const client = await clientToken(world, game)
  const guest = await signInGuest(world, game, client, `${marker} guest`)
  const key = await makeKey(world, game)
  const bucket = await makeBucket(world, game, `${marker} bucket`)
  const rooms = { token: game.token, body: { realtime: { enabled: true } } }
  must(await world.call('PUT', `/api/gm/${game.id}/`, rooms), 200)
  const sampleGame = { world, game, marker, board, bucket, player, client, guest, key }
  return { ...sampleGame, score: await makeScore(sampleGame) }
}

async function makeScore({ world, game, board, marker }: Omit<SampleGame, 'score'>): Promise<string> {
  const player = await makePlayer(world, game, `${marker} scorer`)
  const body = { score: '5', player, extra_data: marker }
  const made: Body = must(await world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body }), 201)
  return made.id
}

export interface Sample {
  /** The status of the valid call. */
  readonly ok: number
  /** For an open route: what it needs instead of a token. */
  readonly sent?: (sampleGame: SampleGame) => Promise<Sent>
  /** The parts of the path, and the query as `?`; for a removal, creates what it removes. */
  readonly params?: (sampleGame: SampleGame) => Promise<Readonly<Record<string, string>>>
  readonly body?: unknown
  /** A body that is valid once. */
  readonly make?: (sampleGame: SampleGame) => Promise<Body>
  /** The status of the valid call by a player, if it differs. */
  readonly okAsPlayer?: number
  /** 422 `player_required` without a player in the token. */
  readonly asPlayer?: boolean
  /** 404 with a player in the token, as it belongs to somebody else. */
  readonly asNobody?: boolean
}

const fresh = (what: string): string => `${what}-${randomUUID()}`

const game = async (sampleGame: SampleGame) => ({ game: sampleGame.game.id })
const doomedPlayer = async ({ world, game, marker }: SampleGame) => ({
  game: game.id,
  player: await makePlayer(world, game, `${marker} doomed`),
})
const ownPlayer = async (sampleGame: SampleGame) => ({ game: sampleGame.game.id, player: sampleGame.player })
const guestsGame = async ({ game, guest }: SampleGame) => ({ game: game.id, player: guest.id })
const freshGame = async ({ world }: SampleGame) => ({ game: (await makeGame(world, 'doomed')).id })
const board = async (sampleGame: SampleGame) => ({ leaderboard: sampleGame.board })
const boardAndPlayer = async (sampleGame: SampleGame) => ({
  leaderboard: sampleGame.board,
  '?': `player=${sampleGame.player}`,
})
const freshBoard = async ({ world, game, marker }: SampleGame) => ({
  leaderboard: await makeBoard(world, game, { name: `${marker} board` }),
})
const rebuiltBoard = async (sampleGame: SampleGame) => {
  const params = await freshBoard(sampleGame)
  const { world, game } = sampleGame
  must(await world.call('POST', `/api/lb/${params.leaderboard}/rebuild/`, { token: game.token }), 202)
  return params
}
const nothingBuilt = async ({ world }: SampleGame) => {
  must(await world.call('DELETE', '/api/sys/rebuild/', { token: await tokenOf(world, world.operator) }), 200)
  return {}
}
const restorableBuild = async (sampleGame: SampleGame) => {
  const { world } = sampleGame
  const token = await tokenOf(world, world.operator)
  const rebuildState = async () => must(await world.call('GET', '/api/sys/rebuild/', { token }), 200) as Body
  if ((await rebuildState()).state === 'idle' && (await rebuildState()).way_back !== null) return {}
  await nothingBuilt(sampleGame)
  must(await world.call('POST', '/api/sys/rebuild/', { token, body: { views: ['origins'] } }), 202)
  await eventually(async () => (await rebuildState()).state === 'idle')
  return {}
}
const bucket = async (sampleGame: SampleGame) => ({ bucket: sampleGame.bucket })
const inRoot = async (sampleGame: SampleGame) => ({ bucket: sampleGame.bucket, '?': 'path=/' })
const freshBucket = async ({ world, game, marker }: SampleGame) => ({
  bucket: await makeBucket(world, game, `${marker} doomed`),
})
let names = 0
const freshFile = async ({ world, game, bucket, marker }: SampleGame) => {
  const path = `/${marker}-${names++}`
  await makeFile(world, game, bucket, path)
  return { bucket, '?': `path=${path}` }
}
const freshFolder = async ({ world, game, bucket, marker }: SampleGame) => {
  const path = `/${marker}-${names++}/`
  must(await world.call('POST', `/api/bkt/${bucket}/dir/`, { token: game.token, body: { path } }), 201)
  return { bucket, '?': `path=${path}` }
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  'POST /api/auth/jwt/challenge/': { ok: 200, sent: async ({ key }) => ({ headers: { 'x-api-key': key.prefix } }) },
  'POST /api/auth/jwt/redeem/': {
    ok: 200,
    sent: async ({ world, key }) => {
      const { body } = await requestChallenge(world, key.prefix)
      return { headers: { 'x-api-key': key.prefix }, body: signed(world, key, body) }
    },
  },
  'POST /api/gm/': { ok: 201, body: { name: 'Made' } },
  'GET /api/gm/': { ok: 200 },
  'GET /api/gm/:game/': { ok: 200, params: game },
  'DELETE /api/gm/:game/': { ok: 202, params: freshGame, make: async () => ({ name: 'doomed' }) },
  'PUT /api/gm/:game/': { ok: 200, params: game, body: { sign_in: { code: true } } },
  'GET /api/gm/:game/limits/': { ok: 200, params: game },
  'PUT /api/gm/:game/limits/': { ok: 200, params: game, body: { recorded_bytes_per_day: null } },
  'POST /api/gm/:game/keys/': {
    ok: 201,
    params: game,
    body: { name: 'Made', kind: 'client', algorithm: 'hmac-sha256', permissions: [] },
  },
  'GET /api/gm/:game/keys/': { ok: 200, params: game },
  'PUT /api/gm/:game/keys/:prefix/': {
    ok: 200,
    params: async (sampleGame) => ({
      game: sampleGame.game.id,
      prefix: (await makeKey(sampleGame.world, sampleGame.game)).prefix,
    }),
    body: { permissions: ['lb:*:*'] },
  },
  'DELETE /api/gm/:game/keys/:prefix/': {
    ok: 200,
    params: async (sampleGame) => ({
      game: sampleGame.game.id,
      prefix: (await makeKey(sampleGame.world, sampleGame.game)).prefix,
    }),
  },
  'POST /api/gm/:game/token/': { ok: 200, params: game },
  'POST /api/sys/keys/': { ok: 201, body: { name: 'Made', algorithm: 'hmac-sha256' } },
  'GET /api/sys/keys/': { ok: 200 },
  'DELETE /api/sys/keys/:prefix/': {
    ok: 200,
    params: async ({ world }) => {
      const body = { name: 'doomed', algorithm: 'hmac-sha256' }
      const token = await tokenOf(world, world.operator)
      return { prefix: must(await world.call('POST', '/api/sys/keys/', { token, body }), 201).prefix }
    },
  },
  'POST /api/gm/:game/lb/': { ok: 201, params: game, body: { name: 'Made', ordering: 'desc' } },
  'GET /api/gm/:game/lb/': { ok: 200, params: game },
  'GET /api/lb/:leaderboard/': { ok: 200, params: board },
  'GET /api/lb/:leaderboard/seasons/': {
    ok: 200,
    params: async (sampleGame) => ({
      leaderboard: await makeBoard(sampleGame.world, sampleGame.game, {
        name: `${sampleGame.marker} weekly`,
        seasons: { cron: 'weekly', time_zone: 'Europe/Berlin' },
      }),
    }),
  },
  'PUT /api/lb/:leaderboard/': { ok: 200, params: board, body: { description: 'Changed' } },
  'POST /api/lb/:leaderboard/preview/': { ok: 200, params: board, body: { ordering: 'asc' } },
  'GET /api/lb/:leaderboard/rebuild/': { ok: 200, params: rebuiltBoard },
  'POST /api/lb/:leaderboard/rebuild/': { ok: 202, params: freshBoard },
  'DELETE /api/lb/:leaderboard/rebuild/': { ok: 200, params: rebuiltBoard },
  'GET /api/lb/:leaderboard/history/': { ok: 200, params: boardAndPlayer },
  'DELETE /api/lb/:leaderboard/': {
    ok: 200,
    params: async (sampleGame) => ({
      leaderboard: await makeBoard(sampleGame.world, sampleGame.game, { name: `${sampleGame.marker} doomed` }),
    }),
  },
  'GET /api/lb/:leaderboard/score/': { ok: 200, params: board },
  'POST /api/lb/:leaderboard/score/': {
    ok: 201,
    params: async (sampleGame) => ({
      leaderboard: await makeBoard(sampleGame.world, sampleGame.game, {
        name: `${sampleGame.marker} fresh`,
        unique: false,
      }),
    }),
    body: { score: '1' },
    asPlayer: true,
  },
  'POST /api/gm/:game/scores/': {
    ok: 200,
    params: game,
    make: async ({ board, player }) => ({ submissions: [{ leaderboard: board, player, score: '1250.5' }] }),
  },
  'GET /api/score/:score/': { ok: 200, params: async (sampleGame) => ({ score: sampleGame.score }) },
  'DELETE /api/score/:score/': { ok: 200, params: async (sampleGame) => ({ score: await makeScore(sampleGame) }) },
  'GET /api/gm/:game/players/': { ok: 200, params: game },
  'POST /api/gm/:game/players/': { ok: 201, params: game, body: { name: 'Made' } },
  'GET /api/gm/:game/players/:player/export/': {
    ok: 200,
    params: async (sampleGame) => ({ game: sampleGame.game.id, player: sampleGame.player }),
  },
  'GET /api/gm/:game/players/:player/': {
    ok: 200,
    params: async (sampleGame) => ({ game: sampleGame.game.id, player: sampleGame.player }),
  },
  'PUT /api/gm/:game/players/:player/': {
    ok: 200,
    params: async (sampleGame) => ({ game: sampleGame.game.id, player: sampleGame.player }),
    body: { name: 'Renamed' },
  },
  'DELETE /api/gm/:game/players/:player/': { ok: 200, params: doomedPlayer },
  'POST /api/gm/:game/players/:player/ban/': { ok: 200, params: doomedPlayer, body: { reason: 'unfair' } },
  'POST /api/gm/:game/players/:player/unban/': { ok: 200, params: doomedPlayer },
  'POST /api/gm/:game/players/:player/signout/': { ok: 200, params: doomedPlayer },
  'POST /api/gm/:game/player/guest/': { ok: 201, params: game, body: { name: 'Made' } },
  'POST /api/gm/:game/player/refresh/': {
    ok: 200,
    params: game,
    sent: async ({ guest }) => ({ body: { refresh_token: guest.refreshToken } }),
  },
  'POST /api/gm/:game/player/signout/': { ok: 200, params: game, asPlayer: true },
  'GET /api/gm/:game/player/me/': { ok: 200, params: game, asPlayer: true },
  'PUT /api/gm/:game/player/me/': { ok: 200, params: game, body: { name: 'Myself' }, asPlayer: true },
  'POST /api/gm/:game/player/register/': {
    ok: 201,
    params: game,
    make: async () => ({ login: fresh('login'), password: 'a password of a sample' }),
    okAsPlayer: 200,
  },
  'POST /api/gm/:game/player/password/': {
    ok: 200,
    params: game,
    make: async ({ world, game: { id }, client }) => {
      const body = { login: fresh('login'), password: 'a password of a sample' }
      must(await world.call('POST', `/api/gm/${id}/player/register/`, { token: client, body }), 201)
      return body
    },
  },
  'POST /api/gm/:game/player/code/': {
    ok: 202,
    params: game,
    make: async () => ({ email: `${fresh('a')}@example.com` }),
  },
  'POST /api/gm/:game/player/code/verify/': {
    ok: 201,
    params: game,
    make: async ({ world, game: { id }, client }) => {
      const email = `${fresh('a')}@example.com`
      return { email, code: await mailedCode(world, id, client, email) }
    },
  },
  'POST /api/gm/:game/player/ticket/': { ok: 201, params: game, make: async ({ player }) => ({ player }) },
  'POST /api/gm/:game/player/ticket/redeem/': {
    ok: 200,
    params: game,
    make: async ({ world, game: { id, token }, player }) => {
      const made = await world.call('POST', `/api/gm/${id}/player/ticket/`, { token, body: { player } })
      return { ticket: must(made, 201).ticket }
    },
  },
  'GET /api/gm/:game/buckets/': { ok: 200, params: game },
  'POST /api/gm/:game/buckets/': { ok: 201, params: game, body: { name: 'Made' } },
  'GET /api/bkt/:bucket/': { ok: 200, params: bucket },
  'PUT /api/bkt/:bucket/': { ok: 200, params: bucket, body: { max_files: 9_999 } },
  'DELETE /api/bkt/:bucket/': { ok: 200, params: freshBucket },
  'GET /api/bkt/:bucket/ls/': { ok: 200, params: inRoot },
  'POST /api/bkt/:bucket/dir/': { ok: 201, params: freshBucket, body: { path: '/made/' } },
  'DELETE /api/bkt/:bucket/dir/': { ok: 200, params: freshFolder },
  'GET /api/bkt/:bucket/dir/rules/': { ok: 200, params: inRoot },
  'PUT /api/bkt/:bucket/dir/rules/': {
    ok: 200,
    params: bucket,
    body: { path: '/', rules: EVERYTHING_OPEN, child_rules: null },
  },
  'POST /api/bkt/:bucket/upload/': { ok: 201, params: bucket, body: { path: '/made', size: 1 } },
  'POST /api/bkt/:bucket/upload/:upload/complete/': {
    ok: 200,
    params: async ({ world, game, bucket }) => ({
      bucket,
      upload: await sendUpload(world, game, bucket, `/upload-${names++}`),
    }),
    asNobody: true,
  },
  'GET /api/bkt/:bucket/file/': { ok: 200, params: freshFile },
  'GET /api/bkt/:bucket/download/': { ok: 200, params: freshFile },
  'DELETE /api/bkt/:bucket/file/': { ok: 200, params: freshFile },
  'GET /api/bkt/:bucket/explain/': { ok: 200, params: inRoot },
  'GET /api/gm/:game/events/': { ok: 200, params: game },
  'GET /api/gm/:game/overview/': { ok: 200, params: game },
  'GET /api/score/:score/why/': { ok: 200, params: async (sampleGame) => ({ score: sampleGame.score }) },
  'GET /api/sys/verify/': { ok: 200 },
  'GET /api/sys/rebuild/': { ok: 200 },
  'POST /api/sys/rebuild/': { ok: 202, params: nothingBuilt },
  'DELETE /api/sys/rebuild/': { ok: 200 },
  'POST /api/sys/rebuild/back/': { ok: 200, params: restorableBuild },
  'DELETE /api/sys/rebuild/back/': { ok: 200 },
  'GET /api/sys/events/': { ok: 200 },
  'GET /api/sys/backup/': { ok: 200 },
  'GET /api/openapi.json': { ok: 200, sent: async () => ({}) },
  'GET /api/asyncapi.json': { ok: 200, sent: async () => ({}) },
  'GET /api/schemas/events/': { ok: 200, sent: async () => ({}) },
  'GET /api/schemas/events/:event.json': {
    ok: 200,
    sent: async () => ({}),
    params: async () => ({ event: 'ScoreSubmitted' }),
  },
  'GET /api/gm/:game/players/:player/sessions/': { ok: 200, params: guestsGame },
  'GET /api/gm/:game/players/:player/entries/': { ok: 200, params: ownPlayer },
  'GET /api/gm/:game/rooms/': { ok: 200, params: game },
  'POST /api/gm/:game/rt/listen/': { ok: 201, params: game },
  'GET /api/sys/status/': { ok: 200 },
  'POST /api/console/link/': { ok: 201 },
  'POST /api/console/redeem/': {
    ok: 200,
    sent: async ({ world, game: { token } }) => ({
      body: { code: must(await world.call('POST', '/api/console/link/', { token }), 201).code },
    }),
  },
  'POST /api/gm/:game/rt/ticket/': { ok: 201, params: game, asPlayer: true },
}

/** The path of a route with its parts filled in. */
export function pathOf(route: Pick<Route, 'path'>, params: Readonly<Record<string, string>>): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  return params['?'] === undefined ? path : `${path}?${params['?']}`
}

/** What the valid call sends, except the token. */
export async function goodCall(sample: Sample, sampleGame: SampleGame): Promise<Sent> {
  if (sample.sent !== undefined) return sample.sent(sampleGame)
  if (sample.make !== undefined) return { body: await sample.make(sampleGame) }
  return sample.body === undefined ? {} : { body: sample.body }
}
