// `scorebook bucket upload` and `download`: the resulting files on both sides.

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { diskFault, onThisDisk } from '../../cli/local-files.ts'
import { openPart } from '../../cli/part-file.ts'
import type { Listing, StoredFile } from '../../clients/javascript/file-shapes.ts'
import { sha256 } from '../bytes.ts'
import { openServed, type Served } from './served.ts'
import { freshPlace, laid, type Moved } from './transfers.ts'

const LARGE = randomBytes(3_000_001)

describe('the command line’s uploads and downloads', function () {
  this.timeout(60_000)
  let served: Served
  let bucket: string
  let here: string

  before(async () => {
    served = await openServed()
    await served.json('game', 'create', 'Quest')
  })
  beforeEach(async () => {
    ;({ here, bucket } = await freshPlace(served))
  })
  after(() => served.close())

  const at = (path: string) => `${bucket}:${path}`
  const put = (name: string, bytes: Uint8Array | string) => laid(here, name, bytes)
  const listed = async (path: string) => served.json<Listing>('bucket', 'ls', bucket, path)

  it('uploads and downloads a file, and skips files that already exist', async () => {
    const local = await put('slot.json', '{"level":3}')
    const up = await served.run('bucket', 'upload', local, at('/slot.json'))
    expect([up.code, up.out.split('\n')[0]]).to.deep.equal([0, `Uploaded ${local} to /slot.json`])
    const [file] = (await listed('/')).files as readonly StoredFile[]
    expect(file).to.include({ content_type: 'application/json', size: 11, sha256: sha256(Buffer.from('{"level":3}')) })
    const again = await served.run('bucket', 'upload', local, at('/'))
    expect([again.code, again.out]).to.deep.equal([0, 'Nothing to do: 1 was there already, with the same bytes.'])
    const to = join(here, 'back.json')
    const down = await served.json<Moved>('bucket', 'download', at('/slot.json'), '--to', to)
    expect(down).to.deep.equal({
      moved: [{ path: '/slot.json', local: to, size: 11, sha256: file?.sha256 }],
      unchanged: [],
      bytes: 11,
    })
    expect(await readFile(to, 'utf8')).to.equal('{"level":3}')
    expect((await served.json<Moved>('bucket', 'download', at('/slot.json'), '--to', to)).unchanged).to.have.length(1)
    await put('empty', '')
    expect((await served.run('bucket', 'upload', join(here, 'empty'), at('/empty'))).code).to.equal(0)
    await served.json('bucket', 'download', at('/empty'), '--to', `${join(here, 'in')}/`)
    expect((await readFile(join(here, 'in', 'empty'))).length).to.equal(0)
  })

  it('does not replace a different file on either side without --force', async () => {
    const local = await put('a', 'one')
    await served.json('bucket', 'upload', local, at('/a'))
    await put('a', 'two')
    const up = await served.run('bucket', 'upload', local, at('/a'))
    expect([up.code, up.err]).to.deep.equal([
      1,
      'scorebook: Exists already with other bytes: /a. --force overwrites. Nothing was changed.',
    ])
    const down = await served.run('bucket', 'download', at('/a'), '--to', local)
    expect([down.code, down.err.includes(`${local}. --force`)]).to.deep.equal([1, true])
    expect(await readFile(local, 'utf8')).to.equal('two')
    expect((await served.run('bucket', 'upload', local, at('/a'), '--force')).code).to.equal(0)
    await put('a', 'three')
    expect((await served.run('bucket', 'download', at('/a'), '--to', local, '--force')).code).to.equal(0)
    expect(await readFile(local, 'utf8')).to.equal('two')
  })

  it('uploads and downloads folders with their contents, except symbolic links', async () => {
    await mkdir(join(here, 'up', 'a', 'b'), { recursive: true })
    const files = { 'x.txt': 'x', 'a/y': 'y', 'a/b/z': 'z' }
    for (const [name, text] of Object.entries(files)) await writeFile(join(here, 'up', name), text)
    await symlink('/etc/passwd', join(here, 'up', 'link'))
    const plain = await served.run('bucket', 'upload', join(here, 'up'), at('/deep/er/'))
    expect([plain.code, plain.err.includes('--recursive')]).to.deep.equal([2, true])
    const up = await served.run('bucket', 'upload', join(here, 'up'), at('/deep/er/'), '--recursive', '--json')
    expect(up.err).to.contain(`Skipped, because it is neither a file nor a folder: ${join(here, 'up', 'link')}`)
    expect(up.json<Moved>().moved.map(({ path }) => path)).to.deep.equal([
      '/deep/er/a/b/z',
      '/deep/er/a/y',
      '/deep/er/x.txt',
    ])
    const to = join(here, 'down')
    expect((await served.run('bucket', 'download', at('/deep/'), '--to', to, '--recursive')).code).to.equal(0)
    for (const [name, text] of Object.entries(files)) {
      expect(await readFile(join(to, 'er', name), 'utf8')).to.equal(text)
    }
    expect(await readdir(join(to, 'er'))).to.deep.equal(['a', 'x.txt'])
  })

  it('downloads files with long names of a common prefix and equal bytes in parallel', async () => {
    for (const long of ['あ'.repeat(80), 'x'.repeat(120)]) {
      const names = [`${long}1`, `${long}2`]
      await mkdir(join(here, long))
      const parts = await Promise.all(names.map((name) => openPart(join(here, long, name), sha256(LARGE), () => {})))
      expect(await readdir(join(here, long))).to.have.length(2)
      for (const part of parts) {
        await part.write(LARGE.subarray(0, 10))
        await part.finish(false)
        await part.close()
      }
      expect((await readdir(join(here, long))).toSorted()).to.deep.equal(names)
    }
  })

  it('downloads a whole bucket into a new folder if no target is given', async () => {
    await served.json('bucket', 'upload', await put('a', 'a'), at('/a'))
    const present = process.cwd()
    process.chdir(here)
    try {
      const down = await served.json<Moved>('bucket', 'download', at('/'), '--recursive')
      expect(down.moved.map(({ local }) => local)).to.deep.equal([join(bucket, 'a')])
    } finally {
      process.chdir(present)
    }
    expect((await readdir(here)).toSorted()).to.deep.equal([bucket, 'a'].toSorted())
    expect(await readFile(join(here, bucket, 'a'), 'utf8')).to.equal('a')
  })

  it('prints the cause of disk errors, missing permissions and invalid arguments', async () => {
    const faults: readonly (readonly [readonly string[], number, string])[] = [
      [['upload', join(here, 'none'), at('/a')], 1, `${join(here, 'none')}: no such file or folder.`],
      [['upload', here, at('/a')], 2, 'with --recursive'],
      [['upload', here, at('/a'), '--recursive'], 2, 'end /a with /'],
      [['upload', here, 'x'], 2, '<bucket>:/saves/slot-1.bin'],
      [['download', at('/none')], 1, 'not_found'],
      [['download', at('/')], 2, 'with --recursive'],
      [['download', 'nobodys:/a'], 1, 'HTTP 404'],
    ]
    for (const [args, code, result] of faults) {
      const failed = await served.run('bucket', ...args)
      expect([failed.code, failed.err.includes(result)], failed.err).to.deep.equal([code, true])
    }
    await served.json('bucket', 'upload', await put('a', 'a'), at('/a'))
    await put('file', '')
    const under = await served.run('bucket', 'download', at('/a'), '--to', join(here, 'file', 'a'))
    expect([under.code, under.err.includes('a parent of this path is a file')], under.err).to.deep.equal([1, true])
    const full = onThisDisk('/x/y', () => writeFile('/dev/full', 'x'))
    expect(await full.catch(String)).to.equal(
      'CommandFault: /x/y: the disk is full: free space, then run the command again.',
    )
    const closed = diskFault('/x', Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }))
    expect(closed.message).to.match(/^\/x: permission denied: /)
  })
})
