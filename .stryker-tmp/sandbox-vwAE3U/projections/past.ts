// The view with what a read of a board's past needs beyond the board's own history: bans with their times, deleted
// players, and the board and player of deleted scores. It holds no personal text.
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
import type { StoredEvent } from '../domain/event.ts';
import type { DocRef, Projection } from './projection.ts';
const COLLECTIONS: Readonly<Record<string, string>> = stryMutAct_9fa48("7487") ? {} : (stryCov_9fa48("7487"), {
  PlayerBanned: stryMutAct_9fa48("7488") ? "" : (stryCov_9fa48("7488"), 'bans'),
  PlayerUnbanned: stryMutAct_9fa48("7489") ? "" : (stryCov_9fa48("7489"), 'bans'),
  PlayerDeleted: stryMutAct_9fa48("7490") ? "" : (stryCov_9fa48("7490"), 'gone'),
  ScoreDeleted: stryMutAct_9fa48("7491") ? "" : (stryCov_9fa48("7491"), 'scores')
});
function refOf({
  type,
  data,
  position
}: StoredEvent): DocRef {
  if (stryMutAct_9fa48("7492")) {
    {}
  } else {
    stryCov_9fa48("7492");
    return stryMutAct_9fa48("7493") ? [] : (stryCov_9fa48("7493"), [stryMutAct_9fa48("7494") ? COLLECTIONS[type] && '' : (stryCov_9fa48("7494"), COLLECTIONS[type] ?? (stryMutAct_9fa48("7495") ? "Stryker was here!" : (stryCov_9fa48("7495"), ''))), (stryMutAct_9fa48("7498") ? type !== 'ScoreDeleted' : stryMutAct_9fa48("7497") ? false : stryMutAct_9fa48("7496") ? true : (stryCov_9fa48("7496", "7497", "7498"), type === (stryMutAct_9fa48("7499") ? "" : (stryCov_9fa48("7499"), 'ScoreDeleted')))) ? String(data.id) : position]);
  }
}
export const past: Projection = stryMutAct_9fa48("7500") ? {} : (stryCov_9fa48("7500"), {
  name: stryMutAct_9fa48("7501") ? "" : (stryCov_9fa48("7501"), 'past'),
  version: 1,
  collections: stryMutAct_9fa48("7502") ? [] : (stryCov_9fa48("7502"), [stryMutAct_9fa48("7503") ? {} : (stryCov_9fa48("7503"), {
    name: stryMutAct_9fa48("7504") ? "" : (stryCov_9fa48("7504"), 'bans'),
    indexes: stryMutAct_9fa48("7505") ? {} : (stryCov_9fa48("7505"), {
      game: stryMutAct_9fa48("7506") ? [] : (stryCov_9fa48("7506"), [stryMutAct_9fa48("7507") ? "" : (stryCov_9fa48("7507"), 'game'), stryMutAct_9fa48("7508") ? "" : (stryCov_9fa48("7508"), 'position')]),
      player: stryMutAct_9fa48("7509") ? [] : (stryCov_9fa48("7509"), [stryMutAct_9fa48("7510") ? "" : (stryCov_9fa48("7510"), 'player'), stryMutAct_9fa48("7511") ? "" : (stryCov_9fa48("7511"), 'position')])
    })
  }), stryMutAct_9fa48("7512") ? {} : (stryCov_9fa48("7512"), {
    name: stryMutAct_9fa48("7513") ? "" : (stryCov_9fa48("7513"), 'gone'),
    indexes: stryMutAct_9fa48("7514") ? {} : (stryCov_9fa48("7514"), {
      game: stryMutAct_9fa48("7515") ? [] : (stryCov_9fa48("7515"), [stryMutAct_9fa48("7516") ? "" : (stryCov_9fa48("7516"), 'game'), stryMutAct_9fa48("7517") ? "" : (stryCov_9fa48("7517"), 'position')]),
      player: stryMutAct_9fa48("7518") ? [] : (stryCov_9fa48("7518"), [stryMutAct_9fa48("7519") ? "" : (stryCov_9fa48("7519"), 'player'), stryMutAct_9fa48("7520") ? "" : (stryCov_9fa48("7520"), 'position')])
    })
  }), stryMutAct_9fa48("7521") ? {} : (stryCov_9fa48("7521"), {
    name: stryMutAct_9fa48("7522") ? "" : (stryCov_9fa48("7522"), 'scores'),
    indexes: {}
  })]),
  takes: Object.keys(COLLECTIONS),
  needs: stryMutAct_9fa48("7523") ? () => undefined : (stryCov_9fa48("7523"), event => stryMutAct_9fa48("7524") ? [] : (stryCov_9fa48("7524"), [refOf(event)])),
  handle(event, docs) {
    if (stryMutAct_9fa48("7525")) {
      {}
    } else {
      stryCov_9fa48("7525");
      const {
        game,
        board = stryMutAct_9fa48("7526") ? "Stryker was here!" : (stryCov_9fa48("7526"), ''),
        player = stryMutAct_9fa48("7527") ? "Stryker was here!" : (stryCov_9fa48("7527"), ''),
        time
      } = event.meta;
      const {
        position
      } = event;
      if (stryMutAct_9fa48("7530") ? event.type !== 'ScoreDeleted' : stryMutAct_9fa48("7529") ? false : stryMutAct_9fa48("7528") ? true : (stryCov_9fa48("7528", "7529", "7530"), event.type === (stryMutAct_9fa48("7531") ? "" : (stryCov_9fa48("7531"), 'ScoreDeleted')))) docs.put(...refOf(event), stryMutAct_9fa48("7532") ? {} : (stryCov_9fa48("7532"), {
        game,
        board,
        player
      }));else if (stryMutAct_9fa48("7535") ? event.type !== 'PlayerDeleted' : stryMutAct_9fa48("7534") ? false : stryMutAct_9fa48("7533") ? true : (stryCov_9fa48("7533", "7534", "7535"), event.type === (stryMutAct_9fa48("7536") ? "" : (stryCov_9fa48("7536"), 'PlayerDeleted')))) docs.put(...refOf(event), stryMutAct_9fa48("7537") ? {} : (stryCov_9fa48("7537"), {
        game,
        player,
        position
      }));else docs.put(...refOf(event), stryMutAct_9fa48("7538") ? {} : (stryCov_9fa48("7538"), {
        game,
        player,
        position,
        time,
        banned: stryMutAct_9fa48("7541") ? event.type !== 'PlayerBanned' : stryMutAct_9fa48("7540") ? false : stryMutAct_9fa48("7539") ? true : (stryCov_9fa48("7539", "7540", "7541"), event.type === (stryMutAct_9fa48("7542") ? "" : (stryCov_9fa48("7542"), 'PlayerBanned')))
      }));
    }
  }
});