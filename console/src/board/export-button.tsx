import { useRef, useState } from 'preact/hooks'
import type { Api, ScoresPage, ScoresQuery } from '../api.ts'
import { csvLine, fileName, saveFile } from '../csv.ts'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'

/** Rows per read. */
const PAGE = 100

interface ExportButtonProps {
  readonly api: Api
  readonly board: { readonly id: string; readonly name: string }
  readonly query: () => ScoresQuery
}

/** Saves what the page shows, all of its rows, as CSV. Shows the progress; a second press stops. */
export function ExportButton({ api, board, query }: ExportButtonProps) {
  const [rows, setRows] = useState<{ done: number; all: number } | null>(null)
  const running = useRef<AbortController | null>(null)
  const run = async () => {
    if (running.current !== null) return running.current.abort()
    const stop = new AbortController()
    running.current = stop
    setRows({ done: 0, all: 0 })
    await runAction(async () => {
      const onRows = (done: number, all: number) => setRows({ done, all })
      const lines = await exportLines(api, board.id, query(), { signal: stop.signal, onRows })
      if (!stop.signal.aborted) saveFile(fileName(board.name, 'csv'), lines)
    })
    running.current = null
    setRows(null)
  }
  return (
    <>
      <button type="button" onClick={run}>
        {rows === null ? texts.board.export : texts.board.stopExport}
      </button>
      {rows !== null && (
        <span class="soft small" role="status">
          {texts.board.exporting(whole(rows.done), whole(rows.all))}
        </span>
      )}
    </>
  )
}

/**
 * The lines of the file, read page by page. `onRows` is called with the number of rows so far, and of all. Stops when
 * `signal` aborts.
 */
async function exportLines(
  api: Pick<Api, 'scores'>,
  board: string,
  query: ScoresQuery,
  progress: { readonly signal: AbortSignal; onRows(done: number, all: number): void },
): Promise<string[]> {
  const lines = [csvLine(texts.board.csv)]
  for (let offset: number | null = 0; offset !== null && !progress.signal.aborted; ) {
    const page: ScoresPage = await api.scores(board, { ...query, limit: PAGE, offset })
    for (const row of page.scores) {
      const extra = row.extra_data === null ? null : JSON.stringify(row.extra_data)
      lines.push(
        csvLine([
          row.rank,
          row.player,
          row.player_name,
          row.score,
          row.secondary_score,
          row.added,
          row.updated,
          row.id,
          extra,
        ]),
      )
    }
    offset = page.next_offset
    progress.onRows(lines.length - 1, page.count)
  }
  return lines
}
