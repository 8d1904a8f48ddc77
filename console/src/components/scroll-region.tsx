import type { ComponentChildren } from 'preact'
import { texts } from '../texts.ts'

interface ScrollRegionProps {
  /** What the table has. */
  readonly label: string
  readonly children: ComponentChildren
  /** Limits the height too. */
  readonly long?: boolean
}

/**
 * Scrolls what is wider than the page, such as a table, by itself. It gets the focus, so that the keyboard can scroll
 * it.
 */
export function ScrollRegion({ label, children, long = false }: ScrollRegionProps) {
  return (
    <section class={long ? 'scroll long' : 'scroll'} tabIndex={0} aria-label={texts.common.tableOf(label)}>
      {children}
    </section>
  )
}
