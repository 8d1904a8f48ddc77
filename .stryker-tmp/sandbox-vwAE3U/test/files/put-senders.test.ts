// Several senders of one upload, one after another and at once: the bytes of one are taken, and stand.

import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import { sha256 } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { until } from '../until.ts'
import { begin, type DoorWorld, filesBelow, openDoor, putHead, wire } from './door-world.ts'

const BYTES = randomBytes(1_000_003)

describe('PUT to an upload’s link by several senders', () => {
  let door: DoorWorld
  beforeEach(async () => {
    door = await openDoor()
  })
  afterEach(() => door.close())

  /** A sender of the first ten bytes, once the others' place is taken by it. */
  async function firstOf(path: string, bytes: Buffer) {
    const line = wire(door.port)
    line.socket.write(putHead(path, `Content-Length: ${bytes.length}`, 'Connection: close'))
    line.socket.write(bytes.subarray(0, 10))
    await until(() => temporary().length > 0)
    return line
  }
  const temporary = () => filesBelow(door.folder).filter((path) => path.startsWith('tmp/'))

  it('takes the bytes of one sender at a time, and never changes what was recorded', async () => {
    for (const [first, second] of [
      [randomBytes(300_000), randomBytes(300_000)],
      [BYTES, BYTES],
    ] as const) {
      const { path, upload, expected } = await begin(door, first)
      const line = await firstOf(path, first)
      const held = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { status, json } = await call(door.url + path, { method: 'PUT', body: second })
          return [status, json.code]
        }),
      )
      expect(held).to.deep.equal(Array(8).fill([409, 'upload_running']))
      expect(temporary()).to.have.length(1)
      // Another upload has a place of its own.
      const other = await begin(door, Buffer.from('other'))
      expect((await call(door.url + other.path, { method: 'PUT', body: 'other' })).status).to.equal(200)
      line.socket.write(first.subarray(10))
      expect(await line.ended).to.match(/^HTTP\/1.1 200 /)
      expect((await call(door.url + path, { method: 'PUT', body: second })).status).to.equal(404)
      const lies = await door.files.stored(expected.blob)
      expect([lies?.sha256, door.stored.get(upload)?.sha256]).to.deep.equal([sha256(first), sha256(first)])
    }
    expect(filesBelow(door.folder)).to.have.length(4)
  })

  it('lets one of many senders at once win', async () => {
    const { path, upload } = await begin(door, BYTES)
    const put = async () => (await call(door.url + path, { method: 'PUT', body: BYTES })).status
    const statuses = await Promise.all(Array.from({ length: 8 }, put))
    expect(statuses.filter((status) => status === 200)).to.have.length(1)
    // The others came while it ran, or after.
    expect(statuses.filter((status) => status === 409 || status === 404)).to.have.length(7)
    expect(door.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })

  it('takes the bytes of the next sender once the one before broke off, and told it so', async () => {
    const { path } = await begin(door, BYTES)
    const line = await firstOf(path, BYTES)
    line.socket.end()
    expect(await line.ended).to.match(/^HTTP\/1.1 400 /)
    // It learns this when its connection ends, which may be before all of its bytes are put away.
    let status: number
    do status = (await call(door.url + path, { method: 'PUT', body: BYTES })).status
    while (status === 409)
    expect(status).to.equal(200)
  })

  it('keeps the first bytes where it is not known whether they were recorded, and goes on by them', async () => {
    const { path, upload } = await begin(door, BYTES)
    door.before = async () => {
      throw new Refusal('unavailable', 'log_unavailable', 'The log is away.')
    }
    const put = (body: Uint8Array) => call(door.url + path, { method: 'PUT', body })
    expect((await put(BYTES)).json.code).to.equal('log_unavailable')
    door.before = async () => {}
    expect((await put(randomBytes(BYTES.length))).status).to.equal(404)
    expect(door.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })

  it('takes the same bytes again where it is not known whether they were recorded', async () => {
    const { path, upload } = await begin(door, BYTES)
    door.before = async () => {
      throw new Refusal('unavailable', 'log_unavailable', 'The log is away.')
    }
    const put = () => call(door.url + path, { method: 'PUT', body: BYTES })
    expect((await put()).status).to.equal(503)
    door.before = async () => {}
    expect((await put()).status).to.equal(200)
    expect(door.stored.get(upload)?.sha256).to.equal(sha256(BYTES))
  })
})
