import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { ActionButton } from './action-button.tsx'

interface CopyButtonProps {
  readonly text: string
  /** What it is, such as "key". */
  readonly label: string
}

/** Copies the short text next to it. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast(texts.copy.copied(text))
  }
  return (
    <ActionButton look="minor" onAct={copy}>
      {texts.copy.code(label)}
    </ActionButton>
  )
}
