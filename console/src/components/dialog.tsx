import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly wide?: boolean
}

/** A modal dialog. Escape closes it; the focus returns to where it was. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
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
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
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
