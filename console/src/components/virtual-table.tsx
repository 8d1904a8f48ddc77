import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { useRowFocus } from './row-focus.ts'

interface VirtualTableProps {
  /** Names the region that scrolls. */
  readonly label: string
  /** The header cells. */
  readonly head: ComponentChildren
  readonly columns: number
  readonly count: number
  /** Renders a `tr` with this key. */
  readonly row: (index: number) => ComponentChildren
  readonly onRange?: (first: number, last: number) => void
  readonly isBusy?: boolean
  readonly look?: string
  /** Scrolls to this row whenever the object changes. */
  readonly target?: { readonly index: number } | null
}

/** Height of a row, as in the style sheet (--row). */
const ROW_REM = 2.5
/** Rows rendered above and below the visible ones. */
const EXTRA = 6

/**
 * A table of any length in a region of its own, of which only the visible rows exist. The arrow keys move between rows.
 */
export function VirtualTable(props: VirtualTableProps) {
  const { label, head, columns, count, row, onRange, isBusy = false, look = '', target } = props
  const region = useRef<HTMLDivElement>(null)
  const rowPx = useRef(40)
  const [view, setView] = useState({ top: 0, height: 600 })

  useLayoutEffect(() => {
    const element = region.current
    if (element === null) return
    rowPx.current = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight || 600 })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])

  useEffect(() => {
    const element = region.current
    if (element === null || target == null) return
    element.scrollTop = Math.max(0, (target.index + 1) * rowPx.current - element.clientHeight / 2)
  }, [target])

  const first = Math.max(0, Math.min(count - 1, Math.floor(view.top / rowPx.current)) - EXTRA)
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowPx.current) + EXTRA)
  useEffect(() => {
    if (last >= first) onRange?.(first, last)
  }, [first, last, onRange])

  useRowFocus(region)

  const rows: ComponentChildren[] = []
  for (let index = first; index <= last; index++) rows.push(row(index))
  return (
    <section
      class={`scroll long ${look}`}
      ref={region}
      tabIndex={0}
      aria-label={label}
      aria-description={texts.common.rowKeys}
      aria-busy={isBusy}
    >
      <table aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          <Space rows={first} columns={columns} rowPx={rowPx.current} />
          {rows}
          <Space rows={Math.max(0, count - 1 - last)} columns={columns} rowPx={rowPx.current} />
        </tbody>
      </table>
    </section>
  )
}

interface SpaceProps {
  readonly rows: number
  readonly columns: number
  readonly rowPx: number
}

/** Takes the place of rows that do not exist. */
function Space({ rows, columns, rowPx }: SpaceProps) {
  if (rows <= 0) return null
  return (
    <tr class="space" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * rowPx}px` }} />
    </tr>
  )
}
