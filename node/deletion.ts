// What a node deletes games with: its stores, and the builds of the views that it applies.

import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { NodeRevocations } from '../access/revocations.ts'
import type { Config } from '../config.ts'
import type { StoredEvent } from '../domain/event.ts'
import { LEFT_OF_DELETED } from '../domain/game.ts'
import { gameOf } from '../domain/slots.ts'
import { removeMailsOf } from '../mail/folder.ts'
import type { Process } from '../processes/process.ts'
import { createGameClearing } from '../projections/clear-game.ts'
import type { QueryDeps } from '../queries/deps.ts'
import type { Stores } from '../stores/contract/stores.ts'
import type { NodeBuilds } from './builds.ts'
import type { Installation } from './installation.ts'
import { watchDeletions } from './metrics.ts'
import { mailFolder } from './open-mail.ts'
import type { Deletion } from './processes.ts'

/** What is given from outside. */
export type DeletionParts = Pick<Deletion, 'whole' | 'deletedGames' | 'forgetMails' | 'progress'>

export function deletionParts(
  { whole, deletedGames }: Pick<Installation, 'whole' | 'deletedGames'>,
  queries: Pick<QueryDeps, 'history'>,
  { config, log, metrics }: { readonly config: Config; readonly log: Logger; readonly metrics: Registry },
): DeletionParts {
  return {
    whole: { log: whole.log, history: whole.history ?? queries.history },
    deletedGames,
    forgetMails: (game) => removeMailsOf(mailFolder(config), game),
    progress: watchDeletions(log, metrics),
  }
}

/** Of games that were deleted on whatever node. */
export function hearOfDeleted(revocations: NodeRevocations, deletedGames: Installation['deletedGames']): void {
  revocations.onChange((subject) => {
    if (subject?.startsWith(GAME)) deletedGames.add(subject.slice(GAME.length))
  })
}

const GAME = 'game:'

export function deletionOf(stores: Stores, builds: NodeBuilds, parts: DeletionParts | undefined): Deletion | null {
  if (parts === undefined) return null
  const { views, logErasure, streamErasure, documentErasure } = stores
  // A build that begins later never sees the game's events.
  const clearing = createGameClearing(stores, () => [...builds.now().inStep, ...builds.now().beside])
  return { ...parts, clearing, views, logErasure, streamErasure, documentErasure }
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
