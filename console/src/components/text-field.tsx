import { Field } from './field.tsx'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local'
  readonly required?: boolean
  readonly maxLength?: number
  readonly placeholder?: string
}

export function TextField({ label, value, onValue, hint, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(id, describedBy) => (
        <input
          id={id}
          type={type as 'text'}
          value={value}
          aria-describedby={describedBy}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onValue(event.currentTarget.value)}
          {...rest}
        />
      )}
    </Field>
  )
}
