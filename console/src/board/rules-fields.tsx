import type { Keep, LeaderboardRules, Ordering } from '../api.ts'
import { CheckField, SelectField, TextField } from '../components/fields.tsx'
import { texts } from '../texts.ts'

interface RulesFieldsProps {
  readonly form: RulesForm
  readonly onForm: (form: RulesForm) => void
}

const ORDERINGS: readonly { value: Ordering; text: string }[] = [
  { value: 'desc', text: texts.rules.desc },
  { value: 'asc', text: texts.rules.asc },
]

const KEEPS: readonly { value: Keep; text: string }[] = (['best', 'latest', 'total'] as const).map((value) => ({
  value,
  text: texts.rules.keeps[value],
}))

/** The fields of a leaderboard's rules. */
export function RulesFields({ form, onForm }: RulesFieldsProps) {
  const fault = rulesFault(form)
  const set = (change: Partial<RulesForm>) => onForm({ ...form, ...change })
  return (
    <>
      <div class="fields">
        <SelectField
          label={texts.rules.ordering}
          value={form.ordering}
          options={ORDERINGS}
          onValue={(ordering) => set({ ordering })}
        />
        <SelectField
          label={texts.rules.secondary}
          value={form.secondary}
          options={ORDERINGS}
          onValue={(secondary) => set({ secondary })}
        />
        <TextField label={texts.rules.min} value={form.min} onValue={(min) => set({ min })} />
        <TextField label={texts.rules.max} value={form.max} onValue={(max) => set({ max })} />
      </div>
      <CheckField label={texts.rules.unique} checked={form.unique} onValue={(unique) => set({ unique })} />
      {(form.unique || fault !== null) && (
        <div class="narrow">
          <SelectField
            label={texts.rules.keep}
            value={form.keep}
            options={KEEPS}
            onValue={(keep) => set({ keep })}
            problem={fault}
          />
        </div>
      )}
    </>
  )
}

/** The fields of the form; `formOf` and `rulesOf` convert them from and to rules of the API. */
export interface RulesForm {
  readonly ordering: Ordering
  readonly secondary: Ordering
  readonly unique: boolean
  readonly keep: Keep
  readonly min: string
  readonly max: string
}

export const formOf = (rules: LeaderboardRules): RulesForm => ({
  ordering: rules.ordering,
  secondary: rules.secondary_ordering,
  unique: rules.unique,
  keep: rules.keep,
  min: rules.min_score ?? '',
  max: rules.max_score ?? '',
})

export const rulesOf = (form: RulesForm): LeaderboardRules => ({
  ordering: form.ordering,
  secondary_ordering: form.secondary,
  unique: form.unique,
  keep: form.keep,
  min_score: form.min.trim() === '' ? null : form.min.trim(),
  max_score: form.max.trim() === '' ? null : form.max.trim(),
})

/** Why these rules cannot be sent, and what to do; null if they can. */
export const rulesFault = ({ unique, keep }: Pick<RulesForm, 'unique' | 'keep'>): string | null =>
  unique || keep === 'best' ? null : texts.rules.keepNeedsUnique(keep)
