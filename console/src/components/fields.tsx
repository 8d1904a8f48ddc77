import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** Why its value cannot be sent, and what to do; in place of the hint. */
  readonly problem?: ComponentChildren
  /** Renders the control with these attributes. */
  readonly children: (control: Control) => ComponentChildren
}

interface Control {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** A label with its control, and a hint or a problem below it. */
export function Field({ label, hint, problem = null, children }: FieldProps) {
  const id = useId()
  const isInvalid = problem !== null
  const hintId = isInvalid || hint !== undefined ? `${id}-hint` : undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId, 'aria-invalid': isInvalid ? true : undefined })}
      {isInvalid ? (
        <span class="hint bad" id={hintId} role="alert">
          {problem}
        </span>
      ) : (
        hint !== undefined && (
          <span class="hint" id={hintId}>
            {hint}
          </span>
        )
      )}
    </div>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: string
  readonly problem?: ComponentChildren
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local'
  readonly required?: boolean
  readonly maxLength?: number
  readonly placeholder?: string
  /** Of a time: seconds between two values. */
  readonly step?: string
}

export function TextField({ label, value, onValue, hint, problem, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          type={type as 'text'}
          value={value}
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
  readonly problem?: ComponentChildren
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, onValue, problem } = props
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onValue(event.currentTarget.value as Value)}>
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
  readonly hint?: string
}

export function CheckField({ label, checked, onValue, hint }: CheckFieldProps) {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <div class="field">
      <div class="check">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          aria-describedby={hintId}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <label for={id}>{label}</label>
      </div>
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  )
}
