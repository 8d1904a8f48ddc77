import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListPage } from '../rows-of-pages.ts'
import { texts } from '../texts.ts'
import { useSettled } from '../use-settled.ts'
import { TextField } from './fields.tsx'

const TYPING_MS = 250

interface SearchFieldProps {
  /** The text that is searched for, from the address. */
  readonly value: string
  /** Called once nothing is typed for a moment. */
  readonly onSearch: (text: string) => void
  readonly hint?: string
}

/** Searches a list while somebody types. */
export function SearchField({ value, onSearch, hint }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [last, setLast] = useState(value)
  /** What this field has put into the address and not seen there yet. */
  const sent = useRef<string | null>(null)
  const settled = useSettled(text.trim(), TYPING_MS)
  if (value !== last) {
    setLast(value)
    // Else Back, or a link, has changed the address. Letters that were typed since stay.
    if (value !== sent.current) setText(value)
    sent.current = null
  }
  useEffect(() => {
    if (settled === value) return
    sent.current = settled
    onSearch(settled)
  }, [settled])
  return (
    <TextField
      label={texts.board.search}
      type="search"
      value={text}
      onValue={setText}
      {...(hint === undefined ? {} : { hint })}
    />
  )
}

interface SearchIfLongProps {
  readonly page: Pick<ListPage<unknown>, 'offset' | 'next_offset'> | null
  readonly search: string
  readonly onSearch: (text: string) => void
}

/** The search of a list that has more than one page. */
export function SearchIfLong({ page, search, onSearch }: SearchIfLongProps) {
  const isLong = page !== null && (page.offset > 0 || page.next_offset !== null)
  if (!isLong && search === '') return null
  return (
    <div class="fields narrow">
      <SearchField value={search} onSearch={onSearch} />
    </div>
  )
}
