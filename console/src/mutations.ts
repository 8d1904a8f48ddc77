// Which things each call that changes something changes. The parts of a page that show them are read again.

import type { Api } from './api.ts'
import { invalidate, type Tag } from './tags.ts'

type Changes = { readonly [Name in keyof Api]?: (...args: Parameters<Api[Name]>) => readonly Tag[] }

const inBucket = (bucket: string): readonly Tag[] => [`file:${bucket}`, `bucket:${bucket}`]

const CHANGES: Changes = {
  createGame: () => ['game'],
  changeGame: (game) => [`game:${game}`],
  deleteGame: (game) => [`game:${game}`],

  issueKey: () => ['key'],
  changeKey: (_, prefix) => [`key:${prefix}`],
  revokeKey: (_, prefix) => [`key:${prefix}`],
  issueOperatorKey: () => ['key'],
  revokeOperatorKey: (prefix) => [`key:${prefix}`],

  createLeaderboard: () => ['board'],
  changeLeaderboard: (board) => [`board:${board}`],
  changeRules: (board) => [`board:${board}`],
  rebuild: (board) => [`board:${board}`],
  cancelRebuild: (board) => [`board:${board}`],
  archiveLeaderboard: (board) => [`board:${board}`],
  deleteScore: () => ['board'],

  createPlayer: () => ['player'],
  renamePlayer: (_, player) => [`player:${player}`],
  banPlayer: (_, player) => [`player:${player}`],
  unbanPlayer: (_, player) => [`player:${player}`],
  signOutPlayer: (_, player) => [`session:${player}`],
  deletePlayer: (_, player) => [`player:${player}`, 'file', 'bucket'],

  createBucket: () => ['bucket'],
  changeBucket: (bucket) => [`bucket:${bucket}`],
  deleteBucket: (bucket) => [`bucket:${bucket}`],
  setFolderRules: (bucket) => [`file:${bucket}`],
  makeFolder: (bucket) => [`file:${bucket}`],
  deleteFolder: inBucket,
  uploadFile: inBucket,
  deleteFile: inBucket,

  rebuildViews: () => ['view'],
  cancelViews: () => ['view'],
  viewsBack: () => ['view'],
  discardPreviousViews: () => ['view'],
}

/** The same calls; those that change something invalidate it once the server has answered. */
export function invalidating(api: Api): Api {
  const wrapped = Object.entries(CHANGES).map(([name, tagsOf]) => {
    const call = api[name as keyof Api] as (...args: unknown[]) => Promise<unknown>
    const changed = tagsOf as (...args: unknown[]) => readonly Tag[]
    return [
      name,
      async (...args: unknown[]) => {
        const answer = await call(...args)
        invalidate(...changed(...args))
        return answer
      },
    ]
  })
  return { ...api, ...Object.fromEntries(wrapped) }
}
