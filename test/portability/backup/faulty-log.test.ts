// A backup of a log with a gap or a duplicate fails before it writes anything, and chunks from before a repair are
// written again.

import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from 'chai'
import type { StoredEvent } from '../../../domain/event.ts'
import {
  type BackupLine,
  type BackupSource,
  backupLines,
  revisionLines,
} from '../../../portability/backup/backup-lines.ts'
import { createChunkMaker, writeChunk } from '../../../portability/backup/chunk.ts'
import { createBackupCodes, EMPTY_LOG } from '../../../portability/backup/codes.ts'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import { isBeforeRepair } from '../../../portability/backup/found-chunks.ts'
import type { OpenSource } from '../../../portability/backup/receive-lines.ts'
import { verifyBackups } from '../../../portability/backup/verify-destination.ts'
import { writeBackup } from '../../../portability/backup/write-backup.ts'
import type { LogRevisions } from '../../../stores/contract/history.ts'
import type { OpenedStores } from '../../../stores/contract/stores.ts'
import { openEmbedded } from '../../../stores/embedded/open.ts'
import { appended, someEvents } from '../../contracts/events.ts'
import { duplicateRevision, openedRepair } from '../../stores/faulty-log.ts'
import { newPath } from '../../stores/folder.ts'
import { pause } from '../../until.ts'

const PLAYER = 'lb_b1-p1'
const EVENTS = 12
const KEY = new Uint8Array(32).fill(5)
const NO_REVISIONS: LogRevisions = { places: async () => [], repaired: async () => [] }
const SUMS = { keys: null, onProgress: () => {} }

/** Opens the stores of a folder as a backup without a server does. */
async function withSource<Result>(
  folder: string,
  use: (source: OpenedStores & BackupSource) => Promise<Result>,
): Promise<Result> {
  const opened = await openEmbedded(folder, { onFailure: () => {} })
  try {
    return await use({ ...opened, revisions: opened.revisions ?? NO_REVISIONS, installation: 'one', key: KEY })
  } finally {
    await opened.close()
  }
}

/** Backs up with the given source, and returns the number of new events, or the text of the failure. */
async function backUp(destination: string, open: OpenSource): Promise<number | string> {
  try {
    const { newEvents } = await writeBackup({
      ...{ destination: folderDestination(destination), open, retention: null },
      ...{ ending: new AbortController().signal, now: Date.now, onProgress: () => {} },
    })
    return newEvents
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
}

const ofFolder = (folder: string, destination: string) =>
  withSource(folder, (source) => backUp(destination, (request, ending) => backupLines(source, request, ending)))

/** As a version did that checked no revisions. */
const unchecked = (folder: string, destination: string) =>
  withSource(folder, (source) => {
    return backUp(destination, (request, ending) =>
      backupLines({ ...source, revisions: NO_REVISIONS }, request, ending),
    )
  })

async function repair(folder: string): Promise<void> {
  const opened = await openedRepair(folder)
  await opened.apply(await opened.plan(() => {}))
  await opened.close()
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).sort()

describe('a backup of a log with a duplicate', () => {
  let folder: string
  let destination: string

  beforeEach(async () => {
    folder = dirname(newPath('log.sqlite'))
    destination = newPath('destination')
    await withSource(folder, async ({ log }) => {
      await appended(log, 'player-p2', 'none', someEvents(2))
      await appended(log, PLAYER, 'none', someEvents(EVENTS - 2))
    })
  })

  it('fails and names the stream and the command, also if it continues a right one, and writes nothing', async () => {
    expect(await ofFolder(folder, destination)).to.equal(EVENTS)
    const before = filesIn(destination)
    duplicateRevision(folder, PLAYER, 5)
    const expected =
      /^The log has 1 gap or duplicate in the revisions of its streams, and no backup of it could be restored\. The first is in the stream lb_b1-p1: a duplicate: where revision 5 comes next, the event at position 0000000000000008 has revision 4\. Nothing was backed up; earlier backups are unchanged\. Stop the server, and run `scorebook history repair --dry-run`/
    expect(await ofFolder(folder, destination)).to.match(expected)
    expect(filesIn(destination)).to.deep.equal(before)
    const other = newPath('other')
    expect(await ofFolder(folder, other)).to.match(expected)
    expect(filesIn(other).filter((name) => String(name).endsWith('.gz'))).to.deep.equal([])
    expect((await verifyBackups(folderDestination(destination), SUMS)).backups).to.equal(1)
  })

  it('is written again after the repair if it has the old revisions', async () => {
    duplicateRevision(folder, PLAYER, 5)
    expect(await unchecked(folder, destination)).to.equal(EVENTS)
    await repair(folder)
    expect(await ofFolder(folder, destination)).to.equal(0)
    expect((await verifyBackups(folderDestination(destination), SUMS)).newest.events).to.equal(EVENTS)
  })

  it('is recognised by an event with the revision from before the repair', async () => {
    duplicateRevision(folder, PLAYER, 5)
    const before = await withSource(folder, ({ log }) => log.readAll(null, EVENTS))
    await repair(folder)
    const [after, repaired] = await withSource(
      folder,
      async ({ log, revisions }) =>
        [await log.readAll(null, EVENTS), await (revisions ?? NO_REVISIONS).repaired()] as const,
    )
    const isOld = async (events: readonly StoredEvent[]) => {
      const place = folderDestination(newPath('destination'))
      const maker = createChunkMaker(createBackupCodes(KEY, 'one'), EMPTY_LOG)
      for (const event of events) maker.add(event)
      const statement = maker.end()
      if (statement === null) throw new Error('no chunk')
      const chunk = await writeChunk(place, 'one', statement, events)
      return isBeforeRepair(place, 'one', [chunk], repaired)
    }
    expect([await isOld(before), await isOld(after)]).to.deep.equal([true, false])
  })

  it('is continued after the repair if it ends before the duplicate, or was made after the repair', async () => {
    expect(await ofFolder(folder, destination)).to.equal(EVENTS)
    await withSource(folder, async ({ log }) => {
      await appended(log, PLAYER, EVENTS - 3, someEvents(3))
    })
    duplicateRevision(folder, PLAYER, EVENTS - 1)
    await repair(folder)
    expect(await ofFolder(folder, destination)).to.equal(3)
    expect(await ofFolder(folder, destination)).to.equal(0)
    expect((await verifyBackups(folderDestination(destination), SUMS)).newest.events).to.equal(EVENTS + 3)
  })

  it('reads nothing but the faults', async () => {
    duplicateRevision(folder, PLAYER, 5)
    const lines = await withSource(folder, async (source) => {
      const all: BackupLine[] = []
      for await (const some of backupLines(source, { from: null, coded: null }, new AbortController().signal))
        all.push(...some)
      return all
    })
    expect(lines.map((line) => Object.keys(line)[0])).to.deep.equal(['faulty'])
  })

  it('tells each second how many events it has checked', async () => {
    const positions = ['1', '2', '3']
    const place = (position: string) => ({ position, stream: `s${position}`, revision: 0 })
    const log = { head: async () => '3', readAll: async () => [] }
    const places = async (after: string | null) =>
      positions
        .filter((one) => one > (after ?? ''))
        .slice(0, 1)
        .map(place)
    const revisions = { places, repaired: async () => [] }
    const lines: unknown[] = []
    const rest = () => pause(1_010)
    for await (const some of revisionLines({ log, revisions }, rest, new AbortController().signal)) lines.push(...some)
    expect(lines).to.deep.equal([1, 2, 3].map((events) => ({ checked: { events } })))
  })
})
