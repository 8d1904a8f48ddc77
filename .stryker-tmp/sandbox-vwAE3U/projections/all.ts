// The list of every view that the program maintains.
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
import type { History } from '../stores/contract/history.ts';
import { blobs } from './blobs.ts';
import { buckets } from './buckets.ts';
import { commands } from './commands.ts';
import { entries } from './entries.ts';
import { files } from './files.ts';
import { games } from './games.ts';
import { history } from './history.ts';
import { keys } from './keys.ts';
import { leaderboards } from './leaderboards.ts';
import { origins } from './origins.ts';
import { past } from './past.ts';
import { players } from './players.ts';
import type { Projection } from './projection.ts';
import { sessions } from './sessions.ts';
import { uploads } from './uploads.ts';
export const ALL_VIEWS: readonly Projection[] = stryMutAct_9fa48("5114") ? [] : (stryCov_9fa48("5114"), [games, keys, origins, players, sessions, leaderboards, entries, past, buckets, files, uploads, blobs, commands]);

/** All views; adds the `history` view if the log store has no index by game and board. */
export function viewsOver({
  history: kept
}: {
  readonly history: History | null;
}): readonly Projection[] {
  if (stryMutAct_9fa48("5115")) {
    {}
  } else {
    stryCov_9fa48("5115");
    return (stryMutAct_9fa48("5118") ? kept !== null : stryMutAct_9fa48("5117") ? false : stryMutAct_9fa48("5116") ? true : (stryCov_9fa48("5116", "5117", "5118"), kept === null)) ? stryMutAct_9fa48("5119") ? [] : (stryCov_9fa48("5119"), [...ALL_VIEWS, history]) : ALL_VIEWS;
  }
}