// An import, and a process that starts on the same stores while it begins: of the two one gives way.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sealingKey } from '../../credentials/master.ts'
import { importBegun } from '../../node/half-import.ts'
import { importLog } from '../../node/import-log.ts'
import { openStores } from '../../node/open-stores.ts'
import type { OpenedStores } from '../../stores/contract/stores.ts'
import { sealVault } from '../../stores/sealing/vault.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { exported, submissions } from './events.ts'

const KEYS = { current: sealingKey(Buffer.alloc(32, 7)), previous: [] }

describe('an import', () => {
  let dataDir: string
  let opened: OpenedStores

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-import-'))
    const hooks = { onFailure: () => {}, warn: () => {}, now: Date.now }
    opened = await openStores({ ...BASE_CONFIG, dataDir }, hooks)
  })
  afterEach(async () => {
    await opened.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('gives way to a process that has started since it first looked, and leaves nothing', async () => {
    const { folder, manifest } = await exported(submissions(3))
    const load = { folder, manifest, vaultFile: null, told: () => {} }
    const { leases } = opened
    let looks = 0
    const beat: typeof leases.beat = async (node) => {
      const answer = await leases.beat(node)
      return ++looks === 1 ? answer : { ...answer, used: ['entries@1'] }
    }
    const started = { ...opened, leases: { ...leases, beat } }
    const failure = await importLog(started, KEYS, load).catch((why: unknown) => why)
    expect(String(failure)).to.contain('Processes are running on these stores')
    expect([looks, await opened.log.head()]).to.deep.equal([2, null])
    expect(await importBegun(sealVault(opened.vault, KEYS))).to.equal(null)
    await importLog(opened, KEYS, load)
    expect(await opened.log.head()).to.equal(manifest.last)
  })
})
