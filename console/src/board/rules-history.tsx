import { useState } from 'preact/hooks'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import type { AppliedRules } from './use-rules.ts'

/** Older ones are only in the history. */
const SHOWN_MAX = 100

/** The newest sets of rules that a leaderboard had, newest first; nothing where they are unknown. */
export function RulesHistory({ applied }: { readonly applied: readonly AppliedRules[] }) {
  const [isOpen, setOpen] = useState(false)
  if (applied.length === 0) return null
  const leftOut = Math.max(0, applied.length - SHOWN_MAX)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.rules.past}</summary>
      {isOpen && (
        <ol class="timeline">
          {applied
            .slice(leftOut)
            .toReversed()
            .map(({ time, rules }, at) => (
              <li key={`${time} ${at}`}>
                <p>
                  <Time at={time} /> {at === 0 && <span class="badge good">{texts.rules.inForce}</span>}
                </p>
                <p>{texts.rules.inWords(rules)}</p>
              </li>
            ))}
          {leftOut > 0 && <li class="soft">{texts.why.leftOut(leftOut)}</li>}
        </ol>
      )}
    </details>
  )
}
