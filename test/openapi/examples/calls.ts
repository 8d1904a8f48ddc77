// What the examples of the OpenAPI document send: bodies worth reading, where the sample of a route has none, and calls
// for the other statuses and problem codes of an operation.

import type { Body, Sent } from '../../front-door/http-client.ts'
import { mailedCode } from '../../front-door/mails.ts'
import { must } from '../../front-door/world.ts'
import type { SampleGame } from '../../security/samples.ts'

/** By operation id. */
export const BODIES: Readonly<Record<string, Body>> = {
  createGame: { name: 'Sky Quest' },
  updateGame: { cors_origins: ['https://play.example.com'], sign_in: { code: true } },
  setGameLimits: { recorded_bytes_per_day: 1_073_741_824, mails_per_quarter_hour: 500 },
  getOperatorToken: { permissions: ['lb:*:scores'] },
  issueOperatorKey: { name: 'Second operator', algorithm: 'hmac-sha256' },
  issueKey: { name: 'Game client', kind: 'client', algorithm: 'ed25519' },
  updateKey: { permissions: ['lb:*:scores', 'lb:*:submit'] },
  createLeaderboard: { name: 'High scores', ordering: 'desc', unique: true, max_score: '1000000', key: 'high-scores' },
  updateLeaderboard: { description: 'The best of all time.' },
  previewRules: { max_score: '1000' },
  submitScore: { score: '1250.5', extra_data: { level: 7 } },
  createPlayer: { name: 'Grace', external_id: 'account-1906' },
  renamePlayer: { name: 'Ada L.' },
  renameMe: { name: 'Linus T.' },
  banPlayer: { reason: 'Changed the game’s files', until: '2099-01-01T00:00:00Z' },
  signInAsGuest: { name: 'Mary' },
  register: { login: 'katherine', password: 'correct horse battery', name: 'Katherine' },
  mailCode: { email: 'ada@example.com' },
  createBucket: { name: 'Replays', max_file_bytes: 1_048_576 },
  updateBucket: { max_files: 9_999 },
  createFolder: { path: '/replays/' },
  signOut: { everywhere: true },
  startViewsRebuild: { views: ['entries'] },
  startUpload: { path: '/replay-1.bin', size: 7, content_type: 'application/octet-stream' },
}

/** Calls whose query is worth reading. */
export const QUERIES: Readonly<Record<string, string>> = {
  listScores: 'limit=3&order=best',
  listPlayers: 'limit=2',
  listEvents: 'limit=1&type=ScoreSubmitted',
}

export interface ExtraCall {
  /** The operation whose answer it is, with this status. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly sent: Sent
}

/** Calls that have another success status than the sample of their operation. */
export async function extraCalls(sampleGame: SampleGame): Promise<ExtraCall[]> {
  const { world, game, board, client, guest } = sampleGame
  const submit = `/api/lb/${board}/score/`
  const signIn = `/api/gm/${game.id}/player/`
  const first = must(await world.call('POST', submit, { token: guest.token, body: { score: '10' } }), 201)
  const email = 'ada@example.com'
  const byCode = async () => ({ email, code: await mailedCode(world, game.id, client, email) })
  must(await world.call('POST', `${signIn}code/verify/`, { token: client, body: await byCode() }), 201)
  const post = (operation: string, path: string, token: string, body: Body): ExtraCall => {
    return { operation, method: 'POST', path, sent: { token, body } }
  }
  return [
    post('submitScore', submit, guest.token, { score: first.score }),
    post('signInAsGuest', `${signIn}guest/`, client, { guest_token: guest.guestToken }),
    post('register', `${signIn}register/`, guest.token, { login: 'linus', password: 'correct horse battery' }),
    post('signInByCode', `${signIn}code/verify/`, client, await byCode()),
    { operation: 'updateLeaderboard', method: 'PUT', path: `/api/lb/${board}/`, sent: put(game.token) },
  ]
}

const put = (token: string): Sent => ({ token, body: { max_score: '1000000' } })

/** Calls that are refused, each with another problem code. */
export async function refusedCalls({ world, game, board, client, guest, key, player }: SampleGame) {
  const { token } = game
  const submit = `/api/lb/${board}/score/`
  const unknown = 'aaaaaaaaaaaaaaaaaaaaaaaa'
  const post = (path: string, sent: Sent) => world.call('POST', path, sent)
  const get = (path: string, sent: Sent = { token }) => world.call('GET', path, sent)
  const keyed = { token, headers: { 'idempotency-key': 'a-used-key' } }
  await post(submit, { ...keyed, body: { player, score: '1' } })
  const challenge = async () => (await post('/api/auth/jwt/challenge/', { headers: { 'x-api-key': key.prefix } })).body
  const redeem = async (unixTs: number) => {
    const body = { request_id: (await challenge()).request_id, challenge: 'A'.repeat(43), unix_ts: unixTs }
    return post('/api/auth/jwt/redeem/', { headers: { 'x-api-key': key.prefix }, body })
  }
  const now = Math.floor(world.clock.nowMs / 1_000)
  must(await world.call('PUT', `/api/lb/${board}/`, { token, body: { key: 'weekly' } }), 200)
  return [
    await post(submit, { token: guest.token, body: { score: 1250.5 } }),
    await get(`/api/gm/${game.id}/`, {}),
    await get(`/api/gm/${game.id}/`, { token: 'x' }),
    await get(`/api/gm/${game.id}/`, { token: client }),
    await post('/api/gm/', { token, body: { name: 'Another' } }),
    await get('/api/nothing/'),
    await get(`/api/gm/${unknown}/`),
    await get(`/api/lb/${unknown}/`),
    await get(`/api/score/${unknown}/`),
    await get(`/api/gm/${game.id}/players/${unknown}/`),
    await get(`/api/bkt/${unknown}/`),
    await world.call('DELETE', `/api/gm/${game.id}/keys/sk_${unknown}/`, { token }),
    await world.call('DELETE', submit, { token }),
    await post('/api/auth/jwt/challenge/', {}),
    await redeem(now),
    await redeem(now - 3_600),
    await post(submit, { ...keyed, body: { player, score: '2' } }),
    await world.call('PUT', `/api/lb/${board}/`, { token, body: { name: 'X' }, headers: { 'if-match': '"old"' } }),
    await post(submit, { token, raw: 'score=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    await post(submit, { token, raw: `"${'x'.repeat(70_000)}"` }),
    await get(`${submit}?around=${player}&page=2`),
    await post(submit, { token, body: { score: '1' } }),
    await post(submit, { token, body: { score: '1', player: unknown } }),
    await post(`/api/gm/${game.id}/player/password/`, { token: client, body: { login: 'nobody', password: 'wrong' } }),
    await get(`/api/lb/${board}/rebuild/`),
    await post(`/api/gm/${game.id}/lb/`, { token, body: { name: 'This week', ordering: 'desc', key: 'weekly' } }),
  ]
}
