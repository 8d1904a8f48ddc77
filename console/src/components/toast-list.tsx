import { texts } from '../texts.ts'
import { dismiss, toasts } from '../toasts.ts'

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
