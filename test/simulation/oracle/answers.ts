// Judges the answers of recorded calls against the model and against each other.

import { unsafeCast } from '../../../domain/event.ts'
import { ANYTHING } from '../callers/command.ts'
import type { Sending } from '../history.ts'
import { same } from './same.ts'

export const nameOf = ({ call, command }: Sending): string => `${call.name} ${JSON.stringify(call.args)} (${command})`

/**
 * A call about a player who was banned or deleted since is refused even if it was answered before; so is a call with a
 * token that was signed out.
 */
const BECAUSE_OF_THE_PLAYER: ReadonlySet<string> = new Set([
  'player_banned',
  'player_not_found',
  'sign_in_rejected',
  'token_rejected',
  'unknown_player',
])

/** An answered write is recorded, and all its answers are equal. */
export function checkAnswers(
  sending: Sending,
  isRecorded: boolean,
  expected: unknown,
  gone: ReadonlyMap<string, unknown>,
): string[] {
  const text = JSON.stringify([sending.call.args, expected])
  const isForgotten = [...gone.keys()].some((player) => text.includes(player))
  return sending.attempts.flatMap((attempt, index) => {
    const { outcome } = attempt
    if (outcome.kind === 'answered' && outcome.ran.written !== null && !isRecorded) return [`lost: ${nameOf(sending)}`]
    const isFree = expected === ANYTHING
    // Without a key, a call whose last part was done by others has no record, so its expected answer is unknown.
    const isDoneByOthers = expected === undefined && !sending.keyed
    if (outcome.kind === 'answered' && outcome.ran.written === null && isRecorded && isDoneByOthers) return []
    if (outcome.kind === 'answered' && isRecorded && (isFree || same(outcome.ran.answer, expected))) return []
    if (outcome.kind === 'answered' && isRecorded && isForgotten) {
      if (same(outcome.ran.answer, withoutText(outcome.ran.answer, expected))) return []
    }
    if (outcome.kind === 'answered' && isRecorded) {
      const [given, due] = [JSON.stringify(outcome.ran), JSON.stringify(expected)]
      return [`${nameOf(sending)}: attempt ${index} was answered ${given} and should have been ${due}`]
    }
    const others = sending.attempts.filter((_, other) => other !== index)
    const hadAnswer = isRecorded && others.some((one) => one.outcome.kind === 'answered' && one.ended <= attempt.began)
    if (outcome.kind === 'refused' && BECAUSE_OF_THE_PLAYER.has(outcome.code)) return []
    if (outcome.kind === 'refused' && sending.call.afterwards.includes(outcome.code)) return []
    if (outcome.kind === 'refused' && hadAnswer) return [`${nameOf(sending)}: answered, then refused ${outcome.code}`]
    // Another copy of the call may have recorded it: before, concurrently, or after this one if it arrived late.
    if (outcome.kind === 'refused' && isRecorded && others.length === 0) {
      return [`${nameOf(sending)}: refused with ${outcome.code} and recorded`]
    }
    return []
  })
}

/** Accepts the expected answer with null for texts, which become null when their player is deleted. */
function withoutText(answer: unknown, expected: unknown): unknown {
  const given = unsafeCast<Record<string, unknown>>(answer)
  const unread = ['name', 'external_id', 'own', 'extra'].filter((field) => given[field] === null)
  return { ...unsafeCast<object>(expected), ...Object.fromEntries(unread.map((field) => [field, null])) }
}
