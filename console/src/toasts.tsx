// Short messages about what an action did, announced to screen readers.

import { signal } from '@preact/signals'
import { texts } from './texts.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
}

const SHOWN_MS = 8_000
/** They take place from the page: of more, the newest are shown. */
const SHOWN_MAX = 2

const toasts = signal<readonly Toast[]>([])
let last = 0

export function toast(text: string, kind: Toast['kind'] = 'good'): void {
  const id = ++last
  toasts.value = [...toasts.value, { id, text, kind }].slice(-SHOWN_MAX)
  setTimeout(() => dismiss(id), SHOWN_MS)
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

/** The messages that are shown now, in a place of their own below the page. Once per page. */
export function ToastList() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`message ${kind}`}>
          <span class="wrap">{text}</span>
          <button type="button" class="quiet" onClick={() => dismiss(id)}>
            {texts.common.dismiss}
          </button>
        </div>
      ))}
    </div>
  )
}
