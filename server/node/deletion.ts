// Wires game deletion for a node: its stores and the view builds that it applies, and what a start removes of deleted
// games and players.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { type NodeRevocations, SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { SNAPSHOTS } from '../../commands/snapshots.ts'
import { MAX_COMMAND_WAIT_MS } from '../../commands/stream-writer.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { LEFT_OF_DELETED } from '../../domain/game.ts'
import { gameOf } from '../../domain/slots.ts'
import { viewsOver } from '../../projections/all.ts'
import { createGameClearing } from '../../projections/clear-game.ts'
import { createGameRemovals, dropViewsBeforeRemovals } from '../../projections/game-removals.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import type { Reaction } from '../../reactions/reaction.ts'
import { APPEND_DEADLINE_MS } from '../../stores/contract/log.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import type { DeletedGames } from '../../stores/log-decorators/hiding/deleted-games.ts'
import { mailFolder, removeMailsOf } from '../../stores/smtp/folder.ts'
import type { Config } from '../config.ts'
import { watchDeletions } from '../metrics/node-metrics.ts'
import type { NodeBuilds } from './builds.ts'
import { deleteRestoredKeys } from './delete-restored-keys.ts'
import type { Deletion } from './reactions.ts'

const MARGIN_MS = 1_000

/** With one process: its log refuses appends to the game once the removal has started. */
const EMBEDDED_SETTLE_MS = SYNCED_WITHIN_MS + MARGIN_MS

/**
 * With several nodes: the last node to learn of the deletion may have started a command just before. That command's
 * last attempt starts when its retry time ends, and can be committed until the append deadline.
 */
export const SERVERS_SETTLE_MS = SYNCED_WITHIN_MS + MAX_COMMAND_WAIT_MS + APPEND_DEADLINE_MS + MARGIN_MS

export type DeletionParts = Pick<Deletion, 'unfiltered' | 'deletedGames' | 'forgetMails' | 'progress'>

export function deletionParts(
  {
    unfiltered,
    deletedGames,
  }: { readonly unfiltered: Pick<Stores, 'log' | 'history'>; readonly deletedGames: DeletedGames },
  queries: Pick<QueryDeps, 'history'>,
  { config, log, metrics }: { readonly config: Config; readonly log: Logger; readonly metrics: Registry },
): DeletionParts {
  return {
    unfiltered: { log: unfiltered.log, history: unfiltered.history ?? queries.history },
    deletedGames,
    forgetMails: (game, isTheirs) => removeMailsOf(mailFolder(config.dataDir), game, isTheirs),
    progress: watchDeletions(log, metrics),
  }
}

/** Adds games to `deletedGames` when any node publishes their deletion. */
export function watchDeletedGames(revocations: NodeRevocations, deletedGames: DeletedGames): void {
  revocations.onChange((subject) => {
    if (subject?.startsWith(GAME)) deletedGames.add(subject.slice(GAME.length))
  })
}

const GAME = 'game:'

export function deletionOf(stores: Stores, builds: NodeBuilds, parts: DeletionParts | undefined): Deletion | null {
  if (parts === undefined) return null
  const { views, rooms, logErasure, streamErasure, documentErasure } = stores
  const removals = documentErasure === null ? null : createGameRemovals(views)
  // Builds that start later never see the game's events, so the current ones are enough.
  const clearing = createGameClearing(stores, builds.now, removals)
  const settleMs = streamErasure === null ? EMBEDDED_SETTLE_MS : SERVERS_SETTLE_MS
  return { ...parts, clearing, views, rooms, logErasure, streamErasure, documentErasure, settleMs }
}

/** Wraps reactions so that they skip events of deleted games. */
export function skippingDeletedGames(
  reactions: readonly Reaction[],
  parts: DeletionParts | undefined,
): readonly Reaction[] {
  const isMoot = ({ type, stream, meta }: StoredEvent) =>
    parts?.deletedGames.has(gameOf(stream, meta.game)) === true && !LEFT_OF_DELETED.has(type)
  return reactions.map((reaction) => ({
    ...reaction,
    react: async (event, signal) => (isMoot(event) ? undefined : reaction.react(event, signal)),
  }))
}

/**
 * At start: drops views that may hold data of deleted games, which nothing else would remove. The start builds them
 * from the log. Does nothing on a server, which loses no commit, and whose views other processes use.
 */
export async function dropIncompleteViews(
  stores: Stores,
  deletedGames: Pick<DeletedGames, 'hidden'>,
  log: Logger,
): Promise<void> {
  if (stores.documentErasure === null) return
  const names = new Set([...viewsOver(stores).map(({ name }) => name), SNAPSHOTS])
  const dropped = await dropViewsBeforeRemovals(stores, deletedGames.hidden(), names)
  if (dropped.length === 0) return
  log.warn({ views: dropped }, 'the views may hold data of deleted games: they are dropped and built from the log')
}

interface Destroying {
  readonly log: Logger
  now(): number
}

/**
 * At start: destroys what a vault that was restored from a backup contains of deleted players and games. Requires views
 * that have caught up.
 */
export async function destroyRestoredKeys(stores: Stores, queries: QueryDeps, { log, now }: Destroying): Promise<void> {
  const destroyed = await deleteRestoredKeys(stores.vault, stores.log, queries, now())
  if (destroyed === 0) return
  const text =
    'keys of deleted players or secrets of deleted games were in the vault, as in a restored backup: destroyed'
  log.warn({ buried: destroyed }, text)
}
