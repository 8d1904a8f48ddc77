import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { TextField } from '../components/fields.tsx'
import { localField } from '../format.ts'
import { texts } from '../texts.ts'

interface CompareSectionProps {
  /** The other instant, or `now`. */
  readonly compare: string
  readonly onOther: (compare: string) => void
  readonly children: ComponentChildren
}

/** Chooses what the moment of the slider is compared with. */
export function CompareSection({ compare, onOther, children }: CompareSectionProps) {
  const [typed, setTyped] = useState(compare === 'now' ? '' : localField(compare))
  const type = (text: string) => {
    setTyped(text)
    const ms = text === '' ? Number.NaN : new Date(text).getTime()
    onOther(Number.isNaN(ms) || ms >= Date.now() ? 'now' : new Date(ms).toISOString())
  }
  return (
    <section class="stack" aria-label={texts.board.compare}>
      <div class="narrow">
        <TextField
          label={texts.board.compareWith}
          hint={texts.board.compareHint}
          type="datetime-local"
          step="1"
          value={typed}
          onValue={type}
        />
      </div>
      {children}
    </section>
  )
}
