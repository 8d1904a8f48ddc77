import { useState } from 'preact/hooks'
import { EVENT_TYPES } from '../../../domain/event-types.ts'
import { SelectField, TextField } from '../components/fields.tsx'
import { isVisible, localField } from '../format.ts'
import { PlayerField } from '../player/player-field.tsx'
import { texts } from '../texts.ts'
import type { EventFilter } from './event-feed.ts'
import type { Names } from './names.ts'
import { PEOPLE_TYPES } from './people-events.ts'

interface FilterFormProps {
  /** Of the leaderboards to choose from. */
  readonly boards: Names['boards']
  readonly filter: EventFilter
  /** Whether it filters all events, or what people did. */
  readonly isAll: boolean
  readonly onFilter: (filter: EventFilter) => void
}

const { fields } = texts.history

/** Chooses which events are listed: by type, player, leaderboard, request and time. */
export function FilterForm({ boards, filter, isAll, onFilter }: FilterFormProps) {
  const [draft, setDraft] = useState<EventFilter>(filter)
  const set = (name: keyof EventFilter, value: string) => {
    const { [name]: _, ...others } = draft
    setDraft(value === '' ? others : { ...others, [name]: value })
  }
  const types = isAll
    ? EVENT_TYPES.toSorted().map((value) => ({ value, text: value }))
    : PEOPLE_TYPES.map((value) => ({ value, text: texts.history.people[value].name }))
  const ofBoards = [...boards].map(([value, name]) => ({ value, text: isVisible(name) ? name : value }))
  const isListed = draft.board === undefined || boards.has(draft.board)
  return (
    <form
      class="fields filters"
      onSubmit={(event) => {
        event.preventDefault()
        onFilter(draft)
      }}
    >
      <SelectField
        label={fields.type}
        value={draft.type ?? ''}
        options={[{ value: '', text: isAll ? fields.allTypes : fields.allActions }, ...types]}
        onValue={(value) => set('type', value)}
      />
      <PlayerField label={fields.player} value={draft.player ?? ''} onValue={(value) => set('player', value)} />
      <SelectField
        label={fields.board}
        value={draft.board ?? ''}
        options={[
          { value: '', text: fields.allBoards },
          ...(isListed ? [] : [{ value: draft.board ?? '', text: draft.board ?? '' }]),
          ...ofBoards,
        ]}
        onValue={(value) => set('board', value)}
      />
      {(['since', 'until'] as const).map((name) => (
        <TextField
          key={name}
          label={fields[name]}
          type="datetime-local"
          value={localField(draft[name], 'minute')}
          onValue={(value) => set(name, value === '' ? '' : new Date(value).toISOString())}
        />
      ))}
      {isAll && (
        <TextField
          label={fields.request}
          value={draft.request ?? ''}
          onValue={(value) => set('request', value.trim())}
        />
      )}
      <div class="actions row-of-actions">
        <button type="submit">{texts.history.show}</button>
        <button type="button" class="quiet" onClick={() => onFilter({})}>
          {texts.history.clear}
        </button>
      </div>
    </form>
  )
}
