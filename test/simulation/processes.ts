// The processes of a simulated node, as node/join.ts puts them together.

import type { FileCommandDeps } from '../../commands/deps.ts'
import { seenIn, takeOverDeps } from '../../node/compose.ts'
import { buildRules } from '../../processes/build-rules.ts'
import { clearFolders, clearLostFolders } from '../../processes/clear-folders.ts'
import { clearGenerations } from '../../processes/clear-generations.ts'
import { clearPlayers } from '../../processes/clear-players.ts'
import { endBans } from '../../processes/end-bans.ts'
import { expireUploads } from '../../processes/expire-uploads.ts'
import { finishClaims } from '../../processes/finish-claims.ts'
import { finishDeletions } from '../../processes/finish-deletions.ts'
import { finishFiles } from '../../processes/finish-files.ts'
import { finishSignIns } from '../../processes/finish-sign-ins.ts'
import type { Process } from '../../processes/process.ts'
import { sweepBlobs, sweepOrphans } from '../../processes/sweep-blobs.ts'
import type { Timed } from '../../processes/tick.ts'
import type { Progress } from '../../projections/progress.ts'
import { untilBuilt } from '../../projections/start.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Log } from '../../stores/contract/log.ts'

/** Events of a board that are built, or cleared, at a time: histories are short. */
const SLICE = 5

interface Parts {
  readonly commands: FileCommandDeps
  readonly queries: QueryDeps
  readonly progress: Progress
  readonly log: Log
  readonly signal: AbortSignal
  now(): number
}

export function processesOf({ commands, queries, progress, log, signal, now }: Parts): {
  readonly processes: readonly Process[]
  readonly timed: readonly Timed[]
} {
  const seen = seenIn(progress)
  const filing = { commands, queries, now, seen }
  const sweeping = { files: commands.files, queries, now }
  const allSeen = async () => {
    await untilBuilt(log, progress, signal)
    return !signal.aborted
  }
  return {
    processes: [
      finishClaims(commands, now),
      finishSignIns(takeOverDeps({ commands, queries, progress }), now),
      finishDeletions(commands, queries, seen),
      finishFiles(filing),
      clearFolders(filing),
      clearLostFolders(filing),
      clearPlayers(filing),
      sweepBlobs(sweeping),
      buildRules(filing, SLICE),
      clearGenerations(filing, 0, SLICE),
    ],
    timed: [endBans(commands, queries), expireUploads(filing), sweepOrphans(sweeping, allSeen)],
  }
}
