import { useState } from 'preact/hooks'
import type { Game } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { Shown } from '../components/states.tsx'
import { gamesOf } from '../lists.ts'
import { to } from '../routes.ts'
import { matches, rowsOfPages } from '../rows-of-pages.ts'
import { login } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

interface SwitchGameProps {
  /** The game that is shown. */
  readonly game: string
  readonly onClose: () => void
}

/** Of more, the search says how to find the rest. */
const LISTED_MAX = 50

/** Chooses another game, for the operator. */
export function SwitchGame({ game, onClose }: SwitchGameProps) {
  const [search, setSearch] = useState('')
  const read = async (): Promise<readonly Game[]> => (login.value === null ? [] : rowsOfPages(gamesOf(login.value.api)))
  const games = useLoad('games to switch to', read, { tags: ['game'] })
  return (
    <Dialog title={texts.games.switch} onClose={onClose}>
      <TextField label={texts.games.find} type="search" value={search} onValue={setSearch} />
      <Shown of={games}>
        {(list) => {
          const found = list.filter(({ id, name }) => matches(search, id, name))
          return (
            <>
              <ul class="links">
                {found.slice(0, LISTED_MAX).map(({ id, name }) => (
                  <li key={id}>
                    <a href={to.game(id)} aria-current={id === game ? 'true' : undefined} onClick={onClose}>
                      <Name name={name} id={id} />
                    </a>
                  </li>
                ))}
              </ul>
              {found.length === 0 && <p class="soft">{texts.games.noMatch}</p>}
              {found.length > LISTED_MAX && <p class="soft small">{texts.games.more(found.length - LISTED_MAX)}</p>}
            </>
          )
        }}
      </Shown>
      <div class="actions">
        <a class="button" href={to.page('games')} onClick={onClose}>
          {texts.games.all}
        </a>
        <button type="button" onClick={onClose}>
          {texts.common.cancel}
        </button>
      </div>
    </Dialog>
  )
}
