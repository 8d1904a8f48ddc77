import type { Overview } from '../api.ts'
import { NumberText } from '../components/number-text.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { whole } from '../format.ts'
import { oneOf } from '../parameters.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { BarChart } from './bar-chart.tsx'
import { type Bar, dayBars, daysOf, hourBars, sumOf } from './bars.ts'

const SHOWN = { activity: oneOf('charts', 'tables') }
const HOURS_BETWEEN_TICKS = 6
const DAYS_BETWEEN_TICKS = 7

/** Submissions and active players, as charts or as tables. */
export function Activity({ overview: { at, submissions, players } }: { readonly overview: Overview }) {
  const [{ activity }, setShown] = useAddress(SHOWN)
  const isCharts = activity === 'charts'
  const hours = { submissions: hourBars(submissions.hours, at), players: hourBars(players.hours, at) }
  const days = { submissions: dayBars(submissions.days, at), players: dayBars(players.days, at) }
  return (
    <section class="stack" aria-labelledby="activity">
      <div class="head">
        <h2 id="activity">{texts.overview.activity}</h2>
        <button type="button" onClick={() => setShown({ activity: isCharts ? 'tables' : 'charts' })}>
          {isCharts ? texts.overview.asTables : texts.overview.asCharts}
        </button>
      </div>
      {isCharts ? <Charts hours={hours} days={days} /> : <Tables hours={hours} days={days} />}
    </section>
  )
}

interface Both {
  readonly submissions: readonly Bar[]
  readonly players: readonly Bar[]
}

interface BothProps {
  readonly hours: Both
  readonly days: Both
}

function Charts({ hours, days }: BothProps) {
  const { overview } = texts
  const zone = { tickEvery: HOURS_BETWEEN_TICKS, axis: overview.hourAxis(daysOf(hours.submissions)) }
  const utc = { tickEvery: DAYS_BETWEEN_TICKS, axis: overview.dayAxis }
  const values = (bars: readonly Bar[]) => bars.map(({ value }) => value)
  return (
    <div class="charts">
      <BarChart
        {...zone}
        title={overview.submissionsByHour}
        unit={overview.submissions}
        bars={hours.submissions}
        summary={overview.sum(whole(sumOf(values(hours.submissions))))}
      />
      <BarChart
        {...utc}
        title={overview.submissionsByDay}
        unit={overview.submissions}
        bars={days.submissions}
        summary={overview.sum(whole(sumOf(values(days.submissions))))}
      />
      <BarChart
        {...zone}
        title={overview.playersByHour}
        unit={overview.players}
        bars={hours.players}
        summary={overview.most(whole(Math.max(...values(hours.players))))}
      />
      <BarChart
        {...utc}
        title={overview.playersByDay}
        unit={overview.players}
        bars={days.players}
        summary={overview.most(whole(Math.max(...values(days.players))))}
      />
    </div>
  )
}

function Tables({ hours, days }: BothProps) {
  return (
    <div class="charts">
      <CountTable label={texts.overview.byHour} head={texts.overview.hour} {...hours} />
      <CountTable label={texts.overview.byDay} head={texts.overview.day} {...days} />
    </div>
  )
}

/** The newest first. */
function CountTable({ label, head, submissions, players }: Both & { readonly label: string; readonly head: string }) {
  const rows = submissions.map((bar, index) => ({ ...bar, players: players[index]?.value ?? 0 })).toReversed()
  return (
    <ScrollRegion label={label} long>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" class="right">
              {texts.overview.submissions}
            </th>
            <th scope="col" class="right">
              {texts.overview.players}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.from}>
              <th scope="row" class="wrap">
                <time dateTime={row.from}>{row.name}</time>
              </th>
              <td class="right">
                <NumberText value={row.value} />
              </td>
              <td class="right">
                <NumberText value={row.players} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
