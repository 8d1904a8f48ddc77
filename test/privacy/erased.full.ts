// Deletes a player: within seconds, while the server runs and others read, none of their texts is in any byte of the
// data folder, not even what an older version recorded unencrypted.

import { rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { personalTexts } from '../../domain/personal.ts'
import { filesContaining } from '../crash/files-containing.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { withStores } from '../crash/stores-of.ts'
import { makeTextFixture, type TextFixture, writeEverything } from '../front-door/personal-texts.ts'
import { must } from '../front-door/world.ts'
import { pause } from '../until.ts'

const MARK = 'Qzxerased'
const STAYS = 'Qzxstays'
const WITHIN_MS = 10_000
const SEALED_THEN = new Set(['PlayerCreated', 'PlayerNamed', 'LoginClaimed', 'ExternalClaimed'])

/**
 * The log as version 0.1 wrote it: extra data and names of files and folders unencrypted, without a position where that
 * ends.
 */
async function storeUnencrypted({ dataDir, storeUrls }: ProcessWorld): Promise<number> {
  const events = await withStores({ dataDir, storeUrls }, async ({ log }) =>
    (await log.readAll(null, 10_000)).filter(
      (event) => personalTexts(event).length > 0 && !SEALED_THEN.has(event.type),
    ),
  )
  const db = new DatabaseSync(join(dataDir, 'log.sqlite'))
  // Version 0.1 only appended. An update of another size moves rows, and would leave copies that no version ever left.
  db.exec('PRAGMA secure_delete = ON')
  const update = db.prepare('UPDATE events SET data = ? WHERE stream = ? AND revision = ?')
  for (const { stream, revision, data } of events) update.run(JSON.stringify(data), stream, revision)
  db.exec('DROP TABLE clear_text')
  db.close()
  return events.length
}

describe('texts of a deleted player', () => {
  let world: ProcessWorld
  let fixture: TextFixture

  before(async function () {
    this.timeout(120_000)
    world = await openProcessWorld()
    fixture = await makeTextFixture(world)
  })
  after(() => world.close())

  const players = () => `/api/gm/${fixture.game.id}/players/`

  async function listed(path: string): Promise<string[]> {
    const { token } = fixture.game
    const { folders, files } = must(
      await world.call('GET', `/api/bkt/${fixture.bucket}/ls/?path=${path}`, { token }),
      200,
    )
    return [...folders, ...files].map((one: { path: string }) => one.path)
  }

  async function erased(ids: readonly string[]): Promise<void> {
    const { token } = fixture.game
    for (const id of ids) must(await world.call('DELETE', `${players()}${id}/`, { token }), 200)
    const until = Date.now() + WITHIN_MS
    // Views that are not yet written have no byte of the texts either: the erasure has ended once no answer shows them.
    const isLeft = async () =>
      (await listed('/')).some((path) => path.includes(MARK)) || filesContaining(world.dataDir, MARK).length > 0
    while ((await isLeft()) && Date.now() < until) await pause(100)
    expect((await listed('/')).filter((path) => path.includes(MARK))).to.deep.equal([])
    expect(filesContaining(world.dataDir, MARK)).to.deep.equal([])
  }

  async function historyOf(player: string): Promise<string> {
    return (
      await world.call('GET', `/api/gm/${fixture.game.id}/events/?player=${player}`, { token: fixture.game.token })
    ).text
  }

  it('are gone from every byte of the data folder 10 s after the deletion, while the server runs', async function () {
    this.timeout(120_000)
    const [stay] = await writeEverything(fixture, STAYS)
    const ids = await writeEverything(fixture, MARK)
    expect(filesContaining(world.dataDir, MARK)).to.not.deep.equal([])
    expect(await historyOf(String(ids[0]))).to.include(`${MARK}-extra`)
    await erased(ids)
    for (const id of ids)
      expect(await historyOf(id))
        .to.include('"PlayerDeleted"')
        .and.to.not.include(MARK)
    // Views that are written but not yet in the main file are in its write-ahead file.
    const left = filesContaining(world.dataDir, STAYS).map((file) =>
      relative(world.dataDir, file).split(sep)[0]?.replace('-wal', ''),
    )
    expect([...new Set(left)]).to.include.members(['mail', 'views.sqlite'])
    // In development the log shows each mail with its address.
    const lines = world
      .output()
      .split('\n')
      .filter((line) => !line.includes('a mail was written'))
    expect(lines.filter((line) => line.toLowerCase().includes(MARK.toLowerCase()))).to.deep.equal([])
    const kept = `/shared-${ids[0]}/`
    const check = async () => {
      const folders = [`/${STAYS}-folder/`, ...[kept, `/shared-${stay}/`].sort()]
      expect(await listed('/')).to.deep.equal([...folders, `/${STAYS}-file`])
      expect(await listed(kept)).to.deep.equal([`${kept}of-the-tenant`])
    }
    await check()
    // The deletion is found in the log alone, too.
    await world.end()
    rmSync(join(world.dataDir, 'views.sqlite'))
    await world.begin()
    await check()
  })

  it('are gone from a folder in which an older version recorded them unencrypted, and texts of others stay', async function () {
    this.timeout(120_000)
    const ids = await writeEverything(fixture, MARK)
    await world.end()
    expect(await storeUnencrypted(world)).to.equal(32)
    await world.begin()
    expect(await historyOf(String(ids[0]))).to.include(`${MARK}-extra`)
    await erased(ids)
    for (const id of ids)
      expect(await historyOf(id))
        .to.include('"PlayerDeleted"')
        .and.to.not.include(MARK)
    const shown = must(await world.call('GET', `/api/lb/${fixture.board}/score/`, { token: fixture.game.token }), 200)
    expect(shown.scores.map((one: { extra_data: { note: string } }) => one.extra_data.note).sort()).to.deep.equal([
      ...Array(3).fill(`${STAYS}-extra`),
      `${STAYS}-extra-of-tenant`,
    ])
  })

  it('are erased by the next process when the one that deleted the player was killed', async function () {
    this.timeout(120_000)
    const ids = await writeEverything(fixture, MARK)
    await world.end()
    await storeUnencrypted(world)
    await world.begin()
    for (const id of ids) must(await world.call('DELETE', `${players()}${id}/`, { token: fixture.game.token }), 200)
    await world.end('SIGKILL')
    await world.begin()
    await erased([])
  })
})
