// Downloads counted before they are sent: never less than was sent, in few events however small the parts, and to the byte once
// their links are over.

import { expect } from 'chai'
import fc from 'fast-check'
import { DOWNLOAD_LIFETIME_MS } from '../../commands/download.ts'
import { createHandler } from '../../commands/handle.ts'
import { AHEAD_MOST_BYTES, createMeter, SMALL_BYTES } from '../../commands/meter.ts'
import { freshMinting } from '../../credentials/mint.ts'
import { bucket, bucketStream, createBucket, NEW_BUCKET } from '../../domain/bucket.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { createMemoryLog } from '../memory/log.ts'

const START_MS = Date.UTC(2026, 10, 21)
const unexpected = (why: unknown) => {
  throw why
}

async function world(failed: (why: unknown) => void = unexpected) {
  const clock = { nowMs: START_MS }
  const log = createMemoryLog()
  const commands = {
    handler: createHandler(log),
    log,
    announce: async () => {},
    vault: null as never,
    keys: null as never,
  }
  const intent = { ...freshMinting(), call: null, repeated: false, actor: null, request: null, nowMs: START_MS }
  const made = createBucket({ name: 'B', limits: NEW_BUCKET })
  await commands.handler.handle(bucket, { stream: bucketStream('k1'), game: 'g1' }, intent, made)
  const meter = createMeter(commands, () => clock.nowMs, failed)
  const events = () => log.readStream(quotaStream('k1'), 0, 100_000)
  /** As the quota counts it in the month of its last event. */
  const counted = async () =>
    (await commands.handler.handle(quota, { stream: quotaStream('k1'), game: 'g1' }, intent, () => [])).after.sent
  return { clock, log, meter, events, counted }
}

describe('a meter of downloads', () => {
  it('counts a file that is fetched byte by byte in a few events, and to the byte once its link is over', async () => {
    const { clock, meter, events, counted } = await world()
    for (let n = 1; n <= 5_000; n++) {
      await meter.sending('k1', 'd1', 1)
      if (n % 1_000 === 0) expect(await counted()).to.be.within(n, 2 * n)
    }
    expect((await events()).length).to.be.at.most(14)
    await meter.settle()
    expect(await counted()).to.be.above(5_000)
    clock.nowMs += DOWNLOAD_LIFETIME_MS
    await meter.settle()
    expect(await counted()).to.equal(5_000)
    const before = (await events()).length
    await meter.settle()
    await meter.close()
    expect((await events()).length).to.equal(before)
  })

  it('counts large parts, and the first small one, by themselves', async () => {
    const { meter, events } = await world()
    await meter.sending('k1', 'd1', SMALL_BYTES)
    await meter.sending('k1', 'd1', SMALL_BYTES)
    await meter.sending('k1', 'd2', 7)
    const bytes = (await events()).map(({ data }) => data.bytes)
    expect(bytes).to.deep.equal([SMALL_BYTES, SMALL_BYTES, 7])
    await meter.close()
    expect((await events()).length).to.equal(3)
  })

  it('counts no more than a bound ahead', async () => {
    const { meter, counted } = await world()
    let sent = 0
    for (; sent < 3 * AHEAD_MOST_BYTES; sent += SMALL_BYTES - 1) await meter.sending('k1', 'd1', SMALL_BYTES - 1)
    expect(await counted()).to.be.within(sent, sent + AHEAD_MOST_BYTES)
    await meter.close()
    expect(await counted()).to.equal(sent)
  })

  it('gives back to the month in which it was counted', async () => {
    const { clock, meter, events } = await world()
    clock.nowMs = Date.UTC(2026, 10, 30, 23, 59, 50)
    for (let n = 0; n < 4; n++) await meter.sending('k1', 'd1', 10)
    clock.nowMs = Date.UTC(2026, 11, 1, 0, 0, 50)
    await meter.settle()
    const told = (await events()).map(({ type, data, meta }) => [type, data.bytes, data.month ?? meta.time.slice(0, 7)])
    expect(told).to.deep.equal([
      ['DownloadMetered', 10, '2026-11'],
      ['DownloadMetered', 20, '2026-11'],
      ['DownloadMetered', 40, '2026-11'],
      ['DownloadCut', 30, '2026-11'],
    ])
  })

  it('never counts less than is sent, and in the end just that, whatever comes at once', async () => {
    const part = fc.record({
      download: fc.constantFrom('d1', 'd2'),
      bytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(SMALL_BYTES)),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      waits: fc.boolean(),
      passMs: fc.constantFrom(0, 0, 0, DOWNLOAD_LIFETIME_MS),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 40 }), async (parts) => {
        const { clock, meter, counted } = await world()
        let sent = 0
        const running: Promise<void>[] = []
        for (const { download, bytes, cut, waits, passMs } of parts) {
          const went = async () => {
            const giveBack = await meter.sending('k1', download, bytes)
            const unsent = Math.floor(bytes * cut)
            sent += bytes - unsent
            if (unsent > 0) await giveBack(unsent)
          }
          running.push(went())
          if (!waits) continue
          await Promise.all(running)
          expect(await counted()).to.be.at.least(sent)
          clock.nowMs += passMs
          await meter.settle()
        }
        await Promise.all(running)
        await meter.close()
        expect(await counted()).to.equal(sent)
      }),
      { numRuns: 60 },
    )
  })

  it('tells of what cannot be given back, and refuses what cannot be counted', async () => {
    const failures: unknown[] = []
    const { log, meter } = await world((why) => failures.push(why))
    for (let n = 0; n < 4; n++) await meter.sending('k1', 'd1', 10)
    log.append = () => Promise.reject(new Error('away'))
    await meter.close()
    expect(failures.map(String)).to.have.length(1)
    const refused = await meter.sending('k1', 'd2', 1).then(
      () => null,
      (why: unknown) => why,
    )
    expect(refused).to.be.instanceOf(Error)
  })
})
