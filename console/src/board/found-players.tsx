import type { RankedScore } from '../api.ts'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { texts } from '../texts.ts'

interface FoundPlayersProps {
  readonly found: readonly RankedScore[]
  readonly onChoose: (score: RankedScore) => void
}

/** The players to choose from, where several match. */
export function FoundPlayers({ found, onChoose }: FoundPlayersProps) {
  if (found.length === 0) return null
  return (
    <section class="panel" aria-label={texts.board.several}>
      <h2>{texts.board.several}</h2>
      <ul class="choices">
        {found.map((score) => (
          <li key={score.id}>
            <button type="button" onClick={() => onChoose(score)}>
              <NumberText value={score.rank} />. <Name name={score.player_name} id={score.player} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
