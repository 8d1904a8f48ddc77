// Draws which operation is called next: all are called, what destroys or takes long seldom.

import type { Random } from '../random.ts'
import type { Operation } from './document.ts'

/** How often an operation is drawn, against 1 for those not named. */
const WEIGHTS: Readonly<Record<string, number>> = {
  submitScore: 6,
  listScores: 3,
  signInAsGuest: 3,
  startUpload: 2,
  completeUpload: 2,
  createPlayer: 2,
  createFolder: 1.5,
  createBucket: 0.3,
  createLeaderboard: 0.5,
  signOut: 0.2,
  signOutPlayer: 0.2,
  createGame: 0.05,
  deleteGame: 0.01,
  setGameLimits: 0.1,
  issueKey: 0.2,
  updateKey: 0.2,
  revokeKey: 0.05,
  archiveLeaderboard: 0.05,
  deletePlayer: 0.1,
  deleteBucket: 0.05,
  deleteFolder: 0.3,
  banPlayer: 0.3,
  updateGame: 0.3,
  startRebuild: 0.2,
  // Argon2 takes a tenth of a second of a core.
  register: 0.1,
  signInByPassword: 0.03,
  mailCode: 0.1,
  signInByCode: 0.3,
  exportPlayer: 0.3,
  // These read the whole log.
  verifyViews: 0.001,
  listAllEvents: 0.01,
  startViewsRebuild: 0.01,
  restorePreviousViews: 0.01,
  deletePreviousViews: 0.005,
  getOpenApi: 0.05,
  getAsyncApi: 0.05,
}
/**
 * One call in so many is of an operation that was not called yet; once all were, of one that no call has succeeded
 * with.
 */
const UNCOVERED_EVERY = 40

export interface Coverage {
  called: number
  /** Answers of 2xx. */
  succeeded: number
}

export function drawOperation(
  operations: readonly Operation[],
  coverage: ReadonlyMap<string, Coverage>,
  random: Random,
): Operation {
  const uncalled = operations.filter(({ id }) => (coverage.get(id)?.called ?? 0) === 0)
  const unsuccessful = operations.filter(({ id }) => (coverage.get(id)?.succeeded ?? 0) === 0)
  const uncovered = uncalled.length > 0 ? uncalled : unsuccessful
  if (uncovered.length > 0 && random.below(UNCOVERED_EVERY) === 0) return random.pick(uncovered)
  return random.weighted(operations, ({ id }) => WEIGHTS[id] ?? 1)
}
