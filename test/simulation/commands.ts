// The commands of simulated histories. To add one: write a `simCommand` beside its like (games.ts, scores.ts …) and name it
// here; `generate` draws arguments, `run` does what its route does, `apply` says on the plain model what each of its events
// means and what the call must have answered, `verdict` what the call comes to on a given state. Views, crashes, repeats
// and the comparison with a rebuild then cover it by themselves.

import { banPlayer, deletePlayer, unbanPlayer } from './bans.ts'
import { archiveBoard, describeBoard, makeBoard } from './boards.ts'
import type { SimCommand } from './command.ts'
import { allowOrigins, makeGame, renameGame, revokeKey, setKeyPermissions } from './games.ts'
import { guestSignIn, makePlayer, renamePlayer, signOut } from './players.ts'
import { cancelRebuild, changeRules, rebuildBoard } from './rules.ts'
import { deleteScore, submitScore } from './scores.ts'

export const COMMANDS: readonly SimCommand[] = [
  makeGame,
  renameGame,
  allowOrigins,
  setKeyPermissions,
  revokeKey,
  makePlayer,
  renamePlayer,
  guestSignIn,
  signOut,
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
]
