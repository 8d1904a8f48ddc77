import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'

interface ActionButtonProps {
  readonly onAct: () => unknown
  readonly children: ComponentChildren
  /** The permission that the action needs. Without it the button says so. */
  readonly needs?: string
  readonly look?: 'primary' | 'danger' | 'quiet' | 'quiet danger' | 'minor' | ''
  /** Why the action is impossible now. */
  readonly blocked?: string | null
  readonly pressed?: boolean
  /** What the action does, shown on hover. */
  readonly about?: string | undefined
}

/** A button that runs an action once at a time, and explains itself where the action is not permitted. */
export function ActionButton(props: ActionButtonProps) {
  const { onAct, children, needs, look = '', blocked = null, pressed, about } = props
  const [isBusy, setBusy] = useState(false)
  const reason = needs !== undefined && !may(needs) ? texts.states.needsPermission(needs) : blocked
  const act = async () => {
    if (reason !== null) return toast(reason, 'bad')
    if (isBusy) return
    setBusy(true)
    try {
      await onAct()
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      class={look}
      onClick={act}
      aria-disabled={reason !== null || isBusy ? true : undefined}
      aria-pressed={pressed}
      title={reason ?? about}
    >
      {children}
    </button>
  )
}
