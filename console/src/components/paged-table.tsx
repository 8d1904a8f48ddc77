import type { ComponentChildren } from 'preact'
import { Pager, type PagerProps } from './pager.tsx'
import { ScrollRegion } from './scroll-region.tsx'

export interface Column {
  readonly head: string
  readonly isRight?: boolean
}

interface PagedTableProps extends PagerProps {
  /** What the table has. */
  readonly label: string
  readonly columns: readonly Column[]
  /** The rows of the page. */
  readonly children: ComponentChildren
}

/** One page of a list: a table that scrolls by itself, and the way to the other pages. */
export function PagedTable({ label, columns, page, onOffset, children }: PagedTableProps) {
  return (
    <>
      <ScrollRegion label={label}>
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
