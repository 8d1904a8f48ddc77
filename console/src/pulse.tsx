// How the service is doing: its health, the submissions of the last minute, and the last verification.

import { useMemo } from 'preact/hooks'
import type { Api, Overview } from './api.ts'
import { Time } from './components/time.tsx'
import { whole } from './format.ts'
import { may } from './session.ts'
import { SubmissionRate } from './submission-rate.ts'
import { texts } from './texts.ts'
import { useLoad } from './use-load.ts'

const EVERY_MS = 5_000

type Health = { readonly status: string; readonly missing?: readonly string[] }

async function readHealth(): Promise<Health> {
  const answer = await fetch('/health/ready', { headers: { Accept: 'application/json' } })
  return (await answer.json()) as Health
}

interface PulseProps {
  readonly api: Api
  readonly game: string | null
  /** Undefined: not known. */
  readonly verified: Overview['verified'] | undefined
}

export function Pulse({ api, game, verified }: PulseProps) {
  const mayCount = game !== null && may(`gm:${game}:history`)
  const health = useLoad('health', readHealth, { everyMs: EVERY_MS, keeps: true })
  const submissions = useMemo(() => new SubmissionRate(api, game ?? ''), [api, game])
  const readRate = () => submissions.read(Date.now())
  const rate = useLoad(mayCount ? `rate ${game}` : null, readRate, { everyMs: EVERY_MS, keeps: true })
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
      {verified !== undefined && (
        <div>
          <dt>{texts.pulse.verified}</dt>
          <dd>{verificationText(verified)}</dd>
        </div>
      )}
    </dl>
  )
}

function verificationText(verified: Overview['verified']) {
  if (verified === null) return texts.pulse.neverVerified
  const { at, equal } = verified
  return (
    <>
      <span class={`badge ${equal ? 'good' : 'bad'}`}>{equal ? texts.pulse.equal : texts.pulse.differs}</span>{' '}
      <Time at={at} precision="minute" />
    </>
  )
}

function healthText(health: Health | null, error: unknown) {
  if (error !== null) return <span class="badge bad">{texts.pulse.unreachable}</span>
  if (health === null) return '…'
  if (health.missing === undefined || health.missing.length === 0)
    return <span class="badge good">{texts.pulse.good}</span>
  return <span class="badge bad">{texts.pulse.missing(health.missing.join(', '))}</span>
}
