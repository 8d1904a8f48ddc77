import { randomBytes } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createPieces } from '../../http/files/pieces.ts'
import type { OpenBlob } from '../../stores/contract/files-door.ts'
import type { DiskFile } from '../../stores/files/disk.ts'
import { realDisk } from '../../stores/files/disk.ts'
import { createKeptBlobs, type KeptBlobs } from '../../stores/files/kept.ts'
import { newId, sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { begin, type DoorWorld, openDoor } from './door-world.ts'
import { faulty } from './faulty-disk.ts'

const MIB = 1_048_576

describe('Blobs that are held open', () => {
  let door: DoorWorld
  let kept: KeptBlobs
  let blob: string
  let opened: DiskFile[]
  let operations: string[]
  const bytes = randomBytes(5_000)
  beforeEach(async () => {
    door = await openDoor()
    const { path, expected } = await begin(door, bytes)
    expect((await call(door.url + path, { method: 'PUT', body: bytes })).status).to.equal(200)
    blob = expected.blob
    opened = []
    operations = []
    const disk = faulty(realDisk, async (operation) => void operations.push(operation), opened)
    kept = createKeptBlobs(disk, door.folder)
  })
  afterEach(async () => {
    await kept.close()
    await door.close()
  })

  const used = async (): Promise<OpenBlob> => {
    const open = await kept.open(blob)
    if (open === null) throw new Error('it is there')
    const into = Buffer.alloc(bytes.length + 100)
    expect(await open.read(into, 0)).to.equal(bytes.length)
    expect(into.subarray(0, bytes.length).equals(bytes)).to.equal(true)
    expect([open.size, open.sha256]).to.deep.equal([bytes.length, sha256(bytes)])
    return open
  }
  const closed = () => operations.filter((one) => one === 'close').length

  it('are opened once, however many read them one after another and at once', async () => {
    const first = await used()
    const second = await used()
    await first.close()
    await second.close()
    await (await used()).close()
    expect(opened).to.have.length(1)
    expect(operations).to.deep.equal(['open', 'facts', 'read', 'read', 'facts', 'read', 'facts', 'read'])
    await kept.close()
    expect(closed()).to.equal(1)
  })

  it('are gone when another process removes them, and who reads them goes on', async () => {
    const reading = await used()
    await unlink(join(door.folder, blob.charAt(0), blob.charAt(1), blob))
    expect(await kept.open(blob)).to.equal(null)
    expect(await reading.read(Buffer.alloc(10), 4_995)).to.equal(5)
    expect(closed()).to.equal(0)
    await reading.close()
    expect(closed()).to.equal(1)
  })

  it('are let go of when they are removed here, and each closed once', async () => {
    await (await used()).close()
    await kept.forget(blob)
    expect(closed()).to.equal(1)
    const reading = await used()
    await kept.forget(blob)
    await kept.forget(newId())
    expect(closed()).to.equal(1)
    await reading.close()
    expect([opened.length, closed()]).to.deep.equal([2, 2])
  })

  it('are closed by themselves when nobody asks for them any more', async () => {
    await (await used()).close()
    while (closed() === 0) await new Promise(setImmediate)
    await (await used()).close()
    expect(opened).to.have.length(2)
  })
})

describe('Memory of downloads', () => {
  it('is of few large pieces, and small ones beyond, however many ask', () => {
    const { take, giveBack, drop } = createPieces()
    const pieces = Array.from({ length: 40 }, () => take(MIB))
    expect(pieces.map(({ length }) => length)).to.deep.equal([...Array(32).fill(MIB), ...Array(8).fill(65_536)])
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).to.equal(40)
    drop(pieces[0] as Buffer)
    for (const piece of pieces.slice(1)) giveBack(piece)
    const again = Array.from({ length: 33 }, () => take(MIB))
    expect(again.map(({ length }) => length)).to.deep.equal([...Array(32).fill(MIB), 65_536])
    expect(again).not.to.include(pieces[0])
    for (const piece of again) giveBack(piece)
    const one = take(65_536)
    expect(one.length).to.equal(65_536)
    giveBack(one)
  })
})
