// `scorebook doctor` with stores on servers: it checks each server, opens no embedded store, changes nothing, and
// prints no password.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Finding } from '../../cli/doctor-finding.ts'
import { checkServers } from '../../cli/doctor-servers.ts'
import { readConfig } from '../../server/config.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { type Backends, PASSWORDS, startBackends, type Unfit } from './backends.ts'
import { command, type Env, newFolder, openService } from './service.ts'

interface Examined {
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

async function examine(env: Env) {
  const result = await command(env, 'doctor', '--json')
  for (const secret of PASSWORDS) expect(result.out + result.err).not.to.contain(secret)
  const { ok, findings } = result.json<Examined>()
  expect(result.code).to.equal(ok ? 0 : 1)
  const bad = findings.filter(({ state }) => state !== 'ok')
  for (const { name, fix } of bad) expect(fix, name).to.be.a('string')
  return { ok, bad, states: Object.fromEntries(findings.map(({ name, state }) => [name, state])), findings }
}

const FAULTS: readonly (readonly [what: Unfit, name: string, says: RegExp])[] = [
  ['Redis without an append-only file', 'Redis', /keeps no append-only file/],
  ['Redis that evicts', 'Redis', /maxmemory-policy allkeys-lru/],
  ['EventStoreDB in memory', 'EventStoreDB', /keeps its log in memory/],
  ['MongoDB without a replica set', 'MongoDB', /is a single server/],
  ['no EventStoreDB', 'EventStoreDB', /cannot be reached/],
  ['no MongoDB', 'MongoDB', /cannot be reached/],
  ['no Redis', 'Redis', /cannot be reached/],
  ['a wrong password of EventStoreDB', 'EventStoreDB', /refuses the user or password/],
  ['a wrong password of MongoDB', 'MongoDB', /refuses the name and password/],
  ['a wrong password of Redis', 'Redis', /does not let us in/],
]
/** Number of the faults above that development only warns about. */
const FIT_FOR_DEVELOPMENT = 4

describe('scorebook doctor on servers', function () {
  this.timeout(60_000)
  let backends: Backends
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    backends = await startBackends()
  })
  after(() => backends.stop())

  const fresh = async (more: Env = {}): Promise<Env> => {
    return { ...backends.fresh(), PORT: '0', ADMIN_PORT: '0', DATA_DIR: join(await newFolder(), 'data'), ...more }
  }

  it('accepts suitable servers, and creates nothing on them', async () => {
    const env = await fresh()
    for (const _ of [1, 2]) {
      const { ok, bad, states } = await examine(env)
      expect(states).to.include({ EventStoreDB: 'ok', MongoDB: 'ok', Redis: 'ok', stores: 'ok' })
      expect(states).not.to.have.property('disk')
      // No server has started yet, so there is no operator key.
      expect([ok, bad.map(({ name }) => name)]).to.deep.equal([true, ['operator key']])
      expect(await readdir(join(String(env.DATA_DIR), '..'))).to.deep.equal([])
    }
  })

  for (const [at, [what, name, says]] of FAULTS.entries()) {
    it(`fails on ${what}${at < FIT_FOR_DEVELOPMENT ? ', and in development warns' : ' in development too'}`, async () => {
      const env = await fresh(backends.unfit[what])
      // In parallel, because both wait for a server that never answers.
      const [production, { findings }] = await Promise.all([examine(env), examine({ ...env, NODE_ENV: '' })])
      expect(production.bad.map((finding) => [finding.name, finding.state])).to.deep.equal([[name, 'fail']])
      expect(production.bad[0]?.detail).to.match(says)
      const found = findings.filter((finding) => finding.name === name && finding.state !== 'ok')
      expect(found.map(({ state }) => state)).to.deep.equal([at < FIT_FOR_DEVELOPMENT ? 'warn' : 'fail'])
    })
  }

  it('reports the faults of all three servers at once', async () => {
    const { unfit } = backends
    const env = await fresh({
      ...unfit['EventStoreDB in memory'],
      ...unfit['no MongoDB'],
      ...unfit['Redis that evicts'],
    })
    expect((await examine(env)).bad.map(({ name }) => name)).to.deep.equal(['EventStoreDB', 'MongoDB', 'Redis'])
  })

  it('reports a clock that differs from that of Redis', async () => {
    const config = readConfig(await fresh())
    const late = await checkServers(config, () => Date.now() - 9_000)
    const [finding] = late.filter(({ name }) => name === 'Redis')
    expect([finding?.state, finding?.detail]).to.satisfy(
      ([state, detail]: string[]) => state === 'fail' && /has a clock [89]\.\d s ahead of ours/.test(String(detail)),
    )
    const notable = await checkServers(config, () => Date.now() - 3_000)
    expect(notable.map(({ state }) => state)).to.deep.equal(['ok', 'ok', 'ok'])
  })

  describe('with an installation', () => {
    let env: Env
    const log = startEventStore()
    before(async () => {
      const { url } = await log
      env = { ...(await fresh()), NODE_ENV: '', MASTER_KEY: '', EVENTSTORE_URL: url }
      const service = await openService(env)
      await service.json('game', 'create', 'Quest')
      const beside = await examine(service.env)
      expect([beside.ok, beside.bad]).to.deep.equal([true, []])
      await service.stop()
    })
    after(async () => (await log).stop())

    const folder = () => String(env.DATA_DIR)

    it('finds no fault, and only keys in the data folder', async () => {
      const { bad, findings } = await examine(env)
      expect(bad).to.deep.equal([])
      expect(findings.find(({ name }) => name === 'data folder')?.detail).to.equal(
        `${folder()}, which contains only keys`,
      )
      expect((await readdir(folder())).sort()).to.deep.equal(['keys', 'operator.json', 'secrets.json'])
    })

    it('reports a wrong master key, also on a machine without the operator key', async () => {
      const { MASTER_KEY } = backends.fresh()
      for (const DATA_DIR of [folder(), await newFolder()]) {
        const { states, bad } = await examine({ ...env, DATA_DIR, MASTER_KEY: String(MASTER_KEY) })
        expect(states).to.include({ stores: 'ok', 'master key': 'fail' })
        expect(bad.find(({ name }) => name === 'master key')?.detail).to.contain('MASTER_KEY does not match the vault')
      }
    })

    it('reports a missing master key', async () => {
      const path = join(folder(), 'secrets.json')
      const kept = await readFile(path, 'utf8')
      await rm(path)
      const { bad } = await examine(env)
      await writeFile(path, kept, { mode: 0o600 })
      expect(bad.map(({ name, detail }) => [name, detail])).to.deep.equal([
        ['master key', `${path} is missing or contains no master key, but there is a log`],
      ])
    })

    it('reports a vault that was lost while its log remains, and a log of another installation', async () => {
      const { MONGODB_URL, EVENTSTORE_URL } = backends.fresh()
      const lost = await examine({ ...env, MONGODB_URL: String(MONGODB_URL) })
      expect(lost.bad.map(({ name }) => name)).to.deep.equal(['master key'])
      expect(lost.bad[0]?.fix).to.contain('restore their vault')
      const other = await examine({ ...env, EVENTSTORE_URL: String(EVENTSTORE_URL) })
      expect(other.states).to.include({ views: 'fail' })
      const fix = other.bad.find(({ name }) => name === 'views')?.fix
      expect(fix).to.contain('never `secrets`').and.to.contain(`begin with ${env.REDIS_PREFIX}`)
    })
  })
})
