import { useId } from 'preact/hooks'

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
