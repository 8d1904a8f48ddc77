// Creates the reactions and timers that a projector runs, with their dependencies. Simulated nodes run the same ones.

import type { FileCommandDeps } from '../../commands/command-deps.ts'
import type { Folds } from '../../projections/folds.ts'
import { parkedStreams } from '../../projections/parked.ts'
import { type Progress, waitForViewsOf } from '../../projections/progress.ts'
import { untilBuilt } from '../../projections/start.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { findMissing, type MissingBlob, sweepBlobs, sweepOrphans } from '../../reactions/blobs.ts'
import {
  buildGenerations,
  EMBEDDED_RANGES,
  type HistoryFolds,
  type RangePolicy,
  SERVER_RANGES,
} from '../../reactions/build-generations.ts'
import { clearFolders, clearLostFolders, clearPlayers } from '../../reactions/clear-files.ts'
import { clearGenerations } from '../../reactions/clear-generations.ts'
import { closeSeasons } from '../../reactions/close-seasons.ts'
import { type DeleteGamesDeps, deleteGames } from '../../reactions/delete-games.ts'
import { endBans } from '../../reactions/end-bans.ts'
import { eraseFiles } from '../../reactions/erase-files.ts'
import { createPurges, eraseText } from '../../reactions/erase-text.ts'
import { expireUploads } from '../../reactions/expire-uploads.ts'
import { finishDeletions } from '../../reactions/finish-deletions.ts'
import { finishFiles } from '../../reactions/finish-files.ts'
import { finishClaims, finishSignIns } from '../../reactions/finish-sign-ins.ts'
import type { Reaction, ReactionDeps } from '../../reactions/reaction.ts'
import { recordStandings } from '../../reactions/record-standings.ts'
import { settleBoardKeys } from '../../reactions/settle-board-keys.ts'
import { settleSlots } from '../../reactions/settle-slots.ts'
import { sweepSecrets, sweepSessions } from '../../reactions/sweep-credentials.ts'
import type { Timed } from '../../reactions/tick.ts'
import type { LogErasure, Purge } from '../../stores/contract/erasure.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { DeletedGames } from '../../stores/log-decorators/hiding/deleted-games.ts'
import { NO_FILES } from '../../stores/support/no-files.ts'
import { takeOverDeps } from './take-over.ts'

export interface ReactionsDeps {
  readonly commands: FileCommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
  readonly log: Log
  /** Null if the log is on a server. */
  readonly logErasure: LogErasure | null
  /** Null if the views are on a server. */
  readonly documentErasure: Purge | null
  /** Shared with this node's view runner. */
  readonly folds: Folds
  readonly signal: AbortSignal
  /** Unix milliseconds. */
  now(): number
  /** The same by the clock of a store that all nodes share; absent if there is none. */
  sharedNow?(): Promise<number>
  /** Further dependencies of game deletion; null if this node does not delete games. */
  readonly deletion: Deletion | null
  /** Called after each check for files whose bytes are missing. */
  filesMissing(missing: readonly MissingBlob[]): void
  /**
   * Overrides for tests: the ranges in which entries are built and cleared, and for how many ms an inactive generation
   * is kept.
   */
  readonly generations?: { readonly policy: RangePolicy; readonly keptMs: number }
}

export type Deletion = Omit<DeleteGamesDeps, keyof ReactionDeps | 'files' | 'deletedGames'> & {
  readonly deletedGames: DeletedGames
}

export interface Reactions {
  readonly reacting: readonly Reaction[]
  readonly timed: readonly Timed[]
}

export function reactionsOf(deps: ReactionsDeps): Reactions {
  const { commands, queries, progress, log, logErasure, documentErasure, folds, signal, now, sharedNow, generations } =
    deps
  const isDeleted = deps.deletion?.deletedGames.has
  const forgetMails = deps.deletion?.forgetMails
  const base = { commands, queries, now, waitForProjection: waitForViewsOf(progress), ...(isDeleted && { isDeleted }) }
  /** Waits until the views contain everything the log holds now; false if the signal aborted first. */
  const untilViewsCurrent = async () => {
    await untilBuilt(log, progress, signal)
    return !signal.aborted
  }
  const ofStore = { files: commands.files, queries, now, untilViewsCurrent }
  const isEmbedded = logErasure !== null && documentErasure !== null
  const policy = generations?.policy ?? (isEmbedded ? EMBEDDED_RANGES : SERVER_RANGES)
  const purges = createPurges([logErasure, documentErasure].filter((store) => store !== null))
  const timed = [
    endBans(base),
    closeSeasons({ ...base, ...(sharedNow && { sharedNow }) }),
    expireUploads(base),
    sweepOrphans(ofStore),
    sweepSessions(base),
    purges.timed,
  ]
  // Without a configured file store, missing files cannot be found.
  if (commands.files !== NO_FILES) timed.push(findMissing({ ...ofStore, found: deps.filesMissing }))
  return {
    reacting: [
      finishClaims(base),
      settleSlots(base),
      settleBoardKeys(base),
      recordStandings(base),
      finishSignIns(takeOverDeps({ commands, queries, progress }), now),
      finishDeletions(base),
      eraseText({ ...base, logErasure, purges, ...(forgetMails && { forgetMails }) }),
      eraseFiles({ ...base, logErasure, purges, untilViewsCurrent }),
      finishFiles(base),
      clearFolders(base),
      clearLostFolders(base),
      clearPlayers(base),
      sweepBlobs(ofStore),
      sweepSecrets(base),
      ...(deps.deletion === null ? [] : [deleteGames({ ...base, ...deps.deletion, files: commands.files })]),
      buildGenerations({ ...base, policy, folding: foldingWith(folds, queries) }),
      clearGenerations({ ...base, policy }, generations?.keptMs),
    ],
    timed,
  }
}

/** Adapts this node's folded histories, which the view runner reads, for the reaction that drives rule changes. */
export function foldingWith(folds: Folds, { views, viewKey }: Pick<QueryDeps, 'views' | 'viewKey'>): HistoryFolds {
  return {
    prepare: async (build, upTo, by) => folds.prepare(build, upTo, await parkedStreams(views, viewKey('entries')), by),
    drop: (board) => folds.drop(board),
  }
}
