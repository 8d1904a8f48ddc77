import { useId, useState } from 'preact/hooks'
import type { Player } from '../api.ts'
import { Name } from '../components/name.tsx'
import { may, session } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import { useSettled } from '../use-settled.ts'

interface PlayerFieldProps {
  readonly label: string
  /** A player's id; empty: nobody is chosen. */
  readonly value: string
  readonly onValue: (id: string) => void
  readonly hint?: string
}

const TYPING_MS = 250
const FOUND_MAX = 8
const ID = /^[a-z2-7]{24}$/

/** Chooses a player by their name, or by their id. */
export function PlayerField({ label, value, onValue, hint }: PlayerFieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const typed = useSettled(text.trim(), TYPING_MS)
  const here = session.value
  const game = here?.game ?? null
  const isName = typed !== '' && !ID.test(typed) && typed !== value
  const read = async (): Promise<readonly Player[]> =>
    here === null || game === null ? [] : (await here.api.players(game, { name: typed, limit: FOUND_MAX })).players
  const isPermitted = game !== null && may(`gm:${game}:players`)
  const found = useLoad(isPermitted && isName ? `players ${typed}` : null, read)
  const change = (to: string) => {
    setText(to)
    const chosen = to.trim()
    // A name is no id: the list below leads from one to the other.
    if (chosen === '' || ID.test(chosen)) onValue(chosen)
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={text}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-found`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <div class="hint" id={`${id}-found`} role="status">
        {!isName ? hint : found.value?.length === 0 ? texts.players.noMatch : null}
        {isName && found.value !== null && found.value.length > 0 && (
          <ul class="choices">
            {found.value.map((player) => (
              <li key={player.id}>
                <button type="button" class="minor" onClick={() => change(player.id)}>
                  <Name name={player.name} id={player.id} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
