// Many submissions of one call: `submitMany` has the steps in order. Each is checked, recorded and answered as a single
// one (submit-score.ts); together they take one look-up of each leaderboard, of the players and of the ranks, one
// command group, or a few (record-many.ts), and one wait for the views.

import { isBoardKey } from '../domain/board-key.ts'
import { Refusal } from '../domain/decider.ts'
import { orRefusal, withoutRefusals } from '../domain/or-refusal.ts'
import type { ScoreContent } from '../domain/score.ts'
import { isNamed } from '../domain/streams.ts'
import { findByKey, type NamedKey, NO_BOARD } from '../queries/board-key.ts'
import { type Board, boardOfGame, findBoards } from '../queries/leaderboard.ts'
import { findPlayers } from '../queries/player.ts'
import { ranksOf } from '../queries/scores/one.ts'
import { allOf, allOfInSlices, Failed, valueOrThrow } from '../runtime/all-of.ts'
import { mapInSlices, type TimeSlices } from '../runtime/time-slices.ts'
import { readingOnce } from '../stores/support/reading-once.ts'
import { BEHIND_AFTER_MS, type BegunPart, type CommitPosition } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import {
  freshnessAfter,
  type JudgedSubmission,
  judgeSubmission,
  playersOnBoards,
  rankedIn,
  type SubmittedEntry,
} from './judge-submission.ts'
import { holderOfExternalId } from './player.ts'
import { type ReadySubmission, type RecordedOne, type RecordManyDeps, recordMany, refusalIn } from './record-many.ts'
import { readingImprovements } from './season-improvements.ts'
import { seasonOfSubmission } from './season-of-submission.ts'
import { answered, preparedSubmission, presentName, type SubmitDeps, unknownPlayer } from './submit-score.ts'

export interface SubmitManyDeps extends SubmitDeps {
  readonly commands: RecordManyDeps
}

/** A submission to a leaderboard of the game. */
export interface ListedSubmission {
  /** The id or the key of the leaderboard. */
  readonly leaderboard: string
  /** Exactly one of `player` and `externalId` is given. */
  readonly player: string | undefined
  readonly externalId: string | undefined
  /** Called after the checks of the player. May throw Refusal. */
  content(): ScoreContent
  /** Begins it as a part of the call. May throw or reject with Refusal. */
  begin(named: NamedInSubmission): BegunPart | Promise<BegunPart>
}

/** What a submission names, as it is found before it begins. */
export interface NamedInSubmission {
  /** The key of the leaderboard; null: it is named by id. */
  readonly boardKey: NamedKey | null
  /** Undefined: nobody has the external id. */
  readonly player: string | undefined
}

export interface ManySubmissions {
  readonly game: string
  /** A Refusal: one that is refused already. */
  readonly submissions: readonly (ListedSubmission | Refusal)[]
  /** Throws Refusal if the caller may not submit to the leaderboard. `named`: its id or key, as it was sent. */
  checkMaySubmit(board: string, named: string): void
  /** Reads whether players may play. The result throws Refusal for one of them who may not. */
  readMayPlay(players: readonly string[]): Promise<(player: string) => void>
}

export interface ManySubmitted {
  /** In the order of the submissions: the answer of a single one, or its refusal. */
  readonly outcomes: readonly (SubmittedEntry | Refusal)[]
  /** The last position that was recorded; null if nothing was. */
  readonly written: CommitPosition | null
}

/**
 * Submits in the order of the list. A refused submission is its own outcome. If the outcome of one is unknown, rejects
 * with its 503 once all are settled; also with any error that is no Refusal.
 */
export async function submitMany(
  deps: SubmitManyDeps,
  many: ManySubmissions,
  slices: TimeSlices,
): Promise<ManySubmitted> {
  const named = await nameAll(deps, many, slices)
  const begun = await beginAll(named, slices)
  let recorded: readonly (RecordedOne | Refusal)[]
  try {
    recorded = await recordMany(deps.commands, await prepareAll(deps, many, { begun, slices }), slices)
  } finally {
    await endAll(begun)
  }
  return answerAll(deps, recorded, slices)
}

/** A submission with the ids of what it names: a leaderboard and a player, which may not exist. */
interface Named extends NamedInSubmission {
  readonly listed: ListedSubmission
  readonly board: string
}

/** Looks up what the submissions name, once each, and checks the permissions for it. */
async function nameAll(
  { queries, commands }: SubmitManyDeps,
  { game, submissions, checkMaySubmit }: ManySubmissions,
  slices: TimeSlices,
): Promise<readonly (Named | Refusal)[]> {
  const all = withoutRefusals(submissions)
  const [byKey, players] = await Promise.all([
    readEach(
      all.flatMap(({ leaderboard }) => (isBoardKey(leaderboard) ? leaderboard : [])),
      (key) => findByKey(queries, game, key),
    ),
    readEach(
      all.flatMap(({ externalId }) => externalId ?? []),
      async (external) => (await holderOfExternalId(commands, game, external))?.player,
    ),
  ])
  const named = (listed: ListedSubmission): Named => {
    const { leaderboard } = listed
    const boardKey = isBoardKey(leaderboard) ? { key: leaderboard, board: byKey.get(leaderboard) ?? null } : null
    const board = boardKey === null ? leaderboard : (boardKey.board?.board ?? NO_BOARD)
    checkMaySubmit(board, leaderboard)
    return { listed, board, boardKey, player: listed.player ?? players.get(listed.externalId ?? '') }
  }
  return mapInSlices(slices, submissions, (one) => (one instanceof Refusal ? one : orRefusal(() => named(one))))
}

/** A submission that runs as a part of the call until it is ended. */
interface Begun {
  readonly named: Named
  readonly part: BegunPart
}

/** If one of them cannot be begun or refused, none is. */
async function beginAll(
  named: readonly (Named | Refusal)[],
  slices: TimeSlices,
): Promise<readonly (Begun | Refusal)[]> {
  const parts = await allOfInSlices(slices, named, (one) =>
    one instanceof Refusal ? one : orRefusal(() => one.listed.begin(one)),
  )
  const begun = parts.map((part, nth): Begun | Refusal | Failed =>
    part instanceof Failed || part instanceof Refusal ? part : { named: named[nth] as Named, part },
  )
  try {
    return begun.map((one) => (one instanceof Failed ? refusalIn(one.error) : one))
  } catch (error) {
    await endAll(begun)
    throw error
  }
}

async function endAll(begun: readonly (Begun | Refusal | Failed)[]): Promise<void> {
  await allOf(begun.map((one) => ('part' in one ? one.part.end() : undefined)))
}

/** Checks leaderboards and players, each read once. */
async function prepareAll(
  { queries }: SubmitManyDeps,
  { game, checkMaySubmit, readMayPlay }: ManySubmissions,
  { begun, slices }: { readonly begun: readonly (Begun | Refusal)[]; readonly slices: TimeSlices },
): Promise<readonly (ReadySubmission | Refusal)[]> {
  const all = withoutRefusals(begun)
  const players = [...new Set(all.flatMap((one) => playerOf(one) ?? []))]
  const [boards, found, checkMayPlay] = await Promise.all([
    findBoards(queries, [...new Set(all.map(boardOf))]),
    findPlayers(queries, players),
    readMayPlay(players),
  ])
  const ready = (one: Begun): ReadySubmission => {
    const { listed, board: named } = one.named
    const { context } = one.part
    const { repeated } = context
    const id = boardOf(one)
    // The key of a leaderboard may name another one since.
    if (id !== named) checkMaySubmit(id, listed.leaderboard)
    const board = boardOfGame(boards.get(id), game, repeated)
    const player = playerOf(one)
    if (player === undefined) throw unknownPlayer()
    const name = presentName(found.get(player) ?? null, game, repeated)
    if (!repeated) checkMayPlay(player)
    return { prepared: preparedSubmission(board, player, name, listed.content()), context }
  }
  return mapInSlices(slices, begun, (one) => (one instanceof Refusal ? one : orRefusal(() => ready(one))))
}

/** The leaderboard of an earlier call with this key, else the one that is named. */
const boardOf = ({ named, part }: Begun): string => part.recorded?.board ?? named.board

/** Likewise the player: the external id may be another player's since. Undefined: there is none. */
const playerOf = ({ named, part }: Begun): string | undefined => part.recorded?.player ?? named.player

/** Reads the value of each key once. */
async function readEach<Value>(
  keys: readonly string[],
  read: (key: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const each = [...new Set(keys)].map(async (key) => [key, await read(key)] as const)
  return new Map(await Promise.all(each))
}

/** What is answered of recorded submissions, with the ranks after all of them. */
async function answerAll(
  deps: SubmitManyDeps,
  all: readonly (RecordedOne | Refusal)[],
  slices: TimeSlices,
): Promise<ManySubmitted> {
  const { queries } = deps
  const recorded = withoutRefusals(all)
  const written = lastWritten(recorded)
  const isVisible = await deps.waitForProjection(written, BEHIND_AFTER_MS)
  const areReplayed = recorded.some((one) => one.recorded.replayed)
  const freshness = freshnessAfter(areReplayed, isVisible)
  const boards = new Set(recorded.map(({ prepared }) => prepared.board.id))
  const players = new Set(recorded.map(({ prepared }) => prepared.target.player))
  const [present, playing] = await Promise.all([
    findBoards(queries, [...boards], freshness),
    playersOnBoards(queries, [...players], freshness),
  ])
  const settled = await allOfInSlices(slices, recorded, (one) =>
    judgeSubmission(deps.commands, one.prepared, one.recorded, {
      present: present.get(one.prepared.board.id) ?? null,
      isVisible,
    }),
  )
  const judged = settled.map(valueOrThrow)
  const ranks = await ranksAfterAll(queries, judged)
  const commands = isVisible ? deps.commands : readingBoardsOnce(deps.commands)
  const isImproved = readingImprovements(commands.log)
  const joined = await allOfInSlices(slices, recorded, ({ prepared: { board, target }, recorded }) => {
    const at = { board: present.get(board.id) ?? board, target, recorded, isVisible, freshness }
    return seasonOfSubmission({ queries, commands, isImproved }, at)
  })
  const seasons = joined.map(valueOrThrow)
  const answers = await mapInSlices(slices, judged, (one, nth) =>
    answered(one, playing.has(one.entry.player) ? (ranks[nth] ?? null) : null, seasons[nth]),
  )
  const inOrder = answers.values()
  return {
    outcomes: all.map((one) => (one instanceof Refusal ? one : (inOrder.next().value as SubmittedEntry))),
    written,
  }
}

/** Where the views are behind, the seasons of each submission are folded from its leaderboard's events. */
const readingBoardsOnce = (commands: CommandDeps): CommandDeps => ({
  ...commands,
  log: readingOnce(commands.log, (stream) => isNamed(stream, 'board-')),
})

function lastWritten(recorded: readonly RecordedOne[]): CommitPosition | null {
  let last: CommitPosition | null = null
  for (const {
    recorded: { written },
  } of recorded) {
    if (written !== null && (last === null || written.position > last.position)) last = written
  }
  return last
}

/**
 * The rank of each, by one look-up per leaderboard. On a unique board all submissions of a player have the rank that
 * their entry has after the last one.
 */
async function ranksAfterAll(
  queries: SubmitManyDeps['queries'],
  judged: readonly JudgedSubmission[],
): Promise<readonly (number | null)[]> {
  const last = new Map<string, JudgedSubmission>()
  for (const one of judged) last.set(`${one.under.id} ${one.entry.player}`, one)
  const shown = judged.map((one) =>
    one.under.state.rules.unique ? (last.get(`${one.under.id} ${one.entry.player}`) ?? one) : one,
  )
  const byBoard = new Map<Board, JudgedSubmission[]>()
  for (const one of new Set(shown)) {
    const ofBoard = byBoard.get(one.under)
    if (ofBoard === undefined) byBoard.set(one.under, [one])
    else ofBoard.push(one)
  }
  const ranks = new Map<JudgedSubmission, number | null>()
  await Promise.all(
    [...byBoard].map(async ([board, ofBoard]) => {
      const found = await ranksOf(queries, board, ofBoard.map(rankedIn))
      for (const [nth, one] of ofBoard.entries()) ranks.set(one, found[nth] ?? null)
    }),
  )
  return shown.map((one) => ranks.get(one) ?? null)
}
