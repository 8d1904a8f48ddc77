// What the last rule change of this tab did, once it is done, and the way back. A reload does not lose it.

import { signal } from '@preact/signals'
import type { LeaderboardRules, Rebuild } from '../api.ts'
import { texts } from '../texts.ts'

interface RequestedChange {
  /** Id of the rule change. */
  readonly change: string
  /** The rules before it. */
  readonly before: LeaderboardRules
  /** Players who move, enter or leave, by the preview. */
  readonly changed: number
}

const KEPT = 'scorebook-console-rule-change'

const requested = signal<RequestedChange | null>(kept())

function kept(): RequestedChange | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as RequestedChange | null
  } catch {
    return null
  }
}

/** Call it when a rule change was requested. */
export function rememberChange(change: RequestedChange | null): void {
  requested.value = change
  if (change === null) sessionStorage.removeItem(KEPT)
  else sessionStorage.setItem(KEPT, JSON.stringify(change))
}

interface ChangeOutcomeProps {
  readonly change: Rebuild | null
  /** Opens the preview of the rules before. */
  readonly onBack: () => void
}

/** Says that the rule change that this tab requested is done, and offers the way back. */
export function ChangeOutcome({ change, onBack }: ChangeOutcomeProps) {
  const own = requested.value
  if (own === null || change?.state !== 'done' || change.id !== own.change) return null
  return (
    <div class="message good" role="status">
      <span class="wrap">{texts.rules.done(own.changed)}</span>
      <button type="button" onClick={onBack}>
        {texts.rules.backTo(texts.rules.inWords(own.before))}
      </button>
      <button type="button" class="quiet" onClick={() => rememberChange(null)}>
        {texts.common.dismiss}
      </button>
    </div>
  )
}
