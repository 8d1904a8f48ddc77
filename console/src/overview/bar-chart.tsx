import { useState } from 'preact/hooks'
import { whole } from '../format.ts'
import { texts } from '../texts.ts'
import { type Bar, topOfScale } from './bars.ts'

interface BarChartProps {
  readonly title: string
  /** What is counted, on the axis of values. */
  readonly unit: string
  /** What the other axis has. */
  readonly axis: string
  /** At least one; the last one is running. */
  readonly bars: readonly Bar[]
  /** A label under each so many bars. */
  readonly tickEvery: number
  /** Shown while no bar is chosen. */
  readonly summary: string
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** Bars of counts. The pointer and the arrow keys choose one, whose count is shown in words. */
export function BarChart({ title, unit, axis, bars, tickEvery, summary }: BarChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const top = topOfScale(Math.max(...bars.map(({ value }) => value)))
  const last = bars.length - 1
  const at = chosen ?? last
  const valueText = (index: number) => texts.overview.bar(bars[index]?.name ?? '', whole(bars[index]?.value ?? 0), unit)

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step !== undefined) setChosen(Math.min(last, Math.max(0, at + step)))
    else if (event.key === 'Home') setChosen(0)
    else if (event.key === 'End') setChosen(last)
    else if (event.key === 'Escape') setChosen(null)
    else return
    event.preventDefault()
  }
  const onPointerMove = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    setChosen(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length))))
  }
  return (
    <figure class="bar-chart panel">
      <figcaption>
        <h3>{title}</h3>
        <p class={chosen === null ? 'soft' : 'number'}>{chosen === null ? summary : valueText(chosen)}</p>
      </figcaption>
      <p class="soft small axis-title">{unit}</p>
      <div class="plot">
        <Scale top={top} />
        <div
          class="bars"
          role="slider"
          tabIndex={0}
          aria-label={texts.overview.chartKeys(title)}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={valueText(at)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setChosen(null)}
          onBlur={() => setChosen(null)}
        >
          {bars.map(({ from, value }, index) => (
            <div key={from} class={`slot${index === chosen ? ' chosen' : ''}`}>
              <div
                class={`bar${index === last ? ' running' : ''}`}
                style={{ height: `${value === 0 ? 0 : Math.max(1, (100 * value) / top)}%` }}
              />
            </div>
          ))}
        </div>
        <Ticks bars={bars} every={tickEvery} />
      </div>
      <p class="soft small axis-title end">{axis}</p>
    </figure>
  )
}

const Scale = ({ top }: { readonly top: number }) => (
  <ol class="scale small soft" aria-hidden="true">
    <li>{whole(top)}</li>
    {top > 1 && <li>{whole(top / 2)}</li>}
    <li>0</li>
  </ol>
)

/** Counted from the last bar. */
function Ticks({ bars, every }: { readonly bars: readonly Bar[]; readonly every: number }) {
  const before = (index: number) => bars.length - 1 - index
  const isSecond = (index: number) => before(index) % (2 * every) !== 0
  return (
    <ol class="ticks small soft" aria-hidden="true">
      {bars.map(({ from, tick }, index) => (
        <li key={from}>{before(index) % every === 0 && <span class={isSecond(index) ? 'second' : ''}>{tick}</span>}</li>
      ))}
    </ol>
  )
}
