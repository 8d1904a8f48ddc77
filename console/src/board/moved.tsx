import { NumberText } from '../components/number-text.tsx'
import { texts } from '../texts.ts'

interface MovedProps {
  /** Ranks; null: none. */
  readonly before: number | null
  readonly after: number | null
}

/** How far a player moved between two ranks, as an arrow and a number of places. */
export function Moved({ before, after }: MovedProps) {
  const places = before === null || after === null ? null : Math.abs(after - before)
  if (places === 0 || (before === null && after === null)) return <span class="soft">{texts.board.moved.same}</span>
  const isUp = after !== null && (before === null || after < before)
  const about = isUp ? texts.board.moved.up : texts.board.moved.down
  return (
    <span class={isUp ? 'moved up' : 'moved down'}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span>
      <span class="hidden-text">{about}</span>
      {places !== null && <NumberText value={places} />}
    </span>
  )
}
