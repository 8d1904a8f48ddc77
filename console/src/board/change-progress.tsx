import type { Api, Rebuild } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'

interface ChangeProgressProps {
  readonly api: Api
  readonly change: Rebuild
  readonly onCancelled: () => void
}

/** The progress of a rule change that runs. */
export function ChangeProgress({ api, change, onCancelled }: ChangeProgressProps) {
  const cancel = () =>
    runAction(
      () => api.cancelRebuild(change.leaderboard),
      () => texts.rules.cancelled,
    ).then(onCancelled)
  const { done, total, eta_seconds: eta } = change
  return (
    <section class="panel" aria-label={texts.rules.running}>
      <h2>{texts.rules.running}</h2>
      <progress max={Math.max(1, total)} value={done} aria-label={texts.rules.running} />
      <p class="soft">{texts.rules.progress(whole(done), whole(total), eta)}</p>
      <div class="actions">
        <ActionButton onAct={cancel} needs={`lb:${change.leaderboard}:configure`}>
          {texts.rules.cancel}
        </ActionButton>
      </div>
    </section>
  )
}
