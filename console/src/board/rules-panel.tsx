import { useState } from 'preact/hooks'
import type { Api, Leaderboard, LeaderboardRules } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Problem } from '../components/states.tsx'
import { problemText } from '../problem-text.ts'
import { endsSession } from '../session.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { formOf, RulesFields, rulesFault, rulesOf } from './rules-fields.tsx'
import { RulesHistory } from './rules-history.tsx'
import { type Previewed, RulesChanges, RulesPreview, readMovers } from './rules-preview.tsx'
import { type AppliedRules, sameRules, whatIsNew } from './use-rules.ts'

interface RulesPanelProps {
  readonly api: Api
  readonly board: Leaderboard
  /** Why other rules cannot be applied now; null if they can. */
  readonly blocked: string | null
  /** The rules at creation and after each change, oldest first. */
  readonly applied: readonly AppliedRules[]
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** Edits the rules of a leaderboard, shows who moves, and applies them. */
export function RulesPanel({ api, board, blocked, applied, onApplied, onClose }: RulesPanelProps) {
  const [form, setForm] = useState(formOf(board))
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  const [error, setError] = useState<string | null>(null)
  const rules = rulesOf(form)
  const own: LeaderboardRules = rulesOf(formOf(board))
  const impossible = rulesFault(form) ?? (sameRules(rules, own) ? texts.rules.unchanged : null)

  const attempt = async (action: () => Promise<void>) => {
    setError(null)
    try {
      await action()
    } catch (failure) {
      if (!endsSession(failure)) setError(problemText(failure))
    }
  }
  const preview = () => attempt(async () => setPreviewed(await readMovers(api, board.id, rules)))
  const apply = () =>
    attempt(async () => {
      await api.changeRules(board.id, rules)
      toast(texts.rules.applying(whatIsNew(own, rules)))
      onApplied()
      onClose()
    })
  return (
    <section class="panel" aria-label={texts.rules.edit}>
      <h2>{texts.rules.edit}</h2>
      <p class="soft">{texts.rules.about}</p>
      <RulesFields
        form={form}
        onForm={(changed) => {
          setForm(changed)
          setPreviewed(null)
        }}
      />
      {impossible === null && <RulesChanges before={own} after={rules} />}
      <div class="actions">
        <ActionButton onAct={preview} blocked={impossible}>
          {texts.rules.preview}
        </ActionButton>
        <ActionButton look="primary" onAct={apply} blocked={impossible ?? blocked}>
          {texts.rules.apply}
        </ActionButton>
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
      <Problem text={error} />
      {previewed !== null && (
        <RulesPreview api={api} board={board} rules={rules} previewed={previewed} onMore={setPreviewed} />
      )}
      <RulesHistory applied={applied} />
    </section>
  )
}
