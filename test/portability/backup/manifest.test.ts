// What a backup costs besides its new events: one manifest of a fixed size, however many backups there are and however
// long the log is. The earlier format of manifests, and objects that are none.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
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
import { ArchiveFault } from '../../../portability/export/manifest.ts'
import { command, newFolder } from '../../cli/service.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { sized } from '../../seeds.ts'
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
    const isAny = (row: unknown): row is object => typeof row === 'object'
    const fine = await stored('{"a":1}\n')
    expect(await readList(destination, [fine], isAny)).to.deep.equal([{ a: 1 }])
    expect(String(await faultOf(readList(destination, [fine, fine], isAny)))).to.contain('names a list twice')
    const large = await stored(`{"a":"${'x'.repeat(5 << 20)}"}\n`)
    expect(String(await faultOf(readList(destination, [large], isAny)))).to.contain('too large')
    writeFileSync(join(folder, 'other'), '')
    expect(await destination.read('missing')).to.equal(null)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: whatever a manifest may have
type Fields = Record<string, any>

/** What JSON can have where a text, a number, a list or a row is expected. */
const ODD: readonly unknown[] = [
  ...[null, 0, -1, 0.5, 1e308, true, '', 'x', '../../../../etc', '9'.repeat(5_000), '\0', `${'a'.repeat(64)}\n`],
  ...[[], [null], [[]], ['x'], {}, { length: 5 }, { sha256: null }],
]

describe('a manifest that somebody without a key wrote, with the right sums', () => {
  let whole: string
  before(async () => {
    whole = await newFolder()
    const [log, vault] = [createMemoryLog(), createMemoryVault()]
    const meta = { v: 1, game: 'g', command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' }
    for (const n of [1, 2]) {
      await log.append(`lb_${n}`, 'none', [{ id: randomUUID(), type: 'ScoreDeleted', data: {}, meta }])
      await vault.putIfAbsent('player-key', `p${n}`, Buffer.from([n]))
    }
    await backUp(folderDestination(whole), { log, vault, installation: 'i', key: new Uint8Array(32) })
  })

  function backUp(destination: BackupDestination, source: Parameters<typeof backupLines>[0]) {
    const ending = new AbortController().signal
    const open = (request: BackupRequest) => backupLines(source, request, ending)
    return writeBackup({ destination, open, retention: null, ending, now: Date.now, onProgress: () => {} })
  }

  /** A copy of the destination, with what the function makes of its manifest, and of the rows of its lists. */
  async function forged(format: number, edit: (stored: Fields, lists: Record<string, Fields[]>) => void) {
    const folder = await newFolder()
    cpSync(whole, folder, { recursive: true })
    const path = join(folder, 'backups', readdirSync(join(folder, 'backups'))[0] ?? '')
    const { sha256: _, ...stored }: Fields = JSON.parse(readFileSync(path, 'utf8'))
    const rowsOf = ({ sha256 }: Fields) =>
      gunzipSync(readFileSync(join(folder, 'lists', `${sha256}.ndjson.gz`)))
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    const lists = { chunks: stored.chunk_lists.flatMap(rowsOf), secrets: stored.secret_lists.flatMap(rowsOf) }
    const isInside = format === 1
    if (format < 3) for (const name of ['code', 'log_chain', 'secrets_sha256']) delete stored[name]
    if (isInside) for (const name of ['chunk_lists', 'secret_lists', 'bytes']) delete stored[name]
    if (isInside) Object.assign(stored, lists)
    else {
      for (const [name, rows] of [
        ['chunk_lists', lists.chunks],
        ['secret_lists', lists.secrets],
      ] as const)
        stored[name] = { rows }
    }
    stored.scorebook_backup = format
    edit(stored, lists)
    for (const name of ['chunk_lists', 'secret_lists']) {
      if (!Array.isArray(stored[name]?.rows)) continue
      const bytes = gzipSync(stored[name].rows.map((row: unknown) => `${JSON.stringify(row)}\n`).join(''))
      writeFileSync(join(folder, 'lists', `${sha256Hex(bytes)}.ndjson.gz`), bytes)
      stored[name] = [{ sha256: sha256Hex(bytes), entries: stored[name].rows.length }]
    }
    const sha256 = sha256Hex(Buffer.from(JSON.stringify(stored)))
    writeFileSync(path, `${JSON.stringify({ ...stored, sha256 }, null, 1)}\n`)
    return folderDestination(folder)
  }

  /** The failures other than those of damaged backups: the command would show them as its own errors. */
  async function otherFailures(destination: BackupDestination): Promise<string[]> {
    const [log, vault] = [createMemoryLog(), createMemoryVault()]
    const source = { log, vault, installation: 'i', key: new Uint8Array(32) }
    const found: string[] = []
    for (const use of [
      () => verifyBackups(destination, { keys: null, onProgress: () => {} }),
      () => backUp(destination, source),
    ]) {
      await use().catch((failure: unknown) => {
        if (!(failure instanceof BackupFault || failure instanceof ArchiveFault)) found.push(String(failure))
      })
    }
    return found
  }

  for (const format of sized([3], [1, 2, 3])) {
    it(`causes no error but that of a damaged backup, whatever a field has in format ${format}`, async () => {
      const names: string[] = []
      await forged(format, (stored) => names.push(...Object.keys(stored)))
      expect(names).to.include.members(['installation', 'events', 'head'])
      for (const name of names) {
        for (const odd of ODD) {
          const destination = await forged(format, (stored) => {
            stored[name] = odd
          })
          expect(await otherFailures(destination), `${name}: ${JSON.stringify(odd).slice(0, 40)}`).to.deep.equal([])
        }
      }
    }).timeout(120_000)

    it(`causes no error but that of a damaged backup, whatever a row of its lists has in format ${format}`, async () => {
      for (const which of ['chunks', 'secrets'] as const) {
        const names: string[] = []
        await forged(format, (_, lists) => names.push(...Object.keys(lists[which]?.[0] ?? {})))
        expect(names).to.include('sha256')
        for (const odd of ODD) {
          const whole = await forged(format, (_, lists) => lists[which]?.splice(0, 1, odd as Fields))
          expect(await otherFailures(whole), `${which}: ${JSON.stringify(odd).slice(0, 40)}`).to.deep.equal([])
          for (const name of names) {
            const destination = await forged(format, (_, lists) => {
              const [row = {}] = lists[which] ?? []
              row[name] = odd
            })
            expect(
              await otherFailures(destination),
              `${which}.${name}: ${JSON.stringify(odd).slice(0, 40)}`,
            ).to.deep.equal([])
          }
        }
      }
    }).timeout(120_000)
  }

  it('names the manifest or the list that is of another form', async () => {
    const damaged = await forged(3, (stored) => {
      stored.installation = 'x'.repeat(5_000)
    })
    expect(String(await requireNewest(damaged).catch(String))).to.contain('has a damaged manifest, or one of a newer')
    const row = await forged(3, (_, lists) => lists.chunks?.splice(0, 1, null as unknown as Fields))
    expect(String(await requireNewest(row).catch(String))).to.match(
      /lists\/[0-9a-f]{64}\.ndjson\.gz in .* has a row of another form: a backup did not write it\.$/,
    )
  })
})
