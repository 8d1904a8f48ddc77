// `scorebook files check`, and how a server reports files whose bytes are missing.

import { readdir, readFile, rename, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Bucket } from '../../clients/javascript/file-shapes.ts'
import { eventually, pause } from '../until.ts'
import { openServed, type Served } from './served.ts'
import { type CommandResult, newFolder } from './service.ts'

interface Report {
  readonly files: number
  readonly blobs: number
  readonly damaged: readonly { readonly path: string; readonly blob: string; readonly trouble: string }[]
  readonly orphans: readonly { readonly blob: string; readonly size: number; readonly age_seconds: number }[]
}

describe('scorebook files check', function () {
  this.timeout(60_000)
  let served: Served
  let bucket: string
  /** The path in the bucket -> the path of the blob on disk. */
  const paths = new Map<string, string>()

  before(async () => {
    served = await openServed()
    await served.json('game', 'create', 'Quest')
    bucket = (await served.json<Bucket>('bucket', 'create', 'Saves')).id
    const here = await newFolder()
    const files = join(served.dataDir, 'files')
    for (const name of ['fine', 'gone', 'short', 'flipped']) {
      const before = new Set(await below(files))
      await writeFile(join(here, name), `these are the bytes of ${name}`)
      await served.json('bucket', 'upload', join(here, name), `${bucket}:/${name}`)
      paths.set(name, (await below(files)).find((path) => !before.has(path)) ?? '')
    }
  })
  after(() => served.close())

  const below = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  const pathOf = (name: string) => paths.get(name) ?? ''
  const report = (result: CommandResult) => {
    const { files, blobs, damaged, orphans } = result.json<Report>()
    return {
      code: result.code,
      files,
      blobs,
      damaged: damaged.map(({ path, trouble }) => `${path} ${trouble}`),
      orphans,
    }
  }

  it('is rejected while a server uses the data folder', async () => {
    const result = await served.run('files', 'check')
    expect([result.code, result.err.includes('Stop the server first')], result.err).to.deep.equal([1, true])
    const none = await served.run('files', 'check', '--hash', 'more')
    expect(none.code).to.equal(2)
  })

  it('finds missing blobs, wrong sizes, wrong bytes, and orphaned blobs', async () => {
    await served.stop()
    expect(report(await served.run('files', 'check', '--hash', '--json'))).to.deep.equal({
      code: 0,
      files: 4,
      blobs: 4,
      damaged: [],
      orphans: [],
    })
    await rename(pathOf('gone'), `${served.dataDir}/kept`)
    await truncate(pathOf('short'), 40)
    const bytes = await readFile(pathOf('flipped'))
    bytes[3] = (bytes[3] ?? 0) ^ 1
    await writeFile(pathOf('flipped'), bytes)
    const orphan = join(pathOf('fine'), '..', `${pathOf('fine').slice(-24, -22)}${'a'.repeat(22)}`)
    await writeFile(orphan, Buffer.alloc(132))
    const hours = Date.now() / 1_000 - 3 * 3_600
    await utimes(orphan, hours, hours)
    const found = report(await served.run('files', 'check', '--json'))
    const [orphaned] = found.orphans
    expect({ ...found, damaged: found.damaged.toSorted(), orphans: found.orphans.length }).to.deep.equal({
      code: 1,
      files: 4,
      blobs: 4,
      damaged: ['/gone missing', '/short wrong_size'],
      orphans: 1,
    })
    expect(orphaned).to.include({ blob: orphan.split('/').at(-1), size: 100 })
    expect(orphaned?.age_seconds).to.be.within(10_800, 14_000)
    const hashed = await served.run('files', 'check', '--hash')
    expect(hashed.code).to.equal(1)
    expect(hashed.out).to.match(/other bytes +\w+ +\/flipped /)
    expect(hashed.out).to.contain('3 damaged: restore their blobs from a copy, or delete these files.')
    expect(hashed.out).to.contain('1 blob belongs to no file, 100 bytes:')
    expect(hashed.err).to.match(/Reading files: 4 in /)
    // The blob is too short to contain its checksum.
    await truncate(pathOf('short'), 3)
    expect(report(await served.run('files', 'check', '--json')).damaged.toSorted()).to.deep.equal([
      '/gone missing',
      '/short unreadable',
    ])
  })

  it('is recommended by a server that has found files without bytes, until the bytes are restored', async () => {
    const health = async () =>
      (await (await fetch(`${served.adminUrl}/health/ready`)).json()) as { status: string; reasons?: object }
    const damagedMetric = async () => {
      const text = await (await fetch(`${served.adminUrl}/metrics`)).text()
      return Number(/^scorebook_files_missing (\d+)$/m.exec(text)?.[1])
    }
    await served.restart()
    await eventually(async () => (await damagedMetric()) === 1)
    while (!('files' in ((await health()).reasons ?? {}))) await pause(20)
    expect(await health()).to.deep.equal({
      status: 'degraded',
      reasons: { files: '1 without their bytes: scorebook files check names them' },
    })
    expect(await (await fetch(`${served.url}/health/ready`)).json()).to.deep.equal({
      status: 'degraded',
      missing: ['files'],
    })
    const to = join(await newFolder(), 'x')
    const down = await served.run('bucket', 'download', `${bucket}:/gone`, '--to', to)
    expect([down.code, down.err.includes('HTTP 404')], down.err).to.deep.equal([1, true])
    const flipped = await served.run('bucket', 'download', `${bucket}:/flipped`, '--to', to)
    expect([flipped.code, flipped.err.includes('sha256')], flipped.err).to.deep.equal([1, true])
    expect(await readdir(join(to, '..'))).to.deep.equal([])
    await served.stop()
    await rename(`${served.dataDir}/kept`, pathOf('gone'))
    await served.restart()
    expect((await served.run('bucket', 'download', `${bucket}:/gone`, '--to', to)).code).to.equal(0)
    expect(await readFile(to, 'utf8')).to.equal('these are the bytes of gone')
    expect([await damagedMetric(), (await health()).status]).to.deep.equal([0, 'ready'])
  })
})
