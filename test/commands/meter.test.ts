// Downloads counted before they are sent, by several nodes: never less than was sent, never over the month's limit, in few events
// however many and small they are, and to the byte once all are at rest. A node that dies leaves what it had ahead counted.

import { expect } from 'chai'
import fc from 'fast-check'
import { offerDownload } from '../../commands/download.ts'
import { createHandler } from '../../commands/handle.ts'
import { AHEAD_MOST_BYTES, createMeter } from '../../commands/meter.ts'
import { freshMinting } from '../../credentials/mint.ts'
import { bucket, bucketStream, createBucket, NEW_BUCKET } from '../../domain/bucket.ts'
import { Refusal } from '../../domain/decider.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'

const START_MS = Date.UTC(2026, 10, 21)
const MIB = 1_048_576
/** Settled by hand. */
const NEVER_MS = 2 ** 31 - 1
const place = { bucket: 'k1', game: 'g1' }
const unexpected = (why: unknown) => {
  throw why
}

async function world(monthlyDownloadBytes = NEW_BUCKET.monthlyDownloadBytes, failed = unexpected) {
  const clock = { nowMs: START_MS }
  const log = createMemoryLog()
  const limits = { ...NEW_BUCKET, monthlyDownloadBytes }
  const intent = () => {
    return { ...freshMinting(), call: null, repeated: false, actor: null, request: null, nowMs: clock.nowMs }
  }
  /** Busy from the second download on, where it is not told. */
  const node = (busyFrom: number | undefined = 2) => {
    let isDead = false
    const append: Log['append'] = (...asked) =>
      isDead ? Promise.reject(new NotSent('the node is dead')) : log.append(...asked)
    const handler = createHandler({ ...log, append })
    const files = { downloadLink: async ({ download }: { readonly download: string }) => download }
    const giveBackAhead = (bucket: string) => meter.giveBack(bucket)
    const commands = { handler, log, announce: async () => {}, vault: null, keys: null, files, giveBackAhead } as never
    const meter = createMeter(
      commands,
      () => clock.nowMs,
      (why) => isDead || failed(why),
      NEVER_MS,
      busyFrom,
    )
    const offer = async (size: number) => {
      const file = { blob: 'b', size, contentType: 'a/b', sha256: null, name: 'x' }
      return (await offerDownload(commands, place, file, limits, 'p1', intent())).url
    }
    const dies = () => {
      isDead = true
    }
    return { meter, offer, dies }
  }
  const made = createBucket({ name: 'B', limits })
  await createHandler(log).handle(bucket, { stream: bucketStream('k1'), game: 'g1' }, intent(), made)
  const events = () => log.readStream(quotaStream('k1'), 0, 100_000)
  const reading = createHandler(log)
  const about = { stream: quotaStream('k1'), game: 'g1' }
  const now = async () => (await reading.handle(quota, about, intent(), () => [])).after
  const counted = async () => (await now()).sent
  return { clock, log, node, ...node(), events, now, counted }
}

describe('a meter of downloads', () => {
  it('counts a file that is fetched byte by byte in a few events, and to the byte once it is at rest', async () => {
    const { meter, events, counted } = await world()
    for (let n = 1; n <= 5_000; n++) {
      await meter.sending('k1', 'd1', 1)
      if (n % 1_000 === 0) expect(await counted()).to.be.within(n, 2 * n)
    }
    expect((await events()).length).to.be.at.most(2 * 14)
    await meter.settle()
    expect(await counted()).to.be.above(5_000)
    await meter.settle()
    expect(await counted()).to.equal(5_000)
    const before = (await events()).length
    await meter.settle()
    await meter.close()
    expect((await events()).length).to.equal(before)
  })

  it('counts what is downloaded now and then by itself, without anything ahead', async () => {
    const { meter, events } = await world()
    for (let n = 1; n <= 3; n++) {
      await meter.sending('k1', `d${n}`, MIB)
      await meter.settle()
      await meter.settle()
    }
    await meter.close()
    expect((await events()).map(({ type, data }) => [type, data.bytes])).to.deep.equal(
      Array.from({ length: 3 }, () => ['DownloadMetered', MIB]),
    )
  })

  it('counts a few downloads one after another as what they are, without anything ahead', async () => {
    const { node, counted } = await world()
    const meters = [node(16).meter, node(16).meter]
    for (let n = 1; n <= 15; n++) {
      for (const meter of meters) await meter.sending('k1', `d${n}`, MIB)
      expect(await counted()).to.equal(2 * n * MIB)
    }
    for (const meter of meters) await meter.sending('k1', 'd16', MIB)
    expect(await counted()).to.be.above(32 * MIB)
    for (const meter of meters) await meter.close()
    expect(await counted()).to.equal(32 * MIB)
  })

  it('appends nothing for most of many downloads, and counts no more than a bound ahead', async () => {
    const { meter, events, counted } = await world()
    let sent = 0
    for (let n = 0; n < 1_000; n++) {
      const others = n % 10 === 0 ? [0, 1, 2, 3] : [0]
      await Promise.all(others.map((other) => meter.sending('k1', `d${n}.${other}`, MIB)))
      sent += others.length * MIB
      if (n % 100 === 0) expect(await counted()).to.be.within(sent, sent + AHEAD_MOST_BYTES)
      if (n % 250 === 249) await meter.settle()
    }
    const metered = (await events()).filter(({ type }) => type === 'DownloadMetered')
    expect(metered.length).to.be.below(100)
    await meter.close()
    expect(await counted()).to.equal(sent)
  })

  it('tells which links the bytes went to, so that they are promised no longer', async () => {
    const { meter, offer, now } = await world()
    const links = await Promise.all(Array.from({ length: 20 }, () => offer(1_000)))
    expect((await now()).promised).to.equal(20_000)
    for (const link of links) await meter.sending('k1', link, 1_000)
    await meter.settle()
    expect((await now()).promised).to.equal(0)
    await meter.close()
    expect((await now()).sent).to.equal(20_000)
  })

  it('gives back to the month in which it was counted', async () => {
    const { clock, meter, events } = await world()
    clock.nowMs = Date.UTC(2026, 10, 30, 23, 59, 50)
    for (let n = 0; n < 2; n++) await meter.sending('k1', 'd1', 10)
    clock.nowMs = Date.UTC(2026, 11, 1, 0, 0, 50)
    for (let n = 0; n < 2; n++) await meter.sending('k1', 'd1', 7)
    await meter.close()
    const told = (await events()).map(({ type, data, meta }) => [
      type,
      data.download,
      data.bytes,
      data.month ?? meta.time.slice(0, 7),
    ])
    expect(told).to.deep.equal([
      ['DownloadMetered', 'd1', 10, '2026-11'],
      ['DownloadMetered', 'd1', 10, '2026-11'],
      ['DownloadMetered', null, 10, '2026-11'],
      ['DownloadMetered', 'd1', 7, '2026-12'],
      ['DownloadMetered', null, 20, '2026-12'],
      ['DownloadCut', null, 10, '2026-11'],
      ['DownloadCut', null, 13, '2026-12'],
    ])
  })

  it('leaves what it had ahead counted where it dies, and not more', async () => {
    const { node, counted } = await world()
    const dying = node()
    for (let n = 0; n < 200; n++) await dying.meter.sending('k1', `d${n}`, MIB)
    dying.dies()
    await dying.meter.close()
    expect(await counted()).to.be.within(200 * MIB + 1, 200 * MIB + AHEAD_MOST_BYTES)
    const { meter } = node()
    await meter.sending('k1', 'd1', MIB)
    expect(await counted()).to.be.within(201 * MIB + 1, 201 * MIB + AHEAD_MOST_BYTES)
    await meter.close()
  })

  it('never counts less than is sent, nor more than the limit, over nodes of which some die, and else just that', async () => {
    const step = fc.record({
      node: fc.nat(2),
      link: fc.nat(5),
      bytes: fc.integer({ min: 1, max: 400 }),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      does: fc.constantFrom('offers', 'sends', 'sends', 'sends', 'sends', 'settles', 'dies'),
      waits: fc.boolean(),
      passMs: fc.constantFrom(0, 0, 0, 500, 61_000),
    })
    const LIMIT = 2_000
    const seen = { ahead: 0, refused: 0, lost: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        const { clock, node, now, counted } = await world(LIMIT)
        const nodes = [node(), node(), node()]
        const links = ['d1']
        let sent = 0
        let deaths = 0
        let running: Promise<void>[] = []
        const went = async ({ node: at, link, bytes, cut }: (typeof steps)[number]) => {
          const { meter } = nodes[at] as (typeof nodes)[number]
          const refused = (why: unknown) => {
            if (why instanceof NotSent) return null
            expect((why as Refusal).code).to.equal('download_quota_exceeded')
            seen.refused++
            return null
          }
          const giveBack = await meter.sending('k1', links[link % links.length] ?? '', bytes).catch(refused)
          if (giveBack === null) return
          const unsent = Math.floor(bytes * cut)
          sent += bytes - unsent
          if (unsent > 0) await giveBack(unsent).catch((why) => expect(why).to.be.instanceOf(NotSent))
        }
        for (const one of steps) {
          const here = nodes[one.node] as (typeof nodes)[number]
          if (one.does === 'sends') running.push(went(one))
          else if (one.does === 'settles') running.push(here.meter.settle())
          else if (one.does === 'offers') {
            const link = await here
              .offer(one.bytes)
              .catch((why: unknown) => expect(why).to.be.instanceOf(Refusal) && null)
            if (typeof link === 'string') links.push(link)
          } else {
            here.dies()
            await here.meter.close()
            nodes[one.node] = node()
            deaths++
          }
          if (!one.waits) continue
          await Promise.all(running)
          running = []
          const { sent: total, promised } = await now()
          expect(total).to.be.at.least(sent)
          expect(total + promised).to.be.at.most(LIMIT)
          seen.ahead = Math.max(seen.ahead, total - sent)
          clock.nowMs += one.passMs
        }
        await Promise.all(running)
        await Promise.all(nodes.map(({ meter }) => meter.close()))
        const lost = (await counted()) - sent
        expect(lost).to.be.at.least(0)
        if (deaths === 0) expect(lost).to.equal(0)
        seen.lost = Math.max(seen.lost, lost)
      }),
      // Shrinking takes minutes, and would end in a timeout that says nothing.
      { numRuns: 25, endOnFailure: true },
    )
    for (const [what, most] of Object.entries(seen)) expect(most, what).to.be.above(0)
  })

  it('gives out the month’s bytes to the last one, though some are counted ahead', async () => {
    const { meter, offer, counted, events } = await world(10_000)
    for (let n = 0; n < 10; n++) await meter.sending('k1', await offer(900), 900)
    const [first, last] = await Promise.all([offer(500), offer(500)])
    for (const link of [first, last]) await meter.sending('k1', link, 500)
    expect(await offer(1).catch((why: Refusal) => why.code)).to.equal('download_quota_exceeded')
    const ahead = (await events()).filter(({ type, data }) => type === 'DownloadMetered' && data.download === null)
    expect(ahead.length).to.be.above(0)
    await meter.close()
    expect(await counted()).to.equal(10_000)
  })

  it('sends once more what there is room for beside what it counted ahead itself', async () => {
    const { meter, offer, counted } = await world(10_000)
    const link = await offer(2_000)
    for (let n = 0; n < 5; n++) await meter.sending('k1', link, 2_000)
    await meter.close()
    expect(await counted()).to.equal(10_000)
  })

  it('refuses what there is no room for, though it was sent a moment ago', async () => {
    const { meter, node, offer, counted } = await world(10_000)
    const link = await offer(4_000)
    await meter.sending('k1', link, 4_000)
    await node().meter.sending('k1', link, 4_000)
    const refused = await meter.sending('k1', link, 4_000).catch((why: Refusal) => why.code)
    expect([refused, await counted()]).to.deep.equal(['download_quota_exceeded', 8_000])
    await meter.sending('k1', link, 2_000)
    await meter.close()
    expect(await counted()).to.equal(10_000)
  })

  it('tells of what cannot be given back, and refuses what cannot be counted', async () => {
    const failures: unknown[] = []
    const { log, meter } = await world(undefined, ((why: unknown) => failures.push(why)) as never)
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
