// A disk that fails in each of the operations that an upload is made of, once or for good: it is refused, nothing of it
// is kept, and it goes on when the disk does.

import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { FilesFull } from '../../stores/contract/files.ts'
import type { Disk } from '../../stores/files/disk.ts'
import { realDisk } from '../../stores/files/disk.ts'
import { FREE_FLOOR_BYTES } from '../../stores/files/room.ts'
import { sweepTemporary } from '../../stores/files/sweep.ts'
import { newId, sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import { begin, type DoorWorld, filesBelow, linkTo, meteredBytes, openDoor } from './door-world.ts'
import { type Before, failingIn, faulty } from './faulty-disk.ts'

const BYTES = randomBytes(700_000)

describe('A disk that fails', () => {
  let door: DoorWorld
  let before: Before = async () => {}
  beforeEach(async () => {
    before = async () => {}
    door = await openDoor({ disk: faulty(realDisk, (operation) => before(operation)) })
  })
  afterEach(() => door.close())

  const put = (path: string) => call(door.url + path, { method: 'PUT', body: BYTES })

  for (const [code, status, problem] of [
    ['ENOSPC', 503, 'store_full'],
    ['EDQUOT', 503, 'store_full'],
    ['EIO', 503, 'store_away'],
  ] as const) {
    for (const operation of ['create', 'write', 'sync', 'close', 'link', 'syncFolder', 'makeFolder', 'unlink']) {
      it(`with ${code} in ${operation} refuses an upload with ${status}, and records none`, async () => {
        for (let nth = 0; ; nth++) {
          const { path, upload, expected } = await begin(door, BYTES)
          const failing = failingIn(operation, nth, code)
          before = failing.before
          const { status: answered, json } = await put(path)
          before = async () => {}
          if (!failing.hasFailed()) {
            expect(nth).to.be.greaterThan(0)
            break
          }
          // What cannot be tidied up is left for the sweep, and refuses nobody.
          if (operation === 'unlink') {
            expect(answered).to.equal(200)
          } else {
            expect([answered, json.code, door.stored.has(upload)]).to.deep.equal([status, problem, false])
            expect((await put(path)).status).to.equal(200)
          }
          expect(door.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
          await sweepTemporary(realDisk, door.folder, Number.POSITIVE_INFINITY)
          const { blob } = expected
          expect(filesBelow(door.folder)).to.include(`${blob[0]}/${blob[1]}/${blob}`)
          expect(filesBelow(door.folder)).to.have.length(door.stored.size)
        }
      })
    }
  }

  it('for good leaves temporary files, which the next start or sweep removes', async () => {
    const { path } = await begin(door, BYTES)
    before = async (operation) => {
      if (operation === 'sync' || operation === 'unlink')
        throw Object.assign(new Error('x'), { code: 'EIO', syscall: 'x' })
    }
    expect((await put(path)).status).to.equal(503)
    expect(filesBelow(door.folder)).to.have.length(1)
    expect(await sweepTemporary(realDisk, door.folder, Date.now() - 60_000)).to.equal(0)
    expect(await sweepTemporary(realDisk, door.folder, Date.now() + 60_000)).to.equal(1)
    expect(filesBelow(door.folder)).to.deep.equal([])
  })

  it('in a read cuts the download there, and counts what was sent', async () => {
    const large = randomBytes(3_000_000)
    const { path, expected } = await begin(door, large)
    expect((await call(door.url + path, { method: 'PUT', body: large })).status).to.equal(200)
    const link = await linkTo(door, expected.blob)
    let reads = 0
    before = async (operation) => {
      if (operation === 'read' && ++reads > 3) throw Object.assign(new Error('x'), { code: 'EIO', syscall: 'read' })
    }
    const answer = await fetch(door.url + link)
    const failed = await answer.arrayBuffer().then(
      () => null,
      (failure: Error) => failure,
    )
    expect(failed).to.be.instanceOf(Error)
    await until(() => door.metered.length >= 2)
    expect(meteredBytes(door)).to.equal(2 * 1_048_576)
    const unread = await linkTo(door, newId(), { size: 1 })
    before = async (operation) => {
      if (operation === 'open') throw Object.assign(new Error('x'), { code: 'EIO', syscall: 'open' })
    }
    expect((await call(door.url + unread)).json.code).to.equal('store_away')
  })
})

describe('A disk that fills up', () => {
  async function withFree(free: () => number, act: (door: DoorWorld) => Promise<void>) {
    const disk: Disk = { ...realDisk, freeBytes: async () => free() }
    const door = await openDoor({ disk })
    try {
      await act(door)
    } finally {
      await door.close()
    }
  }

  it('is left its floor: no link is made that would go below', async () => {
    await withFree(
      () => FREE_FLOOR_BYTES + 1_000,
      async (door) => {
        const link = (size: number) =>
          door.files.uploadLink(newId(), { blob: newId(), size, contentType: 'a/b', sha256: null }, door.clock.nowMs)
        await link(1_000)
        const failure = await link(1_001).catch((why: unknown) => why)
        expect(failure).to.be.instanceOf(FilesFull)
      },
    )
  })

  it('takes no more uploads at once than fit', async () => {
    await withFree(
      () => FREE_FLOOR_BYTES + 3 * BYTES.length,
      async (door) => {
        const uploads = await Promise.all(Array.from({ length: 8 }, () => begin(door, BYTES)))
        const streams = uploads.map(() => new PassThrough())
        const taking = uploads.map(({ expected }, index) =>
          door.files.take(expected, streams[index] as PassThrough, new AbortController().signal).then(
            () => 'taken',
            (why: Error) => why.name,
          ),
        )
        // None ends before all are refused that are.
        let refused = 0
        for (const one of taking) void one.then(() => refused++)
        await until(() => refused >= 5)
        for (const stream of streams) stream.end(BYTES)
        expect((await Promise.all(taking)).toSorted()).to.deep.equal([
          ...Array.from({ length: 5 }, () => 'FilesFull'),
          ...Array.from({ length: 3 }, () => 'taken'),
        ])
        expect(filesBelow(door.folder)).to.have.length(3)
      },
    )
  })
})
