// The view of players: per game in order of creation, by the end of their ban, and by deletion time.
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
import { type Player, type PlayerEvent, player } from '../domain/player.ts';
import { aggregateView } from './aggregate-view.ts';
export const players = aggregateView<Player, PlayerEvent>(stryMutAct_9fa48("7543") ? {} : (stryCov_9fa48("7543"), {
  name: stryMutAct_9fa48("7544") ? "" : (stryCov_9fa48("7544"), 'players'),
  version: 3,
  aggregate: player,
  takes: stryMutAct_9fa48("7545") ? [] : (stryCov_9fa48("7545"), [stryMutAct_9fa48("7546") ? "" : (stryCov_9fa48("7546"), 'PlayerCreated'), stryMutAct_9fa48("7547") ? "" : (stryCov_9fa48("7547"), 'PlayerNamed'), stryMutAct_9fa48("7548") ? "" : (stryCov_9fa48("7548"), 'PlayerLinked'), stryMutAct_9fa48("7549") ? "" : (stryCov_9fa48("7549"), 'PlayerEmailConfirmed'), stryMutAct_9fa48("7550") ? "" : (stryCov_9fa48("7550"), 'PlayerBanned'), stryMutAct_9fa48("7551") ? "" : (stryCov_9fa48("7551"), 'PlayerUnbanned'), stryMutAct_9fa48("7552") ? "" : (stryCov_9fa48("7552"), 'PlayerDeleted'), stryMutAct_9fa48("7553") ? "" : (stryCov_9fa48("7553"), 'PlayerSignedOut')]),
  fields: stryMutAct_9fa48("7554") ? () => undefined : (stryCov_9fa48("7554"), ({
    created,
    banned,
    deleted
  }, _id, game, time) => stryMutAct_9fa48("7555") ? {} : (stryCov_9fa48("7555"), {
    listed: deleted ? null : game,
    created,
    bannedUntil: stryMutAct_9fa48("7556") ? banned?.until && null : (stryCov_9fa48("7556"), (stryMutAct_9fa48("7557") ? banned.until : (stryCov_9fa48("7557"), banned?.until)) ?? null),
    // The last event of a deleted player is the deletion.
    deletedAt: deleted ? time : null
  })),
  indexes: stryMutAct_9fa48("7558") ? {} : (stryCov_9fa48("7558"), {
    game: stryMutAct_9fa48("7559") ? [] : (stryCov_9fa48("7559"), [stryMutAct_9fa48("7560") ? "" : (stryCov_9fa48("7560"), 'listed'), stryMutAct_9fa48("7561") ? "" : (stryCov_9fa48("7561"), 'created')]),
    due: stryMutAct_9fa48("7562") ? [] : (stryCov_9fa48("7562"), [stryMutAct_9fa48("7563") ? "" : (stryCov_9fa48("7563"), 'bannedUntil')]),
    deleted: stryMutAct_9fa48("7564") ? [] : (stryCov_9fa48("7564"), [stryMutAct_9fa48("7565") ? "" : (stryCov_9fa48("7565"), 'deletedAt')])
  })
}));