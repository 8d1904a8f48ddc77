import type { ServerStatus } from '../api.ts'
import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { readableJson, whole } from '../format.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { RebuildPanel } from '../system/rebuild-panel.tsx'
import { VerifyPanel } from '../system/verify-panel.tsx'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const NEEDED = 'sys:games'
const EVERY_MS = 5_000
const CALL = { method: 'GET' as const, path: '/api/sys/status/', typescript: program('serverStatus', []) }

/** How the installation is doing, for the operator. */
export function SystemPage({ session: { api } }: { readonly session: Session }) {
  const isPermitted = may(NEEDED)
  const status = useLoad(isPermitted ? 'status' : null, () => api.serverStatus(), { everyMs: EVERY_MS, keeps: true })
  return (
    <>
      <PageHead title={texts.pages.system} about={texts.system.about} call={isPermitted ? CALL : undefined} />
      {!isPermitted && <NoPermission needed={NEEDED} />}
      {isPermitted && (
        <>
          <Shown of={status}>{(value) => <StateLine status={value} />}</Shown>
          <VerifyPanel api={api} />
          <RebuildPanel api={api} />
          {status.value !== null && <StatusDetails status={status.value} />}
        </>
      )}
    </>
  )
}

/** How the installation is doing, in one line. */
function StateLine({ status: { health, lag, parked, versions } }: { readonly status: ServerStatus }) {
  const reasons = Object.entries(health.reasons).map(([part, reason]) => `${part}: ${reason}`)
  const isWell = health.status === 'ready' && reasons.length === 0 && parked.count === 0
  return (
    <p class={`message ${isWell ? 'good' : 'bad'}`} role="status">
      <strong>{isWell ? texts.system.well : texts.system.unwell[health.status]}</strong>
      {reasons.length > 0 && <span class="wrap">{reasons.join(' ')}</span>}
      <span>
        {lag.ms !== null && texts.system.lagLine(whole(lag.ms))} {texts.system.parkedLine(parked.count)}{' '}
        {texts.system.versionLine(versions.server)}
      </span>
    </p>
  )
}

function StatusDetails({ status: { health, lag, parked, versions } }: { readonly status: ServerStatus }) {
  return (
    <details class="panel">
      <summary>{texts.system.details}</summary>
      <StatusFacts title={texts.system.health} value={health} />
      <StatusFacts title={texts.system.lag} value={lag} />
      <StatusFacts title={texts.system.parked} value={parked} />
      <StatusFacts title={texts.system.versions} value={versions} />
    </details>
  )
}

const known: Readonly<Record<string, string>> = texts.system.fields
const words = (name: string): string => known[name] ?? name.replaceAll('_', ' ')

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One part of the server's status: its fields with their values. */
function StatusFacts({ title, value }: { readonly title: string; readonly value: unknown }) {
  const fields = isRecord(value) ? Object.entries(value) : [[title, value] as const]
  return (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      <dl class="facts">
        {fields.map(([name, own]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>{name === 'ms' && typeof own === 'number' ? texts.system.behind(whole(own)) : <Value of={own} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Value({ of: value }: { readonly of: unknown }) {
  if (value === null || value === undefined) return <span class="soft">{texts.system.nothing}</span>
  if (typeof value === 'object' && Object.keys(value).length === 0)
    return <span class="soft">{texts.system.nothing}</span>
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return <span class="wrap">{value.join(', ')}</span>
  if (typeof value !== 'object') return <span class="number wrap">{String(value)}</span>
  return <code class="wrap">{readableJson(value)}</code>
}
