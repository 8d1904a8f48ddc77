// What the processes of files do: orphans swept and nothing else, blobs let go of after their grace, a deleted player's files
// removed, folders that lost the one above them cleared, and nothing judged by views that are behind.

import { expect } from 'chai'
import { removeFile } from '../../commands/file.ts'
import { complete, expire } from '../../commands/finish-upload.ts'
import { foldStream } from '../../commands/fold.ts'
import { makeFolder, removeFolder } from '../../commands/folder.ts'
import { createHandler } from '../../commands/handle.ts'
import { makePlayer, remove as removePlayer } from '../../commands/player.ts'
import { begin, bytesStored, findUpload } from '../../commands/upload.ts'
import { workingKeys } from '../../credentials/master.ts'
import { freshMinting } from '../../credentials/mint.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { bucket, bucketStream, createBucket, NEW_BUCKET } from '../../domain/bucket.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { ROOT_RULES } from '../../domain/rules.ts'
import { UPLOAD_LIFETIME_MS } from '../../domain/upload.ts'
import { clearFolders, clearLostFolders } from '../../processes/clear-folders.ts'
import { clearPlayers } from '../../processes/clear-players.ts'
import { findMissing } from '../../processes/find-missing.ts'
import { finishFiles } from '../../processes/finish-files.ts'
import { ORPHANS_KEPT_MS, REPLACED_KEPT_MS, sweepBlobs, sweepOrphans } from '../../processes/sweep-blobs.ts'
import { blobs } from '../../projections/blobs.ts'
import { files } from '../../projections/files.ts'
import { type Projection, viewKey, viewSpec } from '../../projections/projection.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { viewInMemory } from '../projections/harness.ts'

const PLACE = { bucket: 'k1', game: 'g1' }
const VIEWS: readonly Projection[] = [files, blobs]
const ROOT = { folder: 'k1', folderKey: 'root' }
const START_MS = Date.UTC(2026, 10, 21)

async function world() {
  const clock = { nowMs: START_MS }
  const now = () => clock.nowMs
  const log = createMemoryLog()
  const store = createMemoryFiles(now)
  const keys = workingKeys(Buffer.alloc(32, 7))
  const commands = {
    handler: createHandler(log),
    log,
    announce: async () => {},
    vault: null as never,
    keys,
    files: store,
  }
  const intent = () => {
    return { ...freshMinting(), call: null, repeated: false, actor: null, request: null, nowMs: clock.nowMs }
  }
  const queries = {} as { -readonly [name in keyof QueryDeps]: QueryDeps[name] }
  /** Projects the log anew. */
  const seen = async () => {
    const views = createMemoryViews()
    const events = await log.readAll(null, 1_000)
    for (const projection of VIEWS) {
      const view = viewInMemory(projection)
      view.apply(...events)
      await views.prepare(viewSpec(projection))
      const writes = projection.collections.flatMap(({ name }) =>
        Object.entries(view.documents(name)).map(([id, body]) => ({ collection: name, id, pos: '1', body })),
      )
      await views.commit([{ view: viewKey(projection), writes, checkpoints: new Map() }])
    }
    queries.views = views
    queries.viewKey = (name) => viewKey(VIEWS.find((one) => one.name === name) as Projection)
    return true
  }
  const made = createBucket({ name: 'B', limits: NEW_BUCKET })
  await commands.handler.handle(bucket, { stream: bucketStream('k1'), game: 'g1' }, intent(), made)
  async function upload(path: string, player: string | null, at = ROOT): Promise<string> {
    const fresh = { path, folder: at.folder, size: 1, contentType: 'x/y', sha256: null, player }
    const { id } = await begin(commands, PLACE, fresh, NEW_BUCKET, () => {}, intent())
    const wanted = await findUpload(commands, 'k1', id, clock.nowMs)
    store.plant(wanted.blob, Buffer.from('x'), clock.nowMs)
    await bytesStored(commands, id, { blob: wanted.blob, size: 1, sha256: null, storedMs: clock.nowMs }, intent())
    const into = { ...at, limits: NEW_BUCKET, admit: () => {} }
    await complete(commands, PLACE, id, wanted, into, intent())
    return wanted.blob
  }
  const remove = (path: string) =>
    removeFile(commands, PLACE, { folder: 'k1', key: pathKey(keys.digest, 'k1', path) }, () => {}, intent())
  await seen()
  return { clock, now, log, store, commands, queries: queries as QueryDeps, seen, upload, remove, intent }
}

const running = new AbortController().signal
const ALL = new Set([0, 1])

describe('the processes of files', () => {
  it('sweep what nobody knows once it is old, and keep the rest', async () => {
    const { clock, store, queries, seen, now, upload } = await world()
    const held = await upload('/a', null)
    store.plant('orphan', Buffer.from('x'), clock.nowMs)
    clock.nowMs += ORPHANS_KEPT_MS + 1
    store.plant('young', Buffer.from('x'), clock.nowMs)
    await seen()
    const round = (allSeen: boolean, partitions = ALL) =>
      sweepOrphans({ files: store, queries, allSeen: async () => allSeen }).run(partitions, now(), running)
    await round(false)
    await round(true, new Set([1]))
    expect(store.blobs()).to.deep.equal([held, 'orphan', 'young'].sort())
    await round(true)
    expect(store.blobs()).to.deep.equal([held, 'young'].sort())
  })

  it('count a file once, though a copy of the call that began its upload reserves after it was settled', async () => {
    const { clock, log, commands, intent, store } = await world()
    const keyed = { ...intent(), call: 'the call' }
    const fresh = { path: '/a', folder: 'k1', size: 1, contentType: 'x/y', sha256: null, player: null }
    const of = (deps: typeof commands) => begin(deps, PLACE, fresh, NEW_BUCKET, () => {}, keyed)
    // It has looked whether the upload is there, and is stuck before it reserves.
    let goOn = () => {}
    const stuck = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const link: typeof store.uploadLink = async (...args) => {
      await stuck
      return store.uploadLink(...args)
    }
    const copy = of({ ...commands, files: { ...store, uploadLink: link } })
    const { id } = await of(commands)
    const wanted = await findUpload(commands, 'k1', id, clock.nowMs)
    await bytesStored(commands, id, { blob: wanted.blob, size: 1, sha256: null, storedMs: clock.nowMs }, intent())
    await complete(commands, PLACE, id, wanted, { ...ROOT, limits: NEW_BUCKET, admit: () => {} }, intent())
    goOn()
    expect((await copy).id).to.equal(id)
    clock.nowMs += 2 * UPLOAD_LIFETIME_MS
    await expire(commands, PLACE, id, intent())
    const { bytes, files } = await foldStream(log, quota, quotaStream('k1'))
    expect({ bytes, files }).to.deep.equal({ bytes: 1, files: 1 })
  })

  it('let a replaced blob go after its grace, and not before', async () => {
    const { clock, log, store, now, upload } = await world()
    const first = await upload('/a', null)
    const second = await upload('/a', null)
    const event = (await log.readAll(null, 100)).find(({ type }) => type === 'FileOverwritten') as StoredEvent
    const stop = new AbortController()
    const waiting = sweepBlobs({ files: store, now }).react(event, stop.signal)
    stop.abort()
    await waiting
    expect(store.blobs()).to.deep.equal([first, second].sort())
    clock.nowMs += REPLACED_KEPT_MS
    await sweepBlobs({ files: store, now }).react(event, running)
    expect(store.blobs()).to.deep.equal([second])
  })

  it('tell of files whose bytes are gone, and of no others', async () => {
    const { store, queries, seen, now, upload } = await world()
    const told: (readonly string[])[] = []
    const found = (missing: readonly { readonly blob: string }[]) => void told.push(missing.map(({ blob }) => blob))
    let isSeen = true
    const look = (partitions = ALL) =>
      findMissing({ files: store, queries, found, allSeen: async () => isSeen }).run(partitions, now(), running)
    const blobs = []
    for (const path of ['/a', '/b', '/c']) blobs.push(await upload(path, null))
    await seen()
    store.plant('orphan', Buffer.from('x'), now())
    await look()
    await store.remove([blobs[1] ?? '', blobs[2] ?? ''])
    await look()
    // The views are behind: it may have been deleted.
    isSeen = false
    await look()
    isSeen = true
    await look(new Set([1]))
    await upload('/c', null)
    await seen()
    await look()
    expect(told).to.deep.equal([[], [blobs[1], blobs[2]].sort(), [], [blobs[1]]])
  })

  it('remove the files of a deleted player, and nobody else’s', async () => {
    const { log, commands, queries, seen, now, upload } = await world()
    for (const path of ['/a', '/b']) await upload(path, 'p1')
    await upload('/c', 'p2')
    const last = (await log.readAll(null, 100)).at(-1) as StoredEvent
    const event = { ...last, type: 'PlayerDeleted', meta: { ...last.meta, player: 'p1' } }
    await clearPlayers({ commands, queries, now, seen }).react(event, running)
    const deleted = (await log.readAll(null, 100)).filter(({ type }) => type === 'FileDeleted')
    expect(deleted.map(({ data }) => data.creator)).to.deep.equal(['p1', 'p1'])
    const freed = (await log.readAll(null, 100)).filter(({ type }) => type === 'FilesFreed')
    expect(freed.map(({ data }) => (data.files as unknown[]).length)).to.deep.equal([2])
  })

  it('leave alone what another player stored where a deleted one’s file lay', async () => {
    const { log, commands, queries, seen, now, upload, remove } = await world()
    await upload('/a', 'p1')
    const last = (await log.readAll(null, 100)).at(-1) as StoredEvent
    const event = { ...last, type: 'PlayerDeleted', meta: { ...last.meta, player: 'p1' } }
    // The views have come to the deletion of the player, and not to what lies at the path since.
    await seen()
    const stale = { ...queries }
    await remove('/a')
    const kept = await upload('/a', 'p2')
    await clearPlayers({ commands, queries: stale, now, seen: async () => true }).react(event, running)
    const events = await log.readAll(null, 100)
    const deleted = events.filter(({ type }) => type === 'FileDeleted').map(({ data }) => data.creator)
    expect(deleted).to.deep.equal(['p1'])
    expect(events.findLast(({ type }) => type === 'FileStored')?.data.blob).to.equal(kept)
  })

  it('clear away a file that was stored after its creator was deleted, and no other', async () => {
    const { clock, log, commands, queries, seen, now, upload, intent } = await world()
    const players = []
    for (const name of ['A', 'B']) players.push(await makePlayer(commands, 'g1', { name, externalId: null }, intent()))
    const [gone, there] = players.map(({ id }) => id)
    await removePlayer(commands, 'g1', gone ?? '', intent())
    for (const [path, player] of [
      ['/a', gone],
      ['/b', there],
      ['/c', null],
    ] as const) {
      await upload(path, player ?? null)
    }
    clock.nowMs += 10_000
    for (const event of (await log.readAll(null, 100)).filter(({ type }) => type === 'FileStored')) {
      await finishFiles({ commands, queries, now, seen }).react(event, running)
    }
    const deleted = (await log.readAll(null, 100)).filter(({ type }) => type === 'FileDeleted')
    expect(deleted.map(({ data }) => data.creator)).to.deep.equal([gone])
  })

  it('judge no file by views that have not come to its folder', async () => {
    const { clock, log, commands, queries, now, upload } = await world()
    await upload('/a', null)
    clock.nowMs += 10_000
    const event = (await log.readAll(null, 100)).find(({ type }) => type === 'FileStored') as StoredEvent
    // No folder is known, as where the views are being built.
    const behind = { ...queries, views: { ...queries.views, get: async () => [null] } }
    const finishing = finishFiles({ commands, queries: behind, now, seen: async () => false }).react(event, running)
    const why = await Promise.resolve(finishing).then(
      () => null,
      (reason: Error) => reason.message,
    )
    expect(why).to.equal(`the views have not come to position ${event.position}`)
    expect((await log.readAll(null, 100)).some(({ type }) => type === 'FileDeleted')).to.equal(false)
  })

  it('clear what hung under a folder that was made anew before it was cleared', async () => {
    const { log, commands, queries, seen, now, upload, intent } = await world()
    const keyOf = (path: string) => pathKey(commands.keys.digest, 'k1', path)
    const make = async (path: string, parent: { id: string; key: string }) => {
      const { events } = await makeFolder(commands, PLACE, { path, parent, creator: null, rules: ROOT_RULES }, intent())
      const [event] = events
      if (event?.type !== 'FolderCreated') throw new Error('no folder was made')
      return { id: event.data.id, key: keyOf(path) }
    }
    const above = await make('/a/', { id: 'k1', key: 'root' })
    const inside = await make('/a/b/', above)
    await upload('/a/b/f', null, { folder: inside.id, folderKey: inside.key })
    await removeFolder(commands, { ...PLACE, folder: above.id, key: above.key }, intent())
    const anew = await make('/a/b/', await make('/a/', { id: 'k1', key: 'root' }))
    const kept = await upload('/a/b/g', null, { folder: anew.id, folderKey: anew.key })
    const clearing = clearFolders({ commands, queries, now, seen })
    for (const event of await log.readAll(null, 1_000)) {
      if (clearing.takes.includes(event.type)) await clearing.react(event, running)
    }
    const events = await log.readAll(null, 1_000)
    const deleted = events.filter(({ type }) => type === 'FileDeleted').map(({ data }) => data.folder)
    expect(deleted).to.deep.equal([inside.id])
    expect(events.filter(({ type }) => type === 'FilesFreed')).to.have.length(1)
    expect(events.filter(({ data }) => data.blob === kept).map(({ type }) => type)).to.not.include('FileDeleted')
  })

  it('clear a folder whose holding one was gone when it was made, and no other', async () => {
    const { clock, log, commands, queries, seen, now, intent } = await world()
    for (const [path, parent] of [
      ['/a/', 'k1'],
      ['/b/', 'gone'],
    ] as const) {
      const fresh = { path, parent: { id: parent, key: 'root' }, creator: null, rules: ROOT_RULES }
      await makeFolder(commands, PLACE, fresh, intent())
    }
    clock.nowMs += 10_000
    for (const event of (await log.readAll(null, 100)).filter(({ type }) => type === 'FolderCreated')) {
      await clearLostFolders({ commands, queries, now, seen }).react(event, running)
    }
    const gone = (await log.readAll(null, 100)).filter(({ type }) => type === 'FolderDeleted')
    expect(gone.map(({ data }) => data.parent)).to.deep.equal(['gone'])
  })
})
