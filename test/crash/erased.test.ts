// A player is deleted: within seconds, while the server runs and others read, nothing that they wrote is in any byte of the data
// folder; nor anything that an older version recorded in clear.

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { personalTexts } from '../../domain/personal.ts'
import { mailedCode } from '../front-door/mails.ts'
import {
  clientToken,
  type Guest,
  type MadeGame,
  makeBoard,
  makeBucket,
  makeFile,
  makeGame,
  signInGuest,
} from '../front-door/scenery.ts'
import { must } from '../front-door/world.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { withStores } from './stores-of.ts'

const MARK = 'Qzxerased'
const STAYS = 'Qzxstays'
const WITHIN_MS = 10_000
const SEALED_THEN = new Set(['PlayerCreated', 'PlayerNamed', 'LoginClaimed', 'ExternalClaimed'])

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The names of files that hold the text in any case, as it is, in base64 or in hexadecimal, or have it in their names. */
function holding(folder: string, text: string): string[] {
  const bytes = Buffer.from(text)
  const spellings = [text, text.toLowerCase(), text.toUpperCase(), bytes.toString('hex')]
  for (const skipped of [0, 1, 2]) {
    const inside = bytes.subarray(skipped)
    spellings.push(inside.subarray(0, inside.length - (inside.length % 3)).toString('base64'))
  }
  return filesBelow(folder).filter((file) => {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return false
    const content = file + readFileSync(file, 'latin1')
    return spellings.some((one) => content.includes(one))
  })
}

/** The log as version 0.1 wrote it: extra data, and names of files and folders, in clear, and no note of where that ends. */
async function putInClear({ dataDir, places }: ProcessWorld): Promise<number> {
  const events = await withStores({ dataDir, places }, async ({ log }) =>
    (await log.readAll(null, 10_000)).filter(
      (event) => personalTexts(event).length > 0 && !SEALED_THEN.has(event.type),
    ),
  )
  const db = new DatabaseSync(join(dataDir, 'log.sqlite'))
  const update = db.prepare('UPDATE events SET data = ? WHERE stream = ? AND revision = ?')
  for (const { stream, revision, data } of events) update.run(JSON.stringify(data), stream, revision)
  db.exec('DROP TABLE clear_text')
  db.close()
  return events.length
}

describe('what a deleted player wrote', () => {
  let world: ProcessWorld
  let game: MadeGame
  let client: string
  let board: string
  let bucket: string

  before(async function () {
    this.timeout(120_000)
    world = await openProcessWorld()
    game = await makeGame(world)
    client = await clientToken(world, game)
    board = await makeBoard(world, game, { unique: false })
    bucket = await makeBucket(world, game)
  })
  after(() => world.close())

  const players = () => `/api/gm/${game.id}/players/`

  async function submit({ token }: Pick<Guest, 'token'>, marker: string): Promise<void> {
    // Some so long that they get pages of their own, which are free afterwards.
    for (const length of [1, 40, 700]) {
      const extra = { note: `${marker}-extra`, more: marker.repeat(length) }
      const body = { score: String(length), player_name: `${marker}-beside`, extra_data: extra }
      const headers = { 'idempotency-key': `${marker}-score-${length}-${randomUUID()}` }
      must(await world.call('POST', `/api/lb/${board}/score/`, { token, body, headers }), 201)
    }
  }

  /** Files and folders of a guest, and a file of the tenant in one of the folders. */
  async function makeFiles({ id, token }: Guest, marker: string): Promise<void> {
    const own = { ...game, token }
    for (const path of [`/${marker}-folder/`, `/${marker}-folder/${marker}-inside/`, `/shared-${id}/`]) {
      must(await world.call('POST', `/api/bkt/${bucket}/dir/`, { token, body: { path } }), 201)
    }
    for (const path of [`/${marker}-file`, `/${marker}-folder/${marker}-inside/file`, `/shared-${id}/${marker}-file`]) {
      await makeFile(world, own, bucket, path, { text: 'bytes', type: `text/x-${marker}` })
    }
    const again = { text: 'other bytes', type: `text/plain; note="${marker} again"` }
    await makeFile(world, own, bucket, `/${marker}-file`, again)
    const begun = { path: `/${marker}-never-completed`, size: 1, content_type: `image/${marker}` }
    must(await world.call('POST', `/api/bkt/${bucket}/upload/`, { token, body: begun }), 201)
    await makeFile(world, game, bucket, `/shared-${id}/of-the-tenant`)
  }

  async function listed(path: string): Promise<string[]> {
    const { token } = game
    const { folders, files } = must(await world.call('GET', `/api/bkt/${bucket}/ls/?path=${path}`, { token }), 200)
    return [...folders, ...files].map((one: { path: string }) => one.path)
  }

  /** By login, password and address, which is proven by a mailed code; answers the id. */
  async function register(marker: string): Promise<string> {
    const email = `${marker}@example.com`.toLowerCase()
    const body = { login: `${marker}-login`, password: `${marker}-password`, email, name: `${marker}-registered` }
    const way = `/api/gm/${game.id}/player/`
    const headers = { 'idempotency-key': `${marker}-register-${randomUUID()}` }
    const made = must(await world.call('POST', `${way}register/`, { token: client, body, headers }), 201)
    const code = await mailedCode(world, game.id, made.token, email)
    must(await world.call('POST', `${way}code/verify/`, { token: made.token, body: { email, code } }), 200)
    // Changes nothing, and is remembered as answered.
    const same = { token: made.token, body: { name: body.name }, headers: { 'idempotency-key': `${marker}-same` } }
    must(await world.call('PUT', `${way}me/`, same), 200)
    return made.player.id
  }

  async function writeEverything(marker: string): Promise<string[]> {
    const guest = await signInGuest(world, game, client, `${marker}-guest`)
    must(
      await world.call('PUT', `/api/gm/${game.id}/player/me/`, { token: guest.token, body: { name: `${marker}-me` } }),
      200,
    )
    await submit(guest, marker)
    await makeFiles(guest, marker)
    const { token } = game
    const body = { name: `${marker}-made`, external_id: `${marker}-id` }
    const { id } = must(await world.call('POST', players(), { token, body }), 201)
    const extra = { note: `${marker}-extra-of-tenant` }
    const sent = { score: '5', player: id, player_name: `${marker}-beside`, extra_data: extra }
    must(await world.call('POST', `/api/lb/${board}/score/`, { token, body: sent }), 201)
    return [guest.id, id, await register(marker)]
  }

  async function erased(ids: readonly string[]): Promise<void> {
    const { token } = game
    for (const id of ids) must(await world.call('DELETE', `${players()}${id}/`, { token }), 200)
    const until = Date.now() + WITHIN_MS
    while (holding(world.dataDir, MARK).length > 0 && Date.now() < until)
      await new Promise((next) => setTimeout(next, 100))
    expect(holding(world.dataDir, MARK)).to.deep.equal([])
  }

  async function historyOf(player: string): Promise<string> {
    return (await world.call('GET', `/api/gm/${game.id}/events/?player=${player}`, { token: game.token })).text
  }

  it('is in no byte of the data folder 10 s after the deletion, while the server runs', async function () {
    this.timeout(120_000)
    const [stay] = await writeEverything(STAYS)
    const ids = await writeEverything(MARK)
    expect(holding(world.dataDir, MARK)).to.not.deep.equal([])
    expect(await historyOf(String(ids[0]))).to.include(`${MARK}-extra`)
    await erased(ids)
    for (const id of ids)
      expect(await historyOf(id))
        .to.include('"PlayerDeleted"')
        .and.to.not.include(MARK)
    const left = holding(world.dataDir, STAYS).map((file) => relative(world.dataDir, file).split(sep)[0])
    expect([...new Set(left)]).to.include.members(['mail', 'views.sqlite'])
    // In development the log shows each mail with the address it went to.
    const lines = world
      .output()
      .split('\n')
      .filter((line) => !line.includes('a mail was written'))
    expect(lines.filter((line) => line.toLowerCase().includes(MARK.toLowerCase()))).to.deep.equal([])
    const kept = `/shared-${ids[0]}/`
    const check = async () => {
      const folders = [`/${STAYS}-folder/`, ...[kept, `/shared-${stay}/`].sort()]
      expect(await listed('/')).to.deep.equal([...folders, `/${STAYS}-file`])
      expect(await listed(kept)).to.deep.equal([`${kept}of-the-tenant`])
    }
    await check()
    // From the log alone, too.
    await world.end()
    rmSync(join(world.dataDir, 'views.sqlite'))
    await world.begin()
    await check()
  })

  it('is in no byte of a folder in which an older version recorded it in clear, and others’ text stays', async function () {
    this.timeout(120_000)
    const ids = await writeEverything(MARK)
    await world.end()
    expect(await putInClear(world)).to.equal(32)
    await world.begin()
    expect(await historyOf(String(ids[0]))).to.include(`${MARK}-extra`)
    await erased(ids)
    for (const id of ids)
      expect(await historyOf(id))
        .to.include('"PlayerDeleted"')
        .and.to.not.include(MARK)
    const shown = must(await world.call('GET', `/api/lb/${board}/score/`, { token: game.token }), 200)
    expect(shown.scores.map((one: { extra_data: { note: string } }) => one.extra_data.note).sort()).to.deep.equal([
      ...Array(3).fill(`${STAYS}-extra`),
      `${STAYS}-extra-of-tenant`,
    ])
  })

  it('is erased by the next process where the one that deleted them was killed', async function () {
    this.timeout(120_000)
    const ids = await writeEverything(MARK)
    await world.end()
    await putInClear(world)
    await world.begin()
    for (const id of ids) must(await world.call('DELETE', `${players()}${id}/`, { token: game.token }), 200)
    await world.end('SIGKILL')
    await world.begin()
    await erased([])
  })
})
