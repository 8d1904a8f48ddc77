// Given reserved and used quota, when more is requested, then it is reserved or refused. Sums agree with a simple
// model, even through a snapshot.

import { expect } from 'chai'
import fc from 'fast-check'
import { type BucketLimits, NEW_BUCKET } from '../../domain/bucket.ts'
import { Refusal } from '../../domain/decider.ts'
import { asOf, MAX_PAST, type QuotaEvent, quota } from '../../domain/quota.ts'
import type { Quota } from '../../domain/quota-state.ts'
import {
  beginDeletions,
  beginUpload,
  confirmUpload,
  freeFiles,
  releaseUpload,
  settleUpload,
} from '../../domain/reserve.ts'
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

const uploadOf = (upload: string, size: number, owner: string | null = 'p1') => ({
  ...share(upload, size, owner),
  size,
  expires,
})

const uploadBegun = (upload: string, bytes: number, owner: string | null = 'p1'): QuotaEvent => {
  return { type: 'UploadBegun', data: { ...share(upload, bytes, owner), expires } }
}

const settled = (upload: string, bytes: number, owner: string | null = 'p1'): QuotaEvent => {
  return { type: 'UploadSettled', data: { upload, held: { owner, bytes, files: 1 }, freed: null } }
}

describe('a quota', () => {
  it('reserves once for each upload, up to each limit', () => {
    given(quota)
      .when(beginUpload(uploadOf('u1', 40), limits))
      .then(uploadBegun('u1', 40))
    const refuses = (limit: string, size: number, owner: string | null, ...history: QuotaEvent[]) =>
      given(quota, ...history)
        .when(beginUpload(uploadOf('u9', size, owner), limits))
        .refused('unprocessable', 'quota_exceeded', { limit })
    given(quota)
      .when(beginUpload(uploadOf('u1', 41), limits))
      .refused('unprocessable', 'file_too_large')
    refuses('player_max_bytes', 11, 'p1', uploadBegun('u1', 40))
    refuses('player_max_files', 0, 'p1', uploadBegun('u1', 0), uploadBegun('u2', 0))
    refuses('max_bytes', 21, null, uploadBegun('u1', 40), uploadBegun('u2', 40, 'p2'))
    refuses(
      'max_files',
      0,
      null,
      uploadBegun('u1', 0),
      uploadBegun('u2', 0),
      uploadBegun('u3', 0, 'p2'),
      uploadBegun('u4', 0, 'p3'),
    )
    given(quota, uploadBegun('u1', 40))
      .when(beginUpload(uploadOf('u2', 10), limits))
      .then(uploadBegun('u2', 10))
  })

  it('settles and releases each upload once, and keeps the quota of the file', () => {
    const { then } = given(quota, uploadBegun('u1', 40)).when(
      settleUpload('u1', { owner: 'p1', bytes: 40, files: 1 }, null),
    )
    then(settled('u1', 40))
    given(quota, uploadBegun('u1', 40))
      .when(releaseUpload('u1'))
      .then({ type: 'UploadReleased', data: { upload: 'u1' } })
    given(quota, uploadBegun('u1', 40), settled('u1', 40)).when(releaseUpload('u1')).then()
    given(quota, uploadBegun('u1', 40), settled('u1', 40))
      .when(beginUpload(uploadOf('u2', 11), limits))
      .refused('unprocessable', 'quota_exceeded', { limit: 'player_max_bytes' })
  })

  it('reserves nothing again for an upload that became a file, even if its first call is repeated', () => {
    const history = [uploadBegun('u1', 40), settled('u1', 40)]
    given(quota, ...history)
      .when(beginUpload(uploadOf('u1', 40), limits))
      .then()
    given(quota, ...history)
      .when(settleUpload('u1', { owner: 'p1', bytes: 40, files: 1 }, null))
      .then()
  })

  it('remembers finished uploads and deletions for an hour, up to a limit, and none by a reaction', () => {
    const pastAfter = (events: readonly QuotaEvent[], seconds: number) =>
      asOf(given(quota, ...events).state(), Date.parse(timeAt(seconds))).past.size
    const nothing = (deletion: string) => ({ deletion, owner: null, bytes: 0, files: 1 })
    const freed = (...deletions: string[]): QuotaEvent => ({
      type: 'FilesFreed',
      data: { files: deletions.map(nothing) },
    })
    const deleting = (deletion: string): QuotaEvent => ({ type: 'DeletionsBegun', data: { deletions: [deletion] } })
    const few = [
      uploadBegun('u1', 40),
      settled('u1', 40),
      deleting('d1'),
      freed('d1'),
      deleting('cleared-1'),
      freed('cleared-1'),
    ]
    expect([pastAfter(few, 0), pastAfter(few, 3_540), pastAfter(few, 3_720)]).to.deep.equal([2, 2, 0])
    const many = Array.from({ length: MAX_PAST + 5 }, (_, n) => `d${n}`)
    const state = asOf(given(quota, freed(...many), freed('last')).state(), Date.parse(timeAt(120)))
    expect([state.past.size, state.past.has('last')]).to.deep.equal([MAX_PAST, true])
  })

  it('has the present month again after a clock that was years ahead', () => {
    const metered: QuotaEvent = { type: 'DownloadMetered', data: { download: null, bytes: 5 } }
    const afterTimes = (...times: readonly string[]) =>
      times.reduce((state, time, revision) => quota.evolve(state, metered, { revision, time }), quota.initial)
    const [present, little, far] = ['2026-11-30T23:59:30.000Z', '2026-12-01T00:00:10.000Z', '2030-01-01T00:00:00.000Z']
    const monthAfter = (...times: readonly string[]) => {
      const { month, sent } = afterTimes(...times)
      return [month, sent]
    }
    expect(monthAfter(present, present)).to.deep.equal(['2026-11', 10])
    // Clocks of nodes differ by a little at the end of a month.
    expect(monthAfter(present, little, present)).to.deep.equal(['2026-12', 10])
    expect(monthAfter(present, far, present, present)).to.deep.equal(['2026-11', 10])
    expect(asOf(afterTimes(far), Date.parse(present)).sent).to.equal(0)
  })

  it('adjusts a reservation to what the upload needs, by the present limits', () => {
    const overwrite = { upload: 'u1', size: 40, owner: 'p2', bytes: 5, files: 0 }
    given(quota, uploadBegun('u1', 40))
      .when(confirmUpload(overwrite, limits))
      .then({ type: 'UploadReassigned', data: { upload: 'u1', owner: 'p2', bytes: 5, files: 0 } })
    given(quota, uploadBegun('u1', 40))
      .when(confirmUpload(uploadOf('u1', 40), limits))
      .then()
    given(quota, uploadBegun('u1', 40))
      .when(confirmUpload(uploadOf('u1', 40), { ...limits, playerMaxBytes: 39 }))
      .refused('unprocessable', 'quota_exceeded', { limit: 'player_max_bytes' })
    given(quota)
      .when(confirmUpload(uploadOf('u1', 40), limits))
      .then()
  })

  it('accepts an upload that needs no more quota, even if a limit was lowered below the used quota', () => {
    const lower = { ...limits, maxBytes: 1, playerMaxBytes: 1, maxFiles: 0 }
    const same = { upload: 'u2', size: 3, owner: 'p1', bytes: 0, files: 0 }
    given(quota, uploadBegun('u1', 40), settled('u1', 40))
      .when(beginUpload({ ...same, expires }, lower))
      .then({ type: 'UploadBegun', data: { upload: 'u2', owner: 'p1', bytes: 0, files: 0, expires } })
  })

  it('frees a deleted file once, if its deletion was begun', () => {
    const freed = { deletion: 'd1', owner: 'p1', bytes: 40, files: 1 }
    const deleting: QuotaEvent = { type: 'DeletionsBegun', data: { deletions: ['d1'] } }
    given(quota)
      .when(beginDeletions(['d1']))
      .then(deleting)
    const history = [uploadBegun('u1', 40), settled('u1', 40), deleting]
    given(quota, ...history)
      .when(freeFiles([freed]))
      .then({ type: 'FilesFreed', data: { files: [freed] } })
    given(quota, uploadBegun('u1', 40), settled('u1', 40))
      .when(freeFiles([freed]))
      .then()
    const done: QuotaEvent = { type: 'FilesFreed', data: { files: [freed] } }
    // The call that deleted it may be repeated and begin again.
    given(quota, ...history, done)
      .when(beginDeletions(['d1']))
      .then()
    given(quota, ...history, done)
      .when(freeFiles([freed]))
      .then()
  })

  it('never promises more than is free, and agrees with a simple model, even through a snapshot', () => {
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
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
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
            const begin = () => decide(beginUpload(uploadOf(upload, one.size, one.owner), limits))
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

const ADA = { owner: 'ada', bytes: 5, files: 1 }
const EXPIRES = new Date(START_MS + 900_000).toISOString()
const begunByAda: QuotaEvent = { type: 'UploadBegun', data: { upload: 'u', ...ADA, expires: EXPIRES } }

describe('an upload that is confirmed', () => {
  const confirm = (more: Partial<typeof ADA> = {}) =>
    confirmUpload({ upload: 'u', size: 5, ...ADA, ...more }, NEW_BUCKET)

  it('keeps its reservation where it is the same', () => given(quota, begunByAda).when(confirm()).then())

  for (const more of [{ owner: 'eve' }, { bytes: 4 }, { files: 0 }]) {
    it(`changes its reservation where ${Object.keys(more)} differs`, () => {
      given(quota, begunByAda)
        .when(confirm(more))
        .then({ type: 'UploadReassigned', data: { upload: 'u', ...ADA, ...more } })
    })
  }

  it('reserves nothing where it is settled already', () => given(quota).when(confirm()).then())
})

describe('the size of a quota’s snapshot', () => {
  it('counts owners, uploads, deletions, downloads and who requested them', () => {
    const sizeAfter = (...events: QuotaEvent[]) => quota.size?.(given(quota, ...events).state())
    const deletions: QuotaEvent = { type: 'DeletionsBegun', data: { deletions: ['d1', 'd2'] } }
    const download: QuotaEvent = {
      type: 'DownloadBegun',
      data: { download: 'l', bytes: 9, expires: EXPIRES, by: 'ada' },
    }
    const settled: QuotaEvent = { type: 'UploadSettled', data: { upload: 'u', held: ADA, freed: null } }
    expect([sizeAfter(), sizeAfter(begunByAda), sizeAfter(deletions), sizeAfter(download)]).to.deep.equal([0, 2, 2, 2])
    expect([sizeAfter(begunByAda, settled), sizeAfter(begunByAda, deletions, download)]).to.deep.equal([2, 6])
  })
})
