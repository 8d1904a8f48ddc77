// Computes a past board of a generated history with plain arrays and BigInt.

import type { Rules } from '../../domain/board-rules.ts'
import { type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { canonical, scaled } from '../model/big-decimal.ts'
import { byRank, isAdded, type ModelRules, type Submission, shownOf } from '../model/board-model.ts'
import type { Row } from '../model/scores-model.ts'
import { type PastWorld, rulesAfter } from './past-world.ts'

/** A row of a board as it is shown, without names. */
export interface ExpectedRow {
  readonly id: string
  readonly player: string
  readonly rank: number
  readonly score: string
  readonly secondary: string | null
  readonly extra: string | null
  readonly added: string
  readonly updated: string
}

/**
 * The board at an instant, best first, without the players in `gone`, as submissions whose time passes `isInside` make
 * it.
 */
export function expectedBoard(
  { events }: PastWorld,
  asOf: string,
  gone: readonly string[] = [],
  isInside: (time: string) => boolean = () => true,
): ExpectedRow[] {
  const cut = events.findLastIndex(({ meta }) => meta.time <= asOf)
  const then = events.slice(0, cut + 1).filter(({ meta }) => !gone.includes(meta.player ?? ''))
  if (cut < 0) return []
  const rules = modelRulesOf(rulesAfter(then))
  const banned = new Set<string>()
  let sent: Submission[] = []
  for (const event of then) {
    const { type, data, meta } = event
    const { player = '' } = meta
    if (type === 'PlayerBanned') banned.add(player)
    else if (type === 'PlayerUnbanned') banned.delete(player)
    else if (type === 'ScoreDeleted')
      sent = sent.filter((one) => (data.upTo === null ? one.id !== data.id : one.player !== player))
    else if (type === 'ScoreSubmitted') sent.push(submissionOf(event))
  }
  const rows = rowsOf(rules, sent, isInside).filter(({ player }) => !banned.has(player))
  return rows.sort(byRank(rules)).map(({ id, player, added, from }, i) => ({
    id,
    player,
    rank: i + 1,
    score: canonical(from.score),
    secondary: from.secondary === null ? null : canonical(from.secondary),
    extra: unsafeCast(from.extra),
    added,
    updated: from.time,
  }))
}

const modelRulesOf = (rules: Rules): ModelRules => ({
  ordering: rules.ordering,
  secondary_ordering: rules.secondaryOrdering,
  unique: rules.unique,
  keep: rules.keep ?? 'best',
  min_score: rules.minScore,
  max_score: rules.maxScore,
})

function submissionOf({ data, meta, position }: StoredEvent): Submission {
  const { id, score, secondary, extra } = unsafeCast<
    Record<'id' | 'score', string> & Record<'secondary' | 'extra', string | null>
  >(data)
  const { player = '', time } = meta
  const values = { score: scaled(score), secondary: secondary === null ? null : scaled(secondary) }
  return { id, player, ...values, ownName: null, extra, time, n: Number(position) }
}

/** What submissions that were not deleted make: of those that do not count, nothing but an id. */
function rowsOf(rules: ModelRules, sent: readonly Submission[], isInside: (time: string) => boolean): Row[] {
  const min = rules.min_score === null ? null : scaled(rules.min_score)
  const isTaken = (one: Submission) =>
    (min === null || one.score >= min) && (rules.keep !== 'total' || isAdded(one)) && isInside(one.time)
  if (!rules.unique)
    return sent.filter(isTaken).map((from) => ({ id: from.id, player: from.player, added: from.time, from }))
  return [...new Set(sent.map(({ player }) => player))].flatMap((player) => {
    const own = sent.filter((one) => one.player === player)
    const counted = own.filter(isTaken)
    const [first] = own as [Submission]
    return counted.length === 0 ? [] : [{ id: first.id, player, added: first.time, from: shownOf(rules, counted) }]
  })
}
