// `scorebook backup` beside a running server, and `scorebook restore` into a new folder.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import { command, newFolder } from '../../cli/service.ts'
import { pause } from '../../until.ts'
import {
  type BackedUp,
  holds,
  MASTER_FORMS,
  MASTER_KEY,
  type MadeBackup,
  openBackedUp,
  restoredFolder,
  withRestored,
} from './backed-up.ts'

const env = { MASTER_KEY }

/** Two instants that no event shares. */
async function instant(): Promise<string> {
  await pause(3)
  const now = new Date().toISOString()
  await pause(3)
  return now
}

describe('scorebook backup and restore', () => {
  let world: BackedUp
  let first: MadeBackup
  let third: MadeBackup
  let then: string
  let asOf: { status: number; text: string }

  const page = async (url: string, token: string, query = '') => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/lb/${world.board}/score/${query}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }

  before(async function () {
    this.timeout(30_000)
    world = await openBackedUp()
    first = await world.backUp()
    then = await instant()
    const { client, board, ada, service } = world
    await client.submit(board, { player: ada, score: '99' })
    asOf = await page(service.url, await client.token(), `?as_of=${then}`)
    await world.backUp()
    third = await world.backUp()
  })
  after(() => world.service.close())

  it('leaves folders alone that are not its own, such as `lost+found` of a mount', async () => {
    const folder = await newFolder()
    const foreign = join(folder, 'lost+found')
    mkdirSync(foreign, { recursive: true })
    writeFileSync(join(foreign, '.x.partial'), '')
    const lock = await folderDestination(folder).lock()
    await lock.release()
    expect(readdirSync(foreign)).to.deep.equal(['.x.partial'])
  })

  it('copies everything once, then only what is new, and lists and verifies the backups', async () => {
    expect(first.new_events).to.equal(first.events)
    expect(third.new_events).to.equal(0)
    expect(third.events).to.be.greaterThan(first.events)
    const listed = await command(env, 'backup', 'list', world.destination, '--json')
    const ids = listed.json<MadeBackup[]>().map(({ id, events }) => [id, events])
    expect([ids.length, ids[0], ids[2]]).to.deep.equal([3, [first.id, first.events], [third.id, third.events]])
    const verified = await command(env, 'backup', 'verify', world.destination, '--json')
    expect(verified.json()).to.deep.include({ whole: true, backups: 3, newest: third.id, events: third.events })
  })

  it('continues after an interrupted first backup with the chunks that it left', async () => {
    const destination = join(await newFolder(), 'interrupted')
    const made = await world.service.json<MadeBackup>('backup', '--to', destination)
    for (const folder of ['backups', 'secrets']) rmSync(join(destination, folder), { recursive: true })
    const again = await world.service.json<MadeBackup>('backup', '--to', destination)
    expect([again.events, again.new_events, again.head]).to.deep.equal([made.events, 0, made.head])
    expect((await command(env, 'backup', 'verify', destination)).code).to.equal(0)
  })

  it('restores to an instant: the leaderboard is as `as_of` answered, and `verify` says equal', async () => {
    await withRestored(world, ['--at', then], async (service, client) => {
      const { status, text } = await page(service.url, await client.token())
      expect([status, JSON.parse(text).scores]).to.deep.equal([200, JSON.parse(asOf.text).scores])
      expect((await service.run('verify')).out).to.match(/^equal: /)
    })
  })

  it('restores to a position and to an older backup', async () => {
    for (const options of [
      ['--at', first.head],
      ['--backup', first.id],
    ]) {
      await withRestored(world, options, async (_, client) => {
        const { scores } = await client.scores(world.board)
        expect(scores.map(({ score }) => score)).to.deep.equal(['20', '10'])
      })
    }
  })

  it('contains neither the master key nor readable text of players, in no byte', () => {
    for (const form of [...MASTER_FORMS, 'Marker'])
      expect([form, holds(world.destination, form)]).to.deep.equal([form, false])
  })

  it('refuses a second backup at the same destination and time', async () => {
    const lock = await folderDestination(world.destination).lock()
    const result = await world.service.run('backup', '--to', world.destination)
    await lock.release()
    expect([result.code, result.err]).to.deep.equal([
      1,
      `scorebook: Another backup, verification or restore is using ${world.destination}. Wait until it has ended.`,
    ])
  })

  it('refuses a target that is not empty, a missing or wrong master key, and a point beyond the backup', async () => {
    const folder = await newFolder()
    writeFileSync(join(folder, 'log.sqlite'), '')
    const restore = async (settings: Record<string, string>, ...more: string[]) =>
      (await command(settings, 'restore', '--from', world.destination, ...more)).err
    expect(await restore(env, '--to', folder)).to.contain('is not empty')
    const empty = await newFolder()
    expect(await restore({}, '--to', empty)).to.contain('A backup does not contain the master key')
    const other = { MASTER_KEY: Buffer.alloc(32, 3).toString('base64') }
    expect(await restore(other, '--to', empty))
      .to.contain('are encrypted under master key')
      .and.contain(`A restore can also use a copy of that file in ${empty}. Nothing was restored.`)
    const target = join(empty, 'one')
    expect(await restore(env, '--to', target, '--at', '2999-01-01')).to.contain('is after the backup, which began at')
    expect(await restore(env, '--to', target, '--at', 'soon')).to.contain('is neither a time')
    expect(await restore(env, '--to', target, '--backup', '20200101T000000000Z')).to.contain('There is no backup')
  })

  it('finds a changed chunk, and removes backups that are not to be kept', async () => {
    const [installation = ''] = readdirSync(join(world.destination, 'log'))
    const folder = join(world.destination, 'log', installation)
    const [chunk = ''] = readdirSync(folder)
    const bytes = readFileSync(join(folder, chunk))
    writeFileSync(join(folder, chunk), Buffer.concat([bytes, Buffer.from('x')]))
    const changed = await command(env, 'backup', 'verify', world.destination)
    writeFileSync(join(folder, chunk), bytes)
    expect([changed.code, changed.err]).to.deep.equal([
      1,
      `scorebook: log/${installation}/${chunk} in ${world.destination} was cut or changed.`,
    ])
    const kept = await world.backUp('--keep', '2')
    expect(kept.removed).to.have.members([first.id, ...(kept.removed.slice(1) ?? [])])
    expect(readdirSync(join(world.destination, 'backups'))).to.have.length(2)
    rmSync(join(world.destination, 'secrets'), { recursive: true })
    expect((await command(env, 'backup', 'verify', world.destination)).err).to.contain('is missing in')
    await world.backUp()
    expect((await command(env, 'backup', 'verify', world.destination)).code).to.equal(0)
    expect(await restoredFolder(world)).to.be.a('string')
  })
})
