// The temporary folder of an unfinished export: removed if its writer was killed, kept while it lives.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { createArchive } from '../../../portability/export/write.ts'
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
