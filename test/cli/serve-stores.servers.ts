// `scorebook serve` on EventStoreDB, MongoDB and Redis: which faults keep production from starting, how soon and with
// which text, which ones development only warns about, and that no password is printed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { builtProgram } from '../crash/build.ts'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { type Backends, PASSWORDS, startBackends, type Unfit } from './backends.ts'
import { clockAhead, type ServedOnce, serveOnce } from './serve-once.ts'
import { type Env, newFolder } from './service.ts'

/** Maximum time of a failing start: it waits for the servers, then gives up. Allows for a dozen starts at once. */
const PROMPT_MS = 120_000

const REFUSALS: readonly (readonly [what: Unfit, says: RegExp])[] = [
  ['Redis without an append-only file', /Redis at redis:\S+ keeps no append-only file: .*"appendonly yes"/],
  ['Redis that evicts', /Redis at redis:\S+ drops keys .*allkeys-lru.*"maxmemory-policy noeviction"/],
  ['EventStoreDB in memory', /EventStoreDB at esdb:\S+ keeps its log in memory: .* without --mem-db/],
  ['MongoDB without a replica set', /The MongoDB at mongodb:\S+ is a single server, .*rs\.initiate/],
  ['no EventStoreDB', /EventStoreDB at esdb:\S+ cannot be reached .*Check EVENTSTORE_URL/],
  ['no MongoDB', /The MongoDB at mongodb:\S+ cannot be reached .*check MONGODB_URL/],
  ['no Redis', /Redis at redis:\S+ cannot be reached: .*set REDIS_URL/],
  ['a silent EventStoreDB', /EventStoreDB at esdb:\S+ cannot be reached/],
  ['a silent MongoDB', /The MongoDB at mongodb:\S+ cannot be reached/],
  ['a silent Redis', /Redis at redis:\S+ cannot be reached/],
  ['a wrong password of EventStoreDB', /EventStoreDB at esdb:\S+ refuses the user or password in EVENTSTORE_URL/],
  ['a wrong password of MongoDB', /The MongoDB at mongodb:\S+ refuses the name and password of MONGODB_URL/],
  ['a wrong password of Redis', /Redis at redis:\S+ does not let us in .*REDIS_URL/],
]

describe('scorebook serve on servers', function () {
  this.timeout(240_000)
  let backends: Backends
  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    builtProgram()
    backends = await startBackends()
  })
  after(() => backends.stop())

  async function served(env: Env): Promise<ServedOnce> {
    const once = await serveOnce(env)
    for (const secret of [...PASSWORDS, env.MASTER_KEY ?? 'none']) expect(once.output).not.to.contain(secret)
    return once
  }

  /** The last line of the output, which contains the error. */
  async function refusal(env: Env): Promise<string> {
    const { ready, code, output, refusedAfterMs } = await served(env)
    expect([ready, code], output).to.deep.equal([false, 1])
    expect(refusedAfterMs).to.be.below(PROMPT_MS)
    const errors = output.split('\n').filter((line) => line.startsWith('scorebook: '))
    expect(errors, output).to.have.length(1)
    expect(output, 'no stack').not.to.match(/\n\s+at /)
    return errors[0] ?? ''
  }

  describe('in production', () => {
    /** In parallel, because most starts only wait for a server that does not answer. */
    const refusals = new Map<Unfit, Promise<string>>()
    before(() => {
      for (const [what] of REFUSALS) {
        const refused = refusal({ ...backends.fresh(), ...backends.unfit[what] })
        // The test of this server reports the error.
        refused.catch(() => {})
        refusals.set(what, refused)
      }
    })

    for (const [what, says] of REFUSALS) {
      it(`does not start on ${what}`, async () => {
        expect(await refusals.get(what)).to.match(says)
      })
    }
  })

  it('does not start in production with a clock more than 5 s off that of Redis', async () => {
    const env = backends.fresh()
    expect(await refusal({ ...env, ...clockAhead(6_000) })).to.match(
      /Redis at \S+ has a clock [56]\.\d s behind ours; 5 s are/,
    )
    expect((await served({ ...env, ...clockAhead(3_000) })).ready).to.equal(true)
  })

  it('reports all faults of one Redis at once', async () => {
    const env = { ...backends.fresh(), ...backends.unfit['Redis without an append-only file'], ...clockAhead(-9_000) }
    const { output, code } = await served(env)
    expect(code).to.equal(1)
    expect(output)
      .to.match(/keeps no append-only file/)
      .and.match(/has a clock [89]\.\d s ahead of ours/)
  })

  it('starts in production on suitable servers, and stops in order', async () => {
    const filesDir = await mkdtemp(join(tmpdir(), 'scorebook-files-'))
    const { ready, code, output } = await served({
      ...backends.fresh(),
      FILES_DIR: filesDir,
      SMTP_URL: 'smtp://127.0.0.1:25',
    })
    await rm(filesDir, { recursive: true })
    expect([ready, code], output).to.deep.equal([true, 0])
    expect(output, output).to.contain('"stores":"EventStoreDB, MongoDB, Redis"').and.not.to.contain('"level":40')
  })

  it('rejects a second installation with another master key, and accepts the first one again', async () => {
    const first = backends.fresh()
    expect((await served(first)).ready).to.equal(true)
    const { MASTER_KEY } = backends.fresh()
    expect(await refusal({ ...first, MASTER_KEY: String(MASTER_KEY) })).to.contain(
      'MASTER_KEY does not match the vault',
    )
    expect((await served(first)).ready).to.equal(true)
  })

  it('starts in development with warnings', async () => {
    const env = { ...backends.fresh(), NODE_ENV: '', ...clockAhead(8_000) }
    const { unfit } = backends
    const evicting = { ...unfit['Redis that evicts'], ...unfit['MongoDB without a replica set'] }
    const { ready, output } = await served({ ...env, ...evicting, MONGODB_URL: `${evicting.MONGODB_URL}${Date.now()}` })
    expect(ready, output).to.equal(true)
    const warnings = output.split('\n').filter((line) => line.includes('"level":40'))
    expect(warnings.some((line) => line.includes('maxmemory-policy allkeys-lru'))).to.equal(true)
    expect(warnings.some((line) => line.includes('has a clock'))).to.equal(true)
    expect(warnings.some((line) => line.includes('a single server can lose what it acknowledged'))).to.equal(true)
    const inMemory = { ...unfit['EventStoreDB in memory'], ...unfit['Redis without an append-only file'] }
    const other = await served({ ...backends.fresh(), NODE_ENV: '', ...inMemory, DATA_DIR: await newFolder() })
    expect(other.ready, other.output).to.equal(true)
    expect(other.output).to.contain('keeps no append-only file').and.contain('keeps its log in memory')
  })

  it('exits with 2 only for faults of the environment variables', async () => {
    const { MONGODB_URL: _, ...env } = backends.fresh()
    const { code, output } = await served({ ...env, MONGODB_URL: `http://admin:${PASSWORDS[1]}@host` })
    expect([code, output.trim()]).to.deep.equal([
      2,
      'scorebook: MONGODB_URL: must look like mongodb://user:password@host:27017/scorebook.',
    ])
  })
})
