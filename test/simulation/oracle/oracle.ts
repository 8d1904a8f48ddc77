// Judges a finished history against the model, applied in log order, and against rebuilt read models.

import { CALL_ANSWERED } from '../../../commands/command-batch.ts'
import type { Position, StoredEvent } from '../../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import { sealLog } from '../../../stores/log-decorators/sealing/open.ts'
import { sealVault } from '../../../stores/log-decorators/sealing/vault.ts'
import type { Verdicts } from '../callers/command.ts'
import { applyOwn } from '../callers/rules.ts'
import type { History, Sending, Span } from '../history.ts'
import { happenToBoardKeys } from '../model/happen-board-keys.ts'
import { happenToPeople } from '../model/happen-people.ts'
import { happenToSeasons } from '../model/happen-seasons.ts'
import { Model, type Placed } from '../model/model.ts'
import { checkAnswers, nameOf } from './answers.ts'
import { withErasedPaths } from './erased-paths.ts'
import { checkFinal, checkRebuilt } from './final.ts'
import { checkFiles } from './final-files.ts'
import { checkPast } from './final-past.ts'
import { checkVault } from './final-people.ts'
import { checkLog } from './log.ts'
import { rowsOf, shows, showsPartly } from './reads.ts'
import { checkShortLived } from './short-lived.ts'

/** The defects of a history, one line each. */
export async function judge(history: History): Promise<string[]> {
  const { world } = history
  const vault = sealVault(world.vault, world.masters.keys())
  const log = sealLog(world.log, vault, PERSONAL_FIELDS)
  const events = await log.readAll(null, Number.MAX_SAFE_INTEGER)
  const { model, defects } = replay(history, withErasedPaths(events, history.sendings))
  const signIns = events.filter(({ type }) => type === 'SessionStarted').map(({ meta }) => meta.command)
  return [
    ...history.defects,
    ...checkLog(history.sendings, events),
    ...defects,
    ...(history.setsClocks ? [] : checkShortLived(history, new Set(signIns))),
    ...(await checkRebuilt(history, log)),
    ...(await checkFinal(history, model)),
    ...(history.setsClocks ? [] : await checkPast(history, events, model)),
    ...(await checkVault(world, model)),
    ...checkFiles(world, model),
  ]
}

/** The number of events in the log up to a position. */
type CountAt = (position: Position | null) => number

/** The log, read back at the end, is the reference order: positions become numbers here. */
function counter(events: readonly StoredEvent[]): CountAt {
  const counts = new Map(events.map(({ position }, index) => [position, index + 1]))
  return (position) => {
    const count = position === null ? 0 : counts.get(position)
    if (count === undefined) throw new Error(`an answer has position ${position}, which no event has`)
    return count
  }
}

/** They are applied in parts; between two parts readers see only some entries of the player. */
const OF_ALL_ENTRIES: ReadonlySet<string> = new Set(['PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])

/** A range of states, as numbers of applied events. */
interface States {
  readonly from: number
  readonly to: number
}

const statesIn = ({ from, to }: Span, countAt: CountAt): States => ({ from: countAt(from), to: countAt(to) })

/** An attempt that recorded nothing: some state, no older than its caller's last write, must explain the outcome. */
interface Open extends States {
  readonly sending: Sending
  readonly expected: string
  readonly nowMs: number
}

const comesTo = (verdicts: Verdicts, expected: string): boolean =>
  typeof verdicts === 'string' ? verdicts === expected : verdicts.includes(expected)

/** Further claims of answers. Sign-in and sign-out read the log itself, so no earlier state counts. */
function sawBy(sending: Sending, countAt: CountAt) {
  return sending.attempts.flatMap(({ outcome, head, from, to }) => {
    if (outcome.kind !== 'answered') return []
    return (outcome.ran.saw ?? []).map((saw) => {
      return { sending, saw, ...statesIn({ from: saw.ofViews ? from : head, to }, countAt) }
    })
  })
}

function replay(
  { sendings, reads, conditionChecks, world }: History,
  events: readonly StoredEvent[],
): { model: Model; defects: string[] } {
  const model = new Model()
  const byCommand = new Map(sendings.map((sending) => [sending.command, sending]))
  const answers = new Map<Sending, unknown>()
  // A claim that is only begun is not valid yet: the call may be refused.
  const recorded = new Set<string>(events.filter(({ type }) => type !== 'LoginBegun').map(({ meta }) => meta.command))
  const countAt = counter(events)
  let openCalls = sendings.flatMap((sending) => unrecorded(sending, recorded.has(sending.command), countAt))
  let openReads = reads.map((read) => ({ read, ...statesIn(read, countAt) }))
  let openChecks = conditionChecks.map((check) => ({ check, ...statesIn(check, countAt) }))
  let openSaws = sendings.flatMap((sending) => sawBy(sending, countAt))
  const unfounded: string[] = []
  // If documents and rankings are in separate stores, an answer may fall between the two: then the nearest rank counts.
  let openRanks = world.rankings === null ? sendings.flatMap((sending) => ranksOf(sending, countAt)) : []
  let openSeasonRanks = world.rankings === null ? sendings.flatMap((sending) => seasonRanksOf(sending, countAt)) : []
  for (let count = 0; ; count++) {
    openCalls = openCalls.filter(({ sending, from, to, expected, nowMs }) => {
      return (
        count < from ||
        to < count ||
        !comesTo(sending.call.verdict(model, { nowMs, command: sending.command }), expected)
      )
    })
    openSaws = openSaws.filter(({ saw, from, to }) => count < from || to < count || !saw.holds(model))
    openReads = openReads.filter(({ read, from, to }) => count < from || to < count || !shows(model, read))
    openChecks = openChecks.filter(({ check, from, to }) => count < from || to < count || !check.holds(model))
    openRanks = openRanks.filter((open) => !accountsForRank(model, open, count))
    openSeasonRanks = openSeasonRanks.filter((open) => !accountsForSeasonRank(model, open, count))
    const event = events[count]
    if (event === undefined) break
    const isInParts = OF_ALL_ENTRIES.has(event.type)
    const meanwhile = isInParts ? openReads.filter(({ from, to }) => from <= count && count < to) : []
    const before = new Map(meanwhile.map(({ read }) => [read, rowsOf(model, read.board)]))
    const sending = byCommand.get(event.meta.command)
    if (sending === undefined) applyOwn(model, event.type, event.meta.board)
    // By the clock of the node that handled it: the time of the stream may have advanced while the call was in flight.
    const clocks = [Date.parse(event.meta.time), ...(sending?.attempts ?? []).map(({ nowMs }) => nowMs)]
    const answeredIn = event.stream
    const isNothing = (nowMs: number) =>
      comesTo(sending?.call.verdict(model, { nowMs, command: event.meta.command, answeredIn }) ?? '', 'nothing')
    if (event.type === CALL_ANSWERED && !clocks.some(isNothing)) {
      unfounded.push(`${event.stream} at ${event.revision} says that a call changed nothing, which did`)
    }
    unfounded.push(
      ...happenToPeople(model, event),
      ...happenToBoardKeys(model, event),
      ...happenToSeasons(model, event),
      ...model.files.happen(event, model.gone),
    )
    const answer = sending?.call.apply(model, event)
    openReads = openReads.filter(({ read }) => {
      const rows = before.get(read)
      return rows === undefined || !showsPartly(rows, rowsOf(model, read.board), event.meta.player ?? '', read)
    })
    if (sending !== undefined && answer !== undefined) answers.set(sending, answer)
  }
  const defects = [
    ...unfounded,
    ...sendings.flatMap((sending) =>
      checkAnswers(sending, recorded.has(sending.command), answers.get(sending), model.gone),
    ),
    ...openCalls.map(({ sending, expected }) => `${nameOf(sending)}: no state accounts for "${expected}"`),
    ...openSaws.map(({ sending, saw, from, to }) => `${nameOf(sending)}: not so from ${from} to ${to}: ${saw.what}`),
    ...openReads.map(({ read, from, to }) => `read that fits no state from ${from} to ${to}: ${JSON.stringify(read)}`),
    ...openChecks.map(({ check, from, to }) => `read, and not so from ${from} to ${to}: ${check.what}`),
    ...openRanks.map((rank) => `rank that fits no state: ${JSON.stringify(rank)}`),
    ...openSeasonRanks.map((rank) => `rank in a season that fits no state: ${JSON.stringify(rank)}`),
  ]
  return { model, defects }
}

function unrecorded(sending: Sending, isRecorded: boolean, countAt: CountAt): Open[] {
  if (isRecorded) return []
  return sending.attempts.flatMap((attempt): Open[] => {
    const { outcome } = attempt
    const states = statesIn(attempt, countAt)
    const at = { sending, ...states, nowMs: attempt.nowMs }
    if (outcome.kind === 'refused') return [{ ...at, expected: outcome.code }]
    return outcome.kind === 'answered' && outcome.ran.written === null ? [{ ...at, expected: 'nothing' }] : []
  })
}

interface OpenRank extends States {
  /** The state of the call's own event. */
  readonly written: number
  readonly board: string
  readonly entry: Placed
  readonly rank: number | null
}

function ranksOf({ attempts }: Sending, countAt: CountAt): OpenRank[] {
  return attempts.flatMap(({ outcome, to }) => {
    if (outcome.kind !== 'answered' || outcome.ran.rank === undefined || outcome.ran.written === null) return []
    const written = countAt(outcome.ran.written.position)
    // If its own write was not visible in time, the answer combines it with an earlier state.
    return [{ from: 0, to: countAt(to), written, ...outcome.ran.rank }]
  })
}

function accountsForRank(model: Model, { from, to, written, board, entry, rank }: OpenRank, count: number): boolean {
  if (count < from || to < count || !model.boards.has(board)) return false
  if (model.rankOf(board, entry) === rank) return true
  // What was deleted or hidden meanwhile has no rank, so any answered rank is accepted. If its own write was not
  // visible in time, its player may still be banned in the earlier state.
  const isBanned = model.players.has(entry.player) && !model.isShown(entry.player)
  if (rank === null && isBanned) return true
  if (count >= written && !model.isShown(entry.player)) return true
  return count >= written && !model.entriesOf(board, entry.player).some(({ id }) => id === entry.id)
}

interface OpenSeasonRank extends States {
  readonly board: string
  readonly season: number
  readonly player: string
  readonly rank: number
  /** The player's best entries of the season in the states until now. */
  readonly bests: Set<string>
}

/** Those that were answered: if its own write was not visible in time, an answer has none. */
function seasonRanksOf({ attempts }: Sending, countAt: CountAt): OpenSeasonRank[] {
  return attempts.flatMap(({ outcome, to }) => {
    if (outcome.kind !== 'answered' || outcome.ran.written === null) return []
    const { seasonRank, written } = outcome.ran
    if (seasonRank === undefined || seasonRank.rank === null) return []
    return [
      { ...seasonRank, rank: seasonRank.rank, bests: new Set(), from: countAt(written.position), to: countAt(to) },
    ]
  })
}

/**
 * A ranking has a change before the documents do: where each submission is an entry, an answer may count a better one
 * of the same player before the documents show that one as the best.
 */
function accountsForSeasonRank(model: Model, open: OpenSeasonRank, count: number): boolean {
  const { from, to, board, season, player, rank, bests } = open
  if (count < from || to < count) return false
  const rows =
    model.seasons
      .get(board)
      ?.rows(season)
      .filter(({ entry }) => entry.player === player) ?? []
  const [best] = rows
  if (best !== undefined) bests.add(best.entry.shown)
  return rows.some((row) => row.rank === rank && bests.has(row.entry.shown))
}
