// The temporary folder of an unfinished export: removed if its writer was killed, kept while it lives. What killed
// exports left without a lock is removed an hour after the last write.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { ABANDONED_AFTER_MS } from '../../../portability/export/unfinished.ts'
import { createArchive } from '../../../portability/export/write.ts'
import { writeVaultFile } from '../../../portability/import/vault-file.ts'
import { openVault } from '../../../stores/embedded/vault.ts'
import { newPath } from '../../stores/folder.ts'
import { ABOUT, freshPath, submissions } from './events.ts'

const WRITE = new URL('../../../portability/export/write.ts', import.meta.url)

/** Starts another process that is writing an export to this folder. */
async function exporting(folder: string): Promise<ChildProcess> {
  const script = `import { createArchive } from ${JSON.stringify(WRITE)}
    const archive = await createArchive(${JSON.stringify(folder)}, 'ndjson')
    process.stdout.write('writing')
    process.stdin.resume().on('end', () => archive.abandon())`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const output = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  expect(String(output[0])).to.equal('writing')
  return child
}

describe('an unfinished export', () => {
  it('is kept while its process lives, and removed by the next export in the folder after it was killed', async () => {
    const folder = freshPath()
    const beside = dirname(folder)
    const child = await exporting(folder)
    const [workFolder = ''] = await readdir(beside)
    const during = await createArchive(folder, 'ndjson')
    expect([during.removed, await readdir(join(beside, workFolder, 'export'))]).to.deep.equal([
      0,
      ['events.ndjson', 'sums.bin'],
    ])
    await during.abandon()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(beside)).to.deep.equal([workFolder])
    const next = await createArchive(`${folder}-other`, 'ndjson')
    expect(next.removed).to.equal(1)
    await next.abandon()
    expect(await readdir(beside)).to.deep.equal([])
  })

  it('is kept if it belongs to this process; other files are not touched', async () => {
    const folder = freshPath()
    const beside = dirname(folder)
    const living = await createArchive(folder, 'ndjson')
    const [own = ''] = await readdir(beside)
    // An export that has just begun has no lock yet.
    const others = [`.scorebook-${'0'.repeat(12)}.partial`, `.another-${'0'.repeat(12)}.partial`, '.scorebook.partial']
    for (const name of others) {
      await mkdir(join(beside, name, 'export'), { recursive: true })
      await writeFile(join(beside, name, name === others[0] ? 'unlocked' : 'lock'), '')
    }
    const next = await createArchive(folder, 'ndjson')
    expect([living.removed, next.removed]).to.deep.equal([0, 0])
    await next.abandon()
    expect((await readdir(beside)).sort()).to.deep.equal([own, ...others].sort())
    await living.add(submissions(3))
    await living.finish(ABOUT)
    expect((await readdir(beside)).sort()).to.deep.equal([basename(folder), ...others].sort())
    expect((await readdir(folder)).sort()).to.deep.equal(['events.ndjson', 'manifest.json', 'sums.bin'])
  })

  it('has a short name, so the target can have any name that the disk accepts', async () => {
    const folder = join(dirname(freshPath()), 'x'.repeat(255))
    const archive = await createArchive(folder, 'ndjson')
    expect((await readdir(dirname(folder))).join()).to.match(/^\.scorebook-[0-9a-f]{12}\.partial$/)
    await archive.finish(ABOUT)
    expect(await readdir(dirname(folder))).to.deep.equal([basename(folder)])
  })
})

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
