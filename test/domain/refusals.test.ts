// Refusals by their kind, which the HTTP status follows from, with the fields that a caller can act on.

import { expect } from 'chai'
import { bucketNotFound, NEW_BUCKET } from '../../domain/bucket.ts'
import type { Refusal } from '../../domain/decider.ts'
import { alreadyExists, type FolderEvent, folder, releaseFolder, setRules } from '../../domain/folder.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { noSuchGame } from '../../domain/game.ts'
import { loginTaken } from '../../domain/login.ts'
import { bannedRefusal, isBanned } from '../../domain/player.ts'
import { alreadyRegistered } from '../../domain/registration.ts'
import { checkSize, checkSizeOfStore } from '../../domain/reserve.ts'
import { signInRejected } from '../../domain/session.ts'
import {
  checkBytes,
  completeUpload,
  isLive,
  isOpen,
  openUpload,
  type Upload,
  type UploadEvent,
  upload,
} from '../../domain/upload.ts'
import { refusalIn } from '../refusal-of.ts'
import { given, START_MS } from './given.ts'

/** Its text is only checked to be a sentence. */
function shown(refusal: Refusal | null) {
  if (refusal === null) return null
  expect(refusal.message).to.match(/^[A-Z].{15,}\.$/)
  return [refusal.kind, refusal.code, refusal.fields]
}

describe('a refusal', () => {
  it('of a banned player has the end and the reason of the ban, where it has them', () => {
    const refused = (until: string | null, reason: string | null) => shown(bannedRefusal({ until, reason }))
    const same = ['forbidden', 'player_banned']
    expect(refused(null, null)).to.deep.equal([...same, {}])
    expect(refused('2026', null)).to.deep.equal([...same, { until: '2026' }])
    expect(refused(null, 'cheats')).to.deep.equal([...same, { reason: 'cheats' }])
    expect(refused('2026', 'cheats')).to.deep.equal([...same, { until: '2026', reason: 'cheats' }])
  })

  it('says what is not there, or is there already', () => {
    expect(shown(bucketNotFound())).to.deep.equal(['not_found', 'bucket_not_found', {}])
    expect(shown(noSuchGame())).to.deep.equal(['not_found', 'game_not_found', {}])
    expect(shown(alreadyExists())).to.deep.equal(['conflict', 'already_exists', {}])
    expect([loginTaken(), alreadyRegistered()].map(({ kind, code }) => [kind, code])).to.deep.equal([
      ['conflict', 'login_taken'],
      ['conflict', 'already_registered'],
    ])
    for (const { message } of [loginTaken(), alreadyRegistered(), signInRejected()]) expect(message).to.match(/\.$/)
    expect([signInRejected().kind, signInRejected().code]).to.deep.equal(['unauthenticated', 'sign_in_rejected'])
  })

  it('of a file that is too large names the limit, of the bucket or of the store', () => {
    const limits = { ...NEW_BUCKET, maxFileBytes: 10 }
    expect([refusalIn(() => checkSize(10, limits)), refusalIn(() => checkSizeOfStore(10, 10))]).to.deep.equal([
      null,
      null,
    ])
    expect(shown(refusalIn(() => checkSize(11, limits)))).to.deep.equal([
      'unprocessable',
      'file_too_large',
      { limit: 'max_file_bytes' },
    ])
    expect(shown(refusalIn(() => checkSizeOfStore(11, 10)))).to.deep.equal([
      'unprocessable',
      'file_too_large',
      { limit: 'file_store' },
    ])
  })

  it('of other bytes than announced says what differs', () => {
    const wanted = { size: 3, sha256: 'aa' } as Upload
    const check = (size: number, sha256: string | null, of = wanted) =>
      shown(refusalIn(() => checkBytes(of, { size, sha256 })))
    expect([check(3, 'aa'), check(3, null), check(3, 'bb', { ...wanted, sha256: null })]).to.deep.equal([
      null,
      null,
      null,
    ])
    const mismatch = ['malformed', 'size_mismatch', {}]
    expect([check(2, 'aa'), check(4, 'bb')]).to.deep.equal([mismatch, mismatch])
    const other = ['unprocessable', 'checksum_mismatch', {}]
    expect(check(3, 'bb')).to.deep.equal(other)
  })
})

describe('domain: a ban with or without an end', () => {
  it('is in force until its end, or without one for good', () => {
    const until = new Date(START_MS).toISOString()
    const isInForce = (end: string | null, nowMs: number) => isBanned({ until: end, reason: null }, nowMs)
    expect([isInForce(until, START_MS - 1), isInForce(until, START_MS), isInForce(null, START_MS)]).to.deep.equal([
      true,
      false,
      true,
    ])
    expect(isBanned(null, START_MS)).to.equal(false)
  })
})

describe('an upload that is gone', () => {
  const data = {
    bucket: 'b',
    path: '/a',
    size: 3,
    contentType: 'x/y',
    sha256: null,
    blob: 'b1',
    player: null,
    expires: new Date(START_MS).toISOString(),
  }
  const opened: UploadEvent = { type: 'UploadOpened', data }
  const expired: UploadEvent = { type: 'UploadExpired', data: { blob: 'b1' } }
  const completed = { file: 'f', creator: null, created: '', updated: '' }

  it('stays gone, whatever is recorded later', () => {
    const later: UploadEvent[] = [
      { type: 'BytesStored', data: { size: 3, sha256: null } },
      { type: 'BytesRefused', data: { size: 4, sha256: null } },
      { type: 'UploadCompleted', data: completed },
    ]
    expect(given(upload, opened, expired, ...later).state()).to.equal('gone')
    expect(given(upload, ...later).state()).to.equal(null)
  })

  it('is neither opened again nor completed', () => {
    given(upload, opened, expired).when(openUpload(data)).refused('not_found', 'not_found')
    given(upload, opened, expired).when(completeUpload(completed)).refused('not_found', 'not_found')
    given(upload).when(completeUpload(completed)).refused('not_found', 'not_found')
  })

  it('is neither open nor alive, as after its end', () => {
    expect([isOpen('gone', 0), isLive('gone', 0), isOpen(null, 0), isLive(null, 0)]).to.deep.equal([
      false,
      false,
      false,
      false,
    ])
    const state = given(upload, opened).state()
    expect([isLive(state, START_MS - 1), isLive(state, START_MS)]).to.deep.equal([true, false])
  })
})

describe('the rules of a folder that is released', () => {
  const data = { id: 'd1', path: '/a/', parent: 'b', parentKey: 'root', creator: 'ada', rules: ROOT_RULES }
  const created: FolderEvent = { type: 'FolderCreated', data }
  const release = { id: 'd1', path: '/a/' }
  const released: FolderEvent = { type: 'FolderReleased', data: release }

  it('are still set, and its creator is nobody', () => {
    given(folder, created).when(releaseFolder(release)).then(released)
    given(folder).when(releaseFolder(release)).then()
    given(folder, created)
      .when(releaseFolder({ ...release, id: 'd2' }))
      .then()
    expect(given(folder, created, released).state()).to.deep.include({ id: 'd1', creator: null, revision: 1 })
    expect(given(folder, released).state()).to.equal(null)
    const rules = { folder: 'd1', rules: ROOT_RULES, childRules: null, applyToExisting: false }
    given(folder, created, released)
      .when(setRules(rules, false, (revision) => expect(revision).to.be.within(1, 2)))
      .thenEachTime({ type: 'FolderRulesSet', data: rules })
  })
})
