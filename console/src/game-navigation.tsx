import { useState } from 'preact/hooks'
import { Later } from './components/later.tsx'
import { Name } from './components/name.tsx'
import { may, session } from './session.ts'
import { texts } from './texts.ts'
import { useLoad } from './use-load.ts'

interface GameNavigationProps {
  readonly game: string
  readonly isOperator: boolean
}

const EVERY_MS = 60_000

/** The name of the game whose pages are shown, and for the operator the way to another one. */
export function GameNavigation({ game, isOperator }: GameNavigationProps) {
  const [isSwitching, setSwitching] = useState(false)
  const here = session.value
  const isPermitted = here?.game === game && may(`gm:${game}:details`)
  const found = useLoad(isPermitted ? `game ${game}` : null, async () => here?.api.game(game) ?? null, {
    everyMs: EVERY_MS,
    keeps: true,
    tags: [`game:${game}`],
  })
  return (
    <div class="game">
      <span class="label">{texts.games.game}</span>
      <strong>
        <Name name={found.value?.name} id={game} />
      </strong>
      {isOperator && (
        <button type="button" class="minor" onClick={() => setSwitching(true)}>
          {texts.games.switch}
        </button>
      )}
      {isSwitching && (
        <Later name="switch game" load={async () => (await import('./games/switch-game.tsx')).SwitchGame}>
          {(SwitchGame) => <SwitchGame game={game} onClose={() => setSwitching(false)} />}
        </Later>
      )}
    </div>
  )
}
