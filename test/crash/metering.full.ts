// What counts as downloaded when callers disconnect and when the server is killed: never less than the callers
// received, and after a kill at most the full size of the running downloads.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openRawConnection } from '../files/files-api.ts'
import { openUploader, type Uploader } from '../files/uploader.ts'
import { EMBEDDED } from '../servers/store-urls.ts'
import { turn } from '../until.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

/** More than the buffers of the sockets between the two. */
const SIZE = 32 * 1_048_576

describe('counted downloads', function () {
  this.timeout(120_000)
  let dataDir: string
  let world: ProcessWorld
  let uploader: Uploader

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-metering-'))
    world = await openProcessWorld({}, { dataDir, storeUrls: EMBEDDED })
    uploader = await openUploader(world)
  })
  after(async () => {
    await world.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Begins a download and reads only the first bytes. */
  async function startDownload(link: string) {
    const line = openRawConnection(world.port)
    line.socket.write(`GET ${link} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await line.until('\r\n\r\n')
    line.socket.pause()
    return line
  }

  const untilCounted = async (is: (bytes: number) => boolean) => {
    while (!is(await uploader.downloaded())) await turn()
  }

  it('count every byte, release what was not sent, and lose nothing when the server is killed', async () => {
    const file = await uploader.begin('/large', SIZE)
    expect([(await uploader.put(file))?.status, (await uploader.complete(file))?.status]).to.deep.equal([200, 200])
    expect(await uploader.faultsOf(file, false)).to.deep.equal([])
    await untilCounted((bytes) => bytes === SIZE)

    const gone = await startDownload(await uploader.link(file))
    await untilCounted((bytes) => bytes === 2 * SIZE)
    gone.socket.destroy()
    await untilCounted((bytes) => bytes < 2 * SIZE)
    const settled = await uploader.downloaded()
    expect(settled - SIZE).to.be.within(gone.socket.bytesRead - 1_000, SIZE - 1)

    const running = await startDownload(await uploader.link(file))
    await untilCounted((bytes) => bytes === settled + SIZE)
    await world.end('SIGKILL')
    running.socket.destroy()
    expect(running.socket.bytesRead).to.be.below(SIZE)
    await world.begin()
    expect(await uploader.downloaded()).to.equal(settled + SIZE)
  })
})
