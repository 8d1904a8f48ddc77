// One node's download usage of one bucket: what it pre-reserves, assigns from memory, records and refunds.

import { expect } from 'chai'
import { BucketLedger, MAX_PRERESERVED_BYTES } from '../../commands/bucket-ledger.ts'
import { createHandler } from '../../commands/handle.ts'
import { unsafeCast } from '../../domain/event.ts'
import { NotSent } from '../../stores/contract/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { pause } from '../until.ts'
import { world } from './download-usage-world.ts'

const MONTHLY_BYTES = 2 ** 40
const MIB = 1_048_576

describe('the download usage of a bucket', () => {
  let w: Awaited<ReturnType<typeof world>>
  let failures: unknown[]
  beforeEach(async () => {
    w = await world(MONTHLY_BYTES)
    failures = []
  })

  const made = (busyFrom = 2) =>
    new BucketLedger(unsafeCast({ handler: createHandler(w.log), log: w.log }), 'k1', {
      now: () => w.clock.nowMs,
      failed: (error) => void failures.push(error),
      busyFrom,
    })
  const metered = (download: string | null, bytes: number) => ['DownloadMetered', { download, bytes }]
  const cut = (download: string | null, bytes: number, month = '2026-11') => ['DownloadCut', { download, bytes, month }]
  /** The recorded events, without the offers of links. */
  const recorded = async () =>
    (await w.events()).filter(({ type }) => type !== 'DownloadBegun').map(({ type, data }) => [type, data])
  /** A busy ledger with 10 pre-reserved bytes. */
  async function busy() {
    const ledger = made()
    for (let n = 0; n < 2; n++) await ledger.reserveBytes('d1', 10)
    expect((await recorded()).at(-1)).to.deep.equal(metered(null, 10))
    return ledger
  }
  const since = async (before: readonly unknown[]) => (await recorded()).slice(before.length)

  it('pre-reserves as many bytes as the other calls asked for, from the call that makes the bucket busy', async () => {
    const ledger = made(3)
    for (const bytes of [10, 20, 5]) await ledger.reserveBytes(`d${bytes}`, bytes)
    expect(await recorded()).to.deep.equal([
      metered('d10', 10),
      metered('d20', 20),
      metered('d5', 5),
      metered(null, 30),
    ])
  })

  it('counts the calls and bytes of the interval before', async () => {
    const ledger = made(2)
    await ledger.reserveBytes('d1', 10)
    await ledger.flush(false)
    await ledger.reserveBytes('d2', 5)
    expect(await recorded()).to.deep.equal([metered('d1', 10), metered('d2', 5), metered(null, 10)])
  })

  it('forgets the calls of earlier intervals', async () => {
    const ledger = made(2)
    await ledger.reserveBytes('d1', 10)
    for (let n = 0; n < 2; n++) await ledger.flush(false)
    await ledger.reserveBytes('d2', 5)
    expect(await recorded()).to.deep.equal([metered('d1', 10), metered('d2', 5)])
  })

  it('assigns pre-reserved bytes without an event, up to the last one', async () => {
    const ledger = await busy()
    const before = await recorded()
    await ledger.reserveBytes('d2', 4)
    await ledger.reserveBytes('d3', 6)
    expect(await since(before)).to.deep.equal([])
    await ledger.reserveBytes('d4', 1)
    expect((await since(before))[0]).to.deep.equal(metered('d4', 1))
  })

  it('assigns no more bytes than are pre-reserved', async () => {
    const ledger = await busy()
    const before = await recorded()
    await ledger.reserveBytes('d2', 11)
    expect((await since(before))[0]).to.deep.equal(metered('d2', 11))
  })

  it('assigns no bytes that were pre-reserved in another month', async () => {
    const ledger = await busy()
    const before = await recorded()
    w.clock.nowMs = Date.UTC(2026, 11, 1)
    await ledger.reserveBytes('d2', 1)
    expect(await since(before)).to.deep.equal([metered('d2', 1), metered(null, 20), cut(null, 10)])
  })

  it('pre-reserves at most 64 MiB', async () => {
    const ledger = made(3)
    for (let n = 1; n <= 3; n++) await ledger.reserveBytes(`d${n}`, 50 * MIB)
    expect((await recorded()).at(-1)).to.deep.equal(metered(null, MAX_PRERESERVED_BYTES))
    await ledger.reserveBytes('d4', MAX_PRERESERVED_BYTES + 1)
    expect((await recorded()).at(-1)).to.deep.equal(metered('d4', MAX_PRERESERVED_BYTES + 1))
    await ledger.reserveBytes('d5', MIB)
    await ledger.reserveBytes('d6', MAX_PRERESERVED_BYTES)
    expect((await recorded()).slice(-2)).to.deep.equal([metered('d6', MAX_PRERESERVED_BYTES), metered(null, MIB)])
  })

  it('lets concurrent calls wait for the one that pre-reserves', async () => {
    const ledger = made(2)
    await ledger.reserveBytes('d1', 10)
    await Promise.all(['d2', 'd3', 'd4'].map((download) => ledger.reserveBytes(download, 10)))
    const events = await recorded()
    expect(events.slice(0, 3)).to.deep.equal([metered('d1', 10), metered('d2', 10), metered(null, 10)])
    expect(events[3]).to.deep.equal(metered('d4', 10))
    expect(events.some(([, data]) => (data as { download: string }).download === 'd3')).to.equal(false)
  })

  it('records the used bytes of each download once, and releases the others an interval later', async () => {
    const [one, two] = [await w.offer(100), await w.offer(100)]
    const ledger = await busy()
    await ledger.reserveBytes(one, 2)
    await ledger.reserveBytes(two, 3)
    await ledger.reserveBytes(one, 4)
    const before = await recorded()
    for (let n = 0; n < 2; n++) expect(await ledger.flush(false)).to.equal(n === 1)
    const downloads = [
      { download: one, bytes: 6 },
      { download: two, bytes: 3 },
    ]
    expect(await since(before)).to.deep.equal([['DownloadsSent', { downloads }], cut(null, 1)])
  })

  it('records used bytes at once when 1,000 downloads have used some', async () => {
    const link = await w.offer(10)
    const ledger = made()
    for (let n = 0; n < 2; n++) await ledger.reserveBytes('d1', 2_000)
    await ledger.reserveBytes(link, 1)
    for (let n = 2; n < 1_000; n++) await ledger.reserveBytes(`e${n}`, 1)
    const before = await recorded()
    await pause(5)
    expect(await since(before)).to.deep.equal([])
    await ledger.reserveBytes('last', 1)
    await pause(5)
    expect(await since(before)).to.deep.equal([['DownloadsSent', { downloads: [{ download: link, bytes: 1 }] }]])
  })

  it('reports used bytes that cannot be recorded at once', async () => {
    const link = await w.offer(10)
    const ledger = made()
    for (let n = 0; n < 2; n++) await ledger.reserveBytes('d1', 2_000)
    await ledger.reserveBytes(link, 1)
    const failure = new NotSent('away')
    w.log.append = () => Promise.reject(failure)
    for (let n = 1; n < 1_000; n++) await ledger.reserveBytes(`e${n}`, 1)
    await pause(5)
    expect(failures).to.deep.equal([failure])
  })

  describe('refunds unsent bytes', () => {
    it('of a download that was counted by itself', async () => {
      const report = await made().reserveBytes('d1', 10)
      await report(4)
      expect(await recorded()).to.deep.equal([metered('d1', 10), cut('d1', 4)])
    })

    it('to the pre-reserved ones, so that another download gets them without an event', async () => {
      const ledger = await busy()
      const report = await ledger.reserveBytes('d2', 10)
      const before = await recorded()
      await report(10)
      await ledger.reserveBytes('d3', 10)
      expect(await since(before)).to.deep.equal([])
    })

    it('and does not record refunded bytes as used', async () => {
      const link = await w.offer(100)
      const ledger = await busy()
      const report = await ledger.reserveBytes(link, 10)
      await report(4)
      const before = await recorded()
      await ledger.release()
      expect(await since(before)).to.deep.equal([
        ['DownloadsSent', { downloads: [{ download: link, bytes: 6 }] }],
        cut(null, 4),
      ])
    })

    it('by an event if they are recorded as used already', async () => {
      const ledger = await busy()
      const report = await ledger.reserveBytes('d2', 10)
      await ledger.flush(false)
      const before = await recorded()
      await report(4)
      expect(await since(before)).to.deep.equal([cut('d2', 4)])
    })

    it('to the month in which they were pre-reserved', async () => {
      const ledger = await busy()
      const report = await ledger.reserveBytes('d2', 10)
      w.clock.nowMs = Date.UTC(2026, 11, 1)
      await ledger.reserveBytes('d3', 5)
      const before = await recorded()
      await report(4)
      expect(await since(before)).to.deep.equal([cut(null, 4)])
    })
  })

  it('reports pre-reserved bytes of the last month that cannot be refunded', async () => {
    const ledger = await busy()
    w.clock.nowMs = Date.UTC(2026, 11, 1)
    const { append } = w.log
    const failure = new NotSent('away')
    w.log.append = (stream, expected, events) =>
      events.some(({ type }) => type === 'DownloadCut') ? Promise.reject(failure) : append(stream, expected, events)
    await ledger.reserveBytes('d2', 1)
    expect(failures).to.deep.equal([failure])
  })

  it('releases what is pre-reserved once for concurrent calls, and again later', async () => {
    const ledger = await busy()
    const before = await recorded()
    expect(await Promise.all([ledger.release(), ledger.release()])).to.deep.equal([true, true])
    expect(await since(before)).to.deep.equal([cut(null, 10)])
    expect(await ledger.release()).to.equal(false)
    await ledger.reserveBytes('d2', 1)
    expect(await ledger.release()).to.equal(true)
    expect((await recorded()).at(-1)).to.deep.equal(cut(null, 20))
  })

  it('says that there was something to release if only used bytes were recorded', async () => {
    const ledger = await busy()
    await ledger.reserveBytes('d2', 10)
    expect([await ledger.release(), await ledger.release()]).to.deep.equal([true, false])
  })

  it('is idle after two intervals without a call', async () => {
    const ledger = await busy()
    const flushed = [ledger.isIdle]
    for (let n = 0; n < 2; n++) flushed.push(await ledger.flush(false), ledger.isIdle)
    expect(flushed).to.deep.equal([false, false, false, true, true])
    expect([made().isIdle, await made().flush(false)]).to.deep.equal([true, true])
  })

  it('releases everything when asked for all, but is not idle while the last calls are counted', async () => {
    const ledger = await busy()
    expect(await ledger.flush(true)).to.equal(false)
    expect((await recorded()).at(-1)).to.deep.equal(cut(null, 10))
    expect([await ledger.flush(true), ledger.isIdle]).to.deep.equal([true, true])
  })

  it('is not idle while bytes are being pre-reserved', async () => {
    const ledger = made(2)
    await ledger.reserveBytes('d1', 10)
    const { append } = w.log
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    w.log.append = async (...sent) => held.then(() => append(...sent))
    const reserving = ledger.reserveBytes('d2', 10)
    expect([await ledger.flush(true), await ledger.flush(true), ledger.isIdle]).to.deep.equal([false, false, false])
    answer()
    await reserving
    await ledger.release()
    expect(ledger.isIdle).to.equal(true)
  })

  it('pre-reserves again after a reservation has failed', async () => {
    const ledger = made(2)
    await ledger.reserveBytes('d1', 10)
    const { append } = w.log
    w.log.append = () => Promise.reject(new NotSent('away'))
    expect(await refusalCodeOf(ledger.reserveBytes('d2', 10))).to.match(/away/)
    w.log.append = append
    await ledger.reserveBytes('d3', 5)
    expect(await recorded()).to.deep.equal([metered('d1', 10), metered('d3', 5), metered(null, 20)])
  })

  it('keeps its pre-reserved bytes if a download fails for another reason than the limit', async () => {
    const ledger = await busy()
    const { append } = w.log
    w.log.append = (stream, expected, events) =>
      events.some(({ type }) => type === 'DownloadMetered')
        ? Promise.reject(new NotSent('away'))
        : append(stream, expected, events)
    const before = await recorded()
    expect(await refusalCodeOf(ledger.reserveBytes('d2', 100))).to.match(/away/)
    expect(await since(before)).to.deep.equal([])
  })

  it('releases its pre-reserved bytes for a download that the limit would refuse, and refuses it without any', async () => {
    w = await world(1_000)
    const ledger = made(2)
    for (let n = 0; n < 2; n++) await ledger.reserveBytes('d1', 100)
    expect((await recorded()).at(-1)).to.deep.equal(metered(null, 50))
    await ledger.reserveBytes('d2', 800)
    expect((await recorded()).slice(-2)).to.deep.equal([cut(null, 50), metered('d2', 800)])
    expect(await refusalCodeOf(ledger.reserveBytes('d3', 1))).to.equal('download_quota_exceeded')
  })
})
