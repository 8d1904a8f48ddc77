import { useRef, useState } from 'preact/hooks'
import type { Api, ScoresQuery } from '../api.ts'
import { fileName, saveFile } from '../csv.ts'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { exportLines } from './export-board.ts'

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
