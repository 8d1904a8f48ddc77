// Every way in which an export can differ from what was written is detected and located.

import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { JSON_MAX_DEPTH, type Json, type JsonObject, type StoredEvent } from '../../../domain/event.ts'
import { type Format, type Manifest, manifestText } from '../../../portability/export/manifest.ts'
import { verifyArchive } from '../../../portability/export/verify.ts'
import { exported, faultOf, submissions } from './events.ts'

describe('verifying an export', () => {
  let folder: string
  let manifest: Manifest
  let path: string
  let lines: string[]

  beforeEach(async () => {
    const made = await exported(submissions(20))
    folder = made.folder
    manifest = made.manifest
    path = join(folder, 'events.ndjson')
    lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  })

  const changed = async (change: (lines: string[]) => string[]) => {
    await writeFile(
      path,
      change([...lines])
        .map((line) => `${line}\n`)
        .join(''),
    )
    return faultOf(folder)
  }
  const line = (n: number) => lines[n - 1] ?? ''

  it('accepts a complete export', async () => {
    expect(await verifyArchive(folder)).to.deep.equal(manifest)
  })

  it('detects truncation, between lines and within one', async () => {
    expect(await changed((all) => all.slice(0, 12))).to.equal(
      `${path} was cut: it ends after line 12, but should continue to line 20.`,
    )
    expect(await changed(() => [])).to.contain('was cut: it is empty')
    await writeFile(path, `${lines.join('\n')}\n`)
    await truncate(path, lines.slice(0, 15).join('\n').length + 1 + 40)
    expect(await faultOf(folder)).to.contain('it was cut in the middle of line 16 of 20')
  })

  it('detects a line that was changed, removed, inserted, moved, swapped or repeated', async () => {
    const seven = line(7).replace('6.5', '9.5')
    expect(await changed((all) => all.with(6, seven))).to.contain('line 7 was changed')
    expect(await changed((all) => all.toSpliced(6, 1))).to.contain('line 7 is missing: what was written as line 8')
    expect(await changed((all) => all.toSpliced(6, 3))).to.contain('lines 7 to 9 are missing or were moved')
    expect(await changed((all) => all.toSpliced(6, 0, seven))).to.contain('line 7 was inserted')
    expect(await changed((all) => all.with(6, line(8)).with(7, line(7)))).to.contain('lines 7 and 8 are swapped')
    expect(await changed((all) => all.with(6, line(3)))).to.contain('it repeats line 3')
  })

  it('detects data added at the end', async () => {
    expect(await changed((all) => [...all, line(20)])).to.contain('continues after line 20, where it should end')
  })

  it('detects truncation, changes and additions in a format without lines', async () => {
    const { folder } = await exported(submissions(5_000, 'Ada'), 'parquet')
    const path = join(folder, 'events.parquet')
    const bytes = await readFile(path)
    expect(bytes.length).to.be.greaterThan(2 * 65_536)
    const other = Buffer.from(bytes)
    other[70_000] = (other[70_000] ?? 0) ^ 1
    await writeFile(path, other)
    expect(await faultOf(folder)).to.contain('it was cut or changed between bytes 65536 and 131072')
    await writeFile(path, bytes.subarray(0, 65_536))
    expect(await faultOf(folder)).to.contain('was cut: it ends after byte 65536')
    await writeFile(path, Buffer.concat([bytes, Buffer.alloc(100_000)]))
    expect(await faultOf(folder))
      .to.contain('cut or changed')
      .and.not.contain('bytes 0 and')
  })

  it('rejects a manifest that was changed, truncated, is missing, or is of another export', async () => {
    const at = join(folder, 'manifest.json')
    const text = await readFile(at, 'utf8')
    for (const [found, put] of [
      ['"events": 20', '"events": 19'],
      [manifest.chain, manifest.chain.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
      ['a1b2c3', 'a1b2c4'],
    ] as const) {
      await writeFile(at, text.replace(found, put))
      expect(await faultOf(folder)).to.contain('was changed after it was written')
    }
    const other = await exported(submissions(21))
    await writeFile(at, await readFile(join(other.folder, 'manifest.json')))
    expect(await faultOf(folder)).to.contain('sums.bin does not match the manifest')
    await writeFile(join(folder, 'sums.bin'), await readFile(join(other.folder, 'sums.bin')))
    expect(await faultOf(folder)).to.contain('was cut: it ends after line 20, but should continue to line 21')
    await writeFile(at, text.slice(0, 80))
    expect(await faultOf(folder)).to.contain('is not JSON')
    await rm(at)
    expect(await faultOf(folder)).to.contain('There is no export in')
  })

  it('rejects an export with a missing file or changed sums', async () => {
    const sums = join(folder, 'sums.bin')
    const bytes = await readFile(sums)
    await writeFile(sums, Buffer.concat([bytes, bytes]))
    expect(await faultOf(folder)).to.contain('does not match the manifest')
    await rm(sums)
    expect(await faultOf(folder)).to.contain('sums.bin is missing')
    await writeFile(sums, bytes)
    await rm(path)
    expect(await faultOf(folder)).to.contain('events.ndjson is missing')
  })

  it('rejects a manifest whose counts and positions differ from its events', async () => {
    for (const [wrong, error] of [
      [{ events: 19 }, 'counts 19 events, and there are 20'],
      [{ last: manifest.first }, 'is not at the last position'],
      [{ first: manifest.last }, 'is not at the first position'],
      [{ chain: '00' }, 'the hash chain differs'],
      [{ keyed: 1 }, 'counts 1 events in streams named by digests, and there are 0'],
    ] as const) {
      await writeFile(join(folder, 'manifest.json'), manifestText({ ...manifest, ...wrong }))
      expect(await faultOf(folder)).to.contain(error)
    }
  })

  it('rejects a log that was incomplete or out of order when it was written', async () => {
    const events = submissions(5)
    const wrong = async (some: readonly StoredEvent[]) => faultOf((await exported(some)).folder)
    expect(await wrong(events.slice(1))).to.contain(
      'Line 1 of events.ndjson has revision 1 of lb_b1-p1, and revision 0',
    )
    expect(await wrong(events.toSpliced(2, 1))).to.contain('Line 3 of events.ndjson has revision 3')
    const swapped = events.map((event, n) => ({ ...event, position: events[[0, 2, 1, 3, 4][n] ?? 0]?.position ?? '' }))
    expect(await wrong(swapped)).to.contain('Line 3 of events.ndjson is not at a later position than the one before it')
    const [first] = events
    for (const meta of [null, { time: 'x' }]) {
      expect(await wrong([{ ...first, meta: { ...meta } } as unknown as StoredEvent])).to.contain('is not an event')
    }
  })

  it('rejects a manifest with invalid fields, even with recomputed hashes', async () => {
    for (const [wrong, error] of [
      [{ scope: undefined }, 'has no valid scope'],
      [{ scope: { game: 1, filters: {} } }, 'has no valid scope'],
      [{ pieces: '20', events: -1, first: 1 }, 'has no valid events, first, pieces'],
      [{ pieces: 1e300 }, 'has no valid pieces'],
      [{ format: '/../../other' }, 'not the manifest of an export that this version can read'],
    ] as const) {
      await writeFile(join(folder, 'manifest.json'), manifestText({ ...manifest, ...wrong } as unknown as Manifest))
      expect(await faultOf(folder)).to.contain(error)
    }
  })

  it('rejects invalid events, even with recomputed hashes', async () => {
    const [first] = submissions(1)
    if (first === undefined) throw new Error('there is not an event')
    const made = async (change: object, meta: object = {}) =>
      faultOf((await exported([{ ...first, ...change, meta: { ...first.meta, ...meta } } as StoredEvent])).folder)
    for (const stream of ['evil', '__proto__', '', 'lb_b1-\u0000\n../x', 'lb_b1 p1', `lb_${'x'.repeat(300)}`]) {
      expect(await made({ stream }), stream)
        .to.contain('Line 1 of')
        .and.contain('no valid stream')
    }
    expect(await made({ id: 'no uuid' })).to.contain('no valid id.')
    for (const type of ['__proto__', 'constructor', 'a b', 7]) {
      expect(await made({ type })).to.contain('no valid type.')
    }
    expect(await made({ position: '\u0001' })).to.contain('no valid position.')
    for (const [name, values] of Object.entries({
      game: [5, { length: 1 }, '', 'g\n1', undefined],
      player: [7, '\u0000'],
      board: [{}],
      command: [{ a: 1 }, undefined],
      v: [0, '1', 1.5],
      time: ['yesterday', '2026-02-30T00:00:00.000Z', '+275761-01-01T00:00:00.000Z', '2026-11-01T00:00:00Z'],
    })) {
      for (const value of values) expect(await made({}, { [name]: value })).to.contain(`no valid meta.${name}`)
    }
  })

  it('rejects and names an event that is nested too deeply, in each format', async () => {
    const [first] = submissions(1)
    if (first === undefined) throw new Error('there is not an event')
    const made = async (format: Format, data: JsonObject, meta: JsonObject = {}) => {
      return (await exported([{ ...first, data, meta: { ...first.meta, ...meta } } as StoredEvent], format)).folder
    }
    for (const format of ['ndjson', 'csv', 'parquet'] as const) {
      await verifyArchive(await made(format, { ...first.data, more: nested(JSON_MAX_DEPTH - 1) }))
      for (const levels of [JSON_MAX_DEPTH, 2_000]) {
        expect(
          await faultOf(await made(format, { ...first.data, more: nested(levels) })),
          `${format}, ${levels} levels`,
        )
          .to.contain(' 1 of ')
          .and.contain(`(ScoreSubmitted ${first.id}) is nested deeper than 40 levels`)
      }
    }
    expect(await faultOf(await made('ndjson', first.data, { more: nested(JSON_MAX_DEPTH) }))).to.contain(
      'deeper than 40 levels',
    )
  })
})

/** Lists and objects in each other, so many levels of them. */
function nested(levels: number): Json {
  let value: Json = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { in: value }
  return value
}
