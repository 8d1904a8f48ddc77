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
  const here = session.value
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const settled = useSettled(search.trim(), TYPING_MS)
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
    ...best(search.trim(), [...actions, ...pages, ...(lists.value ?? [])]),
    ...(settled === '' ? [] : (players.value ?? [])),
  ]
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
      <div class="found" id={id} role="listbox" aria-label={texts.search.results} tabIndex={-1}>
        {found.map((one, index) => (
          <button
            key={one.id}
            type="button"
            tabIndex={-1}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setActive(index)}
            onClick={() => choose(one)}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: 'nearest' })
            }}
          >
            <span class="found-kind">{texts.search.kinds[one.kind]}</span>
            <Name name={one.name} id={one.about} />
            {one.about !== '' && <span class="mono soft found-about">{one.about}</span>}
          </button>
        ))}
      </div>
      <p class="soft small" role="status">
        {found.length === 0
          ? lists.isLoading || players.isLoading
            ? texts.states.loading
            : texts.search.none
          : texts.search.keys}
      </p>
    </Dialog>
  )
}
