// What a node deletes games with: its stores, and the builds of the views that it applies.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { HEARD_WITHIN_MS, type NodeRevocations } from '../access/revocations.ts'
import { PATIENCE_MS } from '../commands/handle.ts'
import type { Config } from '../config.ts'
import type { StoredEvent } from '../domain/event.ts'
import { LEFT_OF_DELETED } from '../domain/game.ts'
import { gameOf } from '../domain/slots.ts'
import { mailFolder, removeMailsOf } from '../mail/folder.ts'
import { watchDeletions } from '../observability/node-metrics.ts'
import type { Process } from '../processes/process.ts'
import { createGameClearing } from '../projections/clear-game.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { APPEND_DEADLINE_MS } from '../stores/contract/log.ts'
import type { Stores } from '../stores/contract/stores.ts'
import type { DeletedGames } from '../stores/hiding/deleted-games.ts'
import type { NodeBuilds } from './builds.ts'
import type { Deletion } from './processes.ts'

const MARGIN_MS = 1_000

/** One process: from the moment that it reads the start of the removal, it refuses appends of the game itself. */
const EMBEDDED_SETTLE_MS = HEARD_WITHIN_MS + MARGIN_MS

/**
 * Several nodes: one that knew of the deletion last began a command just before. Its last try begins when its patience ends,
 * and may be recorded until the deadline of the append.
 */
export const SERVERS_SETTLE_MS = HEARD_WITHIN_MS + PATIENCE_MS + APPEND_DEADLINE_MS + MARGIN_MS

/** What is given from outside. */
export type DeletionParts = Pick<Deletion, 'whole' | 'deletedGames' | 'forgetMails' | 'progress'>

export function deletionParts(
  { whole, deletedGames }: { readonly whole: Pick<Stores, 'log' | 'history'>; readonly deletedGames: DeletedGames },
  queries: Pick<QueryDeps, 'history'>,
  { config, log, metrics }: { readonly config: Config; readonly log: Logger; readonly metrics: Registry },
): DeletionParts {
  return {
    whole: { log: whole.log, history: whole.history ?? queries.history },
    deletedGames,
    forgetMails: (game, isTheirs) => removeMailsOf(mailFolder(config.dataDir), game, isTheirs),
    progress: watchDeletions(log, metrics),
  }
}

/** Of games that were deleted on whatever node. */
export function hearOfDeleted(revocations: NodeRevocations, deletedGames: DeletedGames): void {
  revocations.onChange((subject) => {
    if (subject?.startsWith(GAME)) deletedGames.add(subject.slice(GAME.length))
  })
}

const GAME = 'game:'

export function deletionOf(stores: Stores, builds: NodeBuilds, parts: DeletionParts | undefined): Deletion | null {
  if (parts === undefined) return null
  const { views, rooms, logErasure, streamErasure, documentErasure } = stores
  // A build that begins later never sees the game's events.
  const clearing = createGameClearing(stores, () => [...builds.now().inStep, ...builds.now().beside])
  const settleMs = streamErasure === null ? EMBEDDED_SETTLE_MS : SERVERS_SETTLE_MS
  return { ...parts, clearing, views, rooms, logErasure, streamErasure, documentErasure, settleMs }
}

/** Other processes skip events of deleted games. */
export function passingOver(processes: readonly Process[], parts: DeletionParts | undefined): readonly Process[] {
  const isMoot = ({ type, stream, meta }: StoredEvent) =>
    parts?.deletedGames.has(gameOf(stream, meta.game)) === true && !LEFT_OF_DELETED.has(type)
  return processes.map((process) => ({
    ...process,
    react: async (event, signal) => (isMoot(event) ? undefined : process.react(event, signal)),
  }))
}
