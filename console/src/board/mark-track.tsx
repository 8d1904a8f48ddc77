import { useMemo, useRef, useState } from 'preact/hooks'
import { localTime } from '../format.ts'
import { texts } from '../texts.ts'
import type { Mark } from './moment-marks.ts'
import type { Span } from './use-moment.ts'

interface MarkTrackProps {
  readonly span: Span
  readonly marks: readonly Mark[]
  readonly onChoose: (instant: string) => void
}

/** Marks that are nearer than this part of the track are one. */
const PLACES = 100
/** Events that the name of one mark lists. */
const NAMED_MAX = 20

interface Place {
  readonly percent: number
  readonly kind: Mark['kind']
  readonly time: string
  readonly text: string
}

/** What happened, below the slider. Each mark leads to its instant; the arrow keys move between them. */
export function MarkTrack({ span, marks, onChoose }: MarkTrackProps) {
  const places = useMemo(() => placesOf(span, marks), [span.from, span.to, marks])
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  if (places.length === 0) return null
  const current = Math.min(active, places.length - 1)
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(places.length - 1, current + by))
    setActive(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div class="marks" role="group" aria-label={texts.marks.label} ref={list} onKeyDown={move}>
      {places.map(({ percent, kind, time, text }, at) => (
        <button
          key={`${percent} ${time}`}
          type="button"
          class={`mark ${kind}`}
          style={{ insetInlineStart: `${percent}%` }}
          aria-label={text}
          title={text}
          tabIndex={at === current ? 0 : -1}
          onFocus={() => setActive(at)}
          onClick={() => onChoose(time)}
        />
      ))}
    </div>
  )
}

/** Marks at their places on the track; several at one place are one mark, which names all of them. */
function placesOf({ from, to }: Span, marks: readonly Mark[]): Place[] {
  const groups = new Map<number, Mark[]>()
  for (const mark of marks) {
    const share = (Date.parse(mark.time) - from) / Math.max(1, to - from)
    if (share < 0) continue
    const place = Math.min(PLACES, Math.round(share * PLACES))
    groups.set(place, [...(groups.get(place) ?? []), mark])
  }
  return [...groups].map(([place, all]) => {
    const newest = all.toReversed()
    const named = newest.slice(0, NAMED_MAX).map(({ text, time }) => `${text}, ${localTime(time)}`)
    const left = newest.length - named.length
    const last = newest[0] as Mark
    return {
      percent: (place * 100) / PLACES,
      kind: last.kind,
      time: last.time,
      text: [...named, ...(left > 0 ? [texts.marks.more(left)] : [])].join('; '),
    }
  })
}
