// The chart of a rank over time. Its library is loaded with it.

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Movement } from '../api.ts'
import { texts } from '../texts.ts'

const HEIGHT_PX = 280

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A rank holds until the next instant. */
const steps = () => {
  const paths = uPlot.paths.stepped?.({ align: 1 })
  return paths === undefined ? {} : { paths }
}

/** A line: time to the right, the best rank at the top. Gaps where the player had no rank. */
export function RankChart({ points }: Pick<Movement, 'points'>) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const [ink, grid, line] = [color('--soft'), color('--line'), color('--now')]
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        scales: { y: { dir: -1, range: (_, min, max) => [Math.max(1, min - 1), max + 1] } },
        axes: [axis, { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 500, 1_000, 10_000, 100_000, 1_000_000] }],
        series: [{}, { label: texts.board.columns.rank, stroke: line, width: 2, ...steps() }],
        legend: { show: false },
      },
      [points.map(({ time }) => Date.parse(time) / 1_000), points.map(({ rank }) => rank)],
      element,
    )
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [points])
  const best = Math.min(...points.flatMap(({ rank }) => rank ?? []))
  return (
    <div ref={place} role="img" aria-label={texts.rank.chart(points.length, Number.isFinite(best) ? best : null)} />
  )
}
