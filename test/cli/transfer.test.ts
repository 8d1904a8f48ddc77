// `scorebook bucket upload` and `download`, over a wire that is cut and a server that is restarted: what is there in the
// end, on both sides, and what is not.

import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { diskFault, onThisDisk } from '../../cli/local-files.ts'
import { openPart, partName } from '../../cli/part-file.ts'
import { runCommandLine } from '../../cli/program.ts'
import type { Bucket, Listing, StoredFile } from '../../client/file-shapes.ts'
import { sha256 } from '../bytes.ts'
import { HELD, openServed, type Served } from './served.ts'
import { newFolder } from './service.ts'

const LARGE = randomBytes(3_000_001)
/** Of bytes that pass a cut, what the wire holds back is lost. */
const CUT_AT = 1_000_000

interface Moved {
  readonly moved: readonly { readonly path: string; readonly local: string; readonly sha256: string }[]
  readonly unchanged: readonly { readonly path: string }[]
  readonly bytes: number
}

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
    served.cuts = () => false
    served.cut.length = 0
    served.held.length = 0
    here = await newFolder()
    bucket = (await served.json<Bucket>('bucket', 'create', 'Saves')).id
  })
  after(() => served.close())

  const at = (path: string) => `${bucket}:${path}`
  const put = async (name: string, bytes: Uint8Array | string) => {
    await writeFile(join(here, name), bytes)
    return join(here, name)
  }
  const listed = async (path: string) => served.json<Listing>('bucket', 'ls', bucket, path)
  /** Uploads that were begun, by what lies in the store: none is left of one that was begun for nothing. */
  const blobs = async () => {
    const names = await readdir(join(served.dataDir, 'files'), { recursive: true, withFileTypes: true })
    return names.filter((entry) => entry.isFile()).length
  }

  it('brings a file there and back, says so, and passes over what is there already', async () => {
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

  it('refuses to replace other bytes, on either side, unless it is told to', async () => {
    const local = await put('a', 'one')
    await served.json('bucket', 'upload', local, at('/a'))
    await put('a', 'two')
    const up = await served.run('bucket', 'upload', local, at('/a'))
    expect([up.code, up.err]).to.deep.equal([
      1,
      'scorebook: There already, with other bytes: /a. --force puts the new ones in their place. Nothing was changed.',
    ])
    const down = await served.run('bucket', 'download', at('/a'), '--to', local)
    expect([down.code, down.err.includes(`${local}. --force`)]).to.deep.equal([1, true])
    expect(await readFile(local, 'utf8')).to.equal('two')
    expect((await served.run('bucket', 'upload', local, at('/a'), '--force')).code).to.equal(0)
    await put('a', 'three')
    expect((await served.run('bucket', 'download', at('/a'), '--to', local, '--force')).code).to.equal(0)
    expect(await readFile(local, 'utf8')).to.equal('two')
  })

  it('brings folders there and back with all that is in them, but no links', async () => {
    await mkdir(join(here, 'up', 'a', 'b'), { recursive: true })
    const files = { 'x.txt': 'x', 'a/y': 'y', 'a/b/z': 'z' }
    for (const [name, text] of Object.entries(files)) await writeFile(join(here, 'up', name), text)
    await symlink('/etc/passwd', join(here, 'up', 'link'))
    const plain = await served.run('bucket', 'upload', join(here, 'up'), at('/deep/er/'))
    expect([plain.code, plain.err.includes('--recursive')]).to.deep.equal([2, true])
    const up = await served.run('bucket', 'upload', join(here, 'up'), at('/deep/er/'), '--recursive', '--json')
    expect(up.err).to.contain(`Passed over, as it is neither a file nor a folder: ${join(here, 'up', 'link')}`)
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

  it('sends an upload that was cut once more, as the same upload', async () => {
    const local = await put('large', LARGE)
    const begun: (string | undefined)[] = []
    served.cuts = ({ up, line, head }) => {
      if (line.includes('/upload/ ')) begun.push(/idempotency-key: ([^\r]+)/i.exec(head)?.[1])
      return line.startsWith('PUT ') && up > CUT_AT && served.cut.length < 2
    }
    const up = await served.run('bucket', 'upload', local, at('/large'), '--json')
    expect([up.code, served.cut.length]).to.deep.equal([0, 2])
    expect(up.err).to.contain('Uploading: trying again: No answer from')
    expect(up.json<Moved>().bytes).to.equal(LARGE.length)
    expect(new Set(begun).size).to.equal(1)
    expect((await listed('/')).file_count).to.equal(1)
    expect(((await listed('/')).files ?? [])[0]?.sha256).to.equal(sha256(LARGE))
  })

  it('completes an upload whose last answer was lost, and sends nothing twice', async () => {
    const local = await put('large', LARGE)
    const before = await blobs()
    // The bytes are there; only the answer to them is not.
    served.cuts = ({ up, down, line }) =>
      line.startsWith('PUT ') && up > LARGE.length && down > 0 && served.cut.length === 0
    expect((await served.run('bucket', 'upload', local, at('/large'))).code).to.equal(0)
    expect(served.cut).to.have.length(1)
    expect((await blobs()) - before).to.equal(1)
    // So with each call around them.
    for (const call of ['POST /api/bkt/', `POST /api/bkt/${bucket}/upload/u`]) {
      const kind = call.endsWith('u') ? /\/complete\// : /\/upload\/ /
      served.cut.length = 0
      served.cuts = ({ down, line }) => kind.test(line) && down > 0 && served.cut.length === 0
      await put('large', randomBytes(10))
      expect((await served.run('bucket', 'upload', local, at('/large'), '--force')).code, call).to.equal(0)
      expect(served.cut, call).to.have.length(1)
    }
    expect((await served.json<Bucket>('bucket', 'show', bucket)).files).to.equal(1)
    // The version before lies there for its grace; nothing was begun twice.
    expect((await blobs()) - before).to.equal(3)
  })

  it('goes on with an upload and a download over a restart of the server', async () => {
    const local = await put('large', LARGE)
    let restarting: Promise<void> | null = null
    const restartOnce = (verb: string, way: 'up' | 'down') => {
      restarting = null
      served.cut.length = 0
      served.cuts = (carried) => {
        if (!carried.line.startsWith(verb) || carried[way] <= CUT_AT || restarting !== null) return false
        restarting = served.restart()
        return true
      }
    }
    restartOnce('PUT ', 'up')
    expect((await served.run('bucket', 'upload', local, at('/large'))).code).to.equal(0)
    await restarting
    expect((await listed('/')).file_count).to.equal(1)
    restartOnce('GET /api/files/', 'down')
    const to = join(here, 'back')
    expect((await served.run('bucket', 'download', at('/large'), '--to', to)).code).to.equal(0)
    await restarting
    expect((await readFile(to)).equals(LARGE)).to.equal(true)
  })

  /** Waits until some of a download under way is on the disk. */
  async function untilSomeIsHere(folder: string): Promise<void> {
    for (let size = 0; size === 0; ) {
      await new Promise((wake) => setTimeout(wake, 5))
      const part = (await readdir(folder).catch(() => [])).find((name) => name.endsWith('.part'))
      if (part !== undefined) size = (await stat(join(folder, part))).size
    }
  }

  it('goes on with a download from where it was cut', async () => {
    await served.json('bucket', 'upload', await put('large', LARGE), at('/large'))
    const to = join(here, 'back')
    const heads: string[] = []
    served.cuts = ({ head, line, down }) => {
      if (!line.startsWith('GET /api/files/')) return false
      if (heads.at(-1) !== head) heads.push(head)
      return heads.length === 1 && down > CUT_AT ? HELD : false
    }
    const downloading = served.run('bucket', 'download', at('/large'), '--to', to)
    await untilSomeIsHere(here)
    for (const end of served.held.splice(0)) end()
    expect((await downloading).code).to.equal(0)
    expect((await readFile(to)).equals(LARGE)).to.equal(true)
    expect(await readdir(here)).to.deep.equal(['back', 'large'])
    expect(heads).to.have.length(2)
    expect(heads[0]).not.to.match(/range:/i)
    expect(Number(/\r\nrange: bytes=(\d+)-(?:\r\n|$)/i.exec(heads[1] ?? '')?.[1])).to.be.within(1, CUT_AT)
    expect(heads[1]?.toLowerCase()).to.contain(`if-range: "${sha256(LARGE)}"`)
  })

  it('leaves nothing under the name when it is interrupted, and goes on when it is run again', async () => {
    await served.json('bucket', 'upload', await put('large', LARGE), at('/large'))
    const to = join(here, 'down', 'back')
    let stop = () => {}
    served.cuts = ({ line, down }) => (line.startsWith('GET /api/files/') && down > CUT_AT ? HELD : false)
    const err: string[] = []
    const downloading = runCommandLine(['bucket', 'download', at('/large'), '--to', to], {
      env: served.env,
      out: () => {},
      err: (line) => void err.push(line),
      columns: 80,
      redraw: null,
      onInterrupt: (back) => {
        stop = back
        return () => {}
      },
    })
    await untilSomeIsHere(join(here, 'down'))
    stop()
    expect([await downloading, err.at(-1)?.startsWith('scorebook: Stopped.')]).to.deep.equal([1, true])
    const left = await readdir(join(here, 'down'))
    expect(left).to.have.length(1)
    expect(left[0]).to.equal(partName('back', sha256(LARGE)))
    expect((await stat(join(here, 'down', left[0] ?? ''))).mode & 0o777).to.equal(0o600)
    const heads: string[] = []
    served.cuts = ({ line, head }) => {
      if (line.startsWith('GET /api/files/')) heads.push(head)
      return false
    }
    expect((await served.run('bucket', 'download', at('/large'), '--to', to)).code).to.equal(0)
    expect(heads[0]).to.match(/\r\nrange: bytes=[1-9]\d*-/i)
    expect((await readFile(to)).equals(LARGE)).to.equal(true)
    expect(await readdir(join(here, 'down'))).to.deep.equal(['back'])
    expect((await stat(to)).mode & 0o777).to.equal(0o666 & ~process.umask())
  })

  it('does not take bytes for the file that are not, and begins at the first where they were left by others', async () => {
    await served.json('bucket', 'upload', await put('large', LARGE), at('/large'))
    const part = join(here, partName('back', sha256(LARGE)))
    const to = join(here, 'back')
    await writeFile(part, randomBytes(1_000))
    const wrong = await served.run('bucket', 'download', at('/large'), '--to', to)
    expect([wrong.code, wrong.err.includes('sha256')]).to.deep.equal([1, true])
    expect(await readdir(here)).to.deep.equal(['large'])
    await writeFile(part, Buffer.concat([LARGE, randomBytes(7)]))
    expect((await served.run('bucket', 'download', at('/large'), '--to', to)).code).to.equal(0)
    expect((await readFile(to)).equals(LARGE)).to.equal(true)
  })

  it('downloads beside each other what has long names that begin alike, with the same bytes', async () => {
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

  it('goes on with nothing but a file of its own: what a link leads to is never written', async () => {
    await served.json('bucket', 'upload', await put('large', LARGE), at('/large'))
    const part = join(here, partName('back', sha256(LARGE)))
    const mine = await put('mine', LARGE.subarray(0, 1_000))
    for (const lay of [() => symlink(mine, part), () => symlink(join(here, 'none'), part), () => link(mine, part)]) {
      await lay()
      const down = await served.run('bucket', 'download', at('/large'), '--to', join(here, 'back'), '--force')
      expect(down.code, down.err).to.equal(0)
      expect((await readFile(join(here, 'back'))).equals(LARGE)).to.equal(true)
      expect((await readFile(mine)).equals(LARGE.subarray(0, 1_000))).to.equal(true)
      expect((await stat(mine)).nlink).to.equal(1)
      expect((await readdir(here)).toSorted()).to.deep.equal(['back', 'large', 'mine'])
      await writeFile(join(here, 'back'), 'other')
    }
  })

  it('brings a whole bucket into a folder of its own where none is named', async () => {
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

  it('says what the disk, the rights and the words are wrong with', async () => {
    const faults: readonly (readonly [readonly string[], number, string])[] = [
      [['upload', join(here, 'none'), at('/a')], 1, `${join(here, 'none')}: it is not there.`],
      [['upload', here, at('/a')], 2, 'with --recursive'],
      [['upload', here, at('/a'), '--recursive'], 2, 'end /a with /'],
      [['upload', here, 'x'], 2, '<bucket>:/saves/slot-1.bin'],
      [['download', at('/none')], 1, 'not_found'],
      [['download', at('/')], 2, 'with --recursive'],
      [['download', 'nobodys:/a'], 1, 'HTTP 404'],
    ]
    for (const [args, code, said] of faults) {
      const failed = await served.run('bucket', ...args)
      expect([failed.code, failed.err.includes(said)], failed.err).to.deep.equal([code, true])
    }
    await served.json('bucket', 'upload', await put('a', 'a'), at('/a'))
    await put('file', '')
    const under = await served.run('bucket', 'download', at('/a'), '--to', join(here, 'file', 'a'))
    expect([under.code, under.err.includes('a part of the path is a file')], under.err).to.deep.equal([1, true])
    const full = onThisDisk('/x/y', () => writeFile('/dev/full', 'x'))
    expect(await full.catch(String)).to.equal('CommandFault: /x/y: the disk is full: make room, and run this again.')
    const closed = diskFault('/x', Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }))
    expect(closed.message).to.match(/^\/x: this user may not: /)
  })
})
