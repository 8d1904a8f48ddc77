import { Field } from '../components/field.tsx'
import { texts } from '../texts.ts'

interface PermissionsFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

export function PermissionsField({ value, onValue }: PermissionsFieldProps) {
  return (
    <Field label={texts.keys.permissions} hint={texts.keys.permissionsHint}>
      {(id, describedBy) => (
        <textarea
          id={id}
          rows={8}
          value={value}
          aria-describedby={describedBy}
          spellcheck={false}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
