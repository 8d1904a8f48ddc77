// The limit of reading a whole log: its rows are read directly from the file.

import { DatabaseSync } from '@photostructure/sqlite'

const PAGE = 4_000

/** Reads every row of a `log.sqlite` and parses its JSON. */
export function scanLog(path: string): void {
  const db = new DatabaseSync(path)
  const page = db.prepare(
    'SELECT position, stream, revision, id, type, data, meta FROM events WHERE position > ? ORDER BY position LIMIT ?',
  )
  page.setReturnArrays(true)
  for (let after = 0; ; ) {
    const rows: [number, string, number, string, string, string, string][] = page.all(after, PAGE)
    for (const [position, , , , , data, meta] of rows) {
      JSON.parse(data)
      JSON.parse(meta)
      after = position
    }
    if (rows.length < PAGE) break
  }
  db.close()
}
