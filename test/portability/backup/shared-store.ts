// A restore drill beside the running production, with one file store for both: production stores more, both delete and
// sweep, and in the end the restored installation adopts the store.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import type { MadeKey } from '../../../clients/javascript/shapes.ts'
import { readConfig } from '../../../server/config.ts'
import { openFilesOwner } from '../../../server/open-stores.ts'
import { start } from '../../../server/start.ts'
import { command, type Env, newFolder } from '../../cli/service.ts'
import { filesBelow } from '../../files/files-api.ts'
import { eventually } from '../../until.ts'
import { keyIn } from '../export/crawl.ts'
import { MASTER_KEY } from './backed-up.ts'

const HOUR_MS = 3_600_000
/** Longer than orphans, replaced blobs and links are kept. */
const LATER_MS = 3 * HOUR_MS

export interface SharedStore {
  /** FILES_DIR or S3_URL. */
  readonly settings: Env
  /** Names of all blobs. */
  blobs(): Promise<readonly string[]> | readonly string[]
  /** Removes the owner marker: the store as an older version left it. */
  unmark(): Promise<void>
  /** Called with the milliseconds by which the clock of the installations is ahead. */
  ahead(ms: number): void
}

export async function sharedFolder(): Promise<SharedStore> {
  const folder = join(await newFolder(), 'files')
  return {
    settings: { FILES_DIR: folder },
    blobs: () => filesBelow(folder).filter((path) => path !== 'owner'),
    unmark: () => rm(join(folder, 'owner')),
    ahead: () => {},
  }
}

/** Which installation starts first after the restore; `unmarked`: on a store that production has not marked yet. */
export type Order = 'production' | 'restored' | 'restored, unmarked'

interface Party {
  readonly dataDir: string
  readonly env: Env
  readonly url: string
  readonly adminUrl: string
  readonly operator: Client
  stop(): Promise<void>
}

class Drill {
  #aheadMs = 0
  readonly store: SharedStore
  readonly production: string
  restored = ''
  /** Ids of a game that is kept, and of one that the restored installation deletes, with a bucket each. */
  readonly games: { readonly game: string; readonly bucket: string; readonly key: MadeKey }[] = []

  constructor(store: SharedStore, production: string) {
    this.store = store
    this.production = production
  }

  env(dataDir: string): Env {
    return { MASTER_KEY, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', ...this.store.settings }
  }

  later(): void {
    this.#aheadMs += LATER_MS
    this.store.ahead(this.#aheadMs)
  }

  async open(dataDir: string): Promise<Party> {
    const env = this.env(dataDir)
    const running = await start(
      readConfig({ RATE_LIMITS: 'off', ...env }),
      pino({ level: 'silent' }),
      () => Date.now() + this.#aheadMs,
    )
    const url = `http://127.0.0.1:${running.port}`
    const operator = await connect({ baseUrl: url, key: await keyIn(dataDir, null) })
    const adminUrl = `http://127.0.0.1:${running.adminPort}`
    return { dataDir, env: { ...env, PORT: String(running.port) }, url, adminUrl, operator, stop: () => running.stop() }
  }

  game(nth = 0) {
    const found = this.games[nth]
    if (found === undefined) throw new Error('the games are not made yet')
    return found
  }

  get bucket(): string {
    return this.game().bucket
  }

  async makeGame({ url, operator }: Party): Promise<void> {
    const { game, key } = await operator.createGame('Quest')
    const client = await connect({ baseUrl: url, key })
    const bucket = await client.createBucket(game.id, { name: 'Saves' })
    this.games.push({ game: game.id, bucket: bucket.id, key })
  }

  async send({ url }: Party, method: string, path: string, body?: object) {
    const of = this.games.find(({ bucket }) => path.includes(bucket)) ?? this.game()
    const client = await connect({ baseUrl: url, key: of.key })
    const headers = { Authorization: `Bearer ${await client.token()}`, 'Content-Type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: (await answer.json()) as Record<string, string & Record<string, string>> }
  }

  /** The link as it is reached here. */
  here({ url }: Party, link = ''): string {
    return link.includes('/api/files/local/') ? url + new URL(link).pathname : link
  }

  async begin(party: Party, path: string, text: string, bucket = this.bucket) {
    return this.send(party, 'POST', `/api/bkt/${bucket}/upload/`, { path, size: text.length })
  }

  put(party: Party, { url, headers }: Record<string, string & Record<string, string>>, text: string) {
    return fetch(this.here(party, url), { method: 'PUT', headers: headers ?? {}, body: text })
  }

  complete(party: Party, upload = '') {
    return this.send(party, 'POST', `/api/bkt/${this.bucket}/upload/${upload}/complete/`)
  }

  async upload(party: Party, path: string, text: string, bucket = this.bucket): Promise<void> {
    const { status, body } = await this.begin(party, path, text, bucket)
    expect(status, JSON.stringify(body)).to.equal(201)
    expect((await this.put(party, body, text)).status).to.equal(200)
    const done = await this.send(party, 'POST', `/api/bkt/${bucket}/upload/${body.upload_id}/complete/`)
    expect(done.status, JSON.stringify(done.body)).to.equal(200)
  }

  async read(party: Party, path: string): Promise<string> {
    const { body } = await this.send(party, 'GET', `/api/bkt/${this.bucket}/download/?path=${path}`)
    return (await fetch(this.here(party, body.url))).text()
  }

  delete(party: Party, path: string) {
    return this.send(party, 'DELETE', `/api/bkt/${this.bucket}/file/?path=${path}`)
  }

  async marker(): Promise<string | null> {
    const owner = await openFilesOwner(readConfig(this.env(this.production)))
    return (await owner?.read().finally(() => owner.close())) ?? null
  }
}

const FILES = ['kept', 'deleted', 'replaced']
/** Blobs that the restored installation deletes: of one file, and of a game. */
const DELETED = 2

/**
 * Production with files in two games, a backup, and more files after it; the restored folder. Production is stopped.
 */
async function prepared(drill: Drill): Promise<void> {
  const party = await drill.open(drill.production)
  await drill.makeGame(party)
  await drill.makeGame(party)
  for (const name of FILES) await drill.upload(party, `/${name}`, `${name} of before`)
  await drill.upload(party, '/of-other', 'of the other game', drill.game(1).bucket)
  const to = join(await newFolder(), 'destination')
  const made = await command(party.env, 'backup', '--to', to)
  expect(made.code, made.err).to.equal(0)
  await drill.upload(party, '/new', 'new since the backup')
  await party.stop()
  drill.restored = join(await newFolder(), 'restored')
  const restored = await command({ MASTER_KEY }, 'restore', '--from', to, '--to', drill.restored)
  expect(restored.code, restored.err).to.equal(0)
  expect(restored.out).to.contain('owns no file store').and.contain('scorebook files adopt')
}

async function expectWhole(drill: Drill, production: Party): Promise<void> {
  for (const name of FILES) expect(await drill.read(production, `/${name}`)).to.equal(`${name} of before`)
  expect(await drill.read(production, '/new')).to.equal('new since the backup')
}

/** What the restored installation may not do, and that it says so. */
async function expectRefused(drill: Drill, party: Party): Promise<void> {
  const { status, body } = await drill.begin(party, '/more', 'more')
  expect([status, body.code]).to.deep.equal([503, 'files_off'])
  expect(body.detail).to.contain('scorebook doctor')
  const ready = (await (await fetch(`${party.adminUrl}/health/ready`)).json()) as { reasons?: { files?: string } }
  expect(ready.reasons?.files).to.contain('scorebook files adopt')
  expect(await drill.read(party, '/kept')).to.equal('kept of before')
}

/** The restored installation deletes all it can, and sweeps; each restart has a clock that is ahead. */
async function deleteMuch(drill: Drill, before: readonly string[]): Promise<void> {
  const party = await drill.open(drill.restored)
  await expectRefused(drill, party)
  expect((await drill.delete(party, '/deleted')).status).to.equal(200)
  await party.operator.deleteGame(drill.game(1).game, 'Quest')
  await party.stop()
  drill.later()
  await eventually(async () => {
    const again = await drill.open(drill.restored)
    await expectRefused(drill, again)
    await again.stop()
    expect(await drill.store.blobs()).to.deep.equal(before)
    return (await recorded(drill)) === DELETED
  })
}

/** As the unconfirmed command says. */
async function recorded(drill: Drill): Promise<number> {
  const { code, err } = await command(drill.env(drill.restored), 'files', 'adopt')
  expect([code, err.includes('--yes')], err).to.deep.equal([2, true])
  return Number(/(\d+) recorded deletions? (?:is|are) executed/.exec(err)?.[1])
}

/**
 * A drill in which production loses nothing; then the restored installation adopts the store, and production deletes
 * nothing more.
 */
export async function drillWith(store: SharedStore, order: Order): Promise<void> {
  const drill = new Drill(store, await newFolder())
  await prepared(drill)
  drill.later()
  if (order === 'restored, unmarked') await store.unmark()
  const marked = await drill.marker()
  const before = await store.blobs()
  if (order === 'production') {
    const production = await drill.open(drill.production)
    await expectWhole(drill, production)
    await production.stop()
  }
  await deleteMuch(drill, before)
  expect(await drill.marker()).to.equal(order === 'restored, unmarked' ? null : marked)
  expect(await store.blobs()).to.deep.equal(before)
  const production = await drill.open(drill.production)
  await expectWhole(drill, production)
  expect(await drill.marker()).to.match(/^installation [0-9a-f]{24}\n$/)
  // Production owns its store as before: it uploads, and deletes what it replaced.
  await drill.upload(production, '/replaced', 'replaced since')
  const begun = (await drill.begin(production, '/late', 'late')).body
  await production.stop()
  drill.later()
  const again = await drill.open(drill.production)
  await eventually(async () => (await store.blobs()).length === before.length)
  const inProgress = (await drill.begin(again, '/in-progress', 'bytes')).body
  await again.stop()
  expect(begun.upload_id).not.to.equal(inProgress.upload_id)
  await adopted(drill, inProgress)
}

/** The restored installation adopts the store: its deletions are executed, and production may only read. */
async function adopted(drill: Drill, inProgress: Record<string, string & Record<string, string>>): Promise<void> {
  const { store } = drill
  const productionId = /[0-9a-f]{24}/.exec((await drill.marker()) ?? '')?.[0] ?? ''
  const before = await store.blobs()
  const env = drill.env(drill.restored)
  const warned = await command(env, 'files', 'adopt')
  expect(warned.err).to.contain(productionId)
  const doctor = await command(env, 'doctor', '--json')
  const findings = doctor.json<{ findings: { name: string; state: string; fix?: string }[] }>().findings
  expect(findings.find(({ name }) => name === 'file store')).to.include({ state: 'warn' })
  const done = (await command(env, 'files', 'adopt', '--yes', '--json')).json<Record<string, unknown>>()
  expect(done).to.deep.include({ adopted: true, previous_installation: productionId, deleted: DELETED })
  expect((await store.blobs()).length).to.equal(before.length - DELETED)
  const twice = (await command(env, 'files', 'adopt', '--json')).json<Record<string, unknown>>()
  expect(twice).to.deep.include({ adopted: false, deleted: 0 })

  const restored = await drill.open(drill.restored)
  await drill.upload(restored, '/own', 'of the restored installation')
  await restored.stop()
  drill.later()
  const kept = await store.blobs()
  const production = await drill.open(drill.production)
  await expectRefused(drill, production)
  const late = await drill.put(production, inProgress, 'bytes')
  // S3 takes bytes by a link until it expires; nothing becomes a file of them.
  if (!String(inProgress.url).includes('X-Amz')) expect(late.status).to.be.oneOf([404, 503])
  const completed = await drill.complete(production, inProgress.upload_id)
  expect(completed.status).to.be.oneOf([404, 503])
  expect((await drill.delete(production, '/kept')).status).to.equal(200)
  await production.stop()
  expect(await store.blobs()).to.include.members([...kept])
  const end = await drill.open(drill.restored)
  expect(await drill.read(end, '/own')).to.equal('of the restored installation')
  await end.stop()
}
