// Text in clear of a deleted player, recorded by version 0.1, which the log still has because the reaction that removes
// it has not run yet: a backup has none of it, and its codes are of what it has.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { JsonObject } from '../../../domain/event.ts'
import { playerStream } from '../../../domain/player.ts'
import { backupLines } from '../../../portability/backup/backup-lines.ts'
import { createBackupCodes } from '../../../portability/backup/codes.ts'
import { readLog } from '../../../portability/backup/destination-log.ts'
import { folderDestination } from '../../../portability/backup/folder-destination.ts'
import { requireNewest } from '../../../portability/backup/manifest.ts'
import { writeBackup } from '../../../portability/backup/write-backup.ts'
import { newFolder } from '../../cli/service.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createMemoryVault } from '../../memory/vault.ts'
import { holds } from './backed-up.ts'

const key = new Uint8Array(32).fill(5)

describe('a backup directly after the deletion of a player of version 0.1', () => {
  it('has none of their texts, in older chunks either, keeps those of others, and matches its codes', async () => {
    const [log, vault, folder] = [createMemoryLog(), createMemoryVault(), await newFolder()]
    const ending = new AbortController().signal
    const append = (player: string, type: string, data: JsonObject, expected: number | 'none') => {
      const meta = {
        v: 1,
        game: 'g',
        player,
        command: 'c',
        actor: null,
        request: null,
        time: '2026-01-01T00:00:00.000Z',
      }
      return log.append(playerStream(player), expected, [{ id: randomUUID(), type, data, meta }])
    }
    const backUp = () =>
      writeBackup({
        destination: folderDestination(folder),
        open: (request) => backupLines({ log, vault, installation: 'i', key }, request, ending),
        retention: null,
        ending,
        now: Date.now,
        onProgress: () => {},
      })
    await append('ada', 'PlayerCreated', { name: 'Ada Marker' }, 'none')
    await append('bob', 'PlayerCreated', { name: 'Bob Marker' }, 'none')
    await backUp()
    expect(holds(folder, 'Bob Marker')).to.equal(true)
    await append('bob', 'PlayerDeleted', {}, 0)
    const { rewritten } = await backUp()
    expect(rewritten).to.equal(1)
    expect([holds(folder, 'Ada Marker'), holds(folder, 'Bob Marker')]).to.deep.equal([true, false])
    const names: unknown[] = []
    const newest = await requireNewest(folderDestination(folder))
    for await (const events of readLog(folderDestination(folder), newest, createBackupCodes(key, 'i')))
      names.push(...events.map(({ data }) => data.name))
    expect(names).to.deep.equal(['Ada Marker', null, undefined])
  })
})
