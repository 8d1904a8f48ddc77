// Reactions that follow deletions in buckets: they remove files of deleted players and folders without a parent, and
// never decide by lagging views.

import { expect } from 'chai'
import { makeFolder, removeFolder } from '../../commands/folder.ts'
import { makePlayer, remove as removePlayer } from '../../commands/player.ts'
import { pathKey } from '../../credentials/path-key.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { clearFolders, clearLostFolders, clearPlayers } from '../../reactions/clear-files.ts'
import { finishFiles } from '../../reactions/finish-files.ts'
import { PLACE, running, world } from './files-world.ts'

describe('the reactions that clear files', () => {
  it('remove the files of a deleted player, and nobody else’s', async () => {
    const { log, commands, queries, waitForProjection, now, upload } = await world()
    for (const path of ['/a', '/b']) await upload(path, 'p1')
    await upload('/c', 'p2')
    const last = (await log.readAll(null, 100)).at(-1) as StoredEvent
    const event = { ...last, type: 'PlayerDeleted', meta: { ...last.meta, player: 'p1' } }
    await clearPlayers({ commands, queries, now, waitForProjection }).react(event, running)
    const deleted = (await log.readAll(null, 100)).filter(({ type }) => type === 'FileDeleted')
    expect(deleted.map(({ data }) => data.creator)).to.deep.equal(['p1', 'p1'])
    const freed = (await log.readAll(null, 100)).filter(({ type }) => type === 'FilesFreed')
    expect(freed.map(({ data }) => (data.files as unknown[]).length)).to.deep.equal([2])
  })

  it('keep a file that another player stored at the path of a deleted player’s file', async () => {
    const { log, commands, queries, waitForProjection, now, upload, remove } = await world()
    await upload('/a', 'p1')
    const last = (await log.readAll(null, 100)).at(-1) as StoredEvent
    const event = { ...last, type: 'PlayerDeleted', meta: { ...last.meta, player: 'p1' } }
    // The views have come to the deletion of the player, and not to what lies at the path since.
    await waitForProjection()
    const stale = { ...queries }
    await remove('/a')
    const kept = await upload('/a', 'p2')
    await clearPlayers({ commands, queries: stale, now, waitForProjection: async () => true }).react(event, running)
    const events = await log.readAll(null, 100)
    const deleted = events.filter(({ type }) => type === 'FileDeleted').map(({ data }) => data.creator)
    expect(deleted).to.deep.equal(['p1'])
    expect(events.findLast(({ type }) => type === 'FileStored')?.data.blob).to.equal(kept)
  })

  it('remove only files that were stored after their creator was deleted', async () => {
    const { clock, log, commands, queries, waitForProjection, now, upload, context } = await world()
    const players = []
    for (const name of ['A', 'B']) players.push(await makePlayer(commands, 'g1', { name, externalId: null }, context()))
    const [gone, there] = players.map(({ id }) => id)
    await removePlayer(commands, { game: 'g1', player: gone ?? '' }, context())
    for (const [path, player] of [
      ['/a', gone],
      ['/b', there],
      ['/c', null],
    ] as const) {
      await upload(path, player ?? null)
    }
    clock.nowMs += 10_000
    for (const event of (await log.readAll(null, 100)).filter(({ type }) => type === 'FileStored')) {
      await finishFiles({ commands, queries, now, waitForProjection }).react(event, running)
    }
    const deleted = (await log.readAll(null, 100)).filter(({ type }) => type === 'FileDeleted')
    expect(deleted.map(({ data }) => data.creator)).to.deep.equal([gone])
  })

  it('wait until the views contain the file’s folder', async () => {
    const { clock, log, commands, queries, now, upload } = await world()
    await upload('/a', null)
    clock.nowMs += 10_000
    const event = (await log.readAll(null, 100)).find(({ type }) => type === 'FileStored') as StoredEvent
    // No folder is known, as where the views are being built.
    const behind = { ...queries, views: { ...queries.views, get: async () => [null] } }
    const finishing = finishFiles({ commands, queries: behind, now, waitForProjection: async () => false }).react(
      event,
      running,
    )
    const error = await Promise.resolve(finishing).then(
      () => null,
      (reason: Error) => reason.message,
    )
    expect(error).to.equal(`the views have not reached position ${event.position}`)
    expect((await log.readAll(null, 100)).some(({ type }) => type === 'FileDeleted')).to.equal(false)
  })

  it('clear the contents of a folder that was created again before they were cleared', async () => {
    const { log, commands, queries, waitForProjection, now, upload, context } = await world()
    const keyOf = (path: string) => pathKey(commands.keys.digest, 'k1', path)
    const make = async (path: string, parent: { id: string; key: string }) => {
      const { events } = await makeFolder(
        commands,
        PLACE,
        { path, parent, creator: null, rules: ROOT_RULES },
        context(),
      )
      const [event] = events
      if (event?.type !== 'FolderCreated') throw new Error('no folder was made')
      return { id: event.data.id, key: keyOf(path) }
    }
    const above = await make('/a/', { id: 'k1', key: 'root' })
    const inside = await make('/a/b/', above)
    await upload('/a/b/f', null, { folder: inside.id, folderKey: inside.key })
    await removeFolder(commands, { ...PLACE, folder: above.id, key: above.key }, context())
    const again = await make('/a/b/', await make('/a/', { id: 'k1', key: 'root' }))
    const kept = await upload('/a/b/g', null, { folder: again.id, folderKey: again.key })
    const clearing = clearFolders({ commands, queries, now, waitForProjection })
    for (const event of await log.readAll(null, 1_000)) {
      if (clearing.takes.includes(event.type)) await clearing.react(event, running)
    }
    const events = await log.readAll(null, 1_000)
    const deleted = events.filter(({ type }) => type === 'FileDeleted').map(({ data }) => data.folder)
    expect(deleted).to.deep.equal([inside.id])
    expect(events.filter(({ type }) => type === 'FilesFreed')).to.have.length(1)
    expect(events.filter(({ data }) => data.blob === kept).map(({ type }) => type)).to.not.include('FileDeleted')
  })

  it('remove only folders whose parent was deleted when they were created', async () => {
    const { clock, log, commands, queries, waitForProjection, now, context } = await world()
    for (const [path, parent] of [
      ['/a/', 'k1'],
      ['/b/', 'gone'],
    ] as const) {
      const fresh = { path, parent: { id: parent, key: 'root' }, creator: null, rules: ROOT_RULES }
      await makeFolder(commands, PLACE, fresh, context())
    }
    clock.nowMs += 10_000
    for (const event of (await log.readAll(null, 100)).filter(({ type }) => type === 'FolderCreated')) {
      await clearLostFolders({ commands, queries, now, waitForProjection }).react(event, running)
    }
    const gone = (await log.readAll(null, 100)).filter(({ type }) => type === 'FolderDeleted')
    expect(gone.map(({ data }) => data.parent)).to.deep.equal(['gone'])
  })
})
