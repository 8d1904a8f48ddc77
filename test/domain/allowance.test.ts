// Given promised and sent bytes of a month, when more are requested, then they are promised, counted or refused.

import { expect } from 'chai'
import fc from 'fast-check'
import { Map as ImmutableMap } from 'immutable'
import {
  beginDownload,
  recordDownload,
  recordSentDownloads,
  refundUnsentBytes,
  reserveDownloadBytes,
} from '../../domain/allowance.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { type Decision, Refusal } from '../../domain/decider.ts'
import { asOf, DOWNLOAD_HELD_MS, type QuotaEvent, quota } from '../../domain/quota.ts'
import type { Quota } from '../../domain/quota-state.ts'
import { given, START_MS, timeAt } from './given.ts'

const limits = { ...NEW_BUCKET, monthlyDownloadBytes: 30 }
const large = { ...NEW_BUCKET, monthlyDownloadBytes: 80 }
const REFUSED = ['unprocessable', 'download_quota_exceeded', { limit: 'monthly_download_bytes' }] as const

const of = (by: string | null, download: string, bytes: number, nowMs = START_MS) =>
  beginDownload({ download, bytes, expires: timeAt(60), by }, large, nowMs)

const began = (by: string | null, download: string, bytes: number): QuotaEvent => ({
  type: 'DownloadBegun',
  data: { download, bytes, expires: timeAt(60), ...(by === null ? {} : { by }) },
})

const metered = (download: string | null, bytes: number): QuotaEvent => ({
  type: 'DownloadMetered',
  data: { download, bytes },
})

const dropped = (...askers: string[]): QuotaEvent => ({ type: 'PromisesDropped', data: { askers } })

const countsOf = (...history: QuotaEvent[]) => {
  const { sent, promised } = given(quota, ...history).state()
  return [sent, promised]
}

describe('monthly download bytes', () => {
  it('are promised to downloads, and unsent promises expire', () => {
    const download = (id: string, bytes: number, nowMs = START_MS) =>
      beginDownload({ download: id, bytes, expires: timeAt(60), by: null }, limits, nowMs)
    const promised: QuotaEvent = { type: 'DownloadBegun', data: { download: 'd1', bytes: 20, expires: timeAt(60) } }
    const sent = (bytes: number) => metered('d1', bytes)
    given(quota).when(download('d1', 20)).then(promised)
    given(quota).when(recordDownload('d1', 4)).thenEachTime(sent(4))
    given(quota).when(recordDownload('d1', 0)).then()
    given(quota, promised)
      .when(download('d2', 11))
      .refused(...REFUSED)
    given(quota, promised, sent(25))
      .when(download('d2', 6))
      .refused(...REFUSED)
    const over = Date.parse(timeAt(60)) + DOWNLOAD_HELD_MS + 60_000
    expect(() => download('d2', 26, over)(given(quota, promised, sent(4)).state(), 1)).to.not.throw()
    expect(() => download('d2', 27, over)(given(quota, promised, sent(4)).state(), 1)).to.throw(Refusal)
    const nextMonth = Date.UTC(2026, 11, 1)
    expect(() => download('d2', 30, nextMonth)(given(quota, promised, sent(25)).state(), 1)).to.not.throw()
  })

  it('are promised to one asker up to an eighth or one file, after which earlier promises are dropped', () => {
    given(quota)
      .when(of('p1', 'd1', 70))
      .then(began('p1', 'd1', 70))
    given(quota, began('p1', 'd1', 4))
      .when(of('p1', 'd2', 6))
      .then(began('p1', 'd2', 6))
    given(quota, began('p1', 'd1', 2), began('p1', 'd2', 2))
      .when(of('p1', 'd3', 7))
      .then(dropped('p1'), began('p1', 'd3', 7))
    const history = [began('p1', 'd1', 10)]
    given(quota, ...history)
      .when(of('p2', 'd2', 10))
      .then(began('p2', 'd2', 10))
    given(quota, ...history)
      .when(of(null, 'd2', 70))
      .then(began(null, 'd2', 70))
    given(quota, ...history)
      .when(of('p1', 'd1', 10))
      .then()
    // Sent bytes are no longer promised.
    given(quota, ...history, metered('d1', 9))
      .when(of('p1', 'd2', 9))
      .then(began('p1', 'd2', 9))
    // One file above the share may be promised, even to an asker without other promises.
    given(quota, began('p1', 'd1', 50))
      .when(of('p1', 'd2', 50))
      .refused(...REFUSED)
    given(quota, began('p1', 'd1', 40))
      .when(of('p1', 'd2', 40))
      .then(dropped('p1'), began('p1', 'd2', 40))
    const state = given(quota, ...history).state()
    const overMs = Date.parse(timeAt(60)) + DOWNLOAD_HELD_MS + 60_000
    for (const one of [state, quota.snapshot?.read(JSON.parse(JSON.stringify(quota.snapshot.write(state)))) as Quota]) {
      expect(of('p1', 'd2', 1)(one, 1)).to.have.length(2)
      expect(of('p1', 'd2', 1, overMs)(one, 1)).to.have.length(1)
    }
    expect(asOf(state, overMs).askers.size).to.equal(0)
    expect(given(quota, ...history, metered('d1', 10)).state().askers.size).to.equal(0)
  })

  it('are taken from the asker with the most promised bytes for those with fewer', () => {
    const eight = Array.from({ length: 8 }, (_, n) => began(`p${n}`, `d${n}`, n === 5 ? 11 : 9))
    given(quota, ...eight)
      .when(of('p9', 'd9', 9))
      .then(dropped('p5'), began('p9', 'd9', 9))
    given(quota, ...eight)
      .when(of(null, 'd9', 9))
      .then(dropped('p5'), began(null, 'd9', 9))
    given(quota, ...eight)
      .when(of('p9', 'd9', 11))
      .refused(...REFUSED)
    // Calls of one key without a player count as one asker.
    given(quota, ...eight)
      .when(of('p1', 'd9', 5))
      .then(dropped('p1'), began('p1', 'd9', 5))
    given(quota, began(null, 'd1', 80))
      .when(of('p1', 'd2', 1))
      .refused(...REFUSED)
    given(quota, metered('d1', 75), began('p2', 'd2', 5))
      .when(of('p1', 'd3', 5))
      .refused(...REFUSED)
    // A link without a promise uses free bytes.
    expect(countsOf(began('p1', 'd1', 10), dropped('p1'), metered('d1', 10))).to.deep.equal([10, 0])
    expect(countsOf(began('p1', 'd1', 10), metered('d1', 4), dropped('p1'))).to.deep.equal([4, 0])
  })

  it('are sent from the promise, and beyond it while bytes are free', () => {
    const send = (download: string, bytes: number) =>
      reserveDownloadBytes({ download, bytes, prereserved: 0 }, large, START_MS)
    const sending = (history: readonly QuotaEvent[], download: string, bytes: number) =>
      send(download, bytes)(given(quota, ...history).state(), 1)
    expect(sending([began('p1', 'd1', 80)], 'd1', 80)).to.deep.equal([metered('d1', 80)])
    expect(sending([began('p1', 'd1', 40), metered('d1', 40)], 'd1', 40)).to.deep.equal([metered('d1', 40)])
    given(quota, began('p1', 'd1', 41), metered('d1', 41))
      .when(send('d1', 40))
      .refused(...REFUSED)
    const two = [began('p1', 'd1', 40), began('p2', 'd2', 20)]
    expect(sending(two, 'd3', 21)).to.deep.equal([dropped('p1'), metered('d3', 21)])
    given(quota, ...two)
      .when(send('d3', 40))
      .refused(...REFUSED)
    // Dropping the link's own promise frees no bytes for it.
    const own = [began('p1', 'd1', 10), began('p1', 'd2', 21), metered('d3', 45)]
    expect(sending(own, 'd1', 30)).to.deep.equal([dropped('p1'), metered('d1', 30)])
    given(quota, ...own, metered('d3', 6))
      .when(send('d1', 30))
      .refused(...REFUSED)
    given(quota).when(send('d1', 0)).then()
  })

  it('are pre-reserved up to a sixteenth of the free bytes', () => {
    const send = (bytes: number, prereserved: number, ...before: QuotaEvent[]) =>
      reserveDownloadBytes({ download: 'd1', bytes, prereserved }, large, START_MS)(given(quota, ...before).state(), 1)
    expect(send(16, 100)).to.deep.equal([metered('d1', 16), metered(null, 4)])
    expect(send(16, 3)).to.deep.equal([metered('d1', 16), metered(null, 3)])
    expect(send(65, 100)).to.deep.equal([metered('d1', 65)])
    expect(send(10, 100, began('p1', 'd2', 60))).to.deep.equal([metered('d1', 10)])
    expect(send(10, 100, began('p1', 'd1', 60))).to.deep.equal([metered('d1', 10), metered(null, 1)])
    const history = [began('p1', 'd1', 20), metered(null, 30)]
    given(quota, ...history)
      .when(
        recordSentDownloads(
          new Map([
            ['d1', 12],
            ['d2', 5],
            ['d3', 0],
          ]),
        ),
      )
      .thenEachTime({ type: 'DownloadsSent', data: { downloads: [{ download: 'd1', bytes: 12 }] } })
    given(quota, ...history)
      .when(recordSentDownloads(new Map([['d2', 5]])))
      .then()
    const sentBytes: QuotaEvent = { type: 'DownloadsSent', data: { downloads: [{ download: 'd1', bytes: 12 }] } }
    expect(countsOf(...history, sentBytes)).to.deep.equal([30, 8])
    const back: QuotaEvent = { type: 'DownloadCut', data: { download: null, bytes: 18, month: timeAt(0).slice(0, 7) } }
    expect(countsOf(...history, sentBytes, back)).to.deep.equal([12, 8])
  })

  it('are checked for expired entries once a minute per state, however many downloads are refused', () => {
    const began = (n: number): QuotaEvent => {
      return { type: 'DownloadBegun', data: { download: `d${n}`, bytes: 15, expires: timeAt(60) } }
    }
    const minuteMs = Math.ceil((Date.parse(timeAt(60)) + DOWNLOAD_HELD_MS) / 60_000) * 60_000
    const maps = Object.getPrototypeOf(ImmutableMap())
    const { entries } = maps
    let walks = 0
    maps.entries = function counted(this: ImmutableMap<string, unknown>) {
      walks++
      return entries.call(this)
    } as typeof entries
    try {
      const walksOf = (state: Quota, bytes: number, nowMs: number) => {
        const before = walks
        const decide = () =>
          beginDownload({ download: 'd9', bytes, expires: timeAt(900), by: null }, limits, nowMs)(state, 1)
        if (bytes > limits.monthlyDownloadBytes) expect(decide).to.throw(Refusal)
        else decide()
        return walks - before
      }
      const state = given(quota, began(1), began(2)).state()
      const other = given(quota, began(1)).state()
      expect(walksOf(state, 31, minuteMs)).to.equal(3)
      expect([walksOf(state, 31, minuteMs + 1), walksOf(state, 30, minuteMs + 59_999)]).to.deep.equal([0, 0])
      expect([walksOf(other, 31, minuteMs), walksOf(state, 31, minuteMs + 60_000)]).to.deep.equal([3, 3])
    } finally {
      maps.entries = entries
    }
  })

  it('are refunded in the month in which they were counted', () => {
    const promised: QuotaEvent = { type: 'DownloadBegun', data: { download: 'd1', bytes: 20, expires: timeAt(60) } }
    const metered: QuotaEvent = { type: 'DownloadMetered', data: { download: 'd1', bytes: 20 } }
    const month = timeAt(0).slice(0, 7)
    const cut = (of: string): QuotaEvent => ({ type: 'DownloadCut', data: { download: 'd1', bytes: 15, month: of } })
    given(quota, promised, metered)
      .when(refundUnsentBytes({ download: 'd1', bytes: 15, month }, START_MS))
      .thenEachTime(cut(month))
    given(quota, promised, metered)
      .when(refundUnsentBytes({ download: 'd1', bytes: 0, month }, START_MS))
      .then()
    // In a new month all bytes may already be promised to others.
    given(quota, promised, metered)
      .when(refundUnsentBytes({ download: 'd1', bytes: 15, month: '2025-12' }, START_MS))
      .thenEachTime({ type: 'DownloadCut', data: { download: null, bytes: 15, month: '2025-12' } })
    const counted = (...history: QuotaEvent[]) => {
      const { sent, promised: open } = given(quota, ...history).state()
      return [sent, open]
    }
    expect(counted(promised, metered)).to.deep.equal([20, 0])
    // The link is still valid for the unsent bytes.
    expect(counted(promised, metered, cut(month))).to.deep.equal([5, 15])
    expect(counted(metered, cut(month))).to.deep.equal([5, 0])
    expect(counted(promised, metered, cut('2026-01'))).to.deep.equal([20, 15])
  })
})

const LIMIT = 80
const sharedLimits = { ...NEW_BUCKET, monthlyDownloadBytes: LIMIT }

describe('monthly downloads in any order', () => {
  it('stay within the limit, and serve the player with the fewest promised bytes while unsent bytes remain', () => {
    const asker = fc.constantFrom('p1', 'p2', 'p3', null)
    const id = fc.integer({ min: 0, max: 4 }).map((n) => `d${n}`)
    const few = fc.integer({ min: 1, max: 5 })
    const some = fc.integer({ min: 1, max: 60 })
    const step = fc.oneof(
      fc.record({ do: fc.constant('begin' as const), id, by: asker, bytes: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ do: fc.constant('send' as const), id, bytes: fc.oneof(few, some), prereserved: fc.nat(2) }),
      fc.record({ do: fc.constant('tell' as const), id, bytes: fc.integer({ min: 0, max: 40 }) }),
      fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(20, 140) }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        let state = quota.initial
        let seconds = 0
        let revision = -1
        /** The last link by each name. */
        const links = new Map<string, string>()
        const linkOf = (id: string) => links.get(id) ?? id
        const decide = (decision: Decision<Quota, QuotaEvent>) => {
          for (const event of decision(state, revision)) {
            revision++
            state = quota.evolve(state, event, { revision, time: timeAt(seconds) })
          }
        }
        const isRefused = (decision: Decision<Quota, QuotaEvent>) => {
          try {
            decide(decision)
            return false
          } catch (error) {
            expect((error as Refusal).code).to.equal('download_quota_exceeded')
            return true
          }
        }
        for (const one of steps) {
          const nowMs = START_MS + seconds * 1_000
          const before = asOf(state, nowMs)
          if (one.do === 'wait') seconds += one.seconds
          else if (one.do === 'tell') decide(recordSentDownloads(new Map([[linkOf(one.id), one.bytes]])))
          else if (one.do === 'send')
            isRefused(
              reserveDownloadBytes(
                { download: linkOf(one.id), bytes: one.bytes, prereserved: one.prereserved },
                sharedLimits,
                nowMs,
              ),
            )
          else {
            const fresh = {
              download: `${one.id} ${revision}`,
              bytes: one.bytes,
              expires: timeAt(seconds + 60),
              by: one.by,
            }
            links.set(one.id, fresh.download)
            const wasRefused = isRefused(beginDownload(fresh, sharedLimits, nowMs))
            const others = [...before.askers.entries()].filter(([by]) => by !== one.by).map(([, held]) => held)
            const own = before.askers.get(one.by ?? '') ?? 0
            const unbounded = before.promised - others.reduce((sum, held) => sum + held, 0) - own
            const isLeast = others.length > 0 && Math.max(...others) > own + one.bytes
            if (isLeast && before.sent + unbounded + one.bytes <= LIMIT) expect(wasRefused).to.equal(false)
          }
          const held = [...state.downloads.entries()].reduce(
            (sum, [, { bytes, sent }]) => sum + Math.max(0, bytes - sent),
            0,
          )
          expect([state.promised, state.sent + state.promised <= LIMIT]).to.deep.equal([held, true])
        }
      }),
      { numRuns: 300 },
    )
  })
})
