import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** Renders the control with this id. */
  readonly children: (id: string, describedBy: string | undefined) => ComponentChildren
}

/** A label with its control, and a hint below it. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hintId)}
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  )
}

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

interface SelectFieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly text: string }[]
  readonly onValue: (value: Value) => void
}

export function SelectField<Value extends string>({ label, value, options, onValue }: SelectFieldProps<Value>) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckFieldProps {
  readonly label: string
  readonly checked: boolean
  readonly onValue: (checked: boolean) => void
}

export function CheckField({ label, checked, onValue }: CheckFieldProps) {
  const id = useId()
  return (
    <div class="check">
      <input id={id} type="checkbox" checked={checked} onChange={(event) => onValue(event.currentTarget.checked)} />
      <label for={id}>{label}</label>
    </div>
  )
}
