import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { problemText } from '../problem-text.ts'
import { endsSession } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './states.tsx'

interface ConfirmDialogProps {
  /** The verb of the button that confirms. */
  readonly verb: string
  readonly title: ComponentChildren
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  /** What the action will do, and its fields. */
  readonly children: ComponentChildren
  readonly look?: 'danger' | 'primary'
  /** False while the fields are not complete. */
  readonly isReady?: boolean
  /** Called with the failure of each attempt; with null when one begins. */
  readonly onRefused?: (failure: unknown) => void
  /** Whether one of the fields shows this failure. */
  readonly shownAtField?: (failure: unknown) => boolean
}

/** Asks before an action, runs it, and stays open with the problem in words where it fails. */
export function ConfirmDialog({
  verb,
  title,
  onConfirm,
  onClose,
  children,
  look = 'danger',
  isReady = true,
  onRefused,
  shownAtField,
}: ConfirmDialogProps) {
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [fieldFaults, setFieldFaults] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (fieldFaults > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [fieldFaults])
  const confirm = async (event: Event) => {
    event.preventDefault()
    if (isBusy || !isReady) return
    setBusy(true)
    setError(null)
    onRefused?.(null)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      if (endsSession(failure)) return
      onRefused?.(failure)
      if (shownAtField?.(failure) === true) setFieldFaults((count) => count + 1)
      else setError(problemText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" ref={form} onSubmit={confirm} autocomplete="off">
        {children}
        <Problem text={error} />
        <div class="actions">
          <button type="submit" class={look} aria-disabled={isBusy || !isReady ? true : undefined}>
            {verb}
          </button>
          <button type="button" onClick={onClose}>
            {texts.common.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
