import type { ComponentChildren } from 'preact'
import { texts } from '../texts.ts'

interface ScrollRegionProps {
  /** What the table has. */
  readonly label: string
  readonly children: ComponentChildren
  /** Limits the height too. */
  readonly long?: boolean
  /** Whether rows become several lines where the table is wider than its place; their cells then have `data-head`. */
  readonly stacks?: boolean
}

/**
 * Scrolls what is wider than the page, such as a table, by itself. It gets the focus, so that the keyboard can scroll
 * it.
 */
export function ScrollRegion({ label, children, long = false, stacks = false }: ScrollRegionProps) {
  return (
    <section
      class={`scroll${long ? ' long' : ''}${stacks ? ' stacks' : ''}`}
      tabIndex={0}
      aria-label={texts.common.tableOf(label)}
    >
      {children}
    </section>
  )
}
