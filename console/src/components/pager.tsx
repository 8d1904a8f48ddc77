import { whole } from '../format.ts'
import { texts } from '../texts.ts'

export interface PagerProps {
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
