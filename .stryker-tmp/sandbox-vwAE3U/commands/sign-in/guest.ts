// Signing in as a guest: a new one, or by the guest token the same one again.
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
import type { Player } from '../../domain/player.ts';
import type { CommandContext } from '../command-context.ts';
import type { CommandDeps } from '../command-deps.ts';
import { makeGuest } from '../player.ts';
import { playerNow, playerOfGame } from '../player-now.ts';
import { keepSecret, ownerOf } from '../session.ts';
import { mayPlay } from './may-play.ts';
import type { Proven } from './sign-in-deps.ts';

/** Makes a guest, and the token that they come back with: shown once, by the answer to this call. */
export async function newGuest(deps: CommandDeps, game: string, name: string | null, context: CommandContext): Promise<{
  readonly player: Proven<Player>;
  readonly guestToken: string;
}> {
  if (stryMutAct_9fa48("1384")) {
    {}
  } else {
    stryCov_9fa48("1384");
    const {
      id,
      handled
    } = await makeGuest(deps, game, name, context);
    // A repeated call's player may have been banned or deleted since.
    if (stryMutAct_9fa48("1386") ? false : stryMutAct_9fa48("1385") ? true : (stryCov_9fa48("1385", "1386"), handled.replayed)) mayPlay(await playerNow(deps, id), context.nowMs);
    const guestToken = await keepSecret(deps, stryMutAct_9fa48("1387") ? "" : (stryCov_9fa48("1387"), 'guest-token'), id, context.generator.secret(stryMutAct_9fa48("1388") ? "" : (stryCov_9fa48("1388"), 'guest token')));
    return stryMutAct_9fa48("1389") ? {} : (stryCov_9fa48("1389"), {
      player: stryMutAct_9fa48("1390") ? {} : (stryCov_9fa48("1390"), {
        id,
        state: handled.after as Player,
        made: stryMutAct_9fa48("1391") ? false : (stryCov_9fa48("1391"), true)
      }),
      guestToken
    });
  }
}

/** 401 `sign_in_rejected` for every kind of wrong token; 403 `player_banned`. */
export async function knownGuest(deps: CommandDeps, game: string, token: string, nowMs: number): Promise<Proven<Player>> {
  if (stryMutAct_9fa48("1392")) {
    {}
  } else {
    stryCov_9fa48("1392");
    const id = await ownerOf(deps, stryMutAct_9fa48("1393") ? "" : (stryCov_9fa48("1393"), 'guest-token'), token);
    return stryMutAct_9fa48("1394") ? {} : (stryCov_9fa48("1394"), {
      id,
      // By the log, as with every way to sign in: the views of this node may yet know of no ban.
      state: mayPlay(await playerOfGame(deps, game, id), nowMs),
      made: stryMutAct_9fa48("1395") ? true : (stryCov_9fa48("1395"), false),
      // Whoever owns the player's address may have taken them over: then a guest's token counts no more.
      stillStands: async () => {
        if (stryMutAct_9fa48("1396")) {
          {}
        } else {
          stryCov_9fa48("1396");
          const present = await playerNow(deps, id);
          return stryMutAct_9fa48("1399") ? present?.takenOver === null || !present.deleted : stryMutAct_9fa48("1398") ? false : stryMutAct_9fa48("1397") ? true : (stryCov_9fa48("1397", "1398", "1399"), (stryMutAct_9fa48("1401") ? present?.takenOver !== null : stryMutAct_9fa48("1400") ? true : (stryCov_9fa48("1400", "1401"), (stryMutAct_9fa48("1402") ? present.takenOver : (stryCov_9fa48("1402"), present?.takenOver)) === null)) && (stryMutAct_9fa48("1403") ? present.deleted : (stryCov_9fa48("1403"), !present.deleted)));
        }
      }
    });
  }
}