import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { ActionButton } from './action-button.tsx'

interface CopyBlockProps {
  readonly label: string
  readonly code: string
  readonly onCopied?: () => void
}

const SAID_MS = 3_000

/** A text to copy, such as a program. Says beside the button that it was copied: a dialog hides other messages. */
export function CopyBlock({ label, code, onCopied }: CopyBlockProps) {
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (times === 0) return
    const timer = setTimeout(() => setTimes(0), SAID_MS)
    return () => clearTimeout(timer)
  }, [times])
  const copy = async () => {
    await navigator.clipboard.writeText(code)
    setTimes(times + 1)
    onCopied?.()
  }
  return (
    <div class="stack">
      <div class="actions">
        <ActionButton onAct={copy}>{texts.copy.code(label)}</ActionButton>
        <span class="soft small" role="status">
          {times > 0 && texts.copy.done(label)}
        </span>
      </div>
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
    </div>
  )
}
