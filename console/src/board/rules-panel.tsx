import { useEffect, useState } from 'preact/hooks'
import type { Api, Leaderboard, LeaderboardRules } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Problem } from '../components/states.tsx'
import { problemText } from '../problem-text.ts'
import { endsSession } from '../session.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { rememberChange } from './change-outcome.tsx'
import { formOf, RulesFields, type RulesForm, rulesFault, rulesOf } from './rules-fields.tsx'
import { RulesHistory } from './rules-history.tsx'
import { type Previewed, RulesChanges, RulesPreview, type RulesTarget, readPreview } from './rules-preview.tsx'
import {
  SeasonFields,
  type SeasonForm,
  sameSchedule,
  scheduleInWords,
  scheduleOf,
  seasonFormOf,
} from './season-fields.tsx'
import { type AppliedRules, sameRules } from './use-rules.ts'

interface RulesPanelProps {
  readonly api: Api
  readonly board: Leaderboard
  /** The rules that the form begins with, previewed at once; null: those in force. */
  readonly start: LeaderboardRules | null
  /** Why other rules cannot be applied now; null if they can. */
  readonly blocked: string | null
  /** The rules at creation and after each change, oldest first. */
  readonly applied: readonly AppliedRules[]
  /** Called when a rule change was requested. A change of the seasons alone is done at once. */
  readonly onRequested: () => void
  readonly onClose: () => void
}

/** Edits the rules of a leaderboard, shows who moves, and applies what was previewed. */
export function RulesPanel(props: RulesPanelProps) {
  const { api, board, start, blocked, applied, onClose } = props
  const [form, setForm] = useState(formOf(start ?? board))
  const [seasonForm, setSeasonForm] = useState<SeasonForm>(seasonFormOf(board.seasons))
  const own: RulesTarget = { rules: rulesOf(formOf(board)), seasons: board.seasons }
  const target: RulesTarget = { rules: rulesOf(form), seasons: scheduleOf(seasonForm) }
  const impossible = rulesFault(form) ?? changeFault(own, target)
  const { shown, onMore, error, forgetError, preview, apply } = useChange(props, own, target)
  useEffect(() => {
    if (start !== null && impossible === null) void preview()
  }, [])
  const edit = (changed: RulesForm) => {
    setForm(changed)
    forgetError()
  }
  return (
    <section class="panel" aria-label={texts.rules.edit}>
      <h2>{start === null ? texts.rules.edit : texts.rules.backTo(texts.rules.inWords(start))}</h2>
      <p class="soft">{texts.rules.about}</p>
      <RulesFields form={form} onForm={edit} />
      <SeasonFields form={seasonForm} onForm={setSeasonForm} />
      {impossible === null && <RulesChanges parts={differences(own, target)} />}
      {impossible === texts.seasons.apart && <Problem text={impossible} />}
      {impossible === null && shown !== null && (
        <RulesPreview api={api} board={board} previewed={shown} onMore={onMore} />
      )}
      <Problem text={error} />
      <div class="actions">
        <ActionButton onAct={preview} blocked={impossible}>
          {texts.rules.preview}
        </ActionButton>
        <ActionButton
          look="primary"
          onAct={apply}
          blocked={impossible ?? (shown === null ? texts.rules.needsPreview : blocked)}
        >
          {texts.rules.apply}
        </ActionButton>
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
      <RulesHistory applied={applied} />
    </section>
  )
}

/** Previews a change and applies it. `shown`: the preview of exactly this change; null if there is none. */
function useChange({ api, board, onRequested, onClose }: RulesPanelProps, own: RulesTarget, target: RulesTarget) {
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  const [error, setError] = useState<string | null>(null)
  const shown = previewed !== null && isSame(previewed.own, own) && isSame(previewed.target, target) ? previewed : null
  const attempt = async (action: () => Promise<void>) => {
    setError(null)
    try {
      await action()
    } catch (failure) {
      if (!endsSession(failure)) setError(problemText(failure))
    }
  }
  const preview = () => attempt(async () => setPreviewed(await readPreview(api, board.id, { own, target })))
  const apply = () =>
    attempt(async () => {
      if (sameRules(own.rules, target.rules)) {
        await api.changeLeaderboard(board.id, { seasons: target.seasons })
        toast(texts.seasons.done)
      } else {
        const answer = await api.changeRules(board.id, target.rules)
        if ('rebuild' in answer) {
          rememberChange({ change: answer.rebuild, before: own.rules, changed: shown?.changed ?? 0 })
          onRequested()
        }
      }
      onClose()
    })
  return { shown, onMore: setPreviewed, error, forgetError: () => setError(null), preview, apply }
}

const isSame = (a: RulesTarget, b: RulesTarget): boolean =>
  sameRules(a.rules, b.rules) && sameSchedule(a.seasons, b.seasons)

/** Why a change cannot be sent, and what to do; null if it can. */
function changeFault(own: RulesTarget, target: RulesTarget): string | null {
  const areSeasonsSame = sameSchedule(own.seasons, target.seasons)
  if (sameRules(own.rules, target.rules)) return areSeasonsSame ? texts.rules.unchanged : null
  return areSeasonsSame ? null : texts.seasons.apart
}

/** What a change brings: each part before and after, in words. */
function differences(own: RulesTarget, target: RulesTarget): { before: string; after: string }[] {
  const parts = texts.rules.differences(own.rules, target.rules)
  if (sameSchedule(own.seasons, target.seasons)) return parts
  return [...parts, { before: scheduleInWords(own.seasons), after: scheduleInWords(target.seasons) }]
}
