import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
  /** Whether only a button of the dialog closes it, because what it shows would be lost. */
  readonly stays?: boolean
  /** `sheet`: at the lower edge of the window. */
  readonly look?: 'sheet' | ''
}

/** A modal dialog. Escape closes it; the focus returns to where it was. */
export function Dialog({ title, onClose, children, wide = false, stays = false, look = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const [element, opener] = [dialog.current, document.activeElement]
    element?.showModal()
    return () => {
      // What is behind an open modal dialog cannot have the focus.
      element?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : look}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!stays) onClose()
      }}
      // Such as by the gesture for Back of a phone.
      onClose={({ currentTarget }) => {
        if (stays && currentTarget.isConnected) currentTarget.showModal()
      }}
      // A browser closes a dialog at the second Escape, whatever `cancel` says.
      onKeyDown={(event) => {
        if (stays && event.key === 'Escape') event.preventDefault()
      }}
    >
      <div class="stack">
        <h2 id={id} class="wrap">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
