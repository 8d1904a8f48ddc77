import type { Ordering } from '../api.ts'
import { CheckField } from '../components/check-field.tsx'
import { SelectField } from '../components/select-field.tsx'
import { TextField } from '../components/text-field.tsx'
import { texts } from '../texts.ts'
import type { RulesForm } from './rules-form.ts'

interface RulesFieldsProps {
  readonly form: RulesForm
  readonly onForm: (form: RulesForm) => void
}

const ORDERINGS: readonly { value: Ordering; text: string }[] = [
  { value: 'desc', text: texts.rules.desc },
  { value: 'asc', text: texts.rules.asc },
]

export function RulesFields({ form, onForm }: RulesFieldsProps) {
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
    </>
  )
}
