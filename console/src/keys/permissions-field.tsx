import { Field } from '../components/fields.tsx'
import { texts } from '../texts.ts'

interface PermissionsFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

/** The permissions of a key, one a line. */
export function PermissionsField({ value, onValue }: PermissionsFieldProps) {
  return (
    <Field label={texts.keys.permissions} hint={texts.keys.permissionsHint}>
      {(control) => (
        <textarea
          {...control}
          rows={8}
          value={value}
          spellcheck={false}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** Permissions as they are typed: separated by spaces or lines. */
export const permissionsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))]
