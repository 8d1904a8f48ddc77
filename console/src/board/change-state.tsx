import type { Api, Rebuild } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Problem } from '../components/states.tsx'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { isRunning } from './use-rules.ts'

interface ChangeStateProps {
  readonly api: Api
  readonly change: Rebuild | null
  /** What the change brings, in words; empty if that is unknown. */
  readonly coming: string
}

/** The progress of a rule change that runs, or why the last one failed. */
export function ChangeState({ api, change, coming }: ChangeStateProps) {
  if (change === null) return null
  if (!isRunning(change))
    return change.state === 'failed' ? <Problem text={texts.rules.failed(change.error ?? '')} /> : null
  const { done, total, eta_seconds: eta, leaderboard } = change
  const cancel = () =>
    runAction(
      () => api.cancelRebuild(leaderboard),
      () => texts.rules.cancelled,
    )
  return (
    <section class="panel" aria-label={texts.rules.running}>
      <h2>{texts.rules.running}</h2>
      {coming !== '' && <p>{texts.rules.coming(coming)}</p>}
      <progress max={Math.max(1, total)} value={done} aria-label={texts.rules.running} />
      <p class="soft">{texts.rules.progress(whole(done), whole(total), eta)}</p>
      <div class="actions">
        <ActionButton onAct={cancel} needs={`lb:${leaderboard}:configure`}>
          {texts.rules.cancel}
        </ActionButton>
      </div>
    </section>
  )
}
