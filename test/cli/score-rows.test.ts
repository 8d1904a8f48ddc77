// The rows of a file of scores, read without a server.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { UsageFault } from '../../cli/failure.ts'
import { type ScoreRow, scoreRows } from '../../cli/score-rows.ts'
import type { Leaderboard } from '../../clients/javascript/score-shapes.ts'
import { Refusal } from '../../domain/decider.ts'
import { newFolder } from './service.ts'

const BOARD = { id: 'abcd2345abcd2345abcd2345', key: 'weekly' }

/** The rows, and the error after them. */
async function rowsOf(
  path: string,
  board: Pick<Leaderboard, 'id' | 'key'> = BOARD,
): Promise<{ rows: ScoreRow[]; failure: unknown }> {
  const rows: ScoreRow[] = []
  try {
    for await (const row of scoreRows(path, board)) rows.push(row)
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

  const ndjson = async (...rows: object[]) => {
    const path = join(folder, 'fields.ndjson')
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return (await rowsOf(path)).rows
  }
  const refusalsOf = (rows: readonly ScoreRow[]) =>
    rows.map(({ line, submission }) => [line, submission instanceof Refusal ? submission.message : null])

  it('refuses an NDJSON row that names another leaderboard', async () => {
    const player = { external_id: 'account', score: '1' }
    const another =
      'The row is malformed at "/leaderboard": is not that of --leaderboard: put the rows of each leaderboard in a file of their own.'
    expect(
      refusalsOf(
        await ndjson(
          { ...player, leaderboard: 'daily' },
          { ...player, leaderboard: 'weekly' },
          { ...player, leaderboard: BOARD.id },
          { ...player, leaderboard: null },
          player,
        ),
      ),
    ).to.deep.equal([
      [1, another],
      [2, null],
      [3, null],
      [4, another],
      [5, null],
    ])
  })

  it('sends an NDJSON row that names the leaderboard by its key with the id of the leaderboard', async () => {
    const [row] = await ndjson({ external_id: 'account', score: '1', leaderboard: 'weekly' })
    expect(row?.submission).to.include({ leaderboard: BOARD.id })
  })

  it('refuses a null leaderboard of an NDJSON row on a leaderboard without a key', async () => {
    const path = join(folder, 'null.ndjson')
    await writeFile(path, '{"external_id":"account","score":"1","leaderboard":null}')
    const { rows } = await rowsOf(path, { ...BOARD, key: null })
    expect(rows[0]?.submission).to.be.instanceOf(Refusal)
  })

  it('refuses an NDJSON row with an idempotency key of its own', async () => {
    expect(refusalsOf(await ndjson({ external_id: 'account', score: '1', idempotency_key: 'match-1' }))).to.deep.equal([
      [
        1,
        'The row is malformed at "/idempotency_key": cannot be imported, as the command makes a key for each row: remove it.',
      ],
    ])
  })

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
