// Downloads counted before they are sent: at least the sent bytes, at most the month's limit, with few events even for
// many small downloads, and exactly once the bucket is idle.

import { expect } from 'chai'
import { MAX_PRERESERVED_BYTES } from '../../commands/bucket-ledger.ts'
import type { Refusal } from '../../domain/decider.ts'
import { world } from './download-usage-world.ts'

const MIB = 1_048_576

describe('download usage of a node', () => {
  it('counts a file fetched byte by byte in few events, and exactly once the bucket is idle', async () => {
    const { downloadUsage, events, counted } = await world()
    for (let n = 1; n <= 5_000; n++) {
      await downloadUsage.reserveBytes('k1', 'd1', 1)
      if (n % 1_000 === 0) expect(await counted()).to.be.within(n, 2 * n)
    }
    expect((await events()).length).to.be.at.most(2 * 14)
    await downloadUsage.flush()
    expect(await counted()).to.be.above(5_000)
    await downloadUsage.flush()
    expect(await counted()).to.equal(5_000)
    const before = (await events()).length
    await downloadUsage.flush()
    await downloadUsage.close()
    expect((await events()).length).to.equal(before)
  })

  it('releases the bytes of a download that begins just when a flush ends', async () => {
    for (let ticks = 0; ticks < 20; ticks++) {
      const { downloadUsage, counted } = await world()
      await downloadUsage.reserveBytes('k1', 'd1', 1)
      await downloadUsage.flush()
      const settled = downloadUsage.flush()
      for (let tick = 0; tick < ticks; tick++) await null
      await Promise.all([downloadUsage.reserveBytes('k1', 'd2', 100), downloadUsage.reserveBytes('k1', 'd3', 100)])
      await settled
      await downloadUsage.close()
      expect(await counted(), `after ${ticks} ticks`).to.equal(201)
    }
  })

  it('counts occasional downloads exactly, without pre-reserving bytes', async () => {
    const { downloadUsage, events } = await world()
    for (let n = 1; n <= 3; n++) {
      await downloadUsage.reserveBytes('k1', `d${n}`, MIB)
      await downloadUsage.flush()
      await downloadUsage.flush()
    }
    await downloadUsage.close()
    expect((await events()).map(({ type, data }) => [type, data.bytes])).to.deep.equal(
      Array.from({ length: 3 }, () => ['DownloadMetered', MIB]),
    )
  })

  it('counts a few successive downloads exactly, without pre-reserving bytes', async () => {
    const { node, counted } = await world()
    const downloadUsages = [node(16).downloadUsage, node(16).downloadUsage]
    for (let n = 1; n <= 15; n++) {
      for (const downloadUsage of downloadUsages) await downloadUsage.reserveBytes('k1', `d${n}`, MIB)
      expect(await counted()).to.equal(2 * n * MIB)
    }
    for (const downloadUsage of downloadUsages) await downloadUsage.reserveBytes('k1', 'd16', MIB)
    expect(await counted()).to.be.above(32 * MIB)
    for (const downloadUsage of downloadUsages) await downloadUsage.close()
    expect(await counted()).to.equal(32 * MIB)
  })

  it('appends no event for most of many downloads, and pre-reserves at most a bound', async () => {
    const { downloadUsage, events, counted } = await world()
    let sent = 0
    for (let n = 0; n < 1_000; n++) {
      const others = n % 10 === 0 ? [0, 1, 2, 3] : [0]
      await Promise.all(others.map((other) => downloadUsage.reserveBytes('k1', `d${n}.${other}`, MIB)))
      sent += others.length * MIB
      if (n % 100 === 0) expect(await counted()).to.be.within(sent, sent + MAX_PRERESERVED_BYTES)
      if (n % 250 === 249) await downloadUsage.flush()
    }
    const metered = (await events()).filter(({ type }) => type === 'DownloadMetered')
    expect(metered.length).to.be.below(100)
    await downloadUsage.close()
    expect(await counted()).to.equal(sent)
  })

  it('records which links used the bytes, so that their promises shrink', async () => {
    const { downloadUsage, offer, now } = await world()
    const links = await Promise.all(Array.from({ length: 20 }, () => offer(1_000)))
    expect((await now()).promised).to.equal(20_000)
    for (const link of links) await downloadUsage.reserveBytes('k1', link, 1_000)
    await downloadUsage.flush()
    expect((await now()).promised).to.equal(0)
    await downloadUsage.close()
    expect((await now()).sent).to.equal(20_000)
  })

  it('refunds bytes to the month in which they were counted', async () => {
    const { clock, downloadUsage, events } = await world()
    clock.nowMs = Date.UTC(2026, 10, 30, 23, 59, 50)
    for (let n = 0; n < 2; n++) await downloadUsage.reserveBytes('k1', 'd1', 10)
    clock.nowMs = Date.UTC(2026, 11, 1, 0, 0, 50)
    for (let n = 0; n < 2; n++) await downloadUsage.reserveBytes('k1', 'd1', 7)
    await downloadUsage.close()
    const recorded = (await events()).map(({ type, data, meta }) => [
      type,
      data.download,
      data.bytes,
      data.month ?? meta.time.slice(0, 7),
    ])
    expect(recorded).to.deep.equal([
      ['DownloadMetered', 'd1', 10, '2026-11'],
      ['DownloadMetered', 'd1', 10, '2026-11'],
      ['DownloadMetered', null, 10, '2026-11'],
      ['DownloadMetered', 'd1', 7, '2026-12'],
      ['DownloadMetered', null, 20, '2026-12'],
      ['DownloadCut', null, 10, '2026-11'],
      ['DownloadCut', null, 13, '2026-12'],
    ])
  })

  it('serves the month’s bytes to the last one, although some are pre-reserved', async () => {
    const { downloadUsage, offer, counted, events } = await world(10_000)
    for (let n = 0; n < 10; n++) await downloadUsage.reserveBytes('k1', await offer(900), 900)
    const [first, last] = await Promise.all([offer(500), offer(500)])
    for (const link of [first, last]) await downloadUsage.reserveBytes('k1', link, 500)
    expect(await offer(1).catch((error: Refusal) => error.code)).to.equal('download_quota_exceeded')
    const ahead = (await events()).filter(({ type, data }) => type === 'DownloadMetered' && data.download === null)
    expect(ahead.length).to.be.above(0)
    await downloadUsage.close()
    expect(await counted()).to.equal(10_000)
  })

  it('releases its own pre-reserved bytes before it refuses a download', async () => {
    const { downloadUsage, offer, counted } = await world(10_000)
    const link = await offer(2_000)
    for (let n = 0; n < 5; n++) await downloadUsage.reserveBytes('k1', link, 2_000)
    await downloadUsage.close()
    expect(await counted()).to.equal(10_000)
  })

  it('refuses a download over the limit, even if the same file was sent just before', async () => {
    const { downloadUsage, node, offer, counted } = await world(10_000)
    const link = await offer(4_000)
    await downloadUsage.reserveBytes('k1', link, 4_000)
    await node().downloadUsage.reserveBytes('k1', link, 4_000)
    const refused = await downloadUsage.reserveBytes('k1', link, 4_000).catch((error: Refusal) => error.code)
    expect([refused, await counted()]).to.deep.equal(['download_quota_exceeded', 8_000])
    await downloadUsage.reserveBytes('k1', link, 2_000)
    await downloadUsage.close()
    expect(await counted()).to.equal(10_000)
  })

  it('reports bytes that cannot be released, and refuses downloads that cannot be counted', async () => {
    const failures: unknown[] = []
    const { failAppends, downloadUsage } = await world(undefined, ((error: unknown) => failures.push(error)) as never)
    for (let n = 0; n < 4; n++) await downloadUsage.reserveBytes('k1', 'd1', 10)
    failAppends()
    await downloadUsage.close()
    expect(failures.map(String)).to.have.length(1)
    const refused = await downloadUsage.reserveBytes('k1', 'd2', 1).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).to.be.instanceOf(Error)
  })
})
