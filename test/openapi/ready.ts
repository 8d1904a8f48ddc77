// Whether the pool of a game has what a call of an operation refers to.

import type { Operation } from './document.ts'
import type { KnownGame } from './pool.ts'

/** Operations on a file by its path. */
export const OF_FILES = ['getFile', 'deleteFile', 'getDownloadLink']

type Has = (game: KnownGame, mailedCodes: ReadonlyMap<string, string>) => boolean

const BY_PARAMETER: Readonly<Record<string, Has>> = {
  leaderboard: ({ leaderboards }) => leaderboards.length > 0,
  score: ({ scores }) => scores.length > 0,
  player: ({ players }) => players.length > 0,
  bucket: ({ buckets }) => buckets.length > 0,
  upload: ({ buckets }) => buckets.some(({ uploads }) => uploads.length > 0),
}

const hasFile: Has = ({ buckets }) => buckets.some(({ files }) => files.length > 0)

const BY_OPERATION: Readonly<Record<string, Has>> = {
  redeemChallenge: ({ challenges }) => challenges.length > 0,
  signInByPassword: ({ players }) => players.some(({ login }) => login !== null),
  signInByCode: ({ emails }, mailedCodes) => emails.some((email) => mailedCodes.has(email)),
  signInByTicket: ({ tickets }) => tickets.length > 0,
  redeemRoomTicket: ({ roomTickets }) => roomTickets.length > 0,
  refreshSession: ({ players }) => players.some(({ refreshToken }) => refreshToken !== null),
  submitScore: ({ players }) => players.length > 0,
  ...Object.fromEntries(OF_FILES.map((id) => [id, hasFile])),
}

export function isReady(operation: Operation, game: KnownGame, mailedCodes: ReadonlyMap<string, string>): boolean {
  const ofPath = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => BY_PARAMETER[name])
  return [...ofPath, BY_OPERATION[operation.id]].every((has) => has === undefined || has(game, mailedCodes))
}
