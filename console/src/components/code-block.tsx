import { texts } from '../texts.ts'
import { toast } from '../toasts.ts'
import { ActionButton } from './action-button.tsx'

interface CodeBlockProps {
  readonly label: string
  readonly code: string
}

/** A program to copy. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(code)
    toast(texts.copy.done(label))
  }
  return (
    <div class="stack">
      <div class="head">
        <h3>{label}</h3>
        <ActionButton onAct={copy}>{texts.copy.code(label)}</ActionButton>
      </div>
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
    </div>
  )
}
