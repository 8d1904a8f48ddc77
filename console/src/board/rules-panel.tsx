import { useState } from 'preact/hooks'
import type { Api, Leaderboard, LeaderboardRules } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Problem } from '../components/states.tsx'
import { problemText } from '../problem-text.ts'
import { endsSession } from '../session.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { formOf, RulesFields, rulesOf } from './rules-fields.tsx'
import { type Previewed, RulesPreview, readMovers } from './rules-preview.tsx'
import { sameRules } from './use-rules.ts'

interface RulesPanelProps {
  readonly api: Api
  readonly board: Leaderboard
  /** Why other rules cannot be applied now; null if they can. */
  readonly blocked: string | null
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** Edits the rules of a leaderboard, shows who moves, and applies them. */
export function RulesPanel({ api, board, blocked, onApplied, onClose }: RulesPanelProps) {
  const [form, setForm] = useState(formOf(board))
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  const [error, setError] = useState<string | null>(null)
  const rules = rulesOf(form)
  const own: LeaderboardRules = rulesOf(formOf(board))
  const unchanged = sameRules(rules, own) ? texts.rules.unchanged : null

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
      toast(texts.rules.applying)
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
      <div class="actions">
        <ActionButton onAct={preview} blocked={unchanged}>
          {texts.rules.preview}
        </ActionButton>
        <ActionButton look="primary" onAct={apply} blocked={unchanged ?? blocked}>
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
    </section>
  )
}
