// An installation of an earlier version that ran on some of the three servers: everything but the export of its log and
// vault is refused, and that export moves it to embedded stores.

import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { STREAM_PREFIXES } from '../../domain/streams.ts'
import type { Manifest } from '../../portability/export/manifest.ts'
import type { SecretKind } from '../../stores/contract/vault.ts'
import { openEmbeddedLog } from '../../stores/embedded/open.ts'
import { openEventStore } from '../../stores/eventstoredb/log.ts'
import { openMongo } from '../../stores/mongodb/open.ts'
import { appended } from '../contracts/events.ts'
import { vaultRows } from '../front-door/vault-rows.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { type Databases, databases } from '../servers/ferretdb/database.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { MASTER_KEY } from './exported-log.ts'
import { serveOnce } from './serve-once.ts'
import { command, type Env, newFolder, openService } from './service.ts'

const NOWHERE = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:1/x',
  REDIS_URL: 'redis://127.0.0.1:1',
} as const

describe('an installation on some of the three servers', function () {
  this.timeout(120_000)
  const eventStore = startEventStore()
  let servers: Databases
  let dataDir: string
  let events: number
  /** The parts of one installation, each in the data folder and on its server. */
  let urls: { readonly EVENTSTORE_URL: string; readonly MONGODB_URL: string; readonly REDIS_URL: string }

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    servers = await databases()
    const service = await openService({ MASTER_KEY })
    ;({ dataDir } = service)
    await service.json('game', 'create', 'Quest')
    const board = await service.json<{ id: string }>('board', 'create', 'High scores')
    const player = await service.json<{ id: string }>('player', 'create', 'Eve')
    await service.json('score', 'submit', board.id, '70', '--player', player.id)
    await service.stop()
    const { url } = await eventStore
    urls = { EVENTSTORE_URL: url, MONGODB_URL: servers.fresh(), REDIS_URL: NOWHERE.REDIS_URL }
    events = await copyLog(dataDir, url)
    await copyVault(dataDir, urls.MONGODB_URL)
  })
  after(async () => {
    await (await eventStore).stop()
    await servers.end()
  })

  for (const set of [
    ['EVENTSTORE_URL'],
    ['MONGODB_URL'],
    ['REDIS_URL'],
    ['EVENTSTORE_URL', 'MONGODB_URL'],
    ['EVENTSTORE_URL', 'REDIS_URL'],
    ['MONGODB_URL', 'REDIS_URL'],
  ] as const) {
    it(`with only ${set.join(' and ')} set is exported with its vault, and continues on embedded stores`, async () => {
      const own = Object.fromEntries(set.map((name) => [name, urls[name]]))
      const DATA_DIR = await newFolder()
      await copyStores(dataDir, DATA_DIR, own)
      const out = join(await newFolder(), 'export')
      const flags = ['--out', out, '--vault', `${out}.vault`, '--json']
      const exported = await command({ MASTER_KEY, DATA_DIR, ...own }, 'history', 'export', '--all', ...flags)
      expect(exported.code, exported.err).to.equal(0)
      expect(exported.json<Manifest>().events).to.equal(events)
      const moved = { MASTER_KEY, DATA_DIR: await newFolder() }
      const imported = await command(moved, 'history', 'import', out, '--vault', `${out}.vault`)
      expect(imported.code, imported.err).to.equal(0)
      const service = await openService(moved)
      const verified = await service.run('verify')
      await service.stop()
      expect([verified.code, verified.out.slice(0, 7)], verified.err).to.deep.equal([0, 'equal: '])
    })
  }

  const SAYS =
    /^(scorebook: )?EVENTSTORE_URL is set, but MONGODB_URL and REDIS_URL are missing: .* Set .*docs\/servers\.md\.$/

  it('is not served: the start exits with 2 and one line that names what is set, what is missing and what to do', async () => {
    const { code, output } = await serveOnce({
      EVENTSTORE_URL: NOWHERE.EVENTSTORE_URL,
      MONGODB_URL: '',
      REDIS_URL: ' ',
    })
    expect(code).to.equal(2)
    expect(output.trim()).to.match(SAYS)
  })

  it('fails the doctor with the same text, before it looks at any store', async () => {
    const env: Env = { EVENTSTORE_URL: NOWHERE.EVENTSTORE_URL, DATA_DIR: await newFolder() }
    const { code, json } = await command(env, 'doctor', '--json')
    const { findings } = json<{ findings: readonly { name: string; state: string; detail: string }[] }>()
    expect([code, findings.map(({ name, state }) => [name, state])]).to.deep.equal([
      1,
      [
        ['versions', 'ok'],
        ['configuration', 'fail'],
      ],
    ])
    expect(findings.at(-1)?.detail).to.match(SAYS)
    expect(await readdir(String(env.DATA_DIR))).to.deep.equal([])
  })

  it('is refused by every other command that opens stores, with exit code 2', async () => {
    const env: Env = { EVENTSTORE_URL: NOWHERE.EVENTSTORE_URL, DATA_DIR: await newFolder() }
    for (const args of [
      ['init'],
      ['verify'],
      ['backup', '--to', '/nowhere'],
      ['restore', '--servers'],
      ['files', 'adopt'],
      ['history', 'import', '/nowhere'],
      ['history', 'repair'],
      ['master-key', 'status'],
      ['rebuild', '--all'],
    ]) {
      const refused = await command(env, ...args)
      expect([refused.code, refused.out], args.join(' ')).to.deep.equal([2, ''])
      expect(refused.err, args.join(' ')).to.match(SAYS)
    }
  })
})

/** Returns the number of events. */
async function copyLog(dataDir: string, url: string): Promise<number> {
  const from = await openEmbeddedLog(dataDir, { onFailure: () => {} })
  const to = await openEventStore({ url, prefixes: STREAM_PREFIXES })
  try {
    const all = await from.log.readAll(null, 10_000)
    for (const { stream, revision, id, type, data, meta } of all) {
      await appended(to, stream, revision === 0 ? 'none' : revision - 1, [{ id, type, data, meta }])
    }
    return all.length
  } finally {
    await to.close()
    await from.close()
  }
}

async function copyVault(dataDir: string, url: string): Promise<void> {
  const { vault, close } = await openMongo({ url })
  for (const { kind, id, value } of vaultRows(dataDir).values()) await vault.putIfAbsent(kind as SecretKind, id, value)
  await close()
}

/** Copies the data folder without what is on servers. */
async function copyStores(from: string, to: string, own: Env): Promise<void> {
  await cp(from, to, { recursive: true })
  const isOnServer = (name: string) =>
    (own.EVENTSTORE_URL !== undefined && name.startsWith('log')) ||
    (own.MONGODB_URL !== undefined && /^(views|vault)\.sqlite/.test(name))
  for (const name of await readdir(to)) if (isOnServer(name)) await rm(join(to, name), { recursive: true })
}
