// The commands of simulated histories, by theme. To add one, write a `simCommand` beside similar ones (games.ts,
// scores.ts, …) and list it here. `generate` draws arguments, `run` does what the route does, `apply` applies each of
// its events to the model and returns the expected answer, and `verdict` returns the outcome in a given state. Views,
// crashes, repeats and the comparison with a rebuild then cover it.

import { banPlayer, deletePlayer, unbanPlayer } from './bans.ts'
import { archiveBoard, describeBoard, makeBoard, setKey } from './boards.ts'
import { deleteBucket, deleteFolder, makeBucket, makeFolder, setRules } from './buckets.ts'
import type { SimCommand } from './command.ts'
import { allowOrigins, makeGame, renameGame, revokeKey, setKeyPermissions, switchSignIn } from './games.ts'
import { makePlayer, renamePlayer } from './players.ts'
import { cancelRuleChange, changeRules, recomputeBoard } from './rules.ts'
import { deleteScore, submitScore } from './scores.ts'
import { changeSeasons } from './seasons.ts'
import { refresh, signOut, signOutByTenant } from './sessions.ts'
import { byCode, byPassword, knownGuest, mailCode, makeTicket, newGuest, redeemTicket, register } from './sign-ins.ts'
import { beginUpload, completeUpload, deleteFile, fetchBytes, offerDownload, sendBytes } from './uploads.ts'

/** The theme of most commands of a history. */
export type Theme = 'games' | 'boards' | 'people' | 'files'

export const COMMANDS: Readonly<Record<Theme, readonly SimCommand[]>> = {
  games: [makeGame, renameGame, allowOrigins, switchSignIn, setKeyPermissions, revokeKey],
  boards: [
    makePlayer,
    renamePlayer,
    newGuest,
    banPlayer,
    unbanPlayer,
    deletePlayer,
    makeBoard,
    describeBoard,
    setKey,
    archiveBoard,
    changeRules,
    recomputeBoard,
    cancelRuleChange,
    submitScore,
    deleteScore,
  ],
  people: [
    makePlayer,
    newGuest,
    knownGuest,
    register,
    byPassword,
    mailCode,
    byCode,
    makeTicket,
    redeemTicket,
    refresh,
    signOut,
    signOutByTenant,
    banPlayer,
    unbanPlayer,
    deletePlayer,
  ],
  files: [
    newGuest,
    deletePlayer,
    makeBucket,
    deleteBucket,
    makeFolder,
    setRules,
    deleteFolder,
    beginUpload,
    sendBytes,
    completeUpload,
    deleteFile,
    offerDownload,
    fetchBytes,
  ],
}

/** Also drawn with those of leaderboards in histories with seasons. */
export const SEASON_COMMANDS: readonly SimCommand[] = [changeSeasons]
