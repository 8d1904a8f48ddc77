import { useState } from 'preact/hooks'
import type { Leaderboard, Season } from '../api.ts'
import { CheckField, SelectField, TextField } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import { useIsNarrow } from '../use-is-narrow.ts'
import type { ChangeShown } from './board-address.ts'
import { type BoardFilter, isBound, isFiltered, seasonOf, type WindowName } from './board-query.ts'
import { SeasonField } from './season-field.tsx'

interface FilterBarProps {
  readonly filter: BoardFilter
  readonly onFilter: ChangeShown
  readonly board: Pick<Leaderboard, 'unique' | 'keep'>
  readonly seasons: readonly Season[]
  readonly onJump: (text: string) => void
}

const WINDOWS: readonly WindowName[] = ['all', 'hour', 'day', 'week', 'month']

export function FilterBar(props: FilterBarProps) {
  const { filter, onFilter, board, seasons } = props
  const isNarrow = useIsNarrow()
  const { unique: isUnique, keep } = board
  const isSeason = seasonOf(filter.season) !== null
  return (
    <div class="filter-bar">
      {seasons.length > 0 && (
        <SeasonField seasons={seasons} season={filter.season} onSeason={(season) => onFilter({ season, first: 0 })} />
      )}
      {isNarrow ? (
        <details open={isFiltered(filter)}>
          <summary>{texts.board.filters}</summary>
          <FilterFields {...props} isSeason={isSeason} />
        </details>
      ) : (
        <FilterFields {...props} isSeason={isSeason} />
      )}
      {!isSeason && filter.window !== 'all' && isUnique && (
        <CheckField
          label={texts.board.bestInside[keep]}
          hint={(filter.standing ? texts.board.entriesAbout : texts.board.insideAbout)[keep]}
          checked={!filter.standing}
          onValue={(best) => onFilter({ standing: !best })}
        />
      )}
    </div>
  )
}

function FilterFields({ filter, onFilter, onJump, isSeason }: FilterBarProps & { readonly isSeason: boolean }) {
  const [jump, setJump] = useState('')
  const hint = (text: string) => (isBound(text) ? {} : { hint: texts.board.notDecimal })
  return (
    <div class="fields">
      <TextField
        label={texts.board.search}
        type="search"
        value={filter.search}
        onValue={(search) => onFilter({ search, first: 0 })}
      />
      <TextField
        label={texts.board.lowest}
        value={filter.min}
        onValue={(min) => onFilter({ min, first: 0 })}
        {...hint(filter.min)}
      />
      <TextField
        label={texts.board.highest}
        value={filter.max}
        onValue={(max) => onFilter({ max, first: 0 })}
        {...hint(filter.max)}
      />
      {!isSeason && (
        <SelectField
          label={texts.board.window}
          value={filter.window}
          options={WINDOWS.map((value) => ({ value, text: texts.board.windows[value] }))}
          onValue={(window) => onFilter({ window, first: 0 })}
        />
      )}
      <form
        class="jump"
        onSubmit={(event) => {
          event.preventDefault()
          if (jump.trim() !== '') onJump(jump.trim())
        }}
      >
        <TextField label={texts.board.jump} value={jump} onValue={setJump} />
        <button type="submit">{texts.board.go}</button>
      </form>
    </div>
  )
}
