// What a backup costs besides its new events: one manifest of a fixed size, however many backups there are and however
// long the log is. The earlier format of manifests, and objects that are none.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type BackupRequest, backupLines } from '../../../portability/backup/backup-lines.ts'
import { type BackupDestination, BackupFault } from '../../../portability/backup/destination.ts'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import {
  backupIds,
  type ChunkEntry,
  type NewManifest,
  readHeadings,
  readList,
  readNewest,
  requireNewest,
  writeManifest,
} from '../../../portability/backup/manifest.ts'
import { listName, manifestName, sha256Hex } from '../../../portability/backup/objects.ts'
import { verifyBackups } from '../../../portability/backup/verify-destination.ts'
import { writeBackup } from '../../../portability/backup/write-backup.ts'
import { command, newFolder } from '../../cli/service.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { newPath } from '../../stores/folder.ts'
import { MASTER_KEY, type MadeBackup, openBackedUp, restoredFolder } from './backed-up.ts'

interface Counted extends BackupDestination {
  /** Names of objects that were read and written. */
  readonly reads: string[]
  readonly writes: string[]
}

function counting(destination: BackupDestination): Counted {
  const [reads, writes]: [string[], string[]] = [[], []]
  return {
    ...{ ...destination, reads, writes },
    read: (name) => {
      reads.push(name)
      return destination.read(name)
    },
    write: (name, bytes) => {
      writes.push(name)
      return destination.write(name, bytes)
    },
  }
}

/** The number of names in each of these folders. */
const inFolders = (names: readonly string[], ...folders: readonly string[]): number[] =>
  folders.map((folder) => names.filter((name) => name.startsWith(`${folder}/`)).length)

const chunkEntry = (n: number): ChunkEntry => {
  const position = (at: number) => at.toString(16).padStart(16, '0')
  const sha256 = sha256Hex(Buffer.from(String(n)))
  return {
    after: n === 0 ? null : position(n),
    last: position(n + 1),
    events: 1,
    sha256,
    bytes: 7,
    games: [],
    clear: false,
  }
}

const manifestOf = (chunks: number, id: string): NewManifest => ({
  ...{
    id,
    version: '1',
    installation: 'i',
    begun: '',
    made: '',
    events: chunks,
    head: 'h',
    until: null,
    bytes: 7 * chunks,
  },
  chunks: Array.from({ length: chunks }, (_, n) => chunkEntry(n)),
  secrets: [],
  ...{ log_chain: 'l', secrets_sha256: 's', key: '00' },
})

describe('the manifests of backups', () => {
  it('cost the same with many backups as with few: one is read and one is written, and so is one list', async () => {
    const [log, vault] = [createMemoryLog(), createMemoryVault()]
    const folder = await newFolder()
    const sizes: number[] = []
    for (let n = 0; n < 12; n++) {
      const meta = { v: 1, game: 'g', command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' }
      await log.append(`lb_${n}`, 'none', [{ id: randomUUID(), type: 'ScoreDeleted', data: {}, meta }])
      const destination = counting(folderDestination(folder))
      const ending = new AbortController().signal
      const source = { log, vault, installation: 'i', key: new Uint8Array(32) }
      const open = (request: BackupRequest) => backupLines(source, request, ending)
      const now = () => Date.UTC(2026, 0, 1 + n)
      const options = { destination, open, retention: { days: 5 }, ending, now, onProgress: () => {} }
      const { manifest } = await writeBackup(options)
      sizes.push((await destination.read(manifestName(manifest.id)))?.length ?? 0)
      if (n > 0) expect(inFolders(destination.reads.slice(0, -1), 'backups', 'lists', 'log')).to.deep.equal([1, 1, 0])
      expect(inFolders(destination.writes, 'backups', 'lists')).to.deep.equal([1, 1])
    }
    expect(Math.max(...sizes) - Math.min(...sizes)).to.be.at.most(40)
    expect(await backupIds(folderDestination(folder))).to.have.length(6)
    await verifyBackups(folderDestination(folder), { keys: null, onProgress: () => {} })
  })

  it('stay small for a long log, whose lists are written once', async () => {
    const destination = counting(folderDestination(await newFolder()))
    const first = manifestOf(4_500, '20260101T000000000Z')
    await writeManifest(destination, first)
    expect(inFolders(destination.writes, 'lists')).to.deep.equal([5])
    const second = manifestOf(4_501, '20260102T000000000Z')
    destination.writes.length = 0
    await writeManifest(destination, second)
    expect(inFolders(destination.writes, 'lists')).to.deep.equal([1])
    expect((await destination.read(manifestName(second.id)))?.length).to.be.at.most(1_500)
    const { log_chain, secrets_sha256, key: _, ...written } = second
    const read = await readNewest(destination, await backupIds(destination))
    expect(read).to.deep.include(written)
    expect(read?.authentication).to.deep.include({ log_chain, secrets_sha256 })
    const headings = await readHeadings(destination)
    expect(headings.map(({ id, bytes }) => [id, bytes])).to.deep.equal([
      [first.id, 31_500],
      [second.id, 31_507],
    ])
  })

  it('of the earlier format, with the lists inside, are continued, verified, listed and restored', async function () {
    this.timeout(30_000)
    const world = await openBackedUp()
    try {
      const first = await world.backUp()
      const { bytes: _, authentication: __, ...rest } = await requireNewest(folderDestination(world.destination))
      const chunks = rest.chunks.map(({ last_id: _, lines_sha256: __, code: ___, ...chunk }) => chunk)
      const earlier = { scorebook_backup: 1, ...rest, chunks }
      const path = join(world.destination, manifestName(first.id))
      expect(JSON.parse(readFileSync(path, 'utf8'))).to.include({ scorebook_backup: 3 })
      const sha256 = sha256Hex(Buffer.from(JSON.stringify(earlier)))
      writeFileSync(path, JSON.stringify({ ...earlier, sha256 }))
      await rm(join(world.destination, 'lists'), { recursive: true })
      expect(await restoredFolder(world, '--trust')).to.be.a('string')
      await world.client.submit(world.board, { player: world.ada, score: '99' })
      const second = await world.backUp()
      expect(second.events).to.equal(first.events + second.new_events)
      const listed = (await command({ MASTER_KEY }, 'backup', 'list', world.destination, '--json')).json<MadeBackup[]>()
      expect(listed.map(({ id }) => id)).to.deep.equal([first.id, second.id])
      expect((await command({ MASTER_KEY }, 'backup', 'verify', world.destination)).code).to.equal(0)
      expect(await restoredFolder(world, '--backup', first.id, '--trust')).to.be.a('string')
    } finally {
      await world.service.close()
    }
  })
})

const faultOf = (reading: Promise<unknown>): Promise<unknown> => reading.catch((failure: unknown) => failure)

describe('an object at a backup destination', () => {
  for (const [what, put] of [
    ['a link', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ] as const) {
    it(`that is ${what} is refused`, async () => {
      const folder = newPath('destination')
      mkdirSync(join(folder, 'backups'), { recursive: true })
      put(join(folder, 'backups', 'one.json'))
      const fault = await faultOf(folderDestination(folder).read('backups/one.json'))
      expect(fault).to.be.instanceOf(BackupFault)
      expect(String(fault)).to.contain('one.json is no regular file')
    })
  }

  it('that is a list is refused if it is named twice, or has more text than its entries can have', async () => {
    const folder = newPath('destination')
    const destination = folderDestination(folder)
    const stored = async (text: string) => {
      const bytes = gzipSync(text)
      await destination.write(listName(sha256Hex(bytes)), bytes)
      return { sha256: sha256Hex(bytes), entries: 1 }
    }
    const fine = await stored('{"a":1}\n')
    expect(await readList(destination, [fine])).to.deep.equal([{ a: 1 }])
    expect(String(await faultOf(readList(destination, [fine, fine])))).to.contain('names a list twice')
    const large = await stored(`{"a":"${'x'.repeat(5 << 20)}"}\n`)
    expect(String(await faultOf(readList(destination, [large])))).to.contain('too large')
    writeFileSync(join(folder, 'other'), '')
    expect(await destination.read('missing')).to.equal(null)
  })
})
