import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { RebuildPanel } from '../system/rebuild-panel.tsx'
import { StatusFacts } from '../system/status-facts.tsx'
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
          <Shown of={status}>
            {({ health, lag, parked, versions }) => (
              <>
                <StatusFacts title={texts.system.health} value={health} />
                <StatusFacts title={texts.system.lag} value={lag} />
                <StatusFacts title={texts.system.parked} value={parked} />
                <StatusFacts title={texts.system.versions} value={versions} />
              </>
            )}
          </Shown>
          <VerifyPanel api={api} />
          <RebuildPanel api={api} />
        </>
      )}
    </>
  )
}
