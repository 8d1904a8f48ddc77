// What the commands record: the stream, the events with their data, and the metadata that names game, board and player.

import { expect } from 'chai'
import { issue, revoke, setPermissions } from '../../commands/key.ts'
import { archive, cancel, makeLeaderboard, rebuildEntries, setLeaderboard } from '../../commands/leaderboard.ts'
import { ed25519Pair } from '../../credentials/signatures.ts'
import { fromBase64url, toBase64url } from '../../credentials/text.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { ALLOW, REFUSE, type RecordingRig, recordingRig, typesOf } from './recording-rig.ts'
import { contextAt, GAME } from './sign-in/sign-in-rig.ts'

describe('the commands of leaderboards', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const RULES = { ordering: 'desc', secondaryOrdering: 'asc', unique: true, minScore: null, maxScore: null } as const
  const BOARD = { name: 'Board', description: 'all', rules: RULES }
  const made = async () => {
    const { id } = await makeLeaderboard(rig.deps, GAME, BOARD, contextAt())
    return { id, place: { board: id, game: GAME }, about: { game: GAME, board: id } }
  }

  it('take a slot of the game, then create the leaderboard', async () => {
    const { id, about } = await made()
    const [counted, taken, created] = await rig.recorded()
    expect(counted).to.deep.equal({
      stream: `slots-${GAME}`,
      type: 'SlotsCounted',
      data: { kind: 'leaderboards', count: 0 },
      about: { game: null },
    })
    expect(taken?.data).to.deep.equal({ kind: 'leaderboards', id })
    expect(created).to.deep.equal({ stream: `board-${id}`, type: 'LeaderboardCreated', data: BOARD, about })
  })

  it('request no rule change if only the description changes', async () => {
    const { id, place, about } = await made()
    await rig.recorded()
    await setLeaderboard(rig.deps, place, { change: { name: 'Other' }, expect: ALLOW }, contextAt())
    const data = { name: 'Other', description: 'all' }
    expect(await rig.recorded()).to.deep.equal([{ stream: `board-${id}`, type: 'LeaderboardDescribed', data, about }])
  })

  it('begin and end seasons by the clock that all nodes share, where that of the node is ahead', async () => {
    const HOURLY = { cron: '0 * * * *', timeZone: 'UTC' }
    let [nowMs, sharedMs] = [Date.parse('2026-01-01T12:10:00.000Z'), Date.parse('2026-01-01T10:10:00.000Z')]
    const deps = { ...rig.deps, sharedNow: async () => sharedMs }
    const seasons = { schedule: HOURLY, fromMs: nowMs }
    const { id } = await makeLeaderboard(deps, GAME, { ...BOARD, seasons }, contextAt())
    nowMs = Date.parse('2026-01-01T12:40:00.000Z')
    sharedMs = Date.parse('2026-01-01T10:40:00.000Z')
    const change = { seasons: { schedule: null, fromMs: nowMs } }
    await setLeaderboard(deps, { board: id, game: GAME }, { change, expect: ALLOW }, contextAt())
    const recorded = (await rig.recorded()).filter(({ type }) => type.startsWith('Season'))
    expect(recorded.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'SeasonScheduleSet', data: { schedule: HOURLY } },
      {
        type: 'SeasonOpened',
        data: { season: 1, starts: '2026-01-01T10:10:00.000Z', ends: '2026-01-01T11:00:00.000Z' },
      },
      { type: 'SeasonScheduleSet', data: { schedule: null } },
      { type: 'SeasonClosed', data: { season: 1, ends: '2026-01-01T10:40:00.000Z' } },
    ])
  })

  it('ask for a rule change under other rules, with an id of its own, and cancel it', async () => {
    const { id, place } = await made()
    await rig.recorded()
    await setLeaderboard(rig.deps, place, { change: { rules: { ordering: 'asc' } }, expect: ALLOW }, contextAt())
    const [asked] = await rig.recorded()
    expect(asked?.type).to.equal('LeaderboardRulesRequested')
    expect(asked?.data.change).to.match(/^[a-z2-7]{24}$/)
    await cancel(rig.deps, place, contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([`board-${id} LeaderboardRulesCancelled`])
  })

  it('ask for a rule change under the rules in force', async () => {
    const { id, place } = await made()
    await rig.recorded()
    await rebuildEntries(rig.deps, place, contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([`board-${id} LeaderboardRulesRequested`])
  })

  it('change nothing where the caller saw another leaderboard', async () => {
    const { place } = await made()
    await rig.recorded()
    expect(
      await refusalCodeOf(setLeaderboard(rig.deps, place, { change: { name: 'x' }, expect: REFUSE }, contextAt())),
    ).to.equal('seen_another')
    expect(await rig.recorded()).to.deep.equal([])
  })

  it('archive it, then release its slot', async () => {
    const { id, about } = await made()
    await rig.recorded()
    await archive(rig.deps, id, GAME, contextAt())
    const [archived, released] = await rig.recorded()
    expect(archived).to.deep.equal({ stream: `board-${id}`, type: 'LeaderboardArchived', data: {}, about })
    expect(released).to.deep.include({ type: 'SlotReleased', data: { kind: 'leaderboards', id } })
  })
})

describe('the commands of keys', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const FRESH = { game: GAME, name: 'k', kind: 'server', algorithm: 'hmac-sha256', permissions: ['lb:*:*'] } as const

  it('issue a key with an HMAC secret that the vault keeps and the answer shows', async () => {
    const { prefix, shown, key } = await issue(rig.deps, FRESH, contextAt())
    expect(prefix).to.match(/^sk_[a-z2-7]{24}$/)
    expect(Object.keys(shown)).to.deep.equal(['secret'])
    const kept = Buffer.from((await rig.vault.get('key-secret', prefix)) ?? []).toString()
    expect(shown).to.deep.equal({ secret: kept })
    expect(kept).to.have.length(43)
    expect(key).to.deep.include({ algorithm: 'hmac-sha256', publicKey: null, permissions: ['lb:*:*'], revoked: false })
    const events = await rig.recorded()
    expect(typesOf(events)).to.deep.equal([
      `slots-${GAME} SlotsCounted`,
      `slots-${GAME} SlotTaken`,
      `key-${prefix} KeyIssued`,
    ])
    expect(events[1]?.data).to.deep.equal({ kind: 'keys', id: prefix })
    expect(events[2]?.about).to.deep.equal({ game: GAME })
  })

  it('issue a client key under its own prefix', async () => {
    expect((await issue(rig.deps, { ...FRESH, kind: 'client' }, contextAt())).prefix).to.match(/^ck_[a-z2-7]{24}$/)
  })

  it('issue a key with a pair that the server makes, of which only the seed is shown', async () => {
    const { prefix, shown, key } = await issue(rig.deps, { ...FRESH, algorithm: 'ed25519' }, contextAt())
    expect(Object.keys(shown)).to.deep.equal(['private_key'])
    const seed = fromBase64url('private_key' in shown ? shown.private_key : '', 32)
    if (seed === null) throw new Error('the seed is not of 32 bytes')
    expect(key.publicKey).to.equal(toBase64url(ed25519Pair(seed).publicKey))
    expect(await rig.vault.get('key-secret', prefix)).to.equal(null)
  })

  it('issue a key with the caller’s own public key, and show nothing', async () => {
    const publicKey = toBase64url(new Uint8Array(32).fill(9))
    const { shown, key } = await issue(rig.deps, { ...FRESH, algorithm: 'ed25519', publicKey }, contextAt())
    expect([shown, key.publicKey]).to.deep.equal([{}, publicKey])
  })

  it('count no slot for the operator’s keys', async () => {
    const { prefix } = await issue(rig.deps, { ...FRESH, game: null }, contextAt())
    await revoke(rig.deps, prefix, null, contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([`key-${prefix} KeyIssued`, `key-${prefix} KeyRevoked`])
  })

  it('publish changed permissions', async () => {
    const { prefix } = await issue(rig.deps, FRESH, contextAt())
    await rig.recorded()
    const change = { prefix, game: GAME, permissions: ['lb:a:*'], mayGrant: ALLOW }
    await setPermissions(rig.deps, change, contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([`key-${prefix} KeyPermissionsChanged`])
    expect(rig.published.map(({ subject, status }) => ({ subject, status }))).to.deep.equal([
      { subject: `key:${prefix}`, status: { revoked: false, permissions: ['lb:a:*'] } },
    ])
  })

  it('publish a revoked key, and release its slot once', async () => {
    const { prefix } = await issue(rig.deps, FRESH, contextAt())
    await rig.recorded()
    await revoke(rig.deps, prefix, GAME, contextAt())
    await revoke(rig.deps, prefix, GAME, contextAt())
    const events = await rig.recorded()
    expect(typesOf(events)).to.deep.equal([`key-${prefix} KeyRevoked`, `slots-${GAME} SlotReleased`])
    expect(events[1]?.data).to.deep.equal({ kind: 'keys', id: prefix })
    expect(rig.published.map(({ subject }) => subject)).to.deep.equal([`key:${prefix}`, `key:${prefix}`])
  })
})
