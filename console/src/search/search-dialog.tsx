import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Dialog } from '../components/dialog.tsx'
import { Name } from '../components/name.tsx'
import { session } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import { useSettled } from '../use-settled.ts'
import { actionsOfPage, best, type Found, listed, pagesOf, playersNamed } from './found.ts'

const TYPING_MS = 200
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Finds pages, actions of the page, leaderboards, players and keys, and goes to the one that is chosen. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const { found, isLoading } = useFound(search.trim())
  const at = Math.min(active, found.length - 1)
  const choose = (one: Found | undefined) => {
    if (one === undefined) return
    onClose()
    // Once the dialog has given the focus back.
    setTimeout(() => one.choose())
  }
  const onKey = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (event.key === 'Enter') choose(found[at])
    else if (move !== undefined && found.length > 0) setActive((at + move + found.length) % found.length)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={texts.search.title} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={texts.search.title}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={texts.search.hint}
        value={search}
        onInput={(event) => {
          setSearch(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKey}
      />
      <FoundList id={id} found={found} active={at} onActive={setActive} onChoose={choose} />
      <p class="soft small" role="status">
        {found.length > 0 ? texts.search.keys : isLoading ? texts.states.loading : texts.search.none}
      </p>
    </Dialog>
  )
}

/** What has all words of the search. Players are read a moment after the typing. */
function useFound(search: string): { readonly found: readonly Found[]; readonly isLoading: boolean } {
  const here = session.value
  const settled = useSettled(search, TYPING_MS)
  const actions = useMemo(actionsOfPage, [])
  const isOver = useRef(false)
  useEffect(
    () => () => {
      isOver.current = true
    },
    [],
  )
  const lists = useLoad(here === null ? null : `search ${here.game}`, async () =>
    here === null ? [] : listed(here, () => isOver.current),
  )
  const players = useLoad(
    here === null ? null : `search ${settled}`,
    async () => (here === null ? [] : playersNamed(here, settled)),
    { keeps: true },
  )
  const pages = here === null ? [] : pagesOf(here)
  const found = [
    ...best(search, [...actions, ...pages, ...(lists.value ?? [])]),
    ...(settled === '' ? [] : (players.value ?? [])),
  ]
  return { found, isLoading: lists.isLoading || players.isLoading }
}

interface FoundListProps {
  /** Of the list; an option has its index after it. */
  readonly id: string
  readonly found: readonly Found[]
  readonly active: number
  readonly onActive: (index: number) => void
  readonly onChoose: (one: Found) => void
}

function FoundList({ id, found, active, onActive, onChoose }: FoundListProps) {
  return (
    <div class="found" id={id} role="listbox" aria-label={texts.search.results} tabIndex={-1}>
      {found.map((one, index) => (
        <button
          key={one.id}
          type="button"
          tabIndex={-1}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onMouseMove={() => onActive(index)}
          onClick={() => onChoose(one)}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' })
          }}
        >
          <span class="found-kind">{texts.search.kinds[one.kind]}</span>
          <Name name={one.name} id={one.about} />
          {one.about !== '' && <span class="mono soft found-about">{one.about}</span>}
        </button>
      ))}
    </div>
  )
}
