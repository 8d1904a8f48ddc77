// How backups continue after full chunks: with the codes that the server made, and after an interruption with those of
// the chunks that are left. A log of several full chunks, in process.

import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { DELETED_GAMES_STREAM } from '../../../domain/deleted-games.ts'
import type { JsonObject, StoredEvent } from '../../../domain/event.ts'
import { type BackupLine, type BackupRequest, backupLines } from '../../../portability/backup/backup-lines.ts'
import { createBackupCodes } from '../../../portability/backup/codes.ts'
import type { BackupDestination } from '../../../portability/backup/destination.ts'
import { readLog } from '../../../portability/backup/destination-log.ts'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import { requireNewest } from '../../../portability/backup/manifest.ts'
import { sha256Hex } from '../../../portability/backup/objects.ts'
import { type WrittenBackup, writeBackup } from '../../../portability/backup/write-backup.ts'
import { newFolder } from '../../cli/service.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { readForged, writeForged } from './forged.ts'

/** A chunk ends at 8 MiB of characters. Compressed it is more than the sixteenth of that which counts as a full one. */
const CHUNK = 17
const TEXT_LENGTH = 500_000
const RANDOM_BYTES = 40_000
const KEY = new Uint8Array(32).fill(5)
const OTHER_KEY = new Uint8Array(32).fill(6)

const metaOf = (game: string | null) =>
  ({ v: 1, game, command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' }) as const

async function openWorld() {
  const [log, vault] = [createMemoryLog(), createMemoryVault()]
  let streams = 0
  /** The events of these games in the log have no data any more. */
  const erased = new Set<string>()

  const eventOf = (game: string | null, data: JsonObject) => ({
    ...{ id: randomUUID(), type: 'ScoreDeleted', data, meta: metaOf(game) },
  })

  /** Events of which 17 fill a chunk, each in a stream of its own. */
  async function append(count: number, game: string | null): Promise<void> {
    for (let n = 0; n < count; n++) {
      const text = randomBytes(RANDOM_BYTES).toString('base64').padEnd(TEXT_LENGTH, 'x')
      await log.append(`lb_${streams++}`, 'none', [eventOf(game, { text })])
    }
  }

  /** Small events in one stream. */
  const appendTogether = (count: number) =>
    log.append(
      `lb_${streams++}`,
      'none',
      Array.from({ length: count }, (_, n) => eventOf('one', { n })),
    )

  const inLog = (event: StoredEvent): StoredEvent =>
    event.meta.game !== null && erased.has(event.meta.game) ? { ...event, data: {} } : event
  let damaged = (event: StoredEvent): StoredEvent => event
  const read = async (...args: Parameters<typeof log.readAll>) =>
    (await log.readAll(...args)).map((event) => damaged(inLog(event)))

  /** Positions that the backups read after, and the number of events that each got. */
  const requests: { after: string | null; events: number }[] = []
  async function* open(request: BackupRequest, ending: AbortSignal, key = KEY) {
    const one = { after: request.coded?.after?.last ?? null, events: 0 }
    requests.push(one)
    for await (const lines of backupLines(
      { log: { ...log, readAll: read }, vault, installation: 'i', key },
      request,
      ending,
    )) {
      one.events += lines.filter((line) => 'event' in line).length
      yield lines
    }
  }

  function backUp(destination: BackupDestination, key = KEY): Promise<WrittenBackup> {
    const ending = new AbortController().signal
    const options = { retention: null, ending, now: Date.now, onProgress: () => {} }
    return writeBackup({ ...options, destination, open: (request, end) => open(request, end, key) })
  }

  /** The events at the destination, with all codes checked. */
  async function checked(folder: string): Promise<StoredEvent[]> {
    const destination = folderDestination(folder)
    const events: StoredEvent[] = []
    for await (const page of readLog(destination, await requireNewest(destination), createBackupCodes(KEY, 'i')))
      events.push(...page)
    return events
  }

  const eraseGame = async (game: string) => {
    erased.add(game)
    await log.append(DELETED_GAMES_STREAM, 'none', [
      { id: randomUUID(), type: 'GameErased', data: { game, events: 1 }, meta: metaOf(null) },
    ])
  }
  const damage = (change: typeof damaged) => {
    damaged = change
  }
  const readOnce = async (request: BackupRequest) => {
    const lines: BackupLine[] = []
    for await (const some of open(request, new AbortController().signal)) lines.push(...some)
    return lines
  }
  return {
    read: readOnce,
    damage,
    append,
    appendTogether,
    requests,
    backUp,
    checked,
    eraseGame,
    whole: () => read(null, 1_000_000),
  }
}

/** Stops the backup with an error once it has written this many chunks. */
function stoppedAfter(destination: BackupDestination, chunks: number): BackupDestination {
  let written = 0
  return {
    ...destination,
    write: async (name, bytes) => {
      if (name.startsWith('log/') && written++ === chunks) throw new Error('stopped')
      await destination.write(name, bytes)
    },
  }
}

const position = (n: number) => n.toString(16).padStart(16, '0')

describe('a backup that continues', function () {
  this.timeout(60_000)
  let world: Awaited<ReturnType<typeof openWorld>>
  let folder: string
  beforeEach(async () => {
    world = await openWorld()
    folder = await newFolder()
  })
  const destination = () => folderDestination(folder)
  const chunkNames = () => readdirSync(join(folder, 'log', 'i')).sort()
  async function expectEqualToLog(): Promise<void> {
    expect(await world.checked(folder)).to.deep.equal(await world.whole())
  }

  it('reads only what follows the last full chunk', async () => {
    await world.append(CHUNK + 2, 'one')
    await world.backUp(destination())
    await world.append(3, 'one')
    const { newEvents } = await world.backUp(destination())
    expect(newEvents).to.equal(3)
    expect(world.requests.at(-1)).to.deep.equal({ after: position(CHUNK), events: 5 })
    await expectEqualToLog()
  })

  it('keeps the chunks that an interrupted one left, whose codes are of its server', async () => {
    await world.append(3 * CHUNK, 'one')
    const stopped = await world.backUp(stoppedAfter(destination(), 2)).catch(({ message }: Error) => message)
    expect(stopped).to.equal('stopped')
    const { newEvents } = await world.backUp(destination())
    expect([newEvents, world.requests.at(-1)]).to.deep.equal([CHUNK, { after: position(2 * CHUNK), events: CHUNK }])
    await expectEqualToLog()
  })

  it('reads all again where the chunks that are left have codes of another installation, and keeps none of them', async () => {
    await world.append(2 * CHUNK, 'one')
    await world.backUp(stoppedAfter(destination(), 1), OTHER_KEY).catch(() => {})
    const [foreign = ''] = chunkNames()
    await world.backUp(destination())
    expect(world.requests.map(({ after, events }) => [after, events])).to.deep.include([position(CHUNK), 0])
    expect(chunkNames()).not.to.include(foreign)
    await expectEqualToLog()
  })

  it('keeps no chunk that is left with a code of its server and other events', async () => {
    await world.append(2 * CHUNK, 'one')
    await world.backUp(destination())
    const forged = readForged(folder)
    const { statement, lines } = { statement: forged.chunks[1]?.lines.at(-1), lines: forged.chunks[1]?.lines ?? [] }
    const text = [{ ...lines[0], data: { n: 'forged' } }, ...lines.slice(1, -1), statement]
    const bytes = gzipSync(text.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const name = `log/i/${position(CHUNK)}_${position(2 * CHUNK)}_${sha256Hex(bytes)}.ndjson.gz`
    for (const object of ['backups', 'lists', 'secrets']) rmSync(join(folder, object), { recursive: true, force: true })
    for (const right of chunkNames().filter((one) => one.startsWith(position(CHUNK))))
      await destination().remove(`log/i/${right}`)
    await destination().write(name, bytes)
    await world.backUp(destination())
    expect(world.requests.at(-1)).to.deep.equal({ after: position(CHUNK), events: CHUNK })
    await expectEqualToLog()
  })

  it('reads all again where a listed chunk was changed and listed with its own sums', async () => {
    await world.append(2 * CHUNK, 'one')
    await world.backUp(destination())
    const forged = readForged(folder)
    const [line] = forged.chunks[0]?.lines ?? []
    if (line !== undefined) line.data = { n: 'forged' }
    writeForged(folder, forged)
    await world.append(1, 'one')
    await world.backUp(destination())
    expect(world.requests.at(-1)).to.deep.equal({ after: null, events: 2 * CHUNK + 1 })
    await expectEqualToLog()
  })

  it('writes a chunk again that is missing, with those after it', async () => {
    await world.append(3 * CHUNK, 'one')
    await world.backUp(destination())
    const second = chunkNames().find((name) => name.startsWith(position(CHUNK))) ?? ''
    await destination().remove(`log/i/${second}`)
    await world.backUp(destination())
    expect(world.requests.at(-1)).to.deep.equal({ after: position(CHUNK), events: 2 * CHUNK })
    await expectEqualToLog()
  })

  it('reads again from the first chunk with data of a game that was removed, and no earlier chunk', async () => {
    await world.append(CHUNK, 'one')
    await world.append(CHUNK, 'gone')
    await world.append(CHUNK, 'one')
    await world.backUp(destination())
    await world.eraseGame('gone')
    const { rewritten } = await world.backUp(destination())
    expect(rewritten).to.equal(1)
    expect(world.requests.at(-1)).to.deep.equal({ after: position(CHUNK), events: 2 * CHUNK + 1 })
    await expectEqualToLog()
  })

  it('refuses the older version of rewritten chunks in the list of the newer backup', async () => {
    await world.append(CHUNK, 'gone')
    await world.append(CHUNK, 'one')
    await world.backUp(destination())
    const before = readForged(folder)
    await world.eraseGame('gone')
    await world.backUp(destination())
    const after = readForged(folder)
    writeForged(folder, { ...after, chunks: [...before.chunks, ...after.chunks.slice(-1)] })
    const failure = await world.checked(folder).then(
      () => 'accepted',
      ({ message }: Error) => message,
    )
    expect(failure).to.contain('does not match its authentication code')
  })

  it('refuses chunks in another order', async () => {
    await world.append(2 * CHUNK, 'one')
    await world.backUp(destination())
    const forged = readForged(folder)
    const [one, other] = forged.chunks
    const swapped = [
      { entry: { ...one?.entry }, lines: other?.lines ?? [] },
      { entry: { ...other?.entry, after: position(CHUNK) }, lines: one?.lines ?? [] },
    ]
    writeForged(folder, { ...forged, chunks: swapped })
    const failure = await world.checked(folder).catch(({ message }: Error) => message)
    expect(failure).to.contain('does not match its authentication code')
  })

  for (const [what, revision] of Object.entries({ gap: 5, duplicate: 3 })) {
    it(`refuses a log whose revisions have a ${what}, and leaves the earlier backups`, async () => {
      await world.appendTogether(4)
      await world.backUp(destination())
      await world.appendTogether(6)
      world.damage((event) => (event.stream === 'lb_1' && event.revision === 4 ? { ...event, revision } : event))
      const failure = await world.backUp(destination()).catch(({ message }: Error) => message)
      expect(failure).to.contain('The log has 2 gaps and duplicates in the revisions of its streams')
      expect(failure).to.contain(
        `where revision 4 comes next, the event at position ${position(9)} has revision ${revision}`,
      )
      expect(await world.checked(folder)).to.have.length(4)
    })
  }

  it('gives a command of 0.2.0 the events after a position, without codes', async () => {
    await world.appendTogether(3)
    const lines = await world.read({ from: position(1), coded: null })
    const kinds = lines.map((line) => Object.keys(line).join())
    expect(kinds).to.deep.equal(['log', 'event', 'event', 'end'])
    expect(lines.at(-1)).to.deep.equal({ end: { events: 2, secrets: 0 } })
  })
})
