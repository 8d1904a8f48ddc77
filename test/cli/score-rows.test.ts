// The rows of a file of scores, read without a server.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
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
})
