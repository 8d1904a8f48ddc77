import type { ComponentChildren } from 'preact'
import { whole } from '../format.ts'
import { texts } from '../texts.ts'
import { ScrollRegion } from './scroll-region.tsx'

interface Column {
  readonly head: string
  readonly isRight?: boolean
}

interface PagedTableProps extends PagerProps {
  /** What the table has. */
  readonly label: string
  readonly columns: readonly Column[]
  /** The rows of the page. On narrow screens they become lines: cells whose head is needed then have `data-head`. */
  readonly children: ComponentChildren
}

/** One page of a list: a table that scrolls by itself, and the way to the other pages. */
export function PagedTable({ label, columns, page, onOffset, children }: PagedTableProps) {
  return (
    <>
      <ScrollRegion label={label} stacks>
        <table>
          <thead>
            <tr>
              {columns.map(({ head, isRight = false }) => (
                <th key={head} scope="col" class={isRight ? 'right' : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </ScrollRegion>
      <Pager page={page} onOffset={onOffset} />
    </>
  )
}

interface PagerProps {
  readonly page: {
    readonly count: number
    readonly offset: number
    readonly limit: number
    readonly next_offset: number | null
  }
  readonly onOffset: (offset: number) => void
}

/** The way through a list in pages; nothing where there is one page. */
export function Pager({ page: { count, offset, limit, next_offset: next }, onOffset }: PagerProps) {
  if (offset === 0 && next === null) return null
  return (
    <nav class="actions" aria-label={texts.pager.label}>
      <button type="button" onClick={() => onOffset(Math.max(0, offset - limit))} disabled={offset === 0}>
        {texts.pager.previous}
      </button>
      <span class="soft">{texts.pager.range(whole(offset + 1), whole(next ?? count), whole(count))}</span>
      <button type="button" onClick={() => onOffset(next ?? offset)} disabled={next === null}>
        {texts.pager.next}
      </button>
    </nav>
  )
}
