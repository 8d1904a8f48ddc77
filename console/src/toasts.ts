// Short messages about what an action did, announced to screen readers.

import { signal } from '@preact/signals'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
}

const SHOWN_MS = 8_000
const SHOWN_MAX = 3

export const toasts = signal<readonly Toast[]>([])
let last = 0

export function toast(text: string, kind: Toast['kind'] = 'good'): void {
  const id = ++last
  toasts.value = [...toasts.value, { id, text, kind }].slice(-SHOWN_MAX)
  setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
