// The reaction that makes names of a deleted player's files and folders unreadable: a folder's path stays readable only
// if others have something in it.

import { expect } from 'chai'
import { makeFolder } from '../../commands/folder.ts'
import { pathKey } from '../../credentials/path-key.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { eraseFiles } from '../../reactions/erase-files.ts'
import type { Views } from '../../stores/contract/views.ts'
import { PLACE, running, world } from './files-world.ts'

/** Longer than a request that is under way at the deletion. */
const LATER_MS = 10_000

/** A folder of p1 at /a/ with a file in it, and p1's deletion. */
async function withFolder(owner: string | null) {
  const files = await world()
  const { log, commands, clock, now, context, upload, waitForProjection } = files
  const parent = { id: 'k1', key: 'root' }
  await makeFolder(commands, PLACE, { path: '/a/', parent, creator: 'p1', rules: ROOT_RULES }, context())
  const made = (await log.readAll(null, 100)).at(-1) as StoredEvent
  const at = { folder: String(made.data.id), folderKey: pathKey(commands.keys.digest, 'k1', '/a/') }
  await upload('/a/x', owner, at)
  const deletion = { ...made, type: 'PlayerDeleted', data: { external: null, links: [], of: at.folder } }
  const event = { ...deletion, meta: { ...made.meta, player: 'p1' } }
  await waitForProjection()
  clock.nowMs += LATER_MS
  const destroyed: string[] = []
  const vault = { destroyForGood: async (_: string, id: string) => destroyed.push(id) }
  const purges = { request: () => {} }
  const deps = { commands: { ...commands, vault: vault as never }, logErasure: null, purges: purges as never, now }
  const ofFolder = async () =>
    (await log.readAll(null, 100)).filter(({ stream }) => stream.startsWith('folder-')).map(({ type }) => type)
  return { ...files, deps, event, destroyed, ofFolder }
}

describe('the reaction that erases names of files', () => {
  it('keeps the path of a folder that contains a file of somebody else', async () => {
    const { deps, event, queries, waitForProjection, ofFolder } = await withFolder(null)
    const own = { ...deps, queries, waitForProjection, untilViewsCurrent: waitForProjection }
    await eraseFiles(own).react(event, running)
    expect(await ofFolder()).to.deep.equal(['FolderCreated', 'FolderReleased'])
  })

  it('reads the contents of a folder with a file of somebody else once, however often it looks again', async () => {
    const { deps, event, queries, waitForProjection, ofFolder, commands, context } = await withFolder(null)
    const parent = { id: 'k1', key: 'root' }
    const folder = { path: '/b/', parent, creator: 'p1', rules: ROOT_RULES }
    await makeFolder(commands, PLACE, folder, context())
    let [views, reads] = [0, 0]
    const counted = async () => {
      await waitForProjection()
      views++
      const { find } = queries.views
      queries.views.find = async (asked) => {
        if (asked.collection === 'files' && asked.index === 'name' && asked.equal?.[0] === event.data.of) reads++
        return find(asked)
      }
      return true
    }
    const own = { ...deps, queries, waitForProjection: counted, untilViewsCurrent: counted }
    await eraseFiles(own).react(event, running)
    expect(await ofFolder()).to.deep.equal(['FolderCreated', 'FolderCreated', 'FolderDeleted', 'FolderReleased'])
    expect([views > 2, reads]).to.deep.equal([true, 1])
  })

  it('removes a folder whose count still includes files that are gone', async () => {
    const { deps, event, queries, waitForProjection, ofFolder } = await withFolder('p1')
    // As on a server where the projector was killed after it removed the file, and before it counted.
    const behind = async () => {
      await waitForProjection()
      const { find } = queries.views
      queries.views.find = async (asked) =>
        (await find(asked)).map((one) => ({ ...one, body: { ...one.body, ...('key' in one.body && { files: 1 }) } }))
      return true
    }
    const own = { ...deps, queries, waitForProjection: behind, untilViewsCurrent: behind }
    await eraseFiles(own).react(event, running)
    expect(await ofFolder()).to.deep.equal(['FolderCreated', 'FolderDeleted'])
  })

  it('removes a folder that was made while its creator was deleted, before it destroys the key of paths', async () => {
    const { deps, event, queries, waitForProjection, destroyed, ofFolder } = await withFolder('p1')
    const before: Views = { ...queries.views, find: async () => [] }
    const current = queries.views
    const own = {
      ...deps,
      queries: { ...queries, views: before },
      waitForProjection: async () => true,
      // The views have come to the deletion, and not yet to the folder.
      untilViewsCurrent: async () => {
        expect(destroyed).to.deep.equal(['p1'])
        own.queries.views = current
        own.waitForProjection = async () => {
          await waitForProjection()
          own.queries.views = queries.views
          return true
        }
        return true
      },
    }
    await eraseFiles(own).react(event, running)
    expect(await ofFolder()).to.deep.equal(['FolderCreated', 'FolderDeleted'])
    expect(destroyed).to.have.length(2)
  })

  it('reads the views 2 s after the deletion, when requests that were under way have ended', async () => {
    const { deps, event, queries, waitForProjection } = await withFolder('p1')
    const [deletedMs, startMs] = [Date.parse(event.meta.time), performance.now()]
    const now = () => deletedMs + 1_900 + (performance.now() - startMs)
    const readsMs: number[] = []
    const untilViewsCurrent = async () => readsMs.push(now()) > 0
    await eraseFiles({ ...deps, now, queries, waitForProjection, untilViewsCurrent }).react(event, running)
    expect(readsMs).to.have.length(1)
    expect(readsMs[0]).to.be.at.least(deletedMs + 2_000)
  })
})
