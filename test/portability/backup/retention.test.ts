// Random sequences of new events, backups with different retention, and backups that are killed at some write or
// removal: whatever is still listed can be restored, and is what the log had then.

import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { type BackupRequest, backupLines } from '../../../portability/backup/backup-lines.ts'
import type { Retention } from '../../../portability/backup/cleanup.ts'
import { createBackupCodes } from '../../../portability/backup/codes.ts'
import { type BackupDestination, BackupFault } from '../../../portability/backup/destination.ts'
import { readLog } from '../../../portability/backup/destination-log.ts'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import { backupIds, readHeadings, readNewest } from '../../../portability/backup/manifest.ts'
import { verifyBackups } from '../../../portability/backup/verify-destination.ts'
import { writeBackup } from '../../../portability/backup/write-backup.ts'
import { newFolder } from '../../cli/service.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { Random } from '../../random.ts'
import { SEED, sized } from '../../seeds.ts'

const SEQUENCES = sized(3, 10)
const STEPS = 25
const HOUR_MS = 3_600_000
const KILLED = 'killed'
const KEY = new Uint8Array(32).fill(5)

/** The destination of a process that dies at its nth write or removal, before or after it. */
function dyingAt(destination: BackupDestination, nth: number, isDone: boolean): BackupDestination {
  let calls = 0
  const dying =
    <Args extends unknown[]>(work: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      if (++calls !== nth) return work(...args)
      if (isDone) await work(...args)
      throw new Error(KILLED)
    }
  return { ...destination, write: dying(destination.write), remove: dying(destination.remove) }
}

function retentionFrom(random: Random): Retention {
  const drawn = random.below(3)
  if (drawn === 0) return null
  return drawn === 1 ? { backups: 1 + random.below(4) } : { days: random.below(3) }
}

async function runSequence(seed: number): Promise<void> {
  const random = new Random(seed)
  const [log, vault] = [createMemoryLog(), createMemoryVault()]
  const destination = folderDestination(await newFolder())
  let nowMs = Date.parse('2026-01-01T00:00:00Z')
  let appended = 0
  const ending = new AbortController().signal

  async function append(): Promise<void> {
    const game = random.pick(['one', 'two', 'three'])
    const meta = { v: 1, game, command: randomUUID(), actor: null, request: null, time: new Date(nowMs).toISOString() }
    const events = Array.from({ length: 1 + random.below(40) }, (_, n) => ({
      id: randomUUID(),
      type: 'ScoreDeleted',
      data: { n, text: 'x'.repeat(random.below(200)) },
      meta,
    }))
    await log.append(`lb_${appended++}`, 'none', events)
    await vault.putIfAbsent('player-key', `p${appended}`, Buffer.from([appended]))
  }

  async function backUp(to: BackupDestination, retention: Retention) {
    const open = (request: BackupRequest) => backupLines({ log, vault, installation: 'i', key: KEY }, request, ending)
    const options = { open, retention, ending, now: () => nowMs, onProgress: () => {} }
    return writeBackup({ ...options, destination: to }).catch((failure: Error) => {
      if (failure.message !== KILLED) throw failure
      return null
    })
  }

  /** Every listed backup is a whole beginning of the log. */
  async function check(): Promise<void> {
    const ids = await backupIds(destination)
    const newest = await readNewest(destination, ids)
    if (newest === null) return
    const backups = await readHeadings(destination)
    await verifyBackups(destination, { keys: null, onProgress: () => {} })
    const all = await log.readAll(null, 1_000_000)
    const stored: string[] = []
    for await (const events of readLog(destination, newest, createBackupCodes(KEY, 'i')))
      stored.push(...events.map(({ id }) => id))
    expect(stored).to.deep.equal(all.slice(0, newest.events).map(({ id }) => id))
    for (const { head, events } of backups) expect(all[events - 1]?.position).to.equal(head)
  }

  await append()
  for (let step = 0; step < STEPS; step++) {
    nowMs += random.below(20) * HOUR_MS
    if (random.chance(0.6)) await append()
    const listed = await backupIds(destination)
    const retention = retentionFrom(random)
    const isKilled = random.chance(0.4)
    const to = isKilled ? dyingAt(destination, 1 + random.below(6), random.chance(0.5)) : destination
    const written = await backUp(to, retention)
    await check()
    const left = await backupIds(destination)
    if (written === null) continue
    expect(left).to.deep.equal([...listed, written.manifest.id].filter((id) => !written.removed.includes(id)))
    if (retention === null) expect(written.removed).to.deep.equal([])
    else if ('backups' in retention) expect(left.length).to.be.at.most(retention.backups)
  }
}

describe('the retention of backups', () => {
  for (let n = 0; n < SEQUENCES; n++) {
    const seed = (SEED + n) % 2 ** 31
    it(`keeps whole what it lists, also where backups are killed (seed ${seed})`, () => runSequence(seed)).timeout(
      30_000,
    )
  }
})

describe('the first backup at a destination', () => {
  const backUp = async (destination: BackupDestination) => {
    const [log, vault, ending] = [createMemoryLog(), createMemoryVault(), new AbortController().signal]
    const meta = { v: 1, game: 'g', command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' }
    await log.append('lb_1', 'none', [{ id: randomUUID(), type: 'ScoreDeleted', data: {}, meta }])
    const source = { log, vault, installation: 'i', key: KEY }
    const open = (request: BackupRequest) => backupLines(source, request, ending)
    return writeBackup({ destination, open, retention: null, ending, now: Date.now, onProgress: () => {} })
  }

  for (const name of [
    ...['secrets/id_rsa', 'secrets/ssh/id_rsa', 'lists/shopping.txt', 'backups/old.tar', 'log/syslog'],
    ...['log/nginx/access.log', 'log/i/access.log', `lists/inner/${'a'.repeat(64)}.ndjson.gz`],
  ]) {
    it(`is refused where there is ${name} of somebody else, which it names and keeps`, async () => {
      const folder = await newFolder()
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), 'of somebody else')
      const fault = await backUp(folderDestination(folder)).catch((failure: unknown) => failure)
      expect(fault).to.be.instanceOf(BackupFault)
      const shown = name.startsWith('log/') ? name : name.split('/').slice(0, 2).join('/')
      expect(String(fault)).to.contain(`${folder} has no backups yet, but ${shown}, which no backup wrote`)
      expect(String(fault)).to.contain('Choose an empty folder or prefix.')
      const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      expect(left.map((entry) => entry.name).sort()).to.deep.equal([name.split('/').at(-1), 'lock'].sort())
      expect(readFileSync(join(folder, name), 'utf8')).to.equal('of somebody else')
    })
  }

  it('is made beside files that are in no folder of backups, which stay', async () => {
    const folder = await newFolder()
    for (const name of ['notes.txt', 'other/a', 'secrets.txt']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), name)
    }
    await backUp(folderDestination(folder))
    expect(await backupIds(folderDestination(folder))).to.have.length(1)
    for (const name of ['notes.txt', 'other/a', 'secrets.txt'])
      expect(readFileSync(join(folder, name), 'utf8')).to.equal(name)
  })

  it('continues after one that was killed, whose objects and partial files are no others', async () => {
    const folder = await newFolder()
    await backUp(dyingAt(folderDestination(folder), 2, true)).catch(() => {})
    const killed = readdirSync(join(folder, 'log', 'i'))
    expect(killed).to.have.length(1)
    writeFileSync(join(folder, 'log', 'i', '.0123456789ab.partial'), 'cut')
    await backUp(folderDestination(folder))
    expect(await backupIds(folderDestination(folder))).to.have.length(1)
    expect(readdirSync(join(folder, 'log', 'i'))).to.not.include('.0123456789ab.partial')
  })
})
