// `scorebook bucket upload` and `download` over cut connections and server restarts: they resume, and a file is
// complete or absent in the end.

import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { partName } from '../../cli/part-file.ts'
import { runCommandLine } from '../../cli/program.ts'
import type { Bucket, Listing } from '../../clients/javascript/file-shapes.ts'
import { sha256 } from '../bytes.ts'
import { pause } from '../until.ts'
import { HELD, openServed, type Served } from './served.ts'
import { freshPlace, laid, type Moved } from './transfers.ts'

const LARGE = randomBytes(3_000_001)
/** Larger than the socket buffers, whose bytes are lost at a cut. */
const CUT_AT = 1_000_000

describe('the command line’s uploads and downloads, cut off', function () {
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
  /** Unfinished uploads in the store. An upload that fails at its start leaves none. */
  const blobs = async () => {
    const names = await readdir(join(served.dataDir, 'files'), { recursive: true, withFileTypes: true })
    return names.filter((entry) => entry.isFile()).length
  }

  it('resends an upload that was cut, as the same upload', async () => {
    const local = await put('large', LARGE)
    const keys: (string | undefined)[] = []
    served.cuts = ({ up, line, head }) => {
      if (line.includes('/upload/ ')) keys.push(/idempotency-key: ([^\r]+)/i.exec(head)?.[1])
      return line.startsWith('PUT ') && up > CUT_AT && served.cut.length < 2
    }
    const up = await served.run('bucket', 'upload', local, at('/large'), '--json')
    expect([up.code, served.cut.length]).to.deep.equal([0, 2])
    expect(up.err).to.contain('Uploading: trying again: No answer from')
    expect(up.json<Moved>().bytes).to.equal(LARGE.length)
    expect(new Set(keys).size).to.equal(1)
    expect((await listed('/')).file_count).to.equal(1)
    expect(((await listed('/')).files ?? [])[0]?.sha256).to.equal(sha256(LARGE))
  })

  it('completes an upload whose last answer was lost, without resending its bytes', async () => {
    const local = await put('large', LARGE)
    const before = await blobs()
    // The server has the bytes, but its answer is lost.
    served.cuts = ({ up, down, line }) =>
      line.startsWith('PUT ') && up > LARGE.length && down > 0 && served.cut.length === 0
    expect((await served.run('bucket', 'upload', local, at('/large'))).code).to.equal(0)
    expect(served.cut).to.have.length(1)
    expect((await blobs()) - before).to.equal(1)
    // The same for each API call of the upload.
    for (const call of ['POST /api/bkt/', `POST /api/bkt/${bucket}/upload/u`]) {
      const kind = call.endsWith('u') ? /\/complete\// : /\/upload\/ /
      served.cut.length = 0
      served.cuts = ({ down, line }) => kind.test(line) && down > 0 && served.cut.length === 0
      await put('large', randomBytes(10))
      expect((await served.run('bucket', 'upload', local, at('/large'), '--force')).code, call).to.equal(0)
      expect(served.cut, call).to.have.length(1)
    }
    expect((await served.json<Bucket>('bucket', 'show', bucket)).files).to.equal(1)
    // The blob of the previous version remains for its grace period; no upload was begun twice.
    expect((await blobs()) - before).to.equal(3)
  })

  it('continues an upload and a download after a server restart', async () => {
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

  /** Waits until a part of a running download is on disk. */
  async function untilSomeIsHere(folder: string): Promise<void> {
    for (let size = 0; size === 0; ) {
      await pause(5)
      const part = (await readdir(folder).catch(() => [])).find((name) => name.endsWith('.part'))
      if (part !== undefined) size = (await stat(join(folder, part))).size
    }
  }

  it('resumes a download at the byte where it was cut', async () => {
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

  it('leaves no file under the target name when it is interrupted, and resumes when it is run again', async () => {
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

  it('starts over if the partial file contains other bytes', async () => {
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

  it('resumes only its own partial file, and never writes through a symbolic link', async () => {
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
})
