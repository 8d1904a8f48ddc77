// Given what was reserved, held and sent, when more is wanted, then it is promised or refused; and sums are always those of what
// is there, by a plain model, also through a snapshot.

import { expect } from 'chai'
import fc from 'fast-check'
import type { BucketLimits } from '../../domain/bucket.ts'
import { Refusal } from '../../domain/decider.ts'
import { asOf, DOWNLOAD_HELD_MS, forgottenMs, PAST_MOST, type QuotaEvent, quota } from '../../domain/quota.ts'
import type { Quota } from '../../domain/quota-state.ts'
import {
  beginDeletions,
  beginDownload,
  beginUpload,
  confirmUpload,
  cutDownload,
  freeFiles,
  meterDownload,
  releaseUpload,
  settleUpload,
} from '../../domain/reserve.ts'
import { Shards } from '../../domain/shards.ts'
import { given, START_MS, timeAt } from './given.ts'

const limits: BucketLimits = {
  maxBytes: 100,
  maxFiles: 4,
  playerMaxBytes: 50,
  playerMaxFiles: 2,
  maxFileBytes: 40,
  monthlyDownloadBytes: 30,
}
const expires = timeAt(900)
const share = (upload: string, bytes: number, owner: string | null = 'p1', files = 1) => ({
  upload,
  owner,
  bytes,
  files,
})
const wish = (upload: string, size: number, owner: string | null = 'p1') => ({
  ...share(upload, size, owner),
  size,
  expires,
})
const begun = (upload: string, bytes: number, owner: string | null = 'p1'): QuotaEvent => {
  return { type: 'UploadBegun', data: { ...share(upload, bytes, owner), expires } }
}
const settled = (upload: string, bytes: number, owner: string | null = 'p1'): QuotaEvent => {
  return { type: 'UploadSettled', data: { upload, held: { owner, bytes, files: 1 }, freed: null } }
}

describe('a quota', () => {
  it('reserves once for each upload, up to each limit', () => {
    given(quota)
      .when(beginUpload(wish('u1', 40), limits))
      .then(begun('u1', 40))
    const refuses = (limit: string, size: number, owner: string | null, ...history: QuotaEvent[]) =>
      given(quota, ...history)
        .when(beginUpload(wish('u9', size, owner), limits))
        .refused('unprocessable', 'quota_exceeded', { limit })
    given(quota)
      .when(beginUpload(wish('u1', 41), limits))
      .refused('unprocessable', 'file_too_large')
    refuses('player_max_bytes', 11, 'p1', begun('u1', 40))
    refuses('player_max_files', 0, 'p1', begun('u1', 0), begun('u2', 0))
    refuses('max_bytes', 21, null, begun('u1', 40), begun('u2', 40, 'p2'))
    refuses('max_files', 0, null, begun('u1', 0), begun('u2', 0), begun('u3', 0, 'p2'), begun('u4', 0, 'p3'))
    given(quota, begun('u1', 40))
      .when(beginUpload(wish('u2', 10), limits))
      .then(begun('u2', 10))
  })

  it('settles and releases once, and holds what became a file', () => {
    const { then } = given(quota, begun('u1', 40)).when(settleUpload('u1', { owner: 'p1', bytes: 40, files: 1 }, null))
    then(settled('u1', 40))
    given(quota, begun('u1', 40))
      .when(releaseUpload('u1'))
      .then({ type: 'UploadReleased', data: { upload: 'u1' } })
    given(quota, begun('u1', 40), settled('u1', 40)).when(releaseUpload('u1')).then()
    given(quota, begun('u1', 40), settled('u1', 40))
      .when(beginUpload(wish('u2', 11), limits))
      .refused('unprocessable', 'quota_exceeded', { limit: 'player_max_bytes' })
  })

  it('reserves nothing more for an upload that became a file, though the call that began it comes once more', () => {
    const history = [begun('u1', 40), settled('u1', 40)]
    given(quota, ...history)
      .when(beginUpload(wish('u1', 40), limits))
      .then()
    given(quota, ...history)
      .when(settleUpload('u1', { owner: 'p1', bytes: 40, files: 1 }, null))
      .then()
  })

  it('remembers what is over for an hour, no more of it than a limit, and nothing of what was cleared away', () => {
    const pastAfter = (events: readonly QuotaEvent[], seconds: number) =>
      asOf(given(quota, ...events).state(), Date.parse(timeAt(seconds))).past.size
    const nothing = (deletion: string) => ({ deletion, owner: null, bytes: 0, files: 1 })
    const freed = (...deletions: string[]): QuotaEvent => ({
      type: 'FilesFreed',
      data: { files: deletions.map(nothing) },
    })
    const deleting = (deletion: string): QuotaEvent => ({ type: 'DeletionsBegun', data: { deletions: [deletion] } })
    const few = [
      begun('u1', 40),
      settled('u1', 40),
      deleting('d1'),
      freed('d1'),
      deleting('cleared-1'),
      freed('cleared-1'),
    ]
    expect([pastAfter(few, 0), pastAfter(few, 3_540), pastAfter(few, 3_720)]).to.deep.equal([2, 2, 0])
    const many = Array.from({ length: PAST_MOST + 5 }, (_, n) => `d${n}`)
    const state = asOf(given(quota, freed(...many), freed('last')).state(), Date.parse(timeAt(120)))
    expect([state.past.size, state.past.has('last')]).to.deep.equal([PAST_MOST, true])
  })

  it('holds what an upload will really take, by the limits of now', () => {
    const overwrite = { upload: 'u1', size: 40, owner: 'p2', bytes: 5, files: 0 }
    given(quota, begun('u1', 40))
      .when(confirmUpload(overwrite, limits))
      .then({ type: 'UploadReassigned', data: { upload: 'u1', owner: 'p2', bytes: 5, files: 0 } })
    given(quota, begun('u1', 40))
      .when(confirmUpload(wish('u1', 40), limits))
      .then()
    given(quota, begun('u1', 40))
      .when(confirmUpload(wish('u1', 40), { ...limits, playerMaxBytes: 39 }))
      .refused('unprocessable', 'quota_exceeded', { limit: 'player_max_bytes' })
    given(quota)
      .when(confirmUpload(wish('u1', 40), limits))
      .then()
  })

  it('lets through what takes no more, though a limit was lowered below what is held', () => {
    const lower = { ...limits, maxBytes: 1, playerMaxBytes: 1, maxFiles: 0 }
    const same = { upload: 'u2', size: 3, owner: 'p1', bytes: 0, files: 0 }
    given(quota, begun('u1', 40), settled('u1', 40))
      .when(beginUpload({ ...same, expires }, lower))
      .then({ type: 'UploadBegun', data: { upload: 'u2', owner: 'p1', bytes: 0, files: 0, expires } })
  })

  it('frees a deleted file once, by the deletion that was begun', () => {
    const freed = { deletion: 'd1', owner: 'p1', bytes: 40, files: 1 }
    const deleting: QuotaEvent = { type: 'DeletionsBegun', data: { deletions: ['d1'] } }
    given(quota)
      .when(beginDeletions(['d1']))
      .then(deleting)
    const history = [begun('u1', 40), settled('u1', 40), deleting]
    given(quota, ...history)
      .when(freeFiles([freed]))
      .then({ type: 'FilesFreed', data: { files: [freed] } })
    given(quota, begun('u1', 40), settled('u1', 40))
      .when(freeFiles([freed]))
      .then()
    const done: QuotaEvent = { type: 'FilesFreed', data: { files: [freed] } }
    // The call that deleted it may come once more, and begin again.
    given(quota, ...history, done)
      .when(beginDeletions(['d1']))
      .then()
    given(quota, ...history, done)
      .when(freeFiles([freed]))
      .then()
  })

  it('promises downloads within the month, and takes back what was not sent', () => {
    const download = (id: string, bytes: number, nowMs = START_MS) =>
      beginDownload({ download: id, bytes, expires: timeAt(60), by: null }, limits, nowMs)
    const promised: QuotaEvent = { type: 'DownloadBegun', data: { download: 'd1', bytes: 20, expires: timeAt(60) } }
    const sent = (bytes: number): QuotaEvent => ({ type: 'DownloadMetered', data: { download: 'd1', bytes } })
    given(quota).when(download('d1', 20)).then(promised)
    given(quota).when(meterDownload('d1', 4)).thenEachTime(sent(4))
    given(quota).when(meterDownload('d1', 0)).then()
    const refused = ['unprocessable', 'download_quota_exceeded', { limit: 'monthly_download_bytes' }] as const
    given(quota, promised)
      .when(download('d2', 11))
      .refused(...refused)
    given(quota, promised, sent(25))
      .when(download('d2', 6))
      .refused(...refused)
    const over = Date.parse(timeAt(60)) + DOWNLOAD_HELD_MS + 60_000
    expect(() => download('d2', 26, over)(given(quota, promised, sent(4)).state(), 1)).to.not.throw()
    expect(() => download('d2', 27, over)(given(quota, promised, sent(4)).state(), 1)).to.throw(Refusal)
    const nextMonth = Date.UTC(2026, 11, 1)
    expect(() => download('d2', 30, nextMonth)(given(quota, promised, sent(25)).state(), 1)).to.not.throw()
  })

  it('lets one asker hold an eighth of the month promised and not sent, or one file', () => {
    const large = { ...limits, monthlyDownloadBytes: 80 }
    const of = (by: string | null, id: string, bytes: number, nowMs = START_MS) =>
      beginDownload({ download: id, bytes, expires: timeAt(60), by }, large, nowMs)
    const began = (by: string, id: string, bytes: number): QuotaEvent => {
      return { type: 'DownloadBegun', data: { download: id, bytes, expires: timeAt(60), by } }
    }
    const sent = (download: string, bytes: number): QuotaEvent => ({
      type: 'DownloadMetered',
      data: { download, bytes },
    })
    // A link of 60 s is remembered 10 s longer, and what is over is forgotten with the next minute.
    const waitMs = forgottenMs(Date.parse(timeAt(60))) - START_MS
    expect(waitMs).to.be.within(70_000, 130_000)
    const refused = [
      'too_many',
      'links_unused',
      { limit: 'unused_links', retry_after: Math.ceil(waitMs / 1_000) },
    ] as const
    given(quota)
      .when(of('p1', 'd1', 70))
      .then(began('p1', 'd1', 70))
    given(quota, began('p1', 'd1', 4))
      .when(of('p1', 'd2', 6))
      .then(began('p1', 'd2', 6))
    given(quota, began('p1', 'd1', 4))
      .when(of('p1', 'd2', 7))
      .refused(...refused)
    const history = [began('p1', 'd1', 10)]
    given(quota, ...history)
      .when(of('p2', 'd2', 10))
      .then(began('p2', 'd2', 10))
    given(quota, ...history)
      .when(of(null, 'd2', 70))
      .then({ type: 'DownloadBegun', data: { download: 'd2', bytes: 70, expires: timeAt(60) } })
    given(quota, ...history)
      .when(of('p1', 'd1', 10))
      .then()
    given(quota, ...history, sent('d1', 9))
      .when(of('p1', 'd2', 10))
      .refused(...refused)
    given(quota, ...history, sent('d1', 9))
      .when(of('p1', 'd2', 9))
      .then(began('p1', 'd2', 9))
    // Until enough of it is forgotten, and no longer.
    const later = (id: string, bytes: number): QuotaEvent => {
      return { type: 'DownloadBegun', data: { download: id, bytes, expires: timeAt(600), by: 'p1' } }
    }
    given(quota, later('d1', 2), began('p1', 'd2', 8))
      .when(of('p1', 'd3', 8))
      .refused(...refused)
    const state = given(quota, ...history).state()
    const overMs = Date.parse(timeAt(60)) + DOWNLOAD_HELD_MS + 60_000
    for (const one of [state, quota.snapshot?.read(JSON.parse(JSON.stringify(quota.snapshot.write(state)))) as Quota]) {
      expect(() => of('p1', 'd2', 1)(one, 1)).to.throw(Refusal)
      expect(() => of('p1', 'd2', 70, overMs)(one, 1)).to.not.throw()
    }
    // All of it is forgotten, and those that were used up with their last byte.
    expect(asOf(state, overMs).askers.size).to.equal(0)
    expect(given(quota, ...history, sent('d1', 10)).state().askers.size).to.equal(0)
  })

  it('looks through what is over once a minute for each state, however many downloads are refused in it', () => {
    const began = (n: number): QuotaEvent => {
      return { type: 'DownloadBegun', data: { download: `d${n}`, bytes: 15, expires: timeAt(60) } }
    }
    const minuteMs = Math.ceil((Date.parse(timeAt(60)) + DOWNLOAD_HELD_MS) / 60_000) * 60_000
    const { entries } = Shards.prototype
    let walks = 0
    Shards.prototype.entries = function counted(this: Shards<unknown>) {
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
      Shards.prototype.entries = entries
    }
  })

  it('gives back what was metered and not sent, in the month in which it was metered', () => {
    const promised: QuotaEvent = { type: 'DownloadBegun', data: { download: 'd1', bytes: 20, expires: timeAt(60) } }
    const metered: QuotaEvent = { type: 'DownloadMetered', data: { download: 'd1', bytes: 20 } }
    const month = timeAt(0).slice(0, 7)
    const cut = (of: string): QuotaEvent => ({ type: 'DownloadCut', data: { download: 'd1', bytes: 15, month: of } })
    given(quota, promised, metered)
      .when(cutDownload('d1', 15, month))
      .thenEachTime(cut(month))
    given(quota, promised, metered)
      .when(cutDownload('d1', 0, month))
      .then()
    const counted = (...history: QuotaEvent[]) => {
      const { sent, promised: open } = given(quota, ...history).state()
      return [sent, open]
    }
    expect(counted(promised, metered)).to.deep.equal([20, 0])
    // The link is good for what was not sent still.
    expect(counted(promised, metered, cut(month))).to.deep.equal([5, 15])
    expect(counted(metered, cut(month))).to.deep.equal([5, 0])
    expect(counted(promised, metered, cut('2026-01'))).to.deep.equal([20, 15])
  })

  it('never promises more than there is, and counts what a plain model counts, also by way of a snapshot', () => {
    const id = fc.integer({ min: 0, max: 9 }).map((n) => `u${n}`)
    const owner = fc.constantFrom('p1', 'p2', null)
    const step = fc.oneof(
      fc.record({ do: fc.constant('begin' as const), id, owner, size: fc.nat(45) }),
      fc.record({
        do: fc.constantFrom('settle' as const, 'release' as const, 'delete' as const, 'snapshot' as const),
        id,
      }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const there = new Map<string, { upload: string; owner: string | null; bytes: number; isFile: boolean }>()
        let state: Quota = quota.initial
        let revision = -1
        const decide = (decision: (state: Quota, last: number) => readonly QuotaEvent[]) => {
          for (const event of decision(state, revision)) {
            revision++
            state = quota.evolve(state, event, { revision, time: timeAt(revision) })
          }
        }
        for (const one of steps) {
          const known = there.get(one.id)
          if (one.do === 'snapshot') {
            state = quota.snapshot?.read(JSON.parse(JSON.stringify(quota.snapshot.write(state)))) as Quota
          } else if (one.do === 'begin') {
            if (known !== undefined) continue
            const sum = (whose?: string | null) =>
              [...there.values()].filter((held) => whose === undefined || held.owner === whose)
            const bytesOf = (held: { bytes: number }[]) => held.reduce((total, { bytes }) => total + bytes, 0)
            const fits =
              one.size <= limits.maxFileBytes &&
              (one.size === 0 || bytesOf(sum()) + one.size <= limits.maxBytes) &&
              sum().length < limits.maxFiles &&
              (one.owner === null ||
                ((one.size === 0 || bytesOf(sum(one.owner)) + one.size <= limits.playerMaxBytes) &&
                  sum(one.owner).length < limits.playerMaxFiles))
            // No two uploads have one id.
            const upload = `${one.id} ${revision}`
            const begin = () => decide(beginUpload(wish(upload, one.size, one.owner), limits))
            if (!fits) expect(begin).to.throw(Refusal)
            else {
              begin()
              there.set(one.id, { upload, owner: one.owner, bytes: one.size, isFile: false })
            }
          } else if (known !== undefined && one.do === 'settle') {
            decide(settleUpload(known.upload, { owner: known.owner, bytes: known.bytes, files: 1 }, null))
            there.set(one.id, { ...known, isFile: true })
          } else if (known !== undefined && one.do === 'release' && !known.isFile) {
            decide(releaseUpload(known.upload))
            there.delete(one.id)
          } else if (known?.isFile === true && one.do === 'delete') {
            decide(beginDeletions([`d${revision}`]))
            const freed = { deletion: `d${revision - 1}`, owner: known.owner, bytes: known.bytes, files: 1 }
            decide(freeFiles([freed]))
            decide(freeFiles([freed]))
            there.delete(one.id)
          }
          const all = [...there.values()]
          expect([state.bytes, state.files]).to.deep.equal([all.reduce((sum, { bytes }) => sum + bytes, 0), all.length])
          expect(state.uploads.size).to.equal(all.filter(({ isFile }) => !isFile).length)
        }
      }),
    )
  })
})
