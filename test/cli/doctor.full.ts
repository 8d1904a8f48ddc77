// `scorebook doctor` on a healthy installation, and with each fault that it detects.

import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkClock } from '../../cli/doctor.ts'
import type { Finding } from '../../cli/doctor-finding.ts'
import { aheadOf } from '../../cli/doctor-server.ts'
import { freePort } from '../free-port.ts'
import { Random } from '../random.ts'
import { damagePage, pagesOf } from '../stores/damage-pages.ts'
import { copyDerived } from '../stores/derived-files.ts'
import { command, type Env, newFolder, openService, type Service } from './service.ts'

const DAY_MS = 86_400_000

interface Examined {
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

async function examine(env: Env, ...args: string[]) {
  const result = await command(env, 'doctor', '--json', ...args)
  const { ok, findings } = result.json<Examined>()
  expect(result.code).to.equal(ok ? 0 : 1)
  const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]))
  const bad = findings.filter(({ state }) => state !== 'ok')
  for (const { name, fix } of bad) expect(fix, name).to.be.a('string')
  return { ok, states, bad }
}

describe('scorebook doctor', () => {
  let dataDir: string
  let port: string
  const env = (more: Env = {}): Env => ({ DATA_DIR: dataDir, PORT: port, ADMIN_PORT: '0', ...more })

  before(async () => {
    const service = await openService()
    dataDir = service.dataDir
    port = service.env.PORT ?? ''
    await service.json('game', 'create', 'Quest')
    await service.stop()
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  it('finds no fault with the server running, and with it stopped', async () => {
    const service = await openService({ DATA_DIR: dataDir })
    const running = await examine(service.env)
    await service.stop()
    expect(running.states).to.deep.equal({
      versions: 'ok',
      configuration: 'ok',
      server: 'ok',
      'data folder': 'ok',
      'secret files': 'ok',
      disk: 'ok',
      stores: 'ok',
      clock: 'ok',
    })
    const stopped = await examine(env())
    expect(stopped.states).to.include({ server: 'ok', port: 'ok', 'operator key': 'ok', stores: 'ok' })
    expect(stopped.ok).to.equal(true)
    const result = await command(env(), 'doctor')
    expect(result.out)
      .to.match(/^ok {4}versions {7}Scorebook \d/)
      .and.match(/\n\nNothing is wrong\. No server is running: start one with `npm start`\.$/)
  })

  it('finds no fault before the first start', async () => {
    const folder = join(await newFolder(), 'data')
    const found = await examine(env({ DATA_DIR: folder }))
    expect([found.ok, found.bad]).to.deep.equal([true, []])
  })

  it('reports every fault of the configuration', async () => {
    const found = await examine(env({ PORT: '70000', LOG_LEVEL: 'loud' }))
    expect(found.bad.map(({ name, detail }) => [name, detail.split(':')[0]])).to.deep.equal([
      ['configuration', 'PORT'],
      ['configuration', 'LOG_LEVEL'],
    ])
  })

  describe('with a folder that others may read', () => {
    const file = () => join(dataDir, 'operator.json')
    afterEach(async () => {
      await rm(`${file()}.unrecorded`, { force: true })
      await chmod(file(), 0o600)
      await chmod(dataDir, 0o700)
    })

    it('warns about the folder, and fails if a secret in it is readable', async () => {
      await chmod(dataDir, 0o755)
      const warned = await examine(env())
      expect([warned.ok, warned.bad.map(({ fix }) => fix)]).to.deep.equal([true, [`chmod 700 ${dataDir}`]])
      await chmod(file(), 0o644)
      const failed = await examine(env())
      expect(failed.states).to.include({ 'secret files': 'fail', 'data folder': 'warn' })
      expect(failed.bad.map(({ fix }) => fix)).to.include(`chmod 600 ${file()}`)
      await writeFile(`${file()}.unrecorded`, '{}', { mode: 0o644 })
      const interrupted = await examine(env())
      expect(interrupted.bad.map(({ fix }) => fix)).to.include(`chmod 600 ${file()} ${file()}.unrecorded`)
    })
  })

  it('reports a data folder that is not a folder', async () => {
    const path = join(await newFolder(), 'file')
    await writeFile(path, '')
    expect((await examine(env({ DATA_DIR: path }))).states).to.include({ 'data folder': 'fail' })
  })

  it('names the program that has the stores open if no server answers', async () => {
    const service: Service = await openService({ DATA_DIR: dataDir })
    const found = await examine(env({ PORT: `${await freePort()}` }))
    await service.stop()
    expect(found.states).to.include({ stores: 'fail', server: 'ok' })
    expect(found.bad[0]?.detail).to.match(/^held by /)
  })

  it('warns if the server at the address has another data folder', async () => {
    const other = await openService()
    const found = await examine(env({ PORT: other.env.PORT ?? '' }))
    await other.close()
    expect([found.ok, found.bad.map(({ detail }) => detail)]).to.deep.equal([
      true,
      [`what serves at ${other.url} has another data folder than this`],
    ])
  })

  it('reports a port that another program uses', async () => {
    const other = await listening()
    const taken = String((other.address() as AddressInfo).port)
    const found = await examine(env({ PORT: taken }))
    const elsewhere = await examine(env(), '--url', `http://127.0.0.1:${taken}`)
    other.close()
    expect(found.bad.map(({ name, detail }) => [name, detail])).to.deep.equal([
      ['port', `${taken} of 127.0.0.1 is taken by another program`],
    ])
    expect(elsewhere.bad[0]?.detail).to.contain('is not a Scorebook server')
    expect((await examine(env({ HOST: '192.0.2.1' }))).states).to.include({ port: 'fail' })
    const away = await examine(env(), '--url', 'http://127.0.0.1:9')
    expect(away.bad[0]?.detail).to.equal('no answer from http://127.0.0.1:9')
  })

  it('reports a wrong master key, and a missing one', async () => {
    const wrong = await examine(env({ MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }))
    expect(wrong.states).to.include({ stores: 'ok', 'master key': 'fail' })
    const path = join(dataDir, 'secrets.json')
    const kept = await readFile(path, 'utf8')
    await rm(path)
    const lost = await examine(env())
    await writeFile(path, kept, { mode: 0o600 })
    expect(lost.bad[0]?.detail).to.contain('is missing or contains no master key, but there is a log')
    expect((await examine(env())).ok).to.equal(true)
  })

  it('warns about an operator key of other stores, and about a missing one', async () => {
    const path = join(dataDir, 'operator.json')
    const kept = await readFile(path, 'utf8')
    await writeFile(path, '{"prefix":"sk_x","secret":"y"}')
    const foreign = await examine(env())
    await rm(path)
    const gone = await examine(env())
    await writeFile(path, kept, { mode: 0o600 })
    expect(foreign.states).to.include({ 'operator key': 'fail' })
    expect(gone.states).to.include({ 'operator key': 'warn' })
  })

  it('reports views that were built from another log', async () => {
    const other = await openService()
    await other.json('game', 'create', 'Other')
    await other.stop()
    const [mine, theirs] = [join(dataDir, 'views.sqlite'), join(other.dataDir, 'views.sqlite')]
    const kept = join(await newFolder(), 'views.sqlite')
    copyDerived(mine, kept)
    copyDerived(theirs, mine)
    const found = await examine(env())
    copyDerived(kept, mine)
    await rm(other.dataDir, { recursive: true })
    expect(found.states).to.include({ stores: 'ok', views: 'fail' })
  })

  it('reports damaged stores', async () => {
    const folder = await newFolder()
    await mkdir(join(folder, 'keys'))
    await writeFile(join(folder, 'secrets.json'), await readFile(join(dataDir, 'secrets.json')), { mode: 0o600 })
    await writeFile(join(folder, 'log.sqlite'), 'this is no database, and long enough to be taken for one'.repeat(100))
    const found = await examine(env({ DATA_DIR: folder }))
    expect(found.states).to.include({ stores: 'fail' })
    expect(found.bad.find(({ name }) => name === 'stores')?.fix).to.contain('backup')
  })

  it('says that a start builds damaged views, wherever it finds the damage, and not to restore a backup', async () => {
    const checkpoints = pagesOf(join(dataDir, 'views.sqlite')).roots.get('reached') ?? 0
    for (const page of [1, checkpoints]) {
      const folder = await newFolder()
      await cp(dataDir, folder, { recursive: true })
      damagePage(join(folder, 'views.sqlite'), page, new Random(1), 'ones')
      const found = await examine(env({ DATA_DIR: folder }))
      expect(found.states, `page ${page}`).to.include({ 'data folder': 'ok', stores: 'fail', clock: 'ok' })
      const { detail, fix } = found.bad.find(({ name }) => name === 'stores') ?? {}
      expect(detail).to.match(/views\.sqlite is damaged .* a start builds the views again from the log\.$/)
      expect(fix).to.equal('Start the server: it builds the file from the log. Check the disk.')
    }
  })

  it('compares the clock with the server’s and with the newest event', () => {
    const now = Date.UTC(2026, 10, 21)
    const unknown = { aheadMs: null, clockWarning: null, newest: null, isReady: false }
    expect(checkClock(now, unknown).state).to.equal('ok')
    expect(checkClock(Date.UTC(1970, 0, 2), unknown).state).to.equal('fail')
    expect(checkClock(now, { ...unknown, aheadMs: 5_000 }).state).to.equal('ok')
    expect(checkClock(now, { ...unknown, aheadMs: 6_000 })).to.include({
      state: 'warn',
      detail: '6 s behind the server’s',
    })
    expect(checkClock(now, { ...unknown, aheadMs: -61_000 })).to.include({
      state: 'fail',
      detail: '61 s ahead of the server’s',
    })
    // A time between request and answer shows no difference, however long the answer took.
    const result = (ms: number) => aheadOf(new Date(now + ms).toUTCString(), now, now + 20_000)
    expect([-9_000, 0, 20_000, 29_000].map(result)).to.deep.equal([-9_000, 0, 0, 9_000])
    expect(aheadOf(null, now, now)).to.equal(null)
    const newest = (ms: number) => ({ ...unknown, newest: new Date(now + ms).toISOString() })
    const states = [-DAY_MS, 60_000, 60_001, DAY_MS, DAY_MS + 1].map((ms) => checkClock(now, newest(ms)).state)
    expect(states).to.deep.equal(['ok', 'ok', 'warn', 'warn', 'fail'])
    expect(checkClock(now, { ...newest(2 * DAY_MS), isReady: true }).state).to.equal('warn')
    const { detail, fix } = checkClock(now, newest(2 * DAY_MS))
    expect(detail).to.equal(
      'the clock is at 2026-11-21T00:00:00.000Z, 2 days behind the newest event, of 2026-11-23T00:00:00.000Z',
    )
    expect(fix).to.include('--accept-clock')
  })
})

async function listening(): Promise<Server> {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
