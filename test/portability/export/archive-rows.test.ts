// Parsing CSV: unchanged in chunks of any size; invalid CSV is reported by row.

import { expect } from 'chai'
import { stringify } from 'csv-stringify/sync'
import { csvRecords } from '../../../portability/export/archive-rows.ts'

async function* pieces(text: string, length: number): AsyncGenerator<Buffer[]> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield [bytes.subarray(at, at + length)]
}

async function read(text: string, length = text.length): Promise<string[][]> {
  const rows: string[][] = []
  for await (const some of csvRecords(pieces(text, length), 'events.csv')) rows.push(...some)
  return rows
}

const faultOf = async (text: string) => read(text).catch((error: Error) => [error.name, error.message])

describe('csvRecords', () => {
  it('reads the same rows from chunks of any size', async () => {
    const rows = [
      ['a', 'b', 'c'],
      ...['', 'plain', 'with, comma', 'a "quote"', '"', '""', 'two\nlines', 'a\r\nb', ' spaces ', "'=1", 'é😀'].map(
        (cell) => [cell, '', cell],
      ),
    ]
    const text = stringify(rows)
    for (const length of [1, 2, 3, 7, 1_000]) expect(await read(text, length), `${length}`).to.deep.equal(rows)
    expect(await read(text.slice(0, -1))).to.deep.equal(rows)
    expect(await read('')).to.deep.equal([])
  })

  it('yields rows in order, in batches of 250', async () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => [`${n}`, 'x'])
    const parts: string[][][] = []
    for await (const part of csvRecords(pieces(stringify(rows), 4_096), 'events.csv')) parts.push(part)
    expect(parts.map(({ length }) => length)).to.deep.equal([250, 250, 250, 250, 1])
    expect(parts.flat()).to.deep.equal(rows)
  })

  it('names the row that is unterminated, wrongly quoted, or has other columns', async () => {
    expect(await faultOf('a,b\n1,2\n3,"4\n5,6\n')).to.deep.equal([
      'ArchiveFault',
      'Row 2 of events.csv does not end: a quote is missing.',
    ])
    for (const text of ['a,b\n1,"2"x\n', 'a,b\n1,2"\n']) {
      const [name, message] = (await faultOf(text)) as string[]
      expect([name, message?.slice(0, 38)]).to.deep.equal(['ArchiveFault', 'Row 1 of events.csv is not valid CSV: '])
    }
    const [, other] = (await faultOf('a,b\n1,2\n1,2,3\n')) as string[]
    expect(other).to.contain('Row 2 of events.csv is not valid CSV: ')
  })

  it('throws the error of its source', async () => {
    const broken = new Error('the disk is gone')
    async function* failing(): AsyncGenerator<Buffer[]> {
      yield [Buffer.from('a,b\n1,2\n')]
      throw broken
    }
    const all = async () => {
      for await (const _ of csvRecords(failing(), 'events.csv'));
    }
    expect(await all().catch((error) => error)).to.equal(broken)
  })
})
