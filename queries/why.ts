// Why a score stands as it does: the events that made it so, from the streams of its board, its player, and that player on
// that board. What changed nothing of it under the rules in force is left out.

import type { Position, StoredEvent } from '../domain/event.ts'
import { momentOf, shaped } from '../domain/event.ts'
import { boardStream } from '../domain/leaderboard.ts'
import { playerStream } from '../domain/player.ts'
import { type ScoreEvent, type Standing, scoreStream, standing, submissionsLeft } from '../domain/score.ts'
import { eventsFrom, type Log } from '../stores/contract/log.ts'
import { eventAnswer } from './events.ts'
import type { Board } from './leaderboard.ts'
import type { Entry } from './scores/entry.ts'

/** Events told at most: the newest. */
const TOLD_MAX = 1_000

/** What an event did to the score; `removed`: it ended the one before it, so that this one could begin. */
export type Effect = 'rules' | 'removed' | 'began' | 'improved' | 'hidden' | 'shown'

interface Told {
  readonly effect: Effect
  readonly event: StoredEvent
}

interface Found {
  readonly entry: Entry
  readonly board: Board
}

/** In log order. O(events of the three streams). */
export async function whyAnswer(log: Pick<Log, 'readStream'>, { entry, board }: Found) {
  const own = await ofScore(log, entry, board)
  const began = own.find(({ effect }) => effect === 'began')?.event.position ?? ''
  const told = [...(await ofBoard(log, board.id)), ...own, ...(await ofPlayer(log, entry.player, began))]
  told.sort((a, b) => (a.event.position < b.event.position ? -1 : 1))
  const leftOut = Math.max(0, told.length - TOLD_MAX)
  const member: string | null = entry.member
  return {
    score: entry.id,
    leaderboard: board.id,
    player: entry.player,
    hidden: member === null,
    events: told.slice(leftOut).map(({ effect, event }) => ({ effect, event: eventAnswer(event) })),
    left_out: leftOut,
  }
}

async function ofBoard(log: Pick<Log, 'readStream'>, board: string): Promise<Told[]> {
  const told: Told[] = []
  for await (const event of eventsFrom(log, boardStream(board)))
    if (RULES.has(event.type)) told.push({ effect: 'rules', event })
  return told
}

const RULES: ReadonlySet<string> = new Set(['LeaderboardCreated', 'LeaderboardRulesChanged'])

/** Bans since the score began: before that there was nothing to hide. */
async function ofPlayer(log: Pick<Log, 'readStream'>, player: string, began: Position): Promise<Told[]> {
  const told: Told[] = []
  for await (const event of eventsFrom(log, playerStream(player))) {
    const effect = BANS[event.type]
    if (effect !== undefined && event.position > began) told.push({ effect, event })
  }
  return told
}

const BANS: Readonly<Record<string, Effect>> = { PlayerBanned: 'hidden', PlayerUnbanned: 'shown' }

async function ofScore(log: Pick<Log, 'readStream'>, { id, player }: Entry, board: Board): Promise<Told[]> {
  const { rules } = board.state
  const { evolve, initial } = standing(rules, board.generation > 1 ? 'all' : 'first and best')
  const past: StoredEvent[] = []
  let told: Told[] = []
  let before: Standing = initial
  let takesOne = false
  for await (const event of eventsFrom(log, scoreStream(board.id, player))) {
    if (!rules.unique) {
      // Each submission is a score of its own; one that was deleted is nowhere to be asked about.
      if (event.type === 'ScoreSubmitted' && event.data.id === id) told.push({ effect: 'began', event })
      continue
    }
    past.push(event)
    const after = next(before, event)
    if (event.type !== 'ScoreDeleted') told.push(...did(before, after, event))
    else if (after.first === null) told = [{ effect: 'removed', event }]
    else {
      takesOne = true
      const mattered = after.first.id !== before.first?.id || after.best !== before.best
      if (mattered) told.push({ effect: 'removed', event })
    }
    before = after
  }
  // Where rules have ever changed a deletion may have taken one submission of several: the entry stands by those left.
  if (!takesOne) return told
  return [...told.filter(({ effect }) => effect === 'removed'), ...bySubmissions(submissionsLeft(past))]

  function next(present: Standing, event: StoredEvent): Standing {
    return evolve(present, shaped<ScoreEvent>(event), momentOf(event))
  }

  function bySubmissions(left: readonly StoredEvent[]): Told[] {
    let present: Standing = initial
    return left.flatMap((event) => {
      const was = present
      present = next(was, event)
      return did(was, present, event)
    })
  }
}

function did(before: Standing, after: Standing, event: StoredEvent): Told[] {
  if (before.first === null && after.first !== null) return [{ effect: 'began', event }]
  return after.best === before.best ? [] : [{ effect: 'improved', event }]
}
