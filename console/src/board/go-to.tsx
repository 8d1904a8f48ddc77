import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../components/fields.tsx'
import { localField } from '../format.ts'
import { texts } from '../texts.ts'
import type { Moment } from './use-moment.ts'

export interface GoToProps {
  readonly moment: Pick<Moment, 'span' | 'wanted' | 'moveTo'>
  /** When the open season began, ISO 8601; null if none is open. */
  readonly seasonStart: string | null
  readonly isComparing: boolean
  readonly onCompare: (isComparing: boolean) => void
}

const HOUR_MS = 3_600_000
const PRESETS = [
  { text: texts.board.presets.hour, ms: HOUR_MS },
  { text: texts.board.presets.yesterday, ms: 24 * HOUR_MS },
  { text: texts.board.presets.week, ms: 7 * 24 * HOUR_MS },
] as const

/** Chooses an instant by date and time, or by how long ago it was. */
export function GoTo({ moment: { span, wanted, moveTo }, seasonStart, isComparing, onCompare }: GoToProps) {
  const [typed, setTyped] = useState(wanted === null ? '' : localField(wanted))
  useEffect(() => setTyped(wanted === null ? '' : localField(wanted)), [wanted])
  const isKnown = (ms: number) => ms >= span.from
  const go = (ms: number) => {
    if (Number.isNaN(ms)) return
    // The leaderboard did not exist before, and has no later state than now.
    moveTo(ms >= Date.now() ? null : new Date(Math.max(span.from, ms)).toISOString())
  }
  const type = (text: string) => {
    setTyped(text)
    if (text !== '') go(new Date(text).getTime())
  }
  return (
    <div class="go-to">
      <TextField label={texts.board.goTo} type="datetime-local" step="1" value={typed} onValue={type} />
      <div class="actions" role="group" aria-label={texts.board.presetsLabel}>
        {PRESETS.map(({ text, ms }) => (
          <button
            key={text}
            type="button"
            class="minor"
            aria-disabled={isKnown(Date.now() - ms) ? undefined : true}
            title={isKnown(Date.now() - ms) ? undefined : texts.board.beforeCreation}
            onClick={() => isKnown(Date.now() - ms) && go(Date.now() - ms)}
          >
            {text}
          </button>
        ))}
        {seasonStart !== null && (
          <button type="button" class="minor" onClick={() => go(Date.parse(seasonStart))}>
            {texts.board.presets.season}
          </button>
        )}
        <button type="button" class="minor" aria-pressed={isComparing} onClick={() => onCompare(!isComparing)}>
          {texts.board.compare}
        </button>
      </div>
    </div>
  )
}
