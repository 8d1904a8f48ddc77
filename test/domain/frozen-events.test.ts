// Every (type, version) ever written can still be read: by the aggregates, and by every view.

import { expect } from 'chai'
import { boardKey } from '../../domain/board-key.ts'
import type { Rules } from '../../domain/board-rules.ts'
import { bucket } from '../../domain/bucket.ts'
import type { Aggregate, DomainEvent } from '../../domain/decider.ts'
import { deletedGames, gameSecrets } from '../../domain/deleted-games.ts'
import { recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { file } from '../../domain/file.ts'
import { folder } from '../../domain/folder.ts'
import { game, NEW_GAME } from '../../domain/game.ts'
import { key } from '../../domain/key.ts'
import { leaderboard } from '../../domain/leaderboard.ts'
import { login } from '../../domain/login.ts'
import { operatorRevocations } from '../../domain/operator-keys.ts'
import { externalId, player } from '../../domain/player.ts'
import { quota } from '../../domain/quota.ts'
import { session } from '../../domain/session.ts'
import { slots } from '../../domain/slots.ts'
import { standing } from '../../domain/standing.ts'
import { upload } from '../../domain/upload.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { viewInMemory } from '../projections/view-in-memory.ts'
import { FROZEN, frozen } from './frozen.ts'

/** Every (type, version) there ever was. One more is added with each new event; none is ever taken away. */
const EVER_WRITTEN = [
  'BucketConfigured 1',
  'BucketCreated 1',
  'BucketDeleted 1',
  'BytesRefused 1',
  'BytesStored 1',
  'CallAnswered 1',
  'DeletionsBegun 1',
  'DownloadBegun 1',
  'DownloadCut 1',
  'DownloadMetered 1',
  'DownloadsSent 1',
  'ExternalClaimed 1',
  'ExternalReleased 1',
  'FileDeleted 1',
  'FileOverwritten 1',
  'FileStored 1',
  'FilesFreed 1',
  'FixedRoomsSet 1',
  'FolderCreated 1',
  'FolderDeleted 1',
  'FolderReleased 1',
  'FolderRulesSet 1',
  'GameConfigured 1',
  'GameCreated 1',
  'GameDeleted 1',
  'GameDeletionListed 1',
  'GameErased 1',
  'GameErasureBegun 1',
  'GameLimitsSet 1',
  'GameRenamed 1',
  'GameSecretsListed 1',
  'KeyIssued 1',
  'KeyPermissionsChanged 1',
  'KeyRevoked 1',
  'LeaderboardArchived 1',
  'LeaderboardCreated 1',
  'LeaderboardDescribed 1',
  'LeaderboardHistoryFolded 1',
  'LeaderboardKeyChanged 1',
  'LeaderboardKeyClaimed 1',
  'LeaderboardKeyReleased 1',
  'LeaderboardRulesCancelled 1',
  'LeaderboardRulesChanged 1',
  'LeaderboardRulesFailed 1',
  'LeaderboardRulesRequested 1',
  'LeaderboardSliceBuilt 1',
  'LeaderboardSliceCleared 1',
  'LoginBegun 1',
  'LoginClaimed 1',
  'LoginContested 1',
  'LoginReleased 1',
  'OperatorKeyRevocationListed 1',
  'PlayerBanned 1',
  'PlayerCreated 1',
  'PlayerDeleted 1',
  'PlayerEmailConfirmed 1',
  'PlayerLinked 1',
  'PlayerNamed 1',
  'PlayerSignedOut 1',
  'PlayerUnbanned 1',
  'PromisesDropped 1',
  'ScoreDeleted 1',
  'ScoreSubmitted 1',
  'SeasonClosed 1',
  'SeasonOpened 1',
  'SeasonScheduleSet 1',
  'SeasonStandingRecorded 1',
  'SessionEnded 1',
  'SessionStarted 1',
  'SlotReleased 1',
  'SlotTaken 1',
  'SlotsCounted 1',
  'UploadAbandoned 1',
  'UploadBegun 1',
  'UploadCompleted 1',
  'UploadExpired 1',
  'UploadOpened 1',
  'UploadReassigned 1',
  'UploadReleased 1',
  'UploadSettled 1',
]

function folded<State>(aggregate: Aggregate<State, never>, stream: string): State {
  const evolve = unsafeCast<Aggregate<State, DomainEvent>['evolve']>(aggregate.evolve)
  const events = FROZEN.filter((event) => event.stream === stream)
  if (events.length === 0) throw new Error(`nothing frozen in ${stream}`)
  return events.reduce((state, event) => evolve(state, event, recordedAt(event)), aggregate.initial)
}

const timeOf = (type: string): string | undefined => frozen(type)[0]?.meta.time

describe('frozen events', () => {
  it('exist for every type and version, and for every type that a view takes', () => {
    const there = [...new Set(FROZEN.map(({ type, meta }) => `${type} ${meta.v}`))].sort()
    expect(there).to.deep.equal(EVER_WRITTEN)
    const taken = new Set(ALL_VIEWS.flatMap(({ takes }) => (takes === 'every event' ? [] : takes)))
    expect([...taken].filter((type) => !EVER_WRITTEN.includes(`${type} 1`))).to.deep.equal([])
  })

  it('fold the list of revoked operator keys', () => {
    expect([...folded(operatorRevocations, 'deletions-operators')]).to.deep.equal(['sk_o'])
  })

  it('fold a game', () => {
    const { realtime, signIn } = NEW_GAME
    expect(folded(game, 'game-g1')).to.deep.equal({
      name: 'Quest II',
      created: timeOf('GameCreated'),
      corsOrigins: ['https://a.example', 'https://b.example'],
      signIn: { ...signIn, code: false },
      realtime: { ...realtime, enabled: true },
      fixedRooms: [{ id: 'lobby', name: 'Lobby', max_members: 8, listed: true }],
      limits: { recordedBytesPerDay: 1_073_741_824, mailsPerQuarterHour: 3_000 },
    })
  })

  it('fold the slots of a game', () => {
    const { leaderboards, keys, buckets } = folded(slots, 'slots-g1')
    const ids = [leaderboards, keys, buckets].map((taken) => [...taken.ids.entries()].map(([id]) => id))
    expect([leaderboards.others, keys.others, buckets.others]).to.deep.equal([null, 3, null])
    expect(ids).to.deep.equal([[], [], ['bk9']])
  })

  it('fold a deleted game, and the list of deleted games', () => {
    expect(folded(game, 'game-g9')).to.equal(null)
    expect(folded(deletedGames, 'deletions-games')).to.deep.equal({ g9: true })
    expect(folded(gameSecrets, 'deletions-g9')).to.deep.equal({
      'key-secret': ['sk_i'],
      'guest-token': ['p9'],
      'player-key': ['p9', 'p9.files'],
    })
  })

  it('fold a key', () => {
    expect(folded(key, 'key-ck_a')).to.deep.equal({
      game: 'g1',
      name: 'client',
      kind: 'client',
      algorithm: 'ed25519',
      permissions: ['lb:*:scores', 'lb:*:submit'],
      publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      created: timeOf('KeyIssued'),
      revoked: true,
    })
  })

  it('fold leaderboards', () => {
    const [one, two] = frozen('LeaderboardCreated') as [StoredEvent, StoredEvent]
    const [, , asked] = frozen('LeaderboardRulesRequested')
    const [cancelled] = frozen('LeaderboardRulesCancelled')
    const finished = cancelled?.meta.time
    const NO_KEY = { key: null, claim: null }
    expect(folded(leaderboard, 'board-b1')).to.deep.equal({
      name: 'Best of all',
      description: 'one each',
      ...NO_KEY,
      rules: frozen('LeaderboardRulesChanged')[0]?.data.rules,
      created: one.meta.time,
      archived: false,
      generation: 2,
      lastGeneration: 4,
      rebuild: {
        id: 'rb4',
        generation: 4,
        rules: asked?.data.rules,
        state: 'cancelled',
        done: 0,
        total: null,
        started: asked?.meta.time,
        moved: finished,
        finished,
        error: null,
        upTo: null,
      },
      superseded: [
        { generation: 1, upTo: frozen('LeaderboardSliceCleared')[0]?.data.upTo },
        { generation: 3, upTo: null },
        { generation: 4, upTo: null },
      ],
    })
    expect(folded(leaderboard, 'board-b2')).to.deep.equal({
      ...two.data,
      ...NO_KEY,
      created: two.meta.time,
      archived: true,
      generation: 1,
      lastGeneration: 1,
      rebuild: null,
      superseded: [],
    })
  })

  it('fold the key of a leaderboard and the claims on it', () => {
    const [, keyed] = frozen('LeaderboardKeyClaimed')
    const held = { key: 'of-the-week', claim: keyed?.data.claim }
    expect(folded(leaderboard, 'board-b3')).to.include({ name: 'This week', ...held, archived: false })
    expect(folded(boardKey, 'boardkey-g1.weekly')).to.equal(null)
    expect(folded(boardKey, 'boardkey-g1.of-the-week')).to.deep.equal({ board: 'b3', claim: held.claim })
  })

  it('fold the seasons of a leaderboard', () => {
    const seasons = { schedule: null, last: 2, open: null, unrecorded: [2] }
    expect(folded(leaderboard, 'board-b3')).to.deep.include({ seasons })
  })

  it('fold players, an external id and a session', () => {
    const created = frozen('PlayerCreated').map(({ meta }) => meta.time)
    expect(folded(player, 'player-p1')).to.deep.equal({
      name: null,
      guest: false,
      externalId: null,
      created: created[0],
      banned: null,
      deleted: true,
      links: [],
      takenOver: null,
      signOuts: 0,
    })
    expect(folded(player, 'player-p2')).to.deep.equal({
      name: 'Bob',
      guest: false,
      externalId: null,
      created: created[1],
      banned: null,
      deleted: false,
      links: [{ kind: 'email', digest: '77e1', secret: 's-a', confirmed: true }],
      takenOver: { time: timeOf('PlayerEmailConfirmed'), session: 's2' },
      signOuts: 3,
    })
    expect(folded(login, 'login-g1.9c4d')).to.equal(null)
    expect(folded(login, 'mail-g1.77e1')).to.deep.equal({
      kind: 'email',
      player: 'p2',
      secret: 's-a',
      makes: false,
      name: null,
      email: null,
    })
    expect(folded(login, 'login-g1.c0de')).to.equal(null)
    expect(folded(externalId, 'external-g1.5f2b')).to.equal(null)
    expect(folded(session, 'session-s1')).to.deep.equal({
      player: 'p2',
      key: 'ck_a',
      permissions: ['lb:*:submit'],
      expires: '2026-12-21T07:05:14.123Z',
      ended: true,
    })
    expect(folded(session, 'session-s3')).to.include({ signOuts: 2, ended: false })
  })

  it('fold submissions', () => {
    const rulesOf = (board: number) => unsafeCast<Rules>(frozen('LeaderboardCreated')[board]?.data.rules)
    const unique = folded(standing(rulesOf(0)), 'lb_b1-p1')
    expect([unique.first, unique.shown]).to.deep.equal([null, null])
    const many = folded(standing(rulesOf(1)), 'lb_b2-p2')
    const time = frozen('ScoreSubmitted')[3]?.meta.time
    expect(many.shown).to.deep.equal({ id: 'sd', score: '1000000', secondary: null, revision: 0, time })
  })

  it('fold a bucket, its folders and its files', () => {
    const limits = frozen('BucketConfigured')[0]?.data.limits
    const created = timeOf('BucketCreated')
    expect(folded(bucket, 'bucket-k1')).to.deep.equal({ name: 'Saves II', limits, created, deleted: true })
    const { rules, childRules } = frozen('FolderRulesSet')[0]?.data ?? {}
    expect(folded(folder, 'folder-k1.root')).to.deep.equal({
      id: 'k1',
      parent: null,
      parentKey: null,
      creator: null,
      created: timeOf('FolderRulesSet'),
      rules,
      childRules,
      revision: 0,
    })
    expect(folded(folder, 'folder-k1.aa')).to.equal(null)
    const { current, past } = folded(file, 'file-k1.f1')
    expect([current, past.map(({ upload, isStored }) => [upload, isStored])]).to.deep.equal([
      null,
      [
        ['u1', true],
        ['u2', true],
      ],
    ])
    expect(folded(file, 'file-k1.f2').past.map(({ isStored }) => isStored)).to.deep.equal([false])
  })

  it('fold uploads and quotas', () => {
    expect(folded(upload, 'upload-u1')).to.deep.include({
      isStored: true,
      refused: { size: 7, sha256: 'ab' },
      path: '/a/x',
      size: 7,
    })
    expect(folded(upload, 'upload-u3')).to.equal('gone')
    const { bytes, files, owners, uploads, deletions, month, sent, promised } = folded(quota, 'quota-k1')
    expect({ bytes, files, month, sent, promised }).to.deep.equal({
      bytes: 0,
      files: 0,
      month: '2026-11',
      sent: 10,
      promised: 6,
    })
    expect([owners.size, uploads.size, deletions.size]).to.deep.equal([0, 0, 0])
  })

  for (const projection of ALL_VIEWS) {
    it(`are applied by the view ${projection.name}, for each of its types`, () => {
      const view = viewInMemory(projection)
      view.apply(...FROZEN)
      const types = projection.takes === 'every event' ? [] : projection.takes
      expect(types.filter((type) => frozen(type).length === 0)).to.deep.equal([])
    })
  }
})
