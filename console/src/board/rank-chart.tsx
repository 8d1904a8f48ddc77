// The chart of a rank over time. Its library is loaded with it.

import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Movement } from '../api.ts'
import { localDecimal } from '../decimals.ts'
import { localTime, ownZone, whole } from '../format.ts'
import { texts } from '../texts.ts'
import { colorScheme } from '../theme.ts'
import type { Mark } from './moment-marks.ts'
import { timeTicks } from './time-ticks.ts'

interface RankChartProps extends Pick<Movement, 'points'> {
  /** In order of time; those outside of the points' times are left out. */
  readonly marks: readonly Mark[]
}

const HEIGHT_PX = 260
const TIP_WIDTH_PX = 190
const INCREMENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const secondsOf = (time: string): number => Date.parse(time) / 1_000

/** A rank holds until the next instant. */
const steps = () => {
  const paths = uPlot.paths.stepped?.({ align: 1 })
  return paths === undefined ? {} : { paths }
}

/** The point that the pointer or a key has chosen, and where it is in the figure, in pixels. */
interface Chosen {
  readonly at: number
  readonly left: number
}

/**
 * A line: time to the right, the best rank at the top. Gaps where the player had no rank. The pointer and the arrow
 * keys show the values of a point.
 */
export function RankChart({ points, marks }: RankChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Chosen | null>(null)
  const ranks = points.flatMap(({ rank }) => rank ?? [])
  const best = ranks.length === 0 ? null : ranks.reduce((a, b) => Math.min(a, b))
  const chart = useChart(place, { points, marks, best, onChosen: setShown })
  const onKey = (event: KeyboardEvent) => {
    const last = points.length - 1
    const from = shown?.at ?? (event.key === 'ArrowLeft' ? last + 1 : -1)
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (to === undefined || chart.current === null) return
    event.preventDefault()
    const at = Math.max(0, Math.min(last, to))
    const left = chart.current.valToPos(secondsOf(points[at]?.time ?? ''), 'x')
    chart.current.setCursor({ left, top: HEIGHT_PX / 3 })
    setShown({ at, left: left + chart.current.bbox.left / devicePixelRatio })
  }
  const point = shown === null ? undefined : points[shown.at]
  const width = place.current?.clientWidth ?? 0
  return (
    <figure class="chart">
      <div
        ref={place}
        role="group"
        tabIndex={0}
        aria-label={texts.rank.chart(points.length, best)}
        aria-description={texts.rank.chartKeys}
        onKeyDown={onKey}
        onBlur={() => setShown(null)}
      />
      <p
        class="chart-tip"
        role="status"
        hidden={point === undefined}
        style={{ left: `${Math.max(0, Math.min((shown?.left ?? 0) + 8, width - TIP_WIDTH_PX))}px` }}
      >
        {point !== undefined && texts.rank.point(localTime(point.time), rankText(point.rank), scoreText(point.score))}
      </p>
      <MarkList marks={within(marks, points)} />
    </figure>
  )
}

interface Charted extends RankChartProps {
  readonly best: number | null
  readonly onChosen: (chosen: Chosen | null) => void
}

/** Draws the chart in its place, as wide as that, in the colors of the theme. */
function useChart(place: RefObject<HTMLDivElement | null>, { points, marks, best, onChosen }: Charted) {
  const chart = useRef<uPlot | null>(null)
  const scheme = colorScheme.value
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const onCursor = (own: uPlot) => {
      const at = own.cursor.idx
      onChosen(at == null ? null : { at, left: (own.cursor.left ?? 0) + own.bbox.left / devicePixelRatio })
    }
    const own = new uPlot(optionsOf({ best, marks, width: element.clientWidth, onCursor }), dataOf(points), element)
    chart.current = own
    const observer = new ResizeObserver(() => own.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.current = null
      own.destroy()
    }
    // Marks are read again and again, and are mostly the same: the chart would lose its pointer.
  }, [points, JSON.stringify(marks), scheme])
  return chart
}

const rankText = (rank: number | null): string | null => (rank === null ? null : whole(rank))
const scoreText = (score: string | null): string | null => (score === null ? null : localDecimal(score))

const within = (marks: readonly Mark[], points: Movement['points']): readonly Mark[] => {
  const [first, last] = [points[0]?.time ?? '', points.at(-1)?.time ?? '']
  return marks.filter(({ time }) => time >= first && time <= last)
}

/** What the vertical lines say. */
function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  if (marks.length === 0) return null
  return (
    <figcaption class="chart-marks small">
      <ul>
        {marks.map(({ kind, time, text }, at) => (
          <li key={`${time} ${at}`}>
            <span class={`mark ${kind}`} aria-hidden="true" /> {text}, {localTime(time, 'minute')}
          </li>
        ))}
      </ul>
    </figcaption>
  )
}

const dataOf = (points: Movement['points']): uPlot.AlignedData => [
  points.map(({ time }) => secondsOf(time)),
  points.map(({ rank }) => rank),
]

interface ChartSetting {
  readonly best: number | null
  readonly marks: readonly Mark[]
  readonly width: number
  readonly onCursor: (chart: uPlot) => void
}

function optionsOf({ best, marks, width, onCursor }: ChartSetting): uPlot.Options {
  const [ink, grid, line] = [color('--soft'), color('--line'), color('--now')]
  const font = `12px ${color('--sans')}`
  const axis = {
    stroke: ink,
    font,
    labelFont: font,
    labelSize: 18,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
  }
  return {
    width,
    height: HEIGHT_PX,
    // Half of the last label.
    padding: [null, 32, null, null],
    scales: { y: { dir: -1, range: (_, min, max) => [Math.max(0.5, min - 0.5), max + 0.5] } },
    axes: [
      {
        ...axis,
        label: texts.rank.time(ownZone),
        space: 72,
        values: (_chart, ticks, _axis, _space, step) => timeTicks(ticks, step),
      },
      {
        ...axis,
        label: texts.rank.axis,
        size: 56,
        splits: (_chart, _axis, min, max, increment) => rankSplits(min, max, increment, best),
        incrs: INCREMENTS,
        values: (_chart, splits) => splits.map(whole),
      },
    ],
    series: [{}, { label: texts.board.columns.rank, stroke: line, width: 2, points: { size: 4 }, ...steps() }],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { draw: [(chart) => drawMarks(chart, marks)], setCursor: [onCursor] },
  }
}

/** Whole ranks at equal distances, and the best one. */
function rankSplits(min: number, max: number, increment: number, best: number | null): number[] {
  const step = Math.max(1, Math.round(increment))
  const first = Math.max(step, Math.ceil(min / step) * step)
  const regular = Array.from(
    { length: Math.max(0, Math.floor((max - first) / step) + 1) },
    (_, at) => first + at * step,
  )
  if (best === null) return regular
  return [best, ...regular.filter((rank) => Math.abs(rank - best) >= step / 2)].toSorted((a, b) => a - b)
}

const MARK_COLORS: Readonly<Record<Mark['kind'], string>> = {
  rules: '--now',
  season: '--good',
  ban: '--bad',
  deletion: '--bad',
}

function drawMarks(chart: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  for (const { kind, time } of marks) {
    const x = chart.valToPos(secondsOf(time), 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = color(MARK_COLORS[kind])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
