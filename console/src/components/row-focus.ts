// Moves through the rows of a table by the arrow keys. Tab stops at the controls of one row only: a table of any length
// would otherwise never let the keyboard out.

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

const CONTROLS = 'a[href], button, summary, input, time[tabindex]'
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

const controlsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll<HTMLElement>(CONTROLS)]
const indexOf = (row: Element): number => Number(row.getAttribute('aria-rowindex'))

/** Call it on each render of the table in `region`, whose rows have `aria-rowindex`. */
export function useRowFocus(region: RefObject<HTMLElement | null>): void {
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
