import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'

interface VirtualTableProps {
  /** Names the region that scrolls. */
  readonly label: string
  /** The header cells. */
  readonly head: ComponentChildren
  readonly columns: number
  readonly count: number
  /** Renders a `tr` with this key. */
  readonly row: (index: number, look: string) => ComponentChildren
  readonly onRange?: (first: number, last: number) => void
  readonly isBusy?: boolean
  readonly look?: string
  /** How the rows fit into a width in rem; without it they are lines of a table. */
  readonly layout?: (width: number) => Layout
  /** Scrolls to this row whenever the object changes. */
  readonly target?: { readonly index: number } | null
  /** Index of the first visible row at the start. */
  readonly first?: number
  /** Called with the index of the first visible row when it changes. */
  readonly onFirst?: (index: number) => void
  /** A click on a row, but not on a control or a selected text in it. */
  readonly onRow?: (index: number) => void
}

/** Sizes in rem. */
interface Layout {
  readonly look: string
  /** Height of each row. */
  readonly row: number
  /** Greatest width of a name; 0: any. */
  readonly name: number
}

/** Height of a row as in the style sheet (--row). */
const TABLE: Layout = { look: '', row: 2.5, name: 0 }
/** Lines of a table; where it is narrower than `width` rem, rows of several lines with this look and height. */
export const stackedBelow =
  (width: number, look: string, row: number) =>
  (own: number): Layout =>
    own < width ? { look, row, name: 0 } : TABLE
/** Rows rendered above and below the visible ones. */
const EXTRA = 6

/**
 * A table of any length in a region of its own, of which only the visible rows exist. The arrow keys move between rows.
 */
export function VirtualTable(props: VirtualTableProps) {
  const {
    label,
    head,
    columns,
    count,
    row,
    onRange,
    isBusy = false,
    look = '',
    target,
    layout,
    first: start = 0,
  } = props
  const region = useRef<HTMLDivElement>(null)
  const view = useView(region)
  const shape = view.width === 0 ? TABLE : (layout?.(view.width / view.rem) ?? TABLE)
  const rowPx = shape.row * view.rem

  useScrolling(region, { view, rowPx, target, start, onFirst: props.onFirst })
  useRowClicks(region, props.onRow)

  const first = Math.max(0, Math.min(count - 1, Math.floor(view.top / rowPx)) - EXTRA)
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowPx) + EXTRA)
  useEffect(() => {
    if (last >= first) onRange?.(first, last)
  }, [first, last, onRange])

  useRowFocus(region)

  const rows: ComponentChildren[] = []
  for (let index = first; index <= last; index++) rows.push(row(index, shape.look))
  return (
    <section
      class={`scroll long ${look} ${shape.look}`}
      style={{ '--row-height': `${shape.row}rem`, '--name': shape.name === 0 ? '100%' : `${shape.name}rem` }}
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
          <Space rows={first} columns={columns} rowPx={rowPx} />
          {rows}
          <Space rows={Math.max(0, count - 1 - last)} columns={columns} rowPx={rowPx} />
        </tbody>
      </table>
    </section>
  )
}

interface View {
  readonly top: number
  readonly height: number
  readonly width: number
  /** Pixels. */
  readonly rem: number
}

/** What is visible of the region. */
function useView(region: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, height: 600, width: 0, rem: 16 })
  useLayoutEffect(() => {
    const element = region.current
    if (element === null) return
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const measure = () =>
      setView({ top: element.scrollTop, height: element.clientHeight || 600, width: element.clientWidth, rem })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  return view
}

interface Scrolling {
  readonly view: View
  readonly rowPx: number
  readonly target: VirtualTableProps['target']
  /** Index of the first visible row at the start. */
  readonly start: number
  readonly onFirst: VirtualTableProps['onFirst']
}

/** Scrolls to the row at the start, and to each target; keeps the row at the top when rows change their height. */
function useScrolling(region: RefObject<HTMLElement | null>, { view, rowPx, target, start, onFirst }: Scrolling): void {
  const before = useRef(rowPx)
  useLayoutEffect(() => {
    // The same row stays at the top when rows become higher or lower.
    if (region.current !== null && before.current !== rowPx) region.current.scrollTop *= rowPx / before.current
    before.current = rowPx
  }, [rowPx])

  useEffect(() => {
    const element = region.current
    if (element === null || target == null) return
    element.scrollTop = Math.max(0, (target.index + 1) * before.current - element.clientHeight / 2)
  }, [target])

  useLayoutEffect(() => {
    if (region.current !== null && start > 0 && view.width > 0) region.current.scrollTop = start * before.current
  }, [view.width > 0])
  const top = Math.round(view.top / rowPx)
  const shownTop = useRef(start)
  useEffect(() => {
    if (view.width === 0 || top === shownTop.current) return
    shownTop.current = top
    onFirst?.(top)
  }, [top, view.width > 0])
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

/** Calls back with the index of a clicked row. The keyboard reaches the same by a control in the row. */
function useRowClicks(region: RefObject<HTMLElement | null>, onRow: ((index: number) => void) | undefined): void {
  const latest = useRef(onRow)
  latest.current = onRow
  useEffect(() => {
    const element = region.current
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element
      const row = target.closest('tbody tr[aria-rowindex]')
      if (row === null || target.closest('a, button, input, [popover]') !== null) return
      if (getSelection()?.isCollapsed === false) return
      latest.current?.(indexOf(row) - 2)
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [])
}

const CONTROLS = 'a[href], button:not([role=menuitem]), summary, input, time[tabindex]'
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

const controlsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(CONTROLS)]
const indexOf = (row: Element): number => Number(row.getAttribute('aria-rowindex'))

/**
 * Moves through the rows of a table by the arrow keys. Tab stops at the controls of one row only: a table of any length
 * would otherwise never let the keyboard out. Call it on each render of the table in `region`, whose rows have
 * `aria-rowindex`.
 */
function useRowFocus(region: RefObject<HTMLElement | null>): void {
  const active = useRef(0)

  const mark = () => {
    const rows = [...(region.current?.querySelectorAll('tbody tr[aria-rowindex]') ?? [])]
    if (!rows.some((row) => indexOf(row) === active.current)) {
      const focused = rows.find((row) => row.contains(document.activeElement))
      const top = region.current?.getBoundingClientRect().top ?? 0
      const visible = rows.find((row) => row.getBoundingClientRect().top >= top)
      active.current = indexOf(focused ?? visible ?? rows[0] ?? document.body)
    }
    for (const row of rows) {
      for (const control of controlsOf(row)) control.tabIndex = indexOf(row) === active.current ? 0 : -1
    }
  }
  useLayoutEffect(mark)

  useEffect(() => {
    const element = region.current
    const onFocus = (event: FocusEvent) => {
      const row = (event.target as Element).closest('tbody tr[aria-rowindex]')
      if (row === null || indexOf(row) === active.current) return
      active.current = indexOf(row)
      mark()
    }
    const onKey = (event: KeyboardEvent) => {
      const move = MOVES[event.key]
      const row = (event.target as Element).closest('tbody tr[aria-rowindex]')
      if (move === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const next =
        row === null
          ? move > 0 && element?.querySelector(`tbody tr[aria-rowindex="${active.current}"]`)
          : element?.querySelector(`tbody tr[aria-rowindex="${indexOf(row) + move}"]`)
      if (!next) return
      const controls = controlsOf(next)
      const at = row === null ? 0 : controlsOf(row).indexOf(event.target as HTMLElement)
      const control = controls[Math.min(Math.max(0, at), controls.length - 1)]
      if (control === undefined) return
      event.preventDefault()
      control.focus()
      control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    element?.addEventListener('focusin', onFocus)
    element?.addEventListener('keydown', onKey)
    return () => {
      element?.removeEventListener('focusin', onFocus)
      element?.removeEventListener('keydown', onKey)
    }
  }, [])
}
