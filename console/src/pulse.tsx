// How the service is doing: its health, and the submissions of the last minute.

import type { Api } from './api.ts'
import { whole } from './format.ts'
import { may } from './session.ts'
import { texts } from './texts.ts'
import { useLoad } from './use-load.ts'

const EVERY_MS = 5_000
const MINUTE_MS = 60_000
/** Of more submissions in a minute, the first are counted and the rest is estimated. */
const COUNTED_MAX = 2_000

export interface Rate {
  readonly perMinute: number
  readonly isEstimate: boolean
}

/** `times`: of submissions since `fromMs` (Unix milliseconds), oldest first; all of them, or the first `COUNTED_MAX`. */
export function rateOf(times: readonly string[], fromMs: number): Rate {
  const last = times.at(-1)
  if (times.length < COUNTED_MAX || last === undefined) return { perMinute: times.length, isEstimate: false }
  const spanMs = Math.max(1, Date.parse(last) - fromMs)
  return { perMinute: Math.round((times.length * MINUTE_MS) / spanMs), isEstimate: true }
}

async function readRate(api: Api, game: string): Promise<Rate> {
  const fromMs = Date.now() - MINUTE_MS
  const query = { type: 'ScoreSubmitted', since: new Date(fromMs).toISOString(), limit: COUNTED_MAX }
  const times: string[] = []
  for await (const { time } of api.eventsOnce(game, query)) times.push(time)
  return rateOf(times, fromMs)
}

type Health = { readonly status: string; readonly missing?: readonly string[] }

async function readHealth(): Promise<Health> {
  const answer = await fetch('/health/ready', { headers: { Accept: 'application/json' } })
  return (await answer.json()) as Health
}

export function Pulse({ api, game }: { readonly api: Api; readonly game: string | null }) {
  const mayCount = game !== null && may(`gm:${game}:history`)
  const health = useLoad('health', readHealth, { everyMs: EVERY_MS, keeps: true })
  const rate = useLoad(mayCount ? 'rate' : null, () => readRate(api, game ?? ''), { everyMs: EVERY_MS, keeps: true })
  return (
    <dl class="facts panel">
      <div>
        <dt>{texts.pulse.health}</dt>
        <dd class="big">{healthText(health.value, health.error)}</dd>
      </div>
      <div>
        <dt>{texts.pulse.submissions}</dt>
        <dd class="big number">
          {rate.value === null
            ? mayCount
              ? '…'
              : texts.pulse.needsHistory
            : `${rate.value.isEstimate ? '≈ ' : ''}${whole(rate.value.perMinute)}`}
        </dd>
      </div>
    </dl>
  )
}

function healthText(health: Health | null, error: unknown) {
  if (error !== null) return <span class="badge bad">{texts.pulse.unreachable}</span>
  if (health === null) return '…'
  if (health.missing === undefined || health.missing.length === 0)
    return <span class="badge good">{texts.pulse.good}</span>
  return <span class="badge bad">{texts.pulse.missing(health.missing.join(', '))}</span>
}
