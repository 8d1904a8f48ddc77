import { useEffect, useState } from 'preact/hooks'
import { localTime, type Precision, utcTime } from '../format.ts'

/** A time in the reader's zone. `TimeTip` shows it in UTC on hover and focus. */
export function Time({ at, precision = 'second' }: { readonly at: string; readonly precision?: Precision }) {
  return (
    <time dateTime={at} tabIndex={0} data-utc={utcTime(at)}>
      {localTime(at, precision)}
    </time>
  )
}

interface Tip {
  readonly text: string
  readonly left: number
  readonly top: number
}

const WIDTH_PX = 240

/** Shows the UTC time of the `time` element that has the pointer or the focus. Once per page. */
export function TimeTip() {
  const [tip, setTip] = useState<Tip | null>(null)
  useEffect(() => {
    const show = (event: Event) => {
      const time = (event.target as Element | null)?.closest?.('time[data-utc]')
      if (!time) return setTip(null)
      const { left, bottom } = time.getBoundingClientRect()
      const at = {
        left: Math.max(4, Math.min(left, innerWidth - WIDTH_PX)),
        top: Math.min(bottom + 4, innerHeight - 32),
      }
      setTip({ text: time.getAttribute('data-utc') ?? '', ...at })
    }
    const hide = () => setTip(null)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    document.addEventListener('mouseover', show)
    document.addEventListener('focusin', show)
    document.addEventListener('focusout', hide)
    document.addEventListener('scroll', hide, true)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('mouseover', show)
      document.removeEventListener('focusin', show)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('scroll', hide, true)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  if (tip === null) return null
  return (
    <div class="tip" role="tooltip" style={{ left: `${tip.left}px`, top: `${tip.top}px` }}>
      {tip.text}
    </div>
  )
}
