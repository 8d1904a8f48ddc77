// Every event type that was ever written; callers filter by these names.

import type { BoardKeyEvent } from './board-key.ts'
import type { BucketEvent } from './bucket.ts'
import type { DeletedGamesEvent, GameSecretsListed } from './deleted-games.ts'
import type { FileEvent } from './file.ts'
import type { FolderEvent } from './folder.ts'
import type { GameEvent } from './game.ts'
import type { KeyEvent } from './key.ts'
import type { LeaderboardEvent } from './leaderboard.ts'
import type { LinkEvent } from './links.ts'
import type { LoginEvent } from './login.ts'
import type { OperatorKeyEvent } from './operator-keys.ts'
import type { ExternalEvent, PlayerEvent } from './player.ts'
import type { QuotaEvent } from './quota.ts'
import type { RuleChangeEvent } from './rule-change.ts'
import type { ScoreEvent } from './score.ts'
import type { SeasonEvent } from './seasons.ts'
import type { SessionEvent } from './session.ts'
import type { SlotEvent } from './slots.ts'
import type { UploadEvent } from './upload.ts'

/** The events of all aggregates, and the one recorded for a call that changed nothing. */
export type AnyEvent =
  | BoardKeyEvent
  | BucketEvent
  | DeletedGamesEvent
  | ExternalEvent
  | FileEvent
  | FolderEvent
  | GameEvent
  | GameSecretsListed
  | KeyEvent
  | LeaderboardEvent
  | LinkEvent
  | LoginEvent
  | OperatorKeyEvent
  | PlayerEvent
  | QuotaEvent
  | RuleChangeEvent
  | ScoreEvent
  | SeasonEvent
  | SessionEvent
  | SlotEvent
  | UploadEvent
  | { readonly type: 'CallAnswered'; readonly data: Readonly<Record<string, never>> }

/** The compiler rejects missing and unknown types. */
const EVER: Readonly<Record<AnyEvent['type'], true>> = {
  BucketConfigured: true,
  BucketCreated: true,
  BucketDeleted: true,
  BytesRefused: true,
  BytesStored: true,
  CallAnswered: true,
  DeletionsBegun: true,
  DownloadBegun: true,
  DownloadCut: true,
  DownloadMetered: true,
  DownloadsSent: true,
  ExternalClaimed: true,
  ExternalReleased: true,
  FileDeleted: true,
  FileOverwritten: true,
  FileStored: true,
  FilesFreed: true,
  FixedRoomsSet: true,
  FolderCreated: true,
  FolderDeleted: true,
  FolderReleased: true,
  FolderRulesSet: true,
  GameConfigured: true,
  GameCreated: true,
  GameDeleted: true,
  GameDeletionListed: true,
  GameErased: true,
  GameErasureBegun: true,
  GameLimitsSet: true,
  GameRenamed: true,
  GameSecretsListed: true,
  KeyIssued: true,
  KeyPermissionsChanged: true,
  KeyRevoked: true,
  LeaderboardArchived: true,
  LeaderboardCreated: true,
  LeaderboardDescribed: true,
  LeaderboardHistoryFolded: true,
  LeaderboardKeyChanged: true,
  LeaderboardKeyClaimed: true,
  LeaderboardKeyReleased: true,
  LeaderboardRulesCancelled: true,
  LeaderboardRulesChanged: true,
  LeaderboardRulesFailed: true,
  LeaderboardRulesRequested: true,
  LeaderboardSliceBuilt: true,
  LeaderboardSliceCleared: true,
  LoginBegun: true,
  LoginClaimed: true,
  LoginContested: true,
  LoginReleased: true,
  OperatorKeyRevocationListed: true,
  PlayerBanned: true,
  PlayerCreated: true,
  PlayerDeleted: true,
  PlayerEmailConfirmed: true,
  PlayerLinked: true,
  PlayerNamed: true,
  PlayerSignedOut: true,
  PlayerUnbanned: true,
  PromisesDropped: true,
  ScoreDeleted: true,
  ScoreSubmitted: true,
  SeasonClosed: true,
  SeasonOpened: true,
  SeasonScheduleSet: true,
  SeasonStandingRecorded: true,
  SessionEnded: true,
  SessionStarted: true,
  SlotReleased: true,
  SlotTaken: true,
  SlotsCounted: true,
  UploadAbandoned: true,
  UploadBegun: true,
  UploadCompleted: true,
  UploadExpired: true,
  UploadOpened: true,
  UploadReassigned: true,
  UploadReleased: true,
  UploadSettled: true,
}

export const EVENT_TYPES: readonly string[] = Object.keys(EVER)
