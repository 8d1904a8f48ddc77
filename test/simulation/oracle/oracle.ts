// Judges a history that has come to rest: against the plain model applied in the order of the log, and against read models
// rebuilt from nothing.

import { CALL_ANSWERED } from '../../../commands/turn.ts'
import { type Position, type StoredEvent, shaped } from '../../../domain/event.ts'
import { PERSONAL_FIELDS } from '../../../domain/personal.ts'
import { sealLog } from '../../../stores/sealing/log.ts'
import { sealVault } from '../../../stores/sealing/vault.ts'
import { ANYTHING, type Verdicts } from '../callers/command.ts'
import { applyOwn } from '../callers/rules.ts'
import type { History, Sending, Span } from '../history.ts'
import { happenToPeople } from '../model/happen-people.ts'
import { Model, type Placed } from '../model/model.ts'
import { checkFinal, checkRebuilt } from './final.ts'
import { checkFiles } from './final-files.ts'
import { checkPast } from './final-past.ts'
import { checkVault } from './final-people.ts'
import { rowsOf, shows, showsPartly } from './reads.ts'
import { same } from './same.ts'
import { checkShortLived } from './short-lived.ts'

/** What is wrong with a history, one line each; empty where nothing is. */
export async function judge(history: History): Promise<string[]> {
  const { world } = history
  const vault = sealVault(world.vault, world.masters.keys())
  const log = sealLog(world.log, vault, PERSONAL_FIELDS)
  const events = await log.readAll(null, Number.MAX_SAFE_INTEGER)
  const { model, defects } = replay(history, events)
  const begun = events.filter(({ type }) => type === 'SessionStarted').map(({ meta }) => meta.command)
  return [
    ...history.defects,
    ...checkLog(history.sendings, events),
    ...defects,
    ...checkShortLived(history, new Set(begun)),
    ...(await checkRebuilt(history, log)),
    ...(await checkFinal(history, model)),
    ...(await checkPast(history, events, model)),
    ...(await checkVault(world, model)),
    ...checkFiles(world, model),
  ]
}

/** Streams in which a command records a type of event once. */
const ONCE_ONLY = ['game-', 'key-', 'player-', 'session-', 'board-', 'lb_', 'bucket-']
/** What follows from files' events, in parts that are commands of their own. */
const PARTS = ['quota-', 'file-', 'upload-', 'folder-']
const OF_ITSELF: ReadonlySet<string> = new Set([
  'PlayerUnbanned',
  'LeaderboardHistoryFolded',
  'LeaderboardSliceBuilt',
  'LeaderboardRulesChanged',
  'LeaderboardSliceCleared',
])

/** Nothing twice, nothing that nobody asked for, revisions without gaps, time never backwards in a stream. */
function checkLog(sendings: readonly Sending[], events: readonly StoredEvent[]): string[] {
  const defects: string[] = []
  const commands = new Set(sendings.map(({ command }) => command))
  const seen = new Set<string>()
  const last = new Map<string, StoredEvent>()
  for (const event of events) {
    const { id, stream, type, data, meta, revision } = event
    const once = ONCE_ONLY.some((prefix) => stream.startsWith(prefix))
    for (const key of once ? [id, `${meta.command} ${stream} ${type} ${data.kind}`] : [id]) {
      if (seen.has(key)) defects.push(`doubled: ${type} of ${stream} at ${revision} (${key})`)
      seen.add(key)
    }
    // What the service does of itself is judged by what it meets (model/happen-people.ts, model/files.ts).
    const isOwn = meta.actor === null && OF_ITSELF.has(type)
    const isPart = PARTS.some((prefix) => stream.startsWith(prefix))
    if (!commands.has(meta.command) && !isOwn && !isPart)
      defects.push(`nobody asked for ${type} of ${stream} at ${revision}`)
    const before = last.get(stream)
    if (revision !== (before?.revision ?? -1) + 1) defects.push(`${stream} has ${revision} after ${before?.revision}`)
    if (before !== undefined && before.meta.time > meta.time) defects.push(`${stream}: time runs back at ${revision}`)
    last.set(stream, event)
  }
  return defects
}

/** How many events the log has up to a position. */
type CountAt = (position: Position | null) => number

/** The order of truth is the log's, read back at the end: a place in it is a number from here on. */
function counter(events: readonly StoredEvent[]): CountAt {
  const counts = new Map(events.map(({ position }, index) => [position, index + 1]))
  return (position) => {
    const count = position === null ? 0 : counts.get(position)
    if (count === undefined) throw new Error(`an answer told of position ${position}, and no event is there`)
    return count
  }
}

/** They are applied in parts, between which readers see the player without some of their entries. */
const OF_ALL_ENTRIES: ReadonlySet<string> = new Set(['PlayerBanned', 'PlayerUnbanned', 'PlayerDeleted'])

/** A span of states: after so many events. */
interface States {
  readonly from: number
  readonly to: number
}

const statesIn = ({ from, to }: Span, countAt: CountAt): States => ({ from: countAt(from), to: countAt(to) })

/** An attempt that recorded nothing: some state, no older than what its caller had written, must account for that. */
interface Open extends States {
  readonly sending: Sending
  readonly expected: string
  readonly nowMs: number
}

const comesTo = (verdicts: Verdicts, expected: string): boolean =>
  typeof verdicts === 'string' ? verdicts === expected : verdicts.includes(expected)

/** What answers say beside. Signing in and out looks at the log itself: at no state from before the call. */
function sawBy(sending: Sending, countAt: CountAt) {
  return sending.attempts.flatMap(({ outcome, head, from, to }) => {
    if (outcome.kind !== 'answered') return []
    return (outcome.ran.saw ?? []).map((saw) => {
      return { sending, saw, ...statesIn({ from: saw.ofViews ? from : head, to }, countAt) }
    })
  })
}

function replay(
  { sendings, reads, looks, world }: History,
  events: readonly StoredEvent[],
): { model: Model; defects: string[] } {
  const model = new Model()
  const byCommand = new Map(sendings.map((sending) => [sending.command, sending]))
  const answers = new Map<Sending, unknown>()
  // A claim that is begun is none yet: it may be refused.
  const recorded = new Set<string>(events.filter(({ type }) => type !== 'LoginBegun').map(({ meta }) => meta.command))
  const countAt = counter(events)
  let openCalls = sendings.flatMap((sending) => unrecorded(sending, recorded.has(sending.command), countAt))
  let openReads = reads.map((read) => ({ read, ...statesIn(read, countAt) }))
  let openLooks = looks.map((look) => ({ look, ...statesIn(look, countAt) }))
  let openSaws = sendings.flatMap((sending) => sawBy(sending, countAt))
  const unfounded: string[] = []
  // Where documents and rankings are in stores of their own, an answer may come between the two: it is the nearest rank.
  let openRanks = world.rankings === null ? sendings.flatMap((sending) => ranksOf(sending, countAt)) : []
  for (let count = 0; ; count++) {
    openCalls = openCalls.filter(({ sending, from, to, expected, nowMs }) => {
      return count < from || to < count || !comesTo(sending.call.verdict(model, { nowMs }), expected)
    })
    openSaws = openSaws.filter(({ saw, from, to }) => count < from || to < count || !saw.holds(model))
    openReads = openReads.filter(({ read, from, to }) => count < from || to < count || !shows(model, read))
    openLooks = openLooks.filter(({ look, from, to }) => count < from || to < count || !look.holds(model))
    openRanks = openRanks.filter((open) => !accountsForRank(model, open, count))
    const event = events[count]
    if (event === undefined) break
    const isInParts = OF_ALL_ENTRIES.has(event.type)
    const meanwhile = isInParts ? openReads.filter(({ from, to }) => from <= count && count < to) : []
    const before = new Map(meanwhile.map(({ read }) => [read, rowsOf(model, read.board)]))
    const sending = byCommand.get(event.meta.command)
    if (sending === undefined) applyOwn(model, event.type, event.meta.board)
    // By the clock of the node that took it: a stream's time may have run ahead of that while it was on its way.
    const clocks = [Date.parse(event.meta.time), ...(sending?.attempts ?? []).map(({ nowMs }) => nowMs)]
    const answeredIn = event.stream
    const isNothing = (nowMs: number) => comesTo(sending?.call.verdict(model, { nowMs, answeredIn }) ?? '', 'nothing')
    if (event.type === CALL_ANSWERED && !clocks.some(isNothing)) {
      unfounded.push(`${event.stream} at ${event.revision} says that a call changed nothing, which did`)
    }
    unfounded.push(...happenToPeople(model, event), ...model.files.happen(event, model.gone))
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
    ...openLooks.map(({ look, from, to }) => `read, and not so from ${from} to ${to}: ${look.what}`),
    ...openRanks.map((rank) => `rank that fits no state: ${JSON.stringify(rank)}`),
  ]
  return { model, defects }
}

const nameOf = ({ call, command }: Sending): string => `${call.name} ${JSON.stringify(call.args)} (${command})`

/** A call about a player who was banned or deleted since is refused, also where it was answered before; and one with a token that was signed out. */
const BECAUSE_OF_THE_PLAYER: ReadonlySet<string> = new Set([
  'player_banned',
  'player_not_found',
  'sign_in_rejected',
  'token_rejected',
  'unknown_player',
])

/** A write was answered: it is there. It was answered twice: with the same words. */
function checkAnswers(
  sending: Sending,
  isRecorded: boolean,
  expected: unknown,
  gone: ReadonlyMap<string, unknown>,
): string[] {
  const told = JSON.stringify([sending.call.args, expected])
  const isForgotten = [...gone.keys()].some((player) => told.includes(player))
  return sending.attempts.flatMap((attempt, index) => {
    const { outcome } = attempt
    if (outcome.kind === 'answered' && outcome.ran.written !== null && !isRecorded) return [`lost: ${nameOf(sending)}`]
    const isFree = expected === ANYTHING
    // Without a key nothing is recorded of a call whose last part was done by others: nothing tells what its answer was due to be.
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
    // Another copy of the call may have recorded it: before, beside or, where it arrived late, after this one.
    if (outcome.kind === 'refused' && isRecorded && others.length === 0) {
      return [`${nameOf(sending)}: refused with ${outcome.code} and recorded`]
    }
    return []
  })
}

/** What is expected, but that names which are answered as null may be: their player is deleted, and nobody reads them. */
function withoutText(answer: unknown, expected: unknown): unknown {
  const given = shaped<Record<string, unknown>>(answer)
  const unread = ['name', 'external_id', 'own'].filter((field) => given[field] === null)
  return { ...shaped<object>(expected), ...Object.fromEntries(unread.map((field) => [field, null])) }
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
  /** Where the call's own event stands. */
  readonly written: number
  readonly board: string
  readonly entry: Placed
  readonly rank: number | null
}

function ranksOf({ attempts }: Sending, countAt: CountAt): OpenRank[] {
  return attempts.flatMap(({ outcome, to }) => {
    if (outcome.kind !== 'answered' || outcome.ran.rank === undefined || outcome.ran.written === null) return []
    const written = countAt(outcome.ran.written.position)
    // Its own write may not have been seen in time; then it is laid over an earlier state.
    return [{ from: 0, to: countAt(to), written, ...outcome.ran.rank }]
  })
}

function accountsForRank(model: Model, { from, to, written, board, entry, rank }: OpenRank, count: number): boolean {
  if (count < from || to < count || !model.boards.has(board)) return false
  if (model.rankOf(board, entry) === rank) return true
  // What was deleted or hidden meanwhile has no rank, and whatever is said of it is as good. Where its own write was not seen
  // in time, the earlier state may be one in which its player is still banned.
  const isBanned = model.players.has(entry.player) && !model.isShown(entry.player)
  if (rank === null && isBanned) return true
  if (count >= written && !model.isShown(entry.player)) return true
  return count >= written && !model.entriesOf(board, entry.player).some(({ id }) => id === entry.id)
}
