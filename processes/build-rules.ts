// Builds the generation of a leaderboard's entries that was asked for: slice after slice of the board's history, each an event,
// until what is left is small; that comes with the event that puts the generation in force.

import { goOn } from '../commands/leaderboard.ts'
import { look } from '../commands/look.ts'
import { type StoredEvent, shaped } from '../domain/event.ts'
import { boardStream, leaderboard } from '../domain/leaderboard.ts'
import { buildSlice, type EventPlace, failRebuild, finishRebuild, running, samePlace } from '../domain/rebuild.ts'
import { eventsOf, whyBroken } from '../queries/rebuild.ts'
import { placeOf, positionOf, SLICE } from './boards.ts'
import type { ProcessDeps } from './deps.ts'
import { ownIntent } from './intent.ts'
import type { Process } from './process.ts'
import { viewsHave } from './wait.ts'

/** `slice`: how many events are built at a time. */
export function buildRules(deps: ProcessDeps, slice: number = SLICE): Process {
  /** Of the last build that was gone on with: counted once. */
  let counted = { change: '', total: 0 }

  async function totalOf(change: string, board: string): Promise<number> {
    if (counted.change !== change) counted = { change, total: await eventsOf(deps.queries.history, board) }
    return counted.total
  }

  async function step(event: StoredEvent, board: string, game: string, signal: AbortSignal): Promise<void> {
    const { commands, queries, now } = deps
    const change = String(event.data.change)
    const after = shaped<EventPlace | null>(event.data.upTo ?? null)
    const present = running(await look(commands, leaderboard, boardStream(board)), change)
    // Another one has gone on from here, or it is over.
    if (present === null || !samePlace(present.upTo, after)) return
    if (!(await viewsHave(deps, { game, position: event.position }, signal))) return
    const broken = await whyBroken(queries, board, present.generation)
    const send = (decision: Parameters<typeof goOn>[2]) => goOn(commands, { board, game }, decision, ownIntent(now()))
    if (broken !== null) return void (await send(failRebuild(change, broken)))
    const last = await queries.history.nth({ board }, await positionOf(deps, after), slice)
    if (last === null) return void (await send(finishRebuild(change, after)))
    const total = await totalOf(change, board)
    await send(buildSlice(change, { after, upTo: placeOf(last), events: slice, total }))
  }

  return {
    name: 'build_rules',
    takes: ['LeaderboardRulesRequested', 'LeaderboardSliceBuilt'],
    async react(event, signal) {
      const { game, board } = event.meta
      if (game !== null && board !== undefined) await step(event, board, game, signal)
    },
  }
}
