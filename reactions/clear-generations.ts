// Removes an inactive generation of a leaderboard's entries, in ranges of its history, each recorded as an event,
// once no reader uses it.

import { advanceRuleChange } from '../commands/leaderboard.ts'
import { type EventReference, type StoredEvent, sameReference, unsafeCast } from '../domain/event.ts'
import { type ClearedRange, clearRange } from '../domain/rule-change.ts'
import { positionOrNull, type RangePolicy, referenceOf } from './build-generations.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge, waitForViews } from './wait.ts'

/** By then, requests that started to read under the old rules have been answered. */
const KEPT_MS = 30_000

type Left = Pick<ClearedRange, 'generation' | 'after' | 'until'>

interface ClearDeps extends ReactionDeps {
  readonly policy: Pick<RangePolicy, 'clearedEvents'>
}

export function clearGenerations(deps: ClearDeps, keptMs: number = KEPT_MS): Reaction {
  const { commands, queries, now, policy } = deps

  async function clear(event: StoredEvent, board: string, game: string, signal: AbortSignal): Promise<void> {
    const left = leftAfter(event)
    if (left === null || !(await waitForViews(deps, { game, position: event.position }, signal))) return
    const upTo = left.until === null ? null : await endOf(board, left.after, left.until)
    await advanceRuleChange(commands, { board, game }, clearRange({ ...left, upTo }), ownContext(now()))
  }

  async function endOf(board: string, after: EventReference | null, end: EventReference): Promise<EventReference> {
    const last = await queries.history.nth({ board }, await positionOrNull(deps, after), policy.clearedEvents)
    return last === null || last.position >= ((await positionOrNull(deps, end)) ?? '') ? end : referenceOf(last)
  }

  return {
    name: 'clear_generations',
    takes: [
      'LeaderboardRulesChanged',
      'LeaderboardRulesCancelled',
      'LeaderboardRulesFailed',
      'LeaderboardSliceCleared',
    ],
    async react(event, signal) {
      const { game, board } = event.meta
      if (event.type !== 'LeaderboardSliceCleared') await waitForAge(event, now, signal, keptMs)
      if (signal.aborted || game === null || board === undefined) return
      await clear(event, board, game, signal)
    },
  }
}

/** Null if nothing is left to clear. */
function leftAfter(event: StoredEvent): Left | null {
  const { type, data } = event
  const upTo = unsafeCast<EventReference | null>(data.upTo ?? null)
  if (type === 'LeaderboardRulesChanged') {
    return { generation: Number(data.replaces), after: null, until: referenceOf(event) }
  }
  const generation = Number(data.generation)
  if (type !== 'LeaderboardSliceCleared') return { generation, after: null, until: upTo }
  const end = unsafeCast<EventReference | null>(data.until ?? null)
  return sameReference(upTo, end) ? null : { generation, after: upTo, until: end }
}
