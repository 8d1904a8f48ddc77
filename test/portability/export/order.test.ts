// An export must contain a log or a part of one, and its columns must match its data, whatever its hashes say.

import { join } from 'node:path'
import { expect } from 'chai'
import type { StoredEvent } from '../../../domain/event.ts'
import { COLUMNS, type Column } from '../../../portability/export/columns.ts'
import { FORMATS, type Format } from '../../../portability/export/manifest.ts'
import { createSeenIds } from '../../../portability/export/order.ts'
import { verifyArchive } from '../../../portability/export/verify.ts'
import type { About } from '../../../portability/export/write.ts'
import { ABOUT, exported, faultOf, submissions } from './events.ts'

describe('verifying the events of an export', () => {
  describe('with events that cannot be in one log', () => {
    const part: About = { ...ABOUT, scope: { game: 'g1', filters: {} } }
    const wrong = async (events: readonly StoredEvent[], format: Format = 'ndjson', about = ABOUT) =>
      faultOf((await exported(events, format, about)).folder)
    const events = submissions(6)
    const withAt = (at: number, change: Partial<StoredEvent>) =>
      events.with(at, { ...(events[at] as StoredEvent), ...change })
    const at = (n: number) => events[n] as StoredEvent
    const named = { ndjson: 'Line', csv: 'Row', parquet: 'Row' } as const

    it('accepts times that decrease within a stream, in each format, for whole and filtered logs', async () => {
      const early = withAt(4, { meta: { ...at(4).meta, time: '2026-10-01T00:00:00.000Z' } })
      for (const format of FORMATS) {
        for (const about of [ABOUT, part]) {
          expect((await verifyArchive((await exported(early, format, about)).folder)).events).to.equal(6)
        }
      }
    })

    it('names an event with a duplicate id, in the same or another stream', async () => {
      for (const format of FORMATS) {
        const [unit] = [named[format].toLowerCase()]
        const same = withAt(3, { id: at(1).id })
        const other = withAt(5, { stream: 'lb_b1-p2', revision: 0, id: at(1).id.toUpperCase() })
        expect(await wrong(same, format)).to.equal(
          `${named[format]} 4 of events.${format} has the id of ${unit} 2: ids are unique.`,
        )
        expect(await wrong(other, format)).to.contain(`${named[format]} 6 of events.${format} has the id of ${unit} 2`)
      }
    })

    it('names an event whose revision goes backwards in a filtered log', async () => {
      expect((await exported(events.toSpliced(2, 2), 'ndjson', part)).manifest.events).to.equal(4)
      expect(await wrong(withAt(3, { revision: 1 }), 'csv', part)).to.equal(
        'Row 4 of events.csv has revision 1 of lb_b1-p1, and revision 3 is the least that can follow.',
      )
      expect(await wrong(events.toSpliced(2, 1), 'parquet')).to.contain('Row 3 of events.parquet has revision 3')
    })
  })

  it('rejects a column that differs from the data, even with recomputed hashes', async () => {
    const other = COLUMNS.map((column) => (column.name === 'score_number' ? { ...column, of: () => 7 } : column))
    const original = COLUMNS.slice()
    for (const format of ['csv', 'parquet'] as const) {
      const columns = COLUMNS as Column[]
      columns.splice(0, columns.length, ...other)
      const made = await exported(submissions(3), format)
      columns.splice(0, columns.length, ...original)
      const shown = format === 'csv' ? '"7"' : '7'
      expect(await faultOf(made.folder)).to.equal(
        `Row 1 of ${join(made.folder, `events.${format}`)} has ${shown} as score_number, but its data give 0.5.`,
      )
    }
  })

  it('finds each id by all of its bits, in any case, and where it was first', () => {
    const whereSeen = createSeenIds()
    const uuid = (n: number) => {
      const hex = (n * 2_654_435_761).toString(16).padStart(32, '0')
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    }
    for (let n = 1; n <= 20_000; n++) expect(whereSeen(uuid(n), n)).to.equal(null)
    for (let n = 1; n <= 20_000; n += 997) expect(whereSeen(uuid(n).toUpperCase(), 20_001)).to.equal(n)
    const one = '0123abcd-0123-8123-8123-0123456789ab'
    expect(whereSeen(one, 7)).to.equal(null)
    for (const at of [0, 9, 14, 19, 24, 35]) {
      const other = one.slice(0, at) + (one[at] === 'f' ? 'e' : 'f') + one.slice(at + 1)
      expect(whereSeen(other, 8), other).to.equal(null)
    }
    expect(whereSeen(one, 9)).to.equal(7)
  })
})
