// Calls every endpoint, with valid and invalid input, with a marker in every value that may hold a secret, a name
// or other data of a caller.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { ProcessWorld } from '../crash/process-world.ts'
import type { Sent } from '../front-door/http-client.ts'
import { mailedCode } from '../front-door/mails.ts'
import { must } from '../front-door/world.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type SampleGame, TABLE } from '../security/samples.ts'
import { pause } from '../until.ts'

export const PERSON = 'Qzxperson'
export const EXTERNAL = 'qzxexternal'
export const FORGOTTEN = 'Qzxforgotten'
export const HEADER = 'qzxheader'
export const QUERY = 'qzxquery'
export const BODY = 'qzxbody'
export const LOGIN = 'qzxlogin'
export const PASSWORD = 'qzxpassword-one'
export const ADDRESS = 'qzxaddress@example.com'
const BAD_TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.qzxpayload.qzxsignature'

/** What must not leak, by kind. */
export type Secrets = Map<string, string>

/** Values that no call needs, and that must not be recorded. */
const EXTRA = {
  'x-forwarded-for': `${HEADER}-1`,
  'x-custom-secret': `${HEADER}-2`,
  cookie: `session=${HEADER}-3`,
  'user-agent': `${HEADER}-4`,
}

/** Records every secret that an answer shows. */
export function noting(world: ProcessWorld, secrets: Secrets): ProcessWorld {
  return {
    ...world,
    operator: world.operator,
    call: async (method, path, sent) => {
      const answer = await world.call(method, path, { ...sent, headers: { ...EXTRA, ...sent?.headers } })
      note(secrets, `${method} ${path}`, answer.body)
      return answer
    },
  }
}

const SECRET_FIELDS = new Set(['secret', 'private_key', 'token', 'refresh_token', 'guest_token', 'ticket'])

function note(secrets: Secrets, where: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    // The secret of a token that begins with its owner’s id is what follows; of a bearer token, the signature.
    if (SECRET_FIELDS.has(name) && typeof field === 'string') {
      secrets.set(`${name} of ${where} (${secrets.size})`, field.split('.').at(-1) ?? '')
    } else note(secrets, where, field)
  }
}

export async function callEverything(world: ProcessWorld): Promise<void> {
  const sampleGame = await makeSampleGame(world, 'sample')
  await callPersonally(world, sampleGame)
  await signInByEveryMethod(world, sampleGame)
  for (const route of TABLE) {
    const sample = SAMPLES[nameOf(route)]
    if (sample === undefined) throw new Error(`there is no sample of ${nameOf(route)}`)
    const params = (await sample.params?.(sampleGame)) ?? {}
    const token = { token: sample.asPlayer ? sampleGame.guest.token : sampleGame.game.token }
    const sent: Sent = { ...(sample.sent === undefined ? token : {}), ...(await goodCall(sample, sampleGame)) }
    const path = pathOf(route, params)
    await callBadly(world, route.method, path, sent)
    await world.call(route.method, path, sent)
  }
  // Last, so that nothing overwrites what may be left.
  await callAndForget(world, sampleGame)
}

/** Logins, passwords, addresses and codes, right and wrong. */
async function signInByEveryMethod(world: ProcessWorld, { game, client, guest }: SampleGame): Promise<void> {
  const post = (path: string, body: object, token = client) =>
    world.call('POST', `/api/gm/${game.id}/player/${path}/`, { token, body })
  must(await post('register', { login: LOGIN, password: PASSWORD, email: ADDRESS }, guest.token), 200)
  await post('register', { login: LOGIN, password: PASSWORD, email: ADDRESS })
  must(await post('password', { login: LOGIN, password: PASSWORD }), 200)
  await post('password', { login: `${LOGIN}-unknown`, password: PASSWORD })
  await post('password', { login: LOGIN, password: `${PASSWORD}-wrong` })
  const code = await mailedCode(world, game.id, client, ADDRESS)
  await post('code/verify', { email: ADDRESS, code: code === '000000' ? '000001' : '000000' })
  must(await post('code/verify', { email: ADDRESS, code }), 200)
  await post('password', { login: LOGIN, password: PASSWORD })
  must(await post('register', { login: `${LOGIN}-2`, password: `${PASSWORD}-2` }), 201)
  const stranger = `2${ADDRESS}`
  must(await post('code/verify', { email: stranger, code: await mailedCode(world, game.id, client, stranger) }), 201)
}

/** Sends names in every field that takes one. */
async function callPersonally(world: ProcessWorld, { game, board, guest, client }: SampleGame): Promise<void> {
  const { token } = game
  const players = `/api/gm/${game.id}/players/`
  const fresh = { name: `${PERSON}-made`, external_id: EXTERNAL }
  const player = must(await world.call('POST', players, { token, body: fresh }), 201)
  await world.call('POST', players, { token, body: fresh })
  await world.call('PUT', `${players}${player.id}/`, { token, body: { name: `${PERSON}-renamed` } })
  await world.call('GET', `${players}?name=${PERSON}`, { token })
  const score = { score: '7', player: player.id, player_name: `${PERSON}-beside`, extra_data: { a: 1 } }
  must(await world.call('POST', `/api/lb/${board}/score/`, { token, body: score }), 201)
  await world.call('GET', `/api/lb/${board}/score/?player_name=${PERSON}`, { token })
  await world.call('PUT', `/api/gm/${game.id}/player/me/`, { token: guest.token, body: { name: `${PERSON}-me` } })
  const again = { guest_token: guest.guestToken }
  must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, { token: client, body: again }), 200)
}

/** Writes everything that a player can write, and then deletes the player. */
async function callAndForget(world: ProcessWorld, { game, board, client }: SampleGame): Promise<void> {
  const { token } = game
  const players = `/api/gm/${game.id}/players/`
  const fresh = { name: `${FORGOTTEN}-made`, external_id: `${FORGOTTEN}-id` }
  const made = must(await world.call('POST', players, { token, body: fresh }), 201)
  const guest = { token: client, body: { name: `${FORGOTTEN}-guest` } }
  const { player } = must(await world.call('POST', `/api/gm/${game.id}/player/guest/`, guest), 201)
  // Long enough that a row gets its own pages, which are free afterwards.
  const extra = { kept: FORGOTTEN.repeat(500) }
  for (const { id } of [made, player]) {
    for (const score of ['1', '2']) {
      const body = { score, player: id, player_name: `${FORGOTTEN}-beside`, extra_data: extra }
      expect((await world.call('POST', `/api/lb/${board}/score/`, { token, body })).status).to.be.oneOf([200, 201])
    }
    must(await world.call('PUT', `${players}${id}/`, { token, body: { name: `${FORGOTTEN}-renamed` } }), 200)
    expect(must(await world.call('GET', `${players}?name=${FORGOTTEN}-renamed`, { token }), 200).count).to.equal(1)
    // What is written within a second of the deletion need not reach the file at all.
    while (!bytesOf(world.dataDir, 'views.sqlite').includes(`${FORGOTTEN}-renamed`)) await pause(20)
    must(await world.call('DELETE', `${players}${id}/`, { token }), 200)
  }
}

/** The same call, spoiled in every way, with markers where a careless server would repeat them. */
async function callBadly(world: ProcessWorld, method: string, path: string, good: Sent): Promise<void> {
  const { token: _, ...anonymous } = good
  const spoiled: [path: string, sent: Sent][] = [
    [path, anonymous],
    [path, { ...good, token: BAD_TOKEN }],
    [`${path}?token=${QUERY}&name=${PERSON}`, good],
    [`${path}${PERSON}/`, good],
    [path, { ...good, raw: `{"name":"${PERSON}-cut`, body: undefined }],
    [path, { ...good, body: { name: `${PERSON}\u0000`, password: BODY, refresh_token: `x.${BODY}`, score: BODY } }],
    [path, { ...good, body: [BODY] }],
    [path, { ...good, headers: { ...good.headers, 'content-type': `text/${BODY}` } }],
    [path, { ...good, headers: { ...good.headers, 'x-consistency-token': QUERY, 'idempotency-key': `\t${HEADER}` } }],
  ]
  for (const [where, sent] of spoiled) await world.call(method, where, sent).catch(() => {})
  await world.call('PATCH', path, good)
}

/** Everything in the files of the data folder whose names begin so, as one text. */
export function bytesOf(dataDir: string, beginning: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith(beginning))
  if (files.length === 0) throw new Error(`there is no ${beginning}`)
  return files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('\n')
}
