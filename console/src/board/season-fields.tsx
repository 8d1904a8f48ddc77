import type { SeasonSchedule } from '../api.ts'
import { SelectField, TextField } from '../components/fields.tsx'
import { ownZone } from '../format.ts'
import { texts } from '../texts.ts'

type ScheduleName = keyof typeof texts.seasons.schedules

/** The fields of a schedule; `seasonFormOf` and `scheduleOf` convert them from and to the API. */
export interface SeasonForm {
  readonly name: ScheduleName
  readonly cron: string
  readonly zone: string
}

const NAMES: readonly ScheduleName[] = ['none', 'daily', 'weekly', 'monthly', 'cron']
const isNamed = (cron: string): cron is 'daily' | 'weekly' | 'monthly' => /^(daily|weekly|monthly)$/.test(cron)

/** Null: no seasons. */
export const seasonFormOf = (schedule: SeasonSchedule | null): SeasonForm => ({
  name: schedule === null ? 'none' : isNamed(schedule.cron) ? schedule.cron : 'cron',
  cron: schedule === null || isNamed(schedule.cron) ? '' : schedule.cron,
  zone: schedule?.time_zone ?? ownZone,
})

export const scheduleOf = ({ name, cron, zone }: SeasonForm): SeasonSchedule | null =>
  name === 'none' ? null : { cron: name === 'cron' ? cron.trim() : name, time_zone: zone.trim() }

export const sameSchedule = (a: SeasonSchedule | null, b: SeasonSchedule | null): boolean =>
  a?.cron === b?.cron && a?.time_zone === b?.time_zone

export const scheduleInWords = (schedule: SeasonSchedule | null): string =>
  schedule === null ? texts.seasons.none : texts.seasons.inWords(schedule.cron, schedule.time_zone)

interface SeasonFieldsProps {
  readonly form: SeasonForm
  readonly onForm: (form: SeasonForm) => void
}

/** The fields of the schedule of a leaderboard's seasons. */
export function SeasonFields({ form, onForm }: SeasonFieldsProps) {
  const set = (change: Partial<SeasonForm>) => onForm({ ...form, ...change })
  return (
    <div class={form.name === 'none' ? 'narrow' : 'fields with-hints'}>
      <SelectField
        label={texts.seasons.schedule}
        value={form.name}
        options={NAMES.map((value) => ({ value, text: texts.seasons.schedules[value] }))}
        onValue={(name) => set({ name })}
      />
      {form.name === 'cron' && (
        <TextField
          label={texts.seasons.cron}
          hint={texts.seasons.cronHint}
          value={form.cron}
          onValue={(cron) => set({ cron })}
        />
      )}
      {form.name !== 'none' && (
        <TextField
          label={texts.seasons.zone}
          hint={texts.seasons.zoneHint}
          value={form.zone}
          onValue={(zone) => set({ zone })}
        />
      )}
    </div>
  )
}
