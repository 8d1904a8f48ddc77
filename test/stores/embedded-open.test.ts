// Opening a data folder that was changed or damaged.

import { readdirSync, readFileSync } from 'node:fs'
import { link, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { sealingKey } from '../../credentials/master.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import { openDataFolder } from '../../stores/embedded/data-folder.ts'
import { DerivedDamaged, moveDamaged } from '../../stores/embedded/derived-database.ts'
import { openEmbedded } from '../../stores/embedded/open.ts'
import { openSealed } from '../../stores/log-decorators/sealing/open.ts'
import { someEvent } from '../contracts/events.ts'

const keysOf = (byte: number) => ({ current: sealingKey(new Uint8Array(32).fill(byte)), previous: [] })
const ignore = () => {}

describe('a data folder', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scorebook-open-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Opens it under a master key, appends an event, closes it. */
  async function use(master: number): Promise<void> {
    const stores = await openEmbedded(folder, { onFailure: ignore })
    try {
      const { log } = (await openSealed(stores, keysOf(master), {})).stores
      await log.append('s-1', 'none', [someEvent()])
    } finally {
      await stores.close()
    }
  }

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (failure: unknown) => (failure instanceof StoresFault ? failure.message : `not a StoresFault: ${failure}`),
    )

  it('opens only with the master key it was created with', async () => {
    await use(1)
    await use(1).catch(ignore)
    expect(await failureOf(use(2))).to.match(/^MASTER_KEY does not match the vault/)
  })

  it('is refused if its vault is lost', async () => {
    await use(1)
    await rm(join(folder, 'vault.sqlite'))
    expect(await failureOf(use(1))).to.match(/^The vault is empty, but its log is not/)
  })

  it('maps the files into memory that can be built again, and no others', async () => {
    await use(1)
    const stores = await openEmbedded(folder, { onFailure: ignore })
    await stores.log.readStream('s-1', 0, 1)
    await stores.views.list()
    const mapped = readFileSync('/proc/self/maps', 'utf8')
      .split('\n')
      .filter((line) => line.includes(folder))
    await stores.close()
    expect(new Set(mapped.map((line) => basename(line)))).to.deep.equal(new Set(['log-index.sqlite', 'views.sqlite']))
  })

  it('moves unreadable views aside and reports them, and the next open creates empty ones', async () => {
    await use(1)
    await writeFile(join(folder, 'views.sqlite'), 'this is no database at all, and longer than a header'.repeat(100))
    const reported: Error[] = []
    const hooks = { onFailure: (error: Error) => reported.push(error) }
    const failure = await openEmbedded(folder, hooks).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(DerivedDamaged)
    expect(reported).to.deep.equal([failure])
    expect(String(failure)).to.match(
      /views\.sqlite is damaged \(file is not a database\)\. It was moved to views\.sqlite\.damaged-/,
    )
    expect(readdirSync(folder).filter((name) => name.startsWith('views.sqlite.damaged-'))).to.have.length(1)
    const stores = await openEmbedded(folder, hooks)
    expect(await stores.views.list()).to.deep.equal([])
    await stores.close()
    expect(reported).to.have.length(1)
  })

  it('says to remove unreadable views that cannot be moved, and not to restore a backup', () => {
    const failure = moveDamaged(join(folder, 'not here', 'views.sqlite'), 'file is not a database', null)
    expect(failure.isMoved).to.equal(false)
    expect(String(failure)).to.match(
      /views\.sqlite is damaged \(file is not a database\) and could not be moved \(.+\)\. Remove it: a start builds the views again from the log\.$/,
    )
  })

  it('names the file if its log cannot be read', async () => {
    await writeFile(join(folder, 'log.sqlite'), 'this is no database at all, and longer than a header'.repeat(100))
    expect(await failureOf(openEmbedded(folder, { onFailure: ignore }))).to.match(
      /log\.sqlite is damaged \(file is not a database\)\. Stop the server and restore the data folder from a backup\./,
    )
  })

  it('creates one master key for all processes that begin at once', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => openDataFolder(folder)))
    expect(new Set(opened.map(({ current }) => Buffer.from(current).toString('hex')))).to.have.length(1)
    expect(await openDataFolder(folder)).to.deep.equal(opened[0])
    expect(readdirSync(folder)).to.deep.equal(['secrets.json'])
  })

  it('removes the second name of its master key that a process left which was killed', async () => {
    const made = await openDataFolder(folder)
    const left = join(folder, 'secrets.json.0123456789ab.tmp')
    await link(join(folder, 'secrets.json'), left)
    await writeFile(join(folder, 'secrets.json.being-written.tmp'), 'of another process')
    expect(await openDataFolder(folder)).to.deep.equal(made)
    expect(readdirSync(folder).sort()).to.deep.equal(['secrets.json', 'secrets.json.being-written.tmp'])
  })

  it('never creates a second master key if there is a log', async () => {
    await openDataFolder(folder)
    await use(1)
    await rm(join(folder, 'secrets.json'))
    expect(await failureOf(openDataFolder(folder))).to.match(/secrets\.json contains no master key/)
    await writeFile(join(folder, 'secrets.json'), '')
    expect(await failureOf(openDataFolder(folder))).to.match(/secrets\.json is not valid JSON/)
  })
})
