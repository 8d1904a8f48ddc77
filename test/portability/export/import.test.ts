// An import: when it gives up, what it accepts, and what a failed one leaves.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sealingKey } from '../../../credentials/master.ts'
import type { StoredEvent } from '../../../domain/event.ts'
import {
  createChain,
  eventsFile,
  type Manifest,
  SUM_BYTES,
  SUMS_FILE,
  sha256,
} from '../../../portability/export/manifest.ts'
import { importLog } from '../../../portability/import/import-log.ts'
import { readImportMarker, refuseUnfinishedImport } from '../../../portability/import/import-marker.ts'
import { openStores } from '../../../server/open-stores.ts'
import type { OpenedStores } from '../../../stores/contract/stores.ts'
import { sealVault } from '../../../stores/log-decorators/sealing/vault.ts'
import { BASE_CONFIG } from '../../base-config.ts'
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

  it('stops and leaves nothing if a process has started since its first check', async () => {
    const { folder, manifest } = await exported(submissions(3))
    const load = { folder, manifest, vaultFile: null, onProgress: () => {} }
    const { leases } = opened
    let looks = 0
    const heartbeat: typeof leases.heartbeat = async (node) => {
      const answer = await leases.heartbeat(node)
      return ++looks === 1 ? answer : { ...answer, used: ['entries@1'] }
    }
    const started = { ...opened, leases: { ...leases, heartbeat } }
    const failure = await importLog(started, KEYS, load).catch((error: unknown) => error)
    expect(String(failure)).to.contain('Processes are running on these stores')
    expect([looks, await opened.log.head()]).to.deep.equal([2, null])
    expect(await readImportMarker(sealVault(opened.vault, KEYS))).to.equal(null)
    await importLog(opened, KEYS, load)
    expect(await opened.log.head()).to.equal(manifest.last)
  })

  it('reports a full disk, blocks serving, and continues when there is space', async () => {
    const { folder, manifest } = await exported(submissions(3_000))
    const load = { folder, manifest, vaultFile: null, onProgress: () => {} }
    let room = 100
    const append: typeof opened.log.append = async (...call) => {
      if (room-- <= 0) throw new Error('database or disk is full')
      return opened.log.append(...call)
    }
    const small = { ...opened, log: { ...opened.log, append } }
    for (const room_ of [0, 40, 70]) {
      room = room_
      const failure = await importLog(small, KEYS, load).catch((error: unknown) => error)
      expect(String(failure)).to.contain('The import broke off: database or disk is full. Run it again')
      const sealed = sealVault(opened.vault, KEYS)
      expect(await readImportMarker(sealed)).to.deep.equal({ chain: manifest.chain, isComplete: false })
      const refused = await refuseUnfinishedImport(sealed).catch((error: unknown) => error)
      expect(String(refused)).to.contain('was not finished')
      expect(await opened.log.head()).not.to.equal(manifest.last)
    }
    await importLog(opened, KEYS, load)
    const found = await opened.log.readAll(null, 4_000)
    expect(found.map(({ id, position }) => [id, position])).to.deep.equal(
      submissions(3_000).map(({ id, position }) => [id, position]),
    )
    expect(await readImportMarker(sealVault(opened.vault, KEYS))).to.equal(null)
  })

  it('is finished by the next import if it was killed after all events were stored', async () => {
    const { folder, manifest } = await exported(submissions(30))
    const phases: string[] = []
    const load = { folder, manifest, vaultFile: null, onProgress: (phase: string) => void phases.push(phase) }
    const sealed = sealVault(opened.vault, KEYS)
    const killed = async () => {
      // The import appends one event of its own, the operator key.
      const [event] = submissions(31).slice(-1)
      if ((await opened.log.head()) === manifest.last)
        await opened.log.append('key-sk_operator', 'none', [event as StoredEvent])
      throw new Error('killed')
    }
    for (let times = 0; times < 2; times++) {
      const failure = await importLog(opened, KEYS, { ...load, finish: killed }).catch((error: unknown) => error)
      expect(String(failure)).to.equal('Error: killed')
      expect(await readImportMarker(sealed)).to.deep.equal({ chain: manifest.chain, isComplete: true })
      expect(String(await refuseUnfinishedImport(sealed).catch((error: unknown) => error))).to.contain(
        'was not finished',
      )
    }
    phases.length = 0
    let finished = 0
    await importLog(opened, KEYS, { ...load, finish: async () => void finished++ })
    expect([finished, phases, await readImportMarker(sealed)]).to.deep.equal([1, [], null])
    expect((await opened.log.readAll(null, 100)).length).to.equal(31)
  })

  it('accepts equal events that are formatted differently', async () => {
    const events = submissions(30)
    const { folder, manifest } = await exported(events)
    const other = { folder, manifest, vaultFile: null, onProgress: () => {} }
    const spaced = await rewritten(folder, manifest, (line) => line.replace('"score":', '"score" : '))
    expect(spaced.chain).not.to.equal(manifest.chain)
    await importLog(opened, KEYS, { ...other, manifest: spaced })
    expect(await opened.log.head()).to.equal(manifest.last)
  })
})

/** Other programs may write the same event with other JSON formatting. */
async function rewritten(folder: string, manifest: Manifest, change: (line: string) => string): Promise<Manifest> {
  const path = join(folder, eventsFile('ndjson'))
  const lines = (await readFile(path, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => `${change(line)}\n`)
  const chain = createChain()
  const sums = lines.map((line) => sha256(Buffer.from(line)))
  for (const sum of sums) chain.add(sum)
  const short = Buffer.concat(sums.map((sum) => sum.subarray(0, SUM_BYTES)))
  await writeFile(path, lines.join(''))
  await writeFile(join(folder, SUMS_FILE), short)
  const bytes = Buffer.byteLength(lines.join(''))
  return { ...manifest, bytes, chain: chain.end(), sums: sha256(short).toString('hex') }
}
