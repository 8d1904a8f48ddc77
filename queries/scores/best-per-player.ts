// Each player's best submission made inside a window of a unique board, from the board's recorded history.

import { momentOf, type StoredEvent, shaped } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import { bestOf, type ScoreEvent } from '../../domain/score.ts'
import { historyPages } from '../../stores/contract/history.ts'
import type { Slices } from '../slices.ts'
import type { Sent } from './entry.ts'
import type { ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'

/** Events read, or submissions judged, before the clock is read. */
const PAGE = 100

export type Window = Pick<ScoresQuery, 'since' | 'until'>

/** Where rules have ever changed, one submission of several may have been deleted: then all are held. O(history), in slices. */
export function bestPerPlayer(reader: Reader, window: Window, slices: Slices): Promise<Map<string, Sent>> {
  return reader.generation > 1 ? bestOfThoseLeft(reader, window, slices) : bestSoFar(reader, window, slices)
}

/** A deletion takes all that its player submitted before it. */
async function bestSoFar(reader: Reader, window: Window, slices: Slices): Promise<Map<string, Sent>> {
  const best = new Map<string, Sent>()
  for await (const event of historyOf(reader, slices)) {
    const player = event.meta.player ?? ''
    if (event.type === 'ScoreDeleted') best.delete(player)
    const sent = sentInside(event, window)
    if (sent !== null) keepBetter(best, player, sent, reader.rules)
  }
  return best
}

async function bestOfThoseLeft(reader: Reader, window: Window, slices: Slices): Promise<Map<string, Sent>> {
  const all = new Map<string, Sent[]>()
  const gone = new Set<string>()
  for await (const event of historyOf(reader, slices)) {
    const player = event.meta.player ?? ''
    const { type, data } = shaped<ScoreEvent>(event)
    if (type === 'ScoreDeleted' && data.upTo === null) gone.add(data.id)
    if (type === 'ScoreDeleted' && data.upTo !== null) all.delete(player)
    const sent = sentInside(event, window)
    if (sent === null) continue
    const others = all.get(player)
    if (others === undefined) all.set(player, [sent])
    else others.push(sent)
  }
  const best = new Map<string, Sent>()
  let judged = 0
  for (const [player, submissions] of all) {
    for (const sent of submissions) {
      if (judged++ % PAGE === 0) await slices.turnIfDue()
      if (!gone.has(sent.id)) keepBetter(best, player, sent, reader.rules)
    }
  }
  return best
}

function keepBetter(best: Map<string, Sent>, player: string, sent: Sent, rules: Rules): void {
  const before = best.get(player)
  if (bestOf(rules, before === undefined ? [sent] : [before, sent]) === sent) best.set(player, sent)
}

/** Null where the event is no submission made inside the window. */
function sentInside(event: StoredEvent, { since, until }: Window): Sent | null {
  const { type, data } = shaped<ScoreEvent>(event)
  const { time } = event.meta
  if (type !== 'ScoreSubmitted' || (since !== null && time < since) || (until !== null && time >= until)) return null
  return { ...data, ...momentOf(event) }
}

async function* historyOf({ deps, board }: Reader, slices: Slices): AsyncIterable<StoredEvent> {
  const between = () => slices.turnIfDue()
  for await (const page of historyPages(deps.history.part, { board }, { limit: PAGE }, between)) yield* page
}
