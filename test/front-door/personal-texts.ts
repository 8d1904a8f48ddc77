// Players who leave every kind of text that a player can leave, all with a marker.

import { randomUUID } from 'node:crypto'
import {
  clientToken,
  type Guest,
  type MadeGame,
  makeBoard,
  makeBucket,
  makeFile,
  makeGame,
  signInGuest,
} from './game-fixtures.ts'
import { mailedCode } from './mails.ts'
import { must, type World } from './world.ts'

export interface TextFixture {
  readonly world: World
  readonly game: MadeGame
  readonly client: string
  readonly board: string
  readonly bucket: string
}

export async function makeTextFixture(world: World): Promise<TextFixture> {
  const game = await makeGame(world)
  const client = await clientToken(world, game)
  const board = await makeBoard(world, game, { unique: false })
  return { world, game, client, board, bucket: await makeBucket(world, game) }
}

/** Creates a guest, a player of the tenant and a registered player; returns their ids. */
export async function writeEverything(fixture: TextFixture, marker: string): Promise<string[]> {
  const { world, game, client, board } = fixture
  const guest = await signInGuest(world, game, client, `${marker}-guest`)
  const renamed = { token: guest.token, body: { name: `${marker}-me` } }
  must(await world.call('PUT', `/api/gm/${game.id}/player/me/`, renamed), 200)
  await submit(fixture, guest, marker)
  await makeFiles(fixture, guest, marker)
  const { token } = game
  const body = { name: `${marker}-made`, external_id: `${marker}-id` }
  const { id } = must(await world.call('POST', `/api/gm/${game.id}/players/`, { token, body }), 201)
  const extra = { note: `${marker}-extra-of-tenant` }
  const sent = { score: '5', player: id, player_name: `${marker}-beside`, extra_data: extra }
  must(await world.call('POST', `/api/lb/${board}/score/`, { token, body: sent }), 201)
  return [guest.id, id, await register(fixture, marker)]
}

async function submit({ world, board }: TextFixture, { token }: Guest, marker: string): Promise<void> {
  // Some are so long that they get their own pages, which are free afterwards.
  for (const length of [1, 40, 700]) {
    const extra = { note: `${marker}-extra`, more: marker.repeat(length) }
    const body = { score: String(length), player_name: `${marker}-beside`, extra_data: extra }
    const headers = { 'idempotency-key': `${marker}-score-${length}-${randomUUID()}` }
    must(await world.call('POST', `/api/lb/${board}/score/`, { token, body, headers }), 201)
  }
}

/** Files and folders of a guest, and a file of the tenant in one of the folders. */
async function makeFiles({ world, game, bucket }: TextFixture, { id, token }: Guest, marker: string): Promise<void> {
  const own = { ...game, token }
  for (const path of [`/${marker}-folder/`, `/${marker}-folder/${marker}-inside/`, `/shared-${id}/`]) {
    must(await world.call('POST', `/api/bkt/${bucket}/dir/`, { token, body: { path } }), 201)
  }
  for (const path of [`/${marker}-file`, `/${marker}-folder/${marker}-inside/file`, `/shared-${id}/${marker}-file`]) {
    await makeFile(world, own, bucket, path, { text: 'bytes', type: `text/x-${marker}` })
  }
  const again = { text: 'other bytes', type: `text/plain; note="${marker} again"` }
  await makeFile(world, own, bucket, `/${marker}-file`, again)
  const upload = { path: `/${marker}-never-completed`, size: 1, content_type: `image/${marker}` }
  must(await world.call('POST', `/api/bkt/${bucket}/upload/`, { token, body: upload }), 201)
  await makeFile(world, game, bucket, `/shared-${id}/of-the-tenant`)
}

/** Registers with login, password and address, and confirms the address by a mailed code; returns the id. */
async function register({ world, game, client }: TextFixture, marker: string): Promise<string> {
  const email = `${marker}@example.com`.toLowerCase()
  const body = { login: `${marker}-login`, password: `${marker}-password`, email, name: `${marker}-registered` }
  const at = `/api/gm/${game.id}/player/`
  const headers = { 'idempotency-key': `${marker}-register-${randomUUID()}` }
  const made = must(await world.call('POST', `${at}register/`, { token: client, body, headers }), 201)
  const code = await mailedCode(world, game.id, made.token, email)
  must(await world.call('POST', `${at}code/verify/`, { token: made.token, body: { email, code } }), 200)
  // Changes nothing, and its answer is recorded.
  const same = { token: made.token, body: { name: body.name }, headers: { 'idempotency-key': `${marker}-same` } }
  must(await world.call('PUT', `${at}me/`, same), 200)
  return made.player.id
}
