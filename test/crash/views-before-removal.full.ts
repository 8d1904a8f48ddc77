// Data folders whose log says that a game is removed, while the views hold its texts: as a version left them whose
// removal was lost in a crash, and an older copy of the views.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import { createGameRemovals } from '../../projections/game-removals.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { must, tokenOf, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import { MARKER, STAYS } from './deletion-states.ts'
import { filesContaining } from './files-containing.ts'
import { type FolderWorld, openFolderWorld } from './folder-world.ts'

const LATER_MS = 60_000
/** By then a start has purged the files. */
const PURGED_WITHIN_MS = 10_000

describe('views that lack the removal of a deleted game', () => {
  let folder: string
  let dataDir: string
  let doomed: GameToDelete
  let stays: GameToDelete

  /** The folder after a removal, with the file of the views from before it. */
  before(async function () {
    this.timeout(60_000)
    folder = mkdtempSync(join(tmpdir(), 'scorebook-older-views-'))
    dataDir = join(folder, 'data')
    const made = await openFolderWorld(dataDir)
    doomed = await makeGameToDelete(made, MARKER)
    stays = await makeGameToDelete(made, STAYS)
    await made.close()
    copyViews(dataDir, folder)
    const deleting = await openFolderWorld(dataDir)
    must(await deleteGame(deleting, doomed.game.id, doomed.name), 202)
    await untilErased(deleting, doomed.game.id)
    await deleting.close()
    expect(left()).to.deep.equal([])
    copyViews(folder, dataDir)
    expect(left()).to.deep.equal(['views.sqlite'])
  })
  after(() => rmSync(folder, { recursive: true }))

  const left = () => filesContaining(dataDir, MARKER).map((file) => relative(dataDir, file))
  const opened = () => openFolderWorld(dataDir, Date.now() + LATER_MS)
  const warnings = ({ lines }: FolderWorld) => lines.filter((line) => line.includes('may hold data of deleted games'))

  function copyViews(from: string, to: string): void {
    for (const at of [from, to])
      for (const name of readdirSync(at)) if (at === to && name.startsWith('views.sqlite')) rmSync(join(at, name))
    for (const name of readdirSync(from)) if (name.startsWith('views.sqlite')) cpSync(join(from, name), join(to, name))
  }

  async function verified(world: World) {
    const token = await tokenOf(world, world.operator)
    const { text } = await world.call('GET', '/api/sys/verify/', { token })
    const { equal, differences } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').result
    return { equal, differences }
  }

  async function expectCleaned(): Promise<void> {
    const world = await opened()
    expect(warnings(world)).to.have.length(1)
    const deadline = Date.now() + PURGED_WITHIN_MS
    while (left().length > 0 && Date.now() < deadline) await pause(50)
    expect(left()).to.deep.equal([])
    expect(await verified(world)).to.deep.equal({ equal: true, differences: [] })
    const path = `/api/lb/${stays.board}/score/`
    const { scores } = must(await world.call('GET', path, { token: stays.game.token }), 200)
    expect(scores).to.have.length(2)
    await world.close()
    expect(left()).to.deep.equal([])
    const again = await opened()
    expect(warnings(again)).to.deep.equal([])
    await again.close()
  }

  it('are built again by one start, if they are an older copy', async function () {
    this.timeout(60_000)
    await expectCleaned()
  })

  it('are built again by one start, if an earlier version lost the removal in a crash and went on', async function () {
    this.timeout(60_000)
    copyViews(folder, dataDir)
    const change = async (work: (views: Awaited<ReturnType<typeof openViews>>) => Promise<void>) => {
      const views = await openViews(join(dataDir, 'views.sqlite'))
      await work(views)
      await views.close()
    }
    // Such a version started on these views, and kept no record of removals.
    await change((views) => createGameRemovals(views).ended(doomed.game.id))
    const earlier = await opened()
    await pause(2_000)
    expect(await verified(earlier)).to.have.property('equal', false)
    await earlier.close()
    expect(left()).to.deep.equal(['views.sqlite'])
    await change((views) => views.drop('removals@1'))
    await expectCleaned()
  })
})
