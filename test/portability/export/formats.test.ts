// The content of an export in each format; a failed export leaves nothing under its name.

import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { StoredEvent } from '../../../domain/event.ts'
import { COLUMNS } from '../../../portability/export/columns.ts'
import { ArchiveFault, readManifest } from '../../../portability/export/manifest.ts'
import { checkedEvents } from '../../../portability/export/read.ts'
import { verifyArchive } from '../../../portability/export/verify.ts'
import { createArchive } from '../../../portability/export/write.ts'
import { ABOUT, asOneLog, exported, freshPath, oneOfEach, submissions } from './events.ts'

const named = (rows: readonly StoredEvent[], columns = COLUMNS) =>
  rows.map((event) => Object.fromEntries(columns.map(({ name, of }) => [name, of(event)])))

describe('an export', () => {
  it('contains each event unchanged, and a manifest with their count and positions', async () => {
    const events = oneOfEach()
    const { folder, manifest } = await exported(events)
    expect((await readdir(folder)).sort()).to.deep.equal(['events.ndjson', 'manifest.json', 'sums.bin'])
    expect(await readManifest(folder)).to.deep.equal(manifest)
    const keyed = events.filter(({ stream }) => /^(external|login|mail|folder|file)-/.test(stream)).length
    expect(manifest).to.include({ ...ABOUT, format: 'ndjson', events: events.length, pieces: events.length, keyed })
    expect([manifest.first, manifest.last]).to.deep.equal([events[0]?.position, events.at(-1)?.position])
    const read: StoredEvent[] = []
    for await (const some of checkedEvents(folder, manifest)) read.push(...some)
    expect(read).to.deep.equal(events)
    const line = JSON.parse((await readFile(join(folder, 'events.ndjson'), 'utf8')).split('\n')[0] ?? '')
    expect(Object.keys(line)).to.deep.equal(['position', 'stream', 'revision', 'id', 'type', 'time', 'data', 'meta'])
  })

  it('has the same chain for equal events, and another one for different events', async () => {
    const events = submissions(250)
    const chains = await Promise.all([events, events, events.slice(1)].map(async (some) => exported(some)))
    const [one, same, less] = chains.map(({ manifest }) => manifest.chain)
    expect([one === same, one === less]).to.deep.equal([true, false])
  })

  it('of an empty log is valid', async () => {
    for (const format of ['ndjson', 'csv', 'parquet'] as const) {
      const { folder, manifest } = await exported([], format)
      expect([manifest.events, manifest.first, manifest.last]).to.deep.equal([0, null, null])
      expect(await verifyArchive(folder)).to.deep.equal(manifest)
    }
  })

  it('as CSV has one row per event, decimals and times as text, and no text that a spreadsheet would execute', async () => {
    const tricky = ['=1+1', '+1', '-1', '@x', '\tx', 'a "b", c', 'plain', 'two\nlines'].flatMap((name) =>
      submissions(1, name),
    )
    const negative = submissions(1).map((event) => ({ ...event, data: { ...event.data, score: '-10.5' } }))
    const { folder } = await exported(asOneLog([...tricky, ...negative]), 'csv')
    const text = await readFile(join(folder, 'events.csv'), 'utf8')
    expect(text.split('\n')[0]).to.equal(COLUMNS.map(({ name }) => name).join(','))
    for (const cell of ["'=1+1", "'+1", "'-1", "'@x", "'\tx", '"a ""b"", c"', 'plain', '"two\nlines"']) {
      expect(text).to.contain(`,,,${cell},"{`)
    }
    expect(text).to.contain(',s0,-10.5,-10.5,,,,"{""id"":""s0"",""score"":""-10.5""')
    expect((await verifyArchive(folder)).events).to.equal(9)
  })

  it('as CSV begins with a byte order mark with the option for it, and is verified with it', async () => {
    const events = asOneLog(oneOfEach())
    const [plain, marked] = [await exported(events, 'csv'), await exported(events, 'csv', ABOUT, true)]
    const [text, withMark] = await Promise.all(
      [plain, marked].map(({ folder }) => readFile(join(folder, 'events.csv'), 'utf8')),
    )
    expect(withMark).to.equal(`\uFEFF${text}`)
    expect((await verifyArchive(marked.folder)).events).to.equal(events.length)
  })

  it('as Parquet has the same columns, typed, in row groups', async () => {
    const events = asOneLog([...oneOfEach(), ...submissions(26_000, 'Ada')])
    const { folder } = await exported(events, 'parquet')
    const file = await asyncBufferFromFile(join(folder, 'events.parquet'))
    const { row_groups, schema } = await parquetMetadataAsync(file)
    expect(row_groups.map(({ num_rows }) => Number(num_rows))).to.deep.equal([25_000, events.length - 25_000])
    const types = Object.fromEntries(schema.map(({ name, type, converted_type }) => [name, converted_type ?? type]))
    expect(types).to.include({ time: 'TIMESTAMP_MILLIS', score: 'UTF8', score_number: 'DOUBLE', revision: 'INT32' })
    expect(schema.find(({ name }) => name === 'time')?.logical_type).to.deep.equal({
      type: 'TIMESTAMP',
      isAdjustedToUTC: true,
      unit: 'MILLIS',
    })
    const rows = await parquetReadObjects({ file })
    const read = rows.map((row) => ({ ...row, time: (row.time as Date).toISOString() }))
    expect(read).to.deep.equal(named(events))
    await verifyArchive(folder)
  })

  it('leaves nothing under its name or next to it if the disk is full', async () => {
    for (const format of ['ndjson', 'csv', 'parquet'] as const) {
      for (const taken of [0, 1, 2]) {
        const folder = freshPath()
        let writes = 0
        const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        const archive = await createArchive(folder, format, {
          open: async (path, flags, mode) => {
            const handle = await open(path, flags, mode)
            const writeFile = handle.writeFile.bind(handle)
            handle.writeFile = (async (bytes: Uint8Array) => {
              if (writes++ >= taken) throw full
              await writeFile(bytes)
            }) as typeof handle.writeFile
            return handle
          },
        })
        const failure = await archive
          .add(submissions(500))
          .then(() => archive.finish(ABOUT))
          .catch((error: unknown) => error)
        expect(failure).to.equal(full)
        await archive.abandon()
        expect(await readdir(dirname(folder))).to.deep.equal([])
      }
    }
  })

  it('leaves nothing if it cannot start', async () => {
    for (const refused of ['events.csv', 'sums.bin']) {
      const folder = freshPath()
      const full = new Error('ENOSPC')
      const failure = await createArchive(folder, 'csv', {
        open: (path, flags, mode) => (basename(path) === refused ? Promise.reject(full) : open(path, flags, mode)),
      }).catch((error: unknown) => error)
      expect(failure).to.equal(full)
      expect(await readdir(dirname(folder))).to.deep.equal([])
    }
  })

  it('does not overwrite a target that was created during the export', async () => {
    for (const [comes, mine] of [
      [(path: string) => mkdir(path), 'mine'],
      [async () => {}, ''],
    ] as const) {
      const folder = freshPath()
      const archive = await createArchive(folder, 'ndjson')
      await archive.add(submissions(3))
      await comes(folder)
      await writeFile(join(folder, mine), 'mine')
      const failure = await archive.finish(ABOUT).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(ArchiveFault)
      expect(String(failure)).to.contain(`${folder} was created during the export, and is not overwritten`)
      await archive.abandon()
      expect(await readFile(join(folder, mine), 'utf8')).to.equal('mine')
      expect(await readdir(dirname(folder))).to.deep.equal([basename(folder)])
    }
  })
})
