// The rows of a file of scores, read without a server.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { UsageFault } from '../../cli/failure.ts'
import { type ScoreRow, scoreRows } from '../../cli/score-rows.ts'
import { newFolder } from './service.ts'

const BOARD = 'abcd2345abcd2345abcd2345'

/** The rows, and the error after them. */
async function rowsOf(path: string): Promise<{ rows: ScoreRow[]; failure: unknown }> {
  const rows: ScoreRow[] = []
  try {
    for await (const row of scoreRows(path, BOARD)) rows.push(row)
    return { rows, failure: null }
  } catch (failure) {
    return { rows, failure }
  }
}

describe('the rows of a file of scores', () => {
  let folder: string
  before(async () => {
    folder = await newFolder()
  })

  for (const name of ['folder.csv', 'folder.ndjson']) {
    it(`rejects with the reason and the name of the file if ${name} cannot be read`, async () => {
      // A folder opens as a file does, and its first read fails.
      const path = join(folder, name)
      await mkdir(path)
      const { rows, failure } = await rowsOf(path)
      expect(rows).to.deep.equal([])
      expect(failure).to.be.instanceOf(Error)
      expect((failure as Error).message).to.match(/folder\.(csv|ndjson) cannot be read: EISDIR/)
    })
  }

  /** A chunk of a file. */
  const CHUNK = 65_536
  const E_ACUTE = Buffer.from('é')
  const FORMATS = [
    { name: 'rows.csv', head: 'external_id,score\n', row: (id: string) => `${id},1\n` },
    { name: 'rows.ndjson', head: '', row: (id: string) => `{"external_id":"${id}","score":"1"}\n` },
  ]
  for (const { name, head, row } of FORMATS) {
    const file = async (...parts: (string | Uint8Array)[]) => {
      const path = join(folder, name)
      await writeFile(path, Buffer.concat(parts.map((part) => Buffer.from(part))))
      return path
    }
    const refusal = (line: number) =>
      `Line ${line} of ${join(folder, name)} is not valid UTF-8. Neither it nor a later line is sent. ` +
      'Convert the whole file from its encoding to UTF-8, with an editor or with `iconv`.'

    it(`refuses Latin-1 in ${name} with its line, and yields no row from there on`, async () => {
      const rowsBefore = 8_000
      const text = head + row('account').repeat(rowsBefore) + row('José') + row('account')
      expect(text.length).to.be.greaterThan(CHUNK)
      const { rows, failure } = await rowsOf(await file(Buffer.from(text, 'latin1')))
      expect(failure).to.be.instanceOf(UsageFault)
      expect((failure as Error).message).to.equal(refusal(rowsBefore + (head === '' ? 1 : 2)))
      expect(rows.length).to.be.at.most(rowsBefore)
      expect(
        rows.every(({ submission }) => 'external_id' in submission && submission.external_id === 'account'),
      ).to.equal(true)
    })

    it(`refuses ${name} that ends inside a character`, async () => {
      const path = await file(head, row('account'), row('José').split('é')[0] ?? '', E_ACUTE.subarray(0, 1))
      const { failure } = await rowsOf(path)
      expect((failure as Error | null)?.message).to.equal(refusal(head === '' ? 2 : 3))
    })

    it(`reads a character of ${name} that two chunks share`, async () => {
      const [start = '', end = ''] = row('Jos|é').split('|')
      const filler = 'a'.repeat(CHUNK - 1 - Buffer.byteLength(head + row('') + start))
      const { rows, failure } = await rowsOf(await file(head, row(filler), start, end))
      expect(failure).to.equal(null)
      expect(rows.at(-1)?.submission).to.deep.include({ external_id: 'José' })
    })

    it(`skips the byte order mark of ${name}`, async () => {
      const { rows, failure } = await rowsOf(await file('\uFEFF', head, row('José')))
      expect(failure).to.equal(null)
      expect(rows.map(({ submission }) => submission)).to.have.length(1)
      expect(rows[0]?.submission).to.deep.include({ external_id: 'José' })
    })
  }
})
