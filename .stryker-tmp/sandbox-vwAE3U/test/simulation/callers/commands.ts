// The commands of simulated histories, by what they are about. To add one: write a `simCommand` beside its like (games.ts,
// scores.ts …) and name it here; `generate` draws arguments, `run` does what its route does, `apply` says on the plain model what each of its events
// means and what the call must have answered, `verdict` what the call comes to on a given state. Views, crashes, repeats
// and the comparison with a rebuild then cover it by themselves.

import { banPlayer, deletePlayer, unbanPlayer } from './bans.ts'
import { archiveBoard, describeBoard, makeBoard } from './boards.ts'
import { deleteBucket, deleteFolder, makeBucket, makeFolder, setRules } from './buckets.ts'
import type { SimCommand } from './command.ts'
import { allowOrigins, makeGame, renameGame, revokeKey, setKeyPermissions, switchSignIn } from './games.ts'
import { makePlayer, renamePlayer } from './players.ts'
import { cancelRebuild, changeRules, rebuildBoard } from './rules.ts'
import { deleteScore, submitScore } from './scores.ts'
import { refresh, signOut, signOutByTenant } from './sessions.ts'
import { byCode, byPassword, knownGuest, mailCode, makeTicket, newGuest, redeemTicket, register } from './sign-ins.ts'
import { beginUpload, completeUpload, deleteFile, fetchBytes, offerDownload, sendBytes } from './uploads.ts'

/** What most of a history is about. */
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
    archiveBoard,
    changeRules,
    rebuildBoard,
    cancelRebuild,
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
