// Leftovers of killed exports without a lock: the next export in the same folder removes them an hour after the last
// write.

import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { ABANDONED_AFTER_MS } from '../../../portability/export/leftovers.ts'
import { createArchive } from '../../../portability/export/write.ts'
import { writeVaultFile } from '../../../portability/import/vault-file.ts'
import { openVault } from '../../../stores/embedded/vault.ts'
import { newPath } from '../../stores/folder.ts'
import { freshPath } from './events.ts'

const RANDOM = '0123456789ab'
const LEFT_FOLDERS = [`.log.${RANDOM}.partial`, `.log.89abcdef-4711-${RANDOM}.partial`]
const LEFT_VAULTS = [`vault.ndjson.${RANDOM}.partial`, `.scorebook-${RANDOM}.vault.partial`]
const HEAD = '{"scorebook_vault":1,"installation":"i"}\n'

async function made(folder: string, files: Readonly<Record<string, string>>, agoMs: number): Promise<void> {
  const time = new Date(Date.now() - agoMs)
  const all = Object.entries(files).map(([name, content]) => ({ path: join(folder, name), content }))
  for (const { path, content } of all) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  for (const { path } of all) await utimes(path, time, time)
  for (const { path } of all) if (dirname(path) !== folder) await utimes(dirname(path), time, time)
}

const inFolders = (names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => ['events.ndjson', 'sums.bin'].map((file) => [join(name, file), 'text'])))
const asVaults = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, HEAD]))

describe('leftovers of killed exports without a lock', () => {
  it('are removed by the next export in the folder, one hour after the last write', async () => {
    const folder = freshPath()
    const beside = dirname(folder)
    await mkdir(beside, { recursive: true })
    await made(beside, { ...inFolders(LEFT_FOLDERS), ...asVaults(LEFT_VAULTS) }, ABANDONED_AFTER_MS + 60_000)
    const next = await createArchive(folder, 'ndjson')
    expect(next.removed).to.equal(4)
    await next.abandon()
    expect(await readdir(beside)).to.deep.equal([])
  })

  it('are also removed by the next export of a vault', async () => {
    const beside = dirname(freshPath())
    await mkdir(beside, { recursive: true })
    await made(beside, asVaults(LEFT_VAULTS), ABANDONED_AFTER_MS + 60_000)
    const vault = await openVault(newPath('vault.sqlite'))
    await writeVaultFile(join(beside, 'vault.ndjson'), vault, 'installation')
    await vault.close()
    expect(await readdir(beside)).to.deep.equal(['vault.ndjson'])
  })

  it('are kept if they were written to since, or contain other files', async () => {
    const folder = freshPath()
    const beside = dirname(folder)
    await mkdir(beside, { recursive: true })
    await made(beside, { ...inFolders(LEFT_FOLDERS), ...asVaults(LEFT_VAULTS) }, ABANDONED_AFTER_MS - 60_000)
    const others = { [`.other.${RANDOM}.partial/events.ndjson`]: '', [`.other.${RANDOM}.partial/own`]: '' }
    await made(
      beside,
      { ...others, [`download.${RANDOM}.partial`]: 'bytes', 'a.partial': HEAD },
      2 * ABANDONED_AFTER_MS,
    )
    const before = await readdir(beside)
    const next = await createArchive(folder, 'ndjson')
    expect(next.removed).to.equal(0)
    await next.abandon()
    expect(await readdir(beside)).to.deep.equal(before)
  })
})
