// The rule change of a leaderboard: its progress, applying the previous rules again, and what has to be read
// afterwards.

import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { isRunning, type RulesState, useRules } from './use-rules.ts'

export interface RuleChange {
  readonly state: RulesState | null
  readonly isRunning: boolean
  /** Changes with each state of a change: what was read under the rules before is out of date. */
  readonly revision: string
  /** Call it when a change was requested. */
  readonly requested: () => void
  readonly reload: () => void
  /** Puts the previous rules back; null if there are none. */
  readonly undo: (() => Promise<unknown>) | null
}

/** `onChange`: called when the rules in force may be others. */
export function useRuleChange(api: Api, game: string | null, board: string, onChange: () => void): RuleChange {
  const [isExpected, setExpected] = useState(false)
  const rules = useRules(api, game, board, isExpected)
  const { value: state, reload } = rules
  const runs = isRunning(state?.change ?? null)
  const revision = `${state?.change?.id ?? ''} ${state?.change?.state ?? ''}`

  useEffect(() => {
    if (revision === ' ') return
    setExpected(runs)
    onChange()
  }, [revision, runs, onChange])

  const requested = useCallback(() => {
    setExpected(true)
    reload()
  }, [reload])
  const previous = state?.previous ?? null
  const undo = async () => {
    if (previous === null) return
    const isDone = await runAction(
      () => api.changeRules(board, previous),
      () => texts.rules.undoing,
    )
    if (isDone) requested()
  }
  return { state, isRunning: runs, revision, requested, reload, undo: previous === null ? null : undo }
}
