// What somebody who can write to a backup destination puts there, in place of its folders and its lock or beside its
// objects: links lead nowhere, and files of others stay.

import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { command, newFolder } from '../../cli/service.ts'
import { type BackedUp, MASTER_KEY, openBackedUp } from './backed-up.ts'

/** Path -> bytes, of all files below a folder. */
function contents(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    paths.map((path) => {
      const stats = lstatSync(join(folder, path))
      return [path, stats.isFile() ? readFileSync(join(folder, path)).toString('hex') : 'folder']
    }),
  )
}

describe('a backup destination that somebody else can change', () => {
  let world: BackedUp
  /** A copy of the destination as a backup left it. */
  let copy: string
  before(async function () {
    this.timeout(30_000)
    world = await openBackedUp()
    await world.backUp()
    copy = join(await newFolder(), 'copy')
    cpSync(world.destination, copy, { recursive: true })
  })
  after(() => world.service.close())
  beforeEach(() => {
    rmSync(world.destination, { recursive: true })
    cpSync(copy, world.destination, { recursive: true })
  })

  /** A folder with names of our own forms, too, which another destination has. */
  async function victimFolder(): Promise<string> {
    const victim = join(await newFolder(), 'victim')
    for (const folder of ['', 'inner', 'inner/deeper']) {
      mkdirSync(join(victim, folder), { recursive: true })
      for (const name of ['log.sqlite', 'one', '20200101T000000000Z.json', `${'a'.repeat(64)}.ndjson.gz`])
        writeFileSync(join(victim, folder, name), `${folder} ${name}`)
      writeFileSync(join(victim, folder, '.0123456789ab.partial'), 'x')
    }
    return victim
  }

  /** Runs all commands that use a destination, and returns what they answer. */
  async function runAll(): Promise<readonly { readonly code: number; readonly err: string }[]> {
    const { service, destination } = world
    const to = join(await newFolder(), 'restored')
    return [
      await service.run('backup', '--to', destination, '--keep', '1'),
      await command({ MASTER_KEY }, 'backup', 'verify', destination),
      await command({ MASTER_KEY }, 'restore', '--from', destination, '--to', to),
    ]
  }

  for (const folder of ['backups', 'lists', 'secrets', 'log', 'log/<installation>']) {
    it(`is refused by backup, verify and restore if ${folder} is a link, and what it leads to stays`, async () => {
      const [installation = ''] = readdirSync(join(world.destination, 'log'))
      const linked = join(world.destination, folder.replace('<installation>', installation))
      const victim = await victimFolder()
      const before = contents(victim)
      rmSync(linked, { recursive: true })
      symlinkSync(victim, linked)
      const outcomes = await runAll()
      expect(contents(victim)).to.deep.equal(before)
      expect(outcomes.map(({ code }) => code)).to.deep.equal([1, 1, 1])
      for (const { err } of outcomes) expect(err).to.contain(`${linked} is a link or a file`)
    }).timeout(20_000)
  }

  for (const [what, target] of [
    ['a link to a file that is missing', 'missing'],
    ['a link to a database', 'log.sqlite'],
    ['a link to an empty file', 'empty'],
  ] as const) {
    it(`is refused if its lock is ${what}, which is not created, locked or changed`, async () => {
      const victim = await victimFolder()
      writeFileSync(join(victim, 'empty'), '')
      const before = contents(victim)
      const lock = join(world.destination, 'lock')
      rmSync(lock)
      symlinkSync(join(victim, target), lock)
      const outcomes = await runAll()
      expect(contents(victim)).to.deep.equal(before)
      expect(outcomes.map(({ code }) => code)).to.deep.equal([1, 1, 1])
      for (const { err } of outcomes) expect(err).to.contain(`${lock} is not the lock of a backup`)
    }).timeout(20_000)
  }

  it('is refused if its lock has content, because a journal next to it would be replayed', async () => {
    const lock = join(world.destination, 'lock')
    writeFileSync(lock, 'SQLite format 3')
    for (const { code, err } of await runAll())
      expect([code, err.includes(`${lock} is not the lock of a backup`)]).to.deep.equal([1, true])
    expect(readFileSync(lock, 'utf8')).to.equal('SQLite format 3')
  }).timeout(20_000)

  it('keeps files of others in its folders when a backup cleans up, and is verified and restored', async () => {
    const others = [
      ...['secrets/id_rsa', 'secrets/ssh/id_rsa', 'lists/shopping.txt', 'backups/old.tar', 'backups/notes/a.json'],
      ...['log/syslog', 'log/nginx/access.log', `secrets/inner/${'b'.repeat(64)}.ndjson.gz`, 'lists/.swp.partial'],
    ]
    for (const name of others) {
      mkdirSync(join(world.destination, name, '..'), { recursive: true })
      writeFileSync(join(world.destination, name), name)
    }
    const listsThere = () => readdirSync(join(world.destination, 'lists')).filter((name) => name.endsWith('.ndjson.gz'))
    const superseded = listsThere()
    await world.client.submit(world.board, { player: world.ada, score: '99' })
    const outcomes = await runAll()
    expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0, 0])
    expect(others.map((name) => readFileSync(join(world.destination, name), 'utf8'))).to.deep.equal(others)
    const left = listsThere()
    expect([left.length, left.filter((name) => !superseded.includes(name)).length]).to.deep.equal([2, 1])
  }).timeout(20_000)
})
