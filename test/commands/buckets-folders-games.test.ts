// What the commands record: the stream, the events with their data, and the metadata that names game, board and player.

import { expect } from 'chai'
import { makeBucket, removeBucket, setBucket } from '../../commands/bucket.ts'
import { makeFolder, removeFolder, removeFolderCreator, setFolderRules } from '../../commands/folder.ts'
import {
  beginGameErasure,
  gameErased,
  limitsOf,
  listGameSecrets,
  makeGame,
  removeGame,
  setGame,
  setGameLimits,
} from '../../commands/game.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { NO_LIMITS } from '../../domain/game.ts'
import { ROOT_KEY } from '../../domain/paths.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { ALLOW, REFUSE, type RecordingRig, recordingRig, typesOf } from './recording-rig.ts'
import { contextAt, GAME } from './sign-in/sign-in-rig.ts'

describe('the commands of buckets and folders', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const made = async () => {
    const { id } = await makeBucket(rig.deps, GAME, { name: 'Saves', limits: NEW_BUCKET }, contextAt())
    await rig.recorded()
    return { bucket: id, game: GAME }
  }
  const about = { game: GAME }
  const fresh = (bucket: string) => ({
    path: '/a/',
    parent: { id: bucket, key: ROOT_KEY },
    creator: 'ada',
    rules: ROOT_RULES,
  })
  const madeFolder = async () => {
    const place = await made()
    const { after } = await makeFolder(rig.deps, place, fresh(place.bucket), contextAt())
    return { ...place, folder: after?.id ?? '', key: pathKey(rig.deps.keys.digest, place.bucket, '/a/') }
  }
  const RULES = { rules: { ...ROOT_RULES, read: 'nobody' }, childRules: null, applyToExisting: true } as const

  it('change a bucket, and nothing where the caller saw another one', async () => {
    const place = await made()
    await setBucket(rig.deps, place, { change: { name: 'Other' }, expect: ALLOW }, contextAt())
    const data = { name: 'Other', limits: NEW_BUCKET }
    expect(await rig.recorded()).to.deep.equal([
      { stream: `bucket-${place.bucket}`, type: 'BucketConfigured', data, about },
    ])
    expect(
      await refusalCodeOf(setBucket(rig.deps, place, { change: { name: 'x' }, expect: REFUSE }, contextAt())),
    ).to.equal('seen_another')
  })

  it('delete a bucket, then release its slot', async () => {
    const place = await made()
    await removeBucket(rig.deps, place, contextAt())
    const [deleted, released] = await rig.recorded()
    expect(deleted).to.deep.equal({ stream: `bucket-${place.bucket}`, type: 'BucketDeleted', data: {}, about })
    expect(released).to.deep.include({ type: 'SlotReleased', data: { kind: 'buckets', id: place.bucket } })
  })

  it('create a folder on the stream of its path’s key', async () => {
    const { bucket, folder, key } = await madeFolder()
    const data = { id: folder, path: '/a/', parent: bucket, parentKey: ROOT_KEY, creator: 'ada', rules: ROOT_RULES }
    expect(folder).to.match(/^[a-z2-7]{24}$/)
    expect(await rig.recorded()).to.deep.equal([
      { stream: `folder-${bucket}.${key}`, type: 'FolderCreated', data, about },
    ])
  })

  it('set the rules of a folder, of a root that has no event yet, and of none that is not there', async () => {
    const place = await madeFolder()
    await rig.recorded()
    const seen: number[] = []
    const change = { rules: RULES, expect: (revision: number) => void seen.push(revision) }
    await setFolderRules(rig.deps, place, change, contextAt())
    const root = { ...place, folder: place.bucket, key: ROOT_KEY }
    await setFolderRules(rig.deps, root, change, contextAt())
    expect(await rig.recorded()).to.deep.equal([
      {
        stream: `folder-${place.bucket}.${place.key}`,
        type: 'FolderRulesSet',
        data: { folder: place.folder, ...RULES },
        about,
      },
      {
        stream: `folder-${place.bucket}.${ROOT_KEY}`,
        type: 'FolderRulesSet',
        data: { folder: place.bucket, ...RULES },
        about,
      },
    ])
    expect(seen).to.deep.equal([0, -1])
    expect(await refusalCodeOf(setFolderRules(rig.deps, { ...place, folder: 'other' }, change, contextAt()))).to.equal(
      'not_found',
    )
    expect(await refusalCodeOf(setFolderRules(rig.deps, { ...place, key: 'none' }, change, contextAt()))).to.equal(
      'not_found',
    )
  })

  it('release a folder from its creator once', async () => {
    const place = await madeFolder()
    await rig.recorded()
    for (let n = 0; n < 2; n++) await removeFolderCreator(rig.deps, place, '/a/', contextAt())
    const data = { id: place.folder, path: '/a/' }
    expect(await rig.recorded()).to.deep.equal([
      { stream: `folder-${place.bucket}.${place.key}`, type: 'FolderReleased', data, about },
    ])
  })

  it('delete a folder, and no other one at its path', async () => {
    const place = await madeFolder()
    await rig.recorded()
    expect(await refusalCodeOf(removeFolder(rig.deps, { ...place, folder: 'other' }, contextAt()))).to.equal(
      'not_found',
    )
    await removeFolder(rig.deps, place, contextAt())
    const data = { id: place.folder, parent: place.bucket, parentKey: ROOT_KEY }
    expect(await rig.recorded()).to.deep.equal([
      { stream: `folder-${place.bucket}.${place.key}`, type: 'FolderDeleted', data, about },
    ])
  })
})

describe('the commands of games', () => {
  let rig: RecordingRig
  beforeEach(() => {
    rig = recordingRig()
  })

  const made = async () => {
    const { id, firstKey } = await makeGame(rig.deps, 'Quest', contextAt())
    return { id, prefix: firstKey.prefix }
  }
  const keysOf = (...pages: string[][]) =>
    async function* () {
      yield* pages
    }

  it('create a game, then its first server key', async () => {
    const { id, game, firstKey, replayed } = await makeGame(rig.deps, 'Quest', contextAt())
    expect([game.name, replayed]).to.deep.equal(['Quest', false])
    expect(firstKey.key).to.deep.include({
      name: 'first server key',
      kind: 'server',
      algorithm: 'hmac-sha256',
      permissions: [`gm:${id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'],
    })
    const events = await rig.recorded()
    expect(events[0]).to.deep.equal({
      stream: `game-${id}`,
      type: 'GameCreated',
      data: { name: 'Quest' },
      about: { game: id },
    })
    expect(events.at(-1)).to.deep.include({ stream: `key-${firstKey.prefix}`, type: 'KeyIssued', about: { game: id } })
  })

  it('rename a game, and change nothing where the caller saw another one', async () => {
    const { id } = await made()
    await rig.recorded()
    await setGame(rig.deps, id, { change: { name: 'Other' }, expect: ALLOW }, contextAt())
    expect(await refusalCodeOf(setGame(rig.deps, id, { change: { name: 'x' }, expect: REFUSE }, contextAt()))).to.equal(
      'seen_another',
    )
    expect(await rig.recorded()).to.deep.equal([
      { stream: `game-${id}`, type: 'GameRenamed', data: { name: 'Other' }, about: { game: id } },
    ])
  })

  it('set the limits of a game, which has none before', async () => {
    const { id } = await made()
    expect(await limitsOf(rig.deps, id)).to.deep.equal(NO_LIMITS)
    const [limit] = Object.keys(NO_LIMITS) as (keyof typeof NO_LIMITS)[]
    if (limit === undefined) throw new Error('a game has no limits')
    await setGameLimits(rig.deps, id, { [limit]: 7 }, contextAt())
    expect(await limitsOf(rig.deps, id)).to.deep.equal({ ...NO_LIMITS, [limit]: 7 })
    expect(await limitsOf(rig.deps, 'none')).to.deep.equal(NO_LIMITS)
  })

  it('delete a game, publish that with each of its keys, and list it', async () => {
    const { id } = await made()
    await rig.recorded()
    await removeGame(rig.deps, id, { name: 'Quest', keysOf: keysOf(['k1', 'k2'], ['k3']) }, contextAt())
    expect(typesOf(await rig.recorded())).to.deep.equal([
      `game-${id} GameDeleted`,
      'deletions-games GameDeletionListed',
    ])
    const gone = { subject: `game:${id}`, status: { deleted: true } }
    const key = (prefix: string) => ({ subject: `key:${prefix}`, status: { revoked: true, permissions: [] } })
    expect(rig.published.map(({ subject, status }) => ({ subject, status }))).to.deep.equal([
      gone,
      ...[gone, key('k1'), key('k2')],
      ...[gone, key('k3')],
    ])
  })

  it('delete nothing under another name', async () => {
    const { id } = await made()
    await rig.recorded()
    const removing = removeGame(rig.deps, id, { name: 'quest', keysOf: keysOf([]) }, contextAt())
    expect(await refusalCodeOf(removing)).to.equal('name_mismatch')
    expect([await rig.recorded(), rig.published]).to.deep.equal([[], []])
  })

  it('erase a deleted game: its beginning, the secrets it had, its end', async () => {
    const { id } = await made()
    await removeGame(rig.deps, id, { name: 'Quest', keysOf: keysOf() }, contextAt())
    await rig.recorded()
    for (let n = 0; n < 2; n++) await listGameSecrets(rig.deps, id, { password: ['p1'] }, contextAt())
    await beginGameErasure(rig.deps, id, contextAt())
    for (let n = 0; n < 2; n++) await gameErased(rig.deps, id, 12, contextAt())
    expect(await rig.recorded()).to.deep.equal([
      {
        stream: `deletions-${id}`,
        type: 'GameSecretsListed',
        data: { secrets: { password: ['p1'] } },
        about: { game: null },
      },
      { stream: `game-${id}`, type: 'GameErasureBegun', data: {}, about: { game: id } },
      { stream: 'deletions-games', type: 'GameErased', data: { game: id, events: 12 }, about: { game: null } },
    ])
  })
})
