// The operator key: a process that dies while it issues the key, and runs again, issues it once.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { CommandDeps } from '../../commands/command-deps.ts'
import { createHandler, type Handler } from '../../commands/handle.ts'
import { workingKeys } from '../../credentials/master.ts'
import { issueOperator, makeOperator } from '../../server/operator.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'

const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const DIED = new Error('died')

describe('the operator key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-operator-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const commandsOn = (on: ReturnType<typeof createMemoryLog>, vault = createMemoryVault()): CommandDeps => {
    const keys = workingKeys(new Uint8Array(32).fill(7))
    return { handler: createHandler(on), log: on, vault, keys, publish: async () => {} }
  }
  const kept = async () => JSON.parse(await readFile(join(dataDir, 'operator.json'), 'utf8'))
  const issued = async (on: ReturnType<typeof createMemoryLog>) =>
    (await on.readAll(null, 10)).map(({ type, stream }) => `${type} ${stream}`)

  const dying: Record<string, (handler: Handler) => Handler> = {
    'before its event': () => ({ handle: () => Promise.reject(DIED) }),
    'after its event': (handler) => ({
      async handle(...call) {
        await handler.handle(...call)
        throw DIED
      },
    }),
  }
  for (const [when, handlerOf] of Object.entries(dying)) {
    it(`is issued once if the process dies ${when}, twice, and runs again`, async () => {
      const on = createMemoryLog()
      const deps = commandsOn(on)
      const mortal = { ...deps, handler: handlerOf(deps.handler) }
      for (const _ of [1, 2]) {
        const death = await makeOperator(mortal, on, dataDir, NOW_MS).catch((error: unknown) => error)
        expect(death).to.equal(DIED)
        expect(await readdir(dataDir)).to.deep.equal(['operator.json.unrecorded'])
      }
      expect(await makeOperator(deps, on, dataDir, NOW_MS)).to.equal(join(dataDir, 'operator.json'))
      expect(await readdir(dataDir)).to.deep.equal(['operator.json'])
      const { prefix, secret } = await kept()
      expect(await issued(on)).to.deep.equal([`KeyIssued key-${prefix}`])
      expect(Buffer.from((await deps.vault.get('key-secret', prefix)) ?? []).toString()).to.equal(secret)
      expect(await makeOperator(deps, on, dataDir, NOW_MS)).to.equal(null)
    })
  }

  it('is issued by two processes that start with one data folder at the same time, and both start', async () => {
    const on = createMemoryLog()
    const vault = createMemoryVault()
    const path = join(dataDir, 'operator.json')
    const make = () => makeOperator(commandsOn(on, vault), on, dataDir, NOW_MS)
    expect(await Promise.all([make(), make()])).to.deep.equal([path, path])
    expect(await readdir(dataDir)).to.deep.equal(['operator.json'])
    expect(await issued(on)).to.include(`KeyIssued key-${(await kept()).prefix}`)
  })

  it('is another one at each call that was not interrupted', async () => {
    const on = createMemoryLog()
    const deps = commandsOn(on)
    await issueOperator(deps, dataDir, NOW_MS)
    const first = await kept()
    await issueOperator(deps, dataDir, NOW_MS)
    const second = await kept()
    expect(await issued(on)).to.deep.equal([`KeyIssued key-${first.prefix}`, `KeyIssued key-${second.prefix}`])
    expect(second.secret).not.to.equal(first.secret)
    expect(second.secret).to.match(/^[\w-]{43}$/)
  })
})
