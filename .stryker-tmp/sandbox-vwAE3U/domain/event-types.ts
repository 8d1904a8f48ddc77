// Every type of event that was ever written, for what callers may ask for by name.
function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import type { BucketEvent } from './bucket.ts';
import type { DeletedGamesEvent, GameSecretsListed } from './deleted-games.ts';
import type { FileEvent } from './file.ts';
import type { FolderEvent } from './folder.ts';
import type { GameEvent } from './game.ts';
import type { KeyEvent } from './key.ts';
import type { LeaderboardEvent } from './leaderboard.ts';
import type { LinkEvent } from './links.ts';
import type { LoginEvent } from './login.ts';
import type { ExternalEvent, PlayerEvent } from './player.ts';
import type { QuotaEvent } from './quota.ts';
import type { RebuildEvent } from './rebuild.ts';
import type { ScoreEvent } from './score.ts';
import type { SessionEvent } from './session.ts';
import type { SlotEvent } from './slots.ts';
import type { UploadEvent } from './upload.ts';

/** The events of all aggregates, and the mark of a call that changed nothing. */
type AnyEvent = BucketEvent | DeletedGamesEvent | ExternalEvent | FileEvent | FolderEvent | GameEvent | GameSecretsListed | KeyEvent | LeaderboardEvent | LinkEvent | LoginEvent | PlayerEvent | QuotaEvent | RebuildEvent | ScoreEvent | SessionEvent | SlotEvent | UploadEvent | {
  readonly type: 'CallAnswered';
};

/** The compiler refuses this where a type is missing or unknown. */
const EVER: Readonly<Record<AnyEvent['type'], true>> = stryMutAct_9fa48("2700") ? {} : (stryCov_9fa48("2700"), {
  BucketConfigured: stryMutAct_9fa48("2701") ? false : (stryCov_9fa48("2701"), true),
  BucketCreated: stryMutAct_9fa48("2702") ? false : (stryCov_9fa48("2702"), true),
  BucketDeleted: stryMutAct_9fa48("2703") ? false : (stryCov_9fa48("2703"), true),
  BytesRefused: stryMutAct_9fa48("2704") ? false : (stryCov_9fa48("2704"), true),
  BytesStored: stryMutAct_9fa48("2705") ? false : (stryCov_9fa48("2705"), true),
  CallAnswered: stryMutAct_9fa48("2706") ? false : (stryCov_9fa48("2706"), true),
  DeletionsBegun: stryMutAct_9fa48("2707") ? false : (stryCov_9fa48("2707"), true),
  DownloadBegun: stryMutAct_9fa48("2708") ? false : (stryCov_9fa48("2708"), true),
  DownloadCut: stryMutAct_9fa48("2709") ? false : (stryCov_9fa48("2709"), true),
  DownloadMetered: stryMutAct_9fa48("2710") ? false : (stryCov_9fa48("2710"), true),
  DownloadsSent: stryMutAct_9fa48("2711") ? false : (stryCov_9fa48("2711"), true),
  ExternalClaimed: stryMutAct_9fa48("2712") ? false : (stryCov_9fa48("2712"), true),
  ExternalReleased: stryMutAct_9fa48("2713") ? false : (stryCov_9fa48("2713"), true),
  FileDeleted: stryMutAct_9fa48("2714") ? false : (stryCov_9fa48("2714"), true),
  FileOverwritten: stryMutAct_9fa48("2715") ? false : (stryCov_9fa48("2715"), true),
  FileStored: stryMutAct_9fa48("2716") ? false : (stryCov_9fa48("2716"), true),
  FilesFreed: stryMutAct_9fa48("2717") ? false : (stryCov_9fa48("2717"), true),
  FixedRoomsSet: stryMutAct_9fa48("2718") ? false : (stryCov_9fa48("2718"), true),
  FolderCreated: stryMutAct_9fa48("2719") ? false : (stryCov_9fa48("2719"), true),
  FolderDeleted: stryMutAct_9fa48("2720") ? false : (stryCov_9fa48("2720"), true),
  FolderReleased: stryMutAct_9fa48("2721") ? false : (stryCov_9fa48("2721"), true),
  FolderRulesSet: stryMutAct_9fa48("2722") ? false : (stryCov_9fa48("2722"), true),
  GameConfigured: stryMutAct_9fa48("2723") ? false : (stryCov_9fa48("2723"), true),
  GameCreated: stryMutAct_9fa48("2724") ? false : (stryCov_9fa48("2724"), true),
  GameDeleted: stryMutAct_9fa48("2725") ? false : (stryCov_9fa48("2725"), true),
  GameDeletionListed: stryMutAct_9fa48("2726") ? false : (stryCov_9fa48("2726"), true),
  GameErased: stryMutAct_9fa48("2727") ? false : (stryCov_9fa48("2727"), true),
  GameErasureBegun: stryMutAct_9fa48("2728") ? false : (stryCov_9fa48("2728"), true),
  GameLimitsSet: stryMutAct_9fa48("2729") ? false : (stryCov_9fa48("2729"), true),
  GameRenamed: stryMutAct_9fa48("2730") ? false : (stryCov_9fa48("2730"), true),
  GameSecretsListed: stryMutAct_9fa48("2731") ? false : (stryCov_9fa48("2731"), true),
  KeyIssued: stryMutAct_9fa48("2732") ? false : (stryCov_9fa48("2732"), true),
  KeyPermissionsChanged: stryMutAct_9fa48("2733") ? false : (stryCov_9fa48("2733"), true),
  KeyRevoked: stryMutAct_9fa48("2734") ? false : (stryCov_9fa48("2734"), true),
  LeaderboardArchived: stryMutAct_9fa48("2735") ? false : (stryCov_9fa48("2735"), true),
  LeaderboardCreated: stryMutAct_9fa48("2736") ? false : (stryCov_9fa48("2736"), true),
  LeaderboardDescribed: stryMutAct_9fa48("2737") ? false : (stryCov_9fa48("2737"), true),
  LeaderboardHistoryFolded: stryMutAct_9fa48("2738") ? false : (stryCov_9fa48("2738"), true),
  LeaderboardRulesCancelled: stryMutAct_9fa48("2739") ? false : (stryCov_9fa48("2739"), true),
  LeaderboardRulesChanged: stryMutAct_9fa48("2740") ? false : (stryCov_9fa48("2740"), true),
  LeaderboardRulesFailed: stryMutAct_9fa48("2741") ? false : (stryCov_9fa48("2741"), true),
  LeaderboardRulesRequested: stryMutAct_9fa48("2742") ? false : (stryCov_9fa48("2742"), true),
  LeaderboardSliceBuilt: stryMutAct_9fa48("2743") ? false : (stryCov_9fa48("2743"), true),
  LeaderboardSliceCleared: stryMutAct_9fa48("2744") ? false : (stryCov_9fa48("2744"), true),
  LoginBegun: stryMutAct_9fa48("2745") ? false : (stryCov_9fa48("2745"), true),
  LoginClaimed: stryMutAct_9fa48("2746") ? false : (stryCov_9fa48("2746"), true),
  LoginContested: stryMutAct_9fa48("2747") ? false : (stryCov_9fa48("2747"), true),
  LoginReleased: stryMutAct_9fa48("2748") ? false : (stryCov_9fa48("2748"), true),
  PlayerBanned: stryMutAct_9fa48("2749") ? false : (stryCov_9fa48("2749"), true),
  PlayerCreated: stryMutAct_9fa48("2750") ? false : (stryCov_9fa48("2750"), true),
  PlayerDeleted: stryMutAct_9fa48("2751") ? false : (stryCov_9fa48("2751"), true),
  PlayerEmailConfirmed: stryMutAct_9fa48("2752") ? false : (stryCov_9fa48("2752"), true),
  PlayerLinked: stryMutAct_9fa48("2753") ? false : (stryCov_9fa48("2753"), true),
  PlayerNamed: stryMutAct_9fa48("2754") ? false : (stryCov_9fa48("2754"), true),
  PlayerSignedOut: stryMutAct_9fa48("2755") ? false : (stryCov_9fa48("2755"), true),
  PlayerUnbanned: stryMutAct_9fa48("2756") ? false : (stryCov_9fa48("2756"), true),
  PromisesDropped: stryMutAct_9fa48("2757") ? false : (stryCov_9fa48("2757"), true),
  ScoreDeleted: stryMutAct_9fa48("2758") ? false : (stryCov_9fa48("2758"), true),
  ScoreSubmitted: stryMutAct_9fa48("2759") ? false : (stryCov_9fa48("2759"), true),
  SessionEnded: stryMutAct_9fa48("2760") ? false : (stryCov_9fa48("2760"), true),
  SessionStarted: stryMutAct_9fa48("2761") ? false : (stryCov_9fa48("2761"), true),
  SlotReleased: stryMutAct_9fa48("2762") ? false : (stryCov_9fa48("2762"), true),
  SlotTaken: stryMutAct_9fa48("2763") ? false : (stryCov_9fa48("2763"), true),
  SlotsCounted: stryMutAct_9fa48("2764") ? false : (stryCov_9fa48("2764"), true),
  UploadAbandoned: stryMutAct_9fa48("2765") ? false : (stryCov_9fa48("2765"), true),
  UploadBegun: stryMutAct_9fa48("2766") ? false : (stryCov_9fa48("2766"), true),
  UploadCompleted: stryMutAct_9fa48("2767") ? false : (stryCov_9fa48("2767"), true),
  UploadExpired: stryMutAct_9fa48("2768") ? false : (stryCov_9fa48("2768"), true),
  UploadOpened: stryMutAct_9fa48("2769") ? false : (stryCov_9fa48("2769"), true),
  UploadReassigned: stryMutAct_9fa48("2770") ? false : (stryCov_9fa48("2770"), true),
  UploadReleased: stryMutAct_9fa48("2771") ? false : (stryCov_9fa48("2771"), true),
  UploadSettled: stryMutAct_9fa48("2772") ? false : (stryCov_9fa48("2772"), true)
});
export const EVENT_TYPES: readonly string[] = Object.keys(EVER);