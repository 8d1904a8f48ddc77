import { useState } from 'preact/hooks'
import type { Leaderboard } from '../api.ts'
import { CheckField, SelectField, TextField } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import { type BoardFilter, isBound, type WindowName } from './board-query.ts'

interface FilterBarProps {
  readonly filter: BoardFilter
  readonly onFilter: (filter: BoardFilter) => void
  readonly board: Pick<Leaderboard, 'unique' | 'keep'>
  readonly onJump: (text: string) => void
}

const WINDOWS: readonly WindowName[] = ['all', 'hour', 'day', 'week', 'month']

export function FilterBar({ filter, onFilter, board: { unique: isUnique, keep }, onJump }: FilterBarProps) {
  const [jump, setJump] = useState('')
  const set = (change: Partial<BoardFilter>) => onFilter({ ...filter, ...change })
  const hint = (text: string) => (isBound(text) ? {} : { hint: texts.board.notDecimal })
  return (
    <div class="stack">
      <div class="fields">
        <TextField
          label={texts.board.search}
          type="search"
          value={filter.search}
          onValue={(search) => set({ search })}
        />
        <TextField
          label={texts.board.lowest}
          value={filter.lowest}
          onValue={(lowest) => set({ lowest })}
          {...hint(filter.lowest)}
        />
        <TextField
          label={texts.board.highest}
          value={filter.highest}
          onValue={(highest) => set({ highest })}
          {...hint(filter.highest)}
        />
        <SelectField
          label={texts.board.window}
          value={filter.window}
          options={WINDOWS.map((value) => ({ value, text: texts.board.windows[value] }))}
          onValue={(window) => set({ window })}
        />
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
      {filter.window !== 'all' && isUnique && (
        <CheckField
          label={texts.board.bestInside[keep]}
          hint={(filter.best ? texts.board.insideAbout : texts.board.entriesAbout)[keep]}
          checked={filter.best}
          onValue={(best) => set({ best })}
        />
      )}
    </div>
  )
}
