// PUT to an upload's link while another PUT of it runs, on one node and on two: who takes over, and whose bytes remain.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { Transient } from '../../stores/contract/transient.ts'
import { createTransient } from '../../stores/embedded/transient.ts'
import { realDisk } from '../../stores/files/disk.ts'
import { sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { eventually, gate, until } from '../until.ts'
import { begin, type FilesApi, filesBelow, openFilesApi, openRawConnection, putHead } from './files-api.ts'

const BYTES = randomBytes(1_000_003)
const OTHERS = Buffer.from(BYTES.map((byte) => byte ^ 1))
/** In place of the 5 seconds of a server. */
const STILL_MS = 600

describe('PUT to an upload’s link while another PUT of it runs', () => {
  const opened: FilesApi[] = []
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close()
  })

  /** Two nodes with one folder. */
  async function twoNodes(
    locks: Pick<Transient, 'lock' | 'unlock'> = createTransient(),
  ): Promise<readonly [FilesApi, FilesApi]> {
    const one = await openFilesApi({ locks, stillMs: STILL_MS })
    const two = await openFilesApi({ locks, stillMs: STILL_MS, folder: one.folder })
    opened.push(one, two)
    return [one, two]
  }

  /** An upload that both nodes know, and a sender of its first ten bytes to the first node. */
  async function begun([one, two]: readonly [FilesApi, FilesApi], bytes = BYTES) {
    const { path, upload, expected } = await begin(one, bytes)
    two.open.add(upload)
    const older = openRawConnection(one.port)
    older.socket.write(putHead(path, `Content-Length: ${bytes.length}`))
    older.socket.write(bytes.subarray(0, 10))
    await until(() => filesBelow(one.folder).some((name) => name.startsWith('tmp/')))
    return { path, upload, expected, older }
  }

  const put = (api: FilesApi, path: string, body: Uint8Array = BYTES) => call(api.url + path, { method: 'PUT', body })
  const stillFor = (factor: number, attempt: () => Promise<void>) => {
    const end = performance.now() + factor * STILL_MS
    return eventually(async () => {
      await attempt()
      return performance.now() >= end
    })
  }

  for (const [where, newcomerOf] of [
    ['the same node', ([one]: readonly [FilesApi, FilesApi]) => one],
    ['another node', ([, two]: readonly [FilesApi, FilesApi]) => two],
  ] as const) {
    it(`refuses a newcomer on ${where} with Retry-After until no byte has arrived for a while, then lets it take over`, async () => {
      const nodes = await twoNodes()
      const api = newcomerOf(nodes)
      const { path, upload, expected, older } = await begun(nodes)
      const early = await put(api, path, OTHERS)
      expect([early.status, early.json.code, early.headers.get('retry-after')]).to.deep.equal([
        409,
        'upload_running',
        String(Math.ceil(STILL_MS / 1_000)),
      ])
      let status = early.status
      const began = performance.now()
      await eventually(async () => {
        status = (await put(api, path, OTHERS)).status
        return status !== 409
      })
      expect(status).to.equal(200)
      expect(performance.now() - began).to.be.greaterThan(STILL_MS / 2)
      expect(await older.ended, 'the older one ends without an answer').to.equal('')
      expect((await api.files.stored(expected.blob))?.sha256).to.equal(sha256(OTHERS))
      expect(api.stored.get(upload)?.sha256).to.equal(sha256(OTHERS))
      await until(() => filesBelow(api.folder).length === 1)
    })
  }

  it('never takes over from a slow sender whose bytes arrive now and then', async () => {
    const nodes = await twoNodes()
    const { path, upload, older } = await begun(nodes)
    let sent = 10
    await stillFor(4, async () => {
      older.socket.write(BYTES.subarray(sent, ++sent))
      for (const api of nodes) expect((await put(api, path, OTHERS)).json.code).to.equal('upload_running')
    })
    older.socket.write(BYTES.subarray(sent))
    expect(await older.until('\r\n\r\n')).to.match(/^HTTP\/1.1 200 /)
    older.socket.destroy()
    expect(nodes[0].stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })

  it('never takes over while the server does not read, nor after all bytes have arrived', async () => {
    const { opened: diskWorks, open: repairDisk } = gate()
    const { opened: recorded, open: record } = gate()
    const locks = createTransient()
    const disk = {
      ...realDisk,
      async create(path: string) {
        const file = await realDisk.create(path)
        return { ...file, write: (buffers: readonly Uint8Array[]) => diskWorks.then(() => file.write(buffers)) }
      },
    }
    const one = await openFilesApi({ locks, stillMs: STILL_MS, disk })
    const two = await openFilesApi({ locks, stillMs: STILL_MS, folder: one.folder })
    opened.push(one, two)
    one.before = () => recorded
    const bytes = randomBytes(8_000_003)
    const { path, older } = await begun([one, two], bytes)
    older.socket.write(bytes.subarray(10))
    const refused = () =>
      stillFor(3, async () => {
        for (const api of [one, two]) expect((await put(api, path, bytes)).json.code).to.equal('upload_running')
      })
    await refused()
    repairDisk()
    await until(() => filesBelow(one.folder).some((name) => !name.startsWith('tmp/')))
    await refused()
    record()
    expect(await older.until('\r\n\r\n')).to.match(/^HTTP\/1.1 200 /)
    older.socket.destroy()
  })

  it('has exactly one winner among ten newcomers, and stores the bytes of the winner', async () => {
    const nodes = await twoNodes()
    const { path, expected, older } = await begun(nodes)
    const bodies = Array.from({ length: 10 }, () => randomBytes(BYTES.length))
    const winners: string[] = []
    await eventually(async () => {
      const answers = await Promise.all(bodies.map((body, n) => put(nodes[n % 2] as FilesApi, path, body)))
      for (const [n, { status, json }] of answers.entries()) {
        if (status === 200) winners.push(sha256(bodies[n] as Buffer))
        else expect(json.code).to.be.oneOf(['upload_running', 'already_stored'])
      }
      return winners.length > 0
    })
    expect(winners).to.have.length(1)
    expect(await older.ended).to.equal('')
    expect((await nodes[0].files.stored(expected.blob))?.sha256).to.equal(winners[0])
  })

  it('stores nothing of a sender that sends the rest after it was taken over, and has not learned of it yet', async () => {
    const shared = createTransient()
    let isCutOff = false
    const owners = new Set<string>()
    /** The older one gives up its lock, and gets no answer to it: so it does not look again. */
    const locks: Pick<Transient, 'lock' | 'unlock'> = {
      lock: async (key, owner, forMs) => {
        owners.add(owner)
        return shared.lock(key, owner, forMs)
      },
      unlock: async (key, owner) => {
        const isOlders = [...owners][0] === owner
        if (isOlders && isCutOff) throw new StoreUnavailable('it does not answer')
        const isMine = await shared.unlock(key, owner)
        if (!isOlders) return isMine
        isCutOff = true
        return new Promise(() => {})
      },
    }
    const nodes = await twoNodes(locks)
    const [one, two] = nodes
    const { path, upload, expected, older } = await begun(nodes)
    await until(() => isCutOff)
    const newcomer = openRawConnection(two.port)
    newcomer.socket.write(putHead(path, `Content-Length: ${BYTES.length}`))
    newcomer.socket.write(OTHERS.subarray(0, 10))
    await until(() => filesBelow(one.folder).length === 2)
    older.socket.write(BYTES.subarray(10))
    expect(await older.until('upload_running')).to.match(/^HTTP\/1.1 409 /)
    older.socket.destroy()
    expect([one.stored.size, filesBelow(one.folder).length]).to.deep.equal([0, 1])
    newcomer.socket.write(OTHERS.subarray(10))
    expect(await newcomer.until('\r\n\r\n')).to.match(/^HTTP\/1.1 200 /)
    newcomer.socket.destroy()
    expect((await one.files.stored(expected.blob))?.sha256).to.equal(sha256(OTHERS))
    expect([one.stored.size, two.stored.get(upload)?.sha256]).to.deep.equal([0, sha256(OTHERS)])
  })

  it('lets the older one go on if its bytes arrive again before anybody else’s', async () => {
    const shared = createTransient()
    const seen: ('lock' | 'unlock')[] = []
    const locks: Pick<Transient, 'lock' | 'unlock'> = {
      lock: async (key, owner, forMs) => {
        const isMine = await shared.lock(key, owner, forMs)
        seen.push('lock')
        return isMine
      },
      unlock: (key, owner) => {
        seen.push('unlock')
        return shared.unlock(key, owner)
      },
    }
    const nodes = await twoNodes(locks)
    const { path, older } = await begun(nodes)
    await until(() => seen.includes('unlock'))
    older.socket.write(BYTES.subarray(10, 20))
    await until(() => seen.at(-1) === 'lock')
    expect((await put(nodes[1], path)).json.code).to.equal('upload_running')
    older.socket.write(BYTES.subarray(20))
    expect(await older.until('\r\n\r\n')).to.match(/^HTTP\/1.1 200 /)
    older.socket.destroy()
  })
})
