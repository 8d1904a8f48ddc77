// The view of browser origins: which games allow an origin. Preflight requests name no game, so they are answered from
// here. There is one document per game and origin, so that games do not share documents and none depends on another.
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
import { hash } from 'node:crypto';
import { type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { Projection } from './projection.ts';
export const origins: Projection = stryMutAct_9fa48("7424") ? {} : (stryCov_9fa48("7424"), {
  name: stryMutAct_9fa48("7425") ? "" : (stryCov_9fa48("7425"), 'origins'),
  version: 2,
  collections: stryMutAct_9fa48("7426") ? [] : (stryCov_9fa48("7426"), [stryMutAct_9fa48("7427") ? {} : (stryCov_9fa48("7427"), {
    name: stryMutAct_9fa48("7428") ? "" : (stryCov_9fa48("7428"), 'origins'),
    indexes: stryMutAct_9fa48("7429") ? {} : (stryCov_9fa48("7429"), {
      origin: stryMutAct_9fa48("7430") ? [] : (stryCov_9fa48("7430"), [stryMutAct_9fa48("7431") ? "" : (stryCov_9fa48("7431"), 'origin')]),
      game: stryMutAct_9fa48("7432") ? [] : (stryCov_9fa48("7432"), [stryMutAct_9fa48("7433") ? "" : (stryCov_9fa48("7433"), 'game')])
    })
  })]),
  takes: stryMutAct_9fa48("7434") ? [] : (stryCov_9fa48("7434"), [stryMutAct_9fa48("7435") ? "" : (stryCov_9fa48("7435"), 'GameConfigured')]),
  needs: stryMutAct_9fa48("7436") ? () => undefined : (stryCov_9fa48("7436"), event => allowed(event).map(stryMutAct_9fa48("7437") ? () => undefined : (stryCov_9fa48("7437"), ([id]) => ['origins', id] as const))),
  query: stryMutAct_9fa48("7438") ? () => undefined : (stryCov_9fa48("7438"), ({
    meta
  }) => stryMutAct_9fa48("7439") ? [] : (stryCov_9fa48("7439"), [stryMutAct_9fa48("7440") ? {} : (stryCov_9fa48("7440"), {
    collection: stryMutAct_9fa48("7441") ? "" : (stryCov_9fa48("7441"), 'origins'),
    index: stryMutAct_9fa48("7442") ? "" : (stryCov_9fa48("7442"), 'game'),
    equal: stryMutAct_9fa48("7443") ? [] : (stryCov_9fa48("7443"), [stryMutAct_9fa48("7444") ? meta.game && '' : (stryCov_9fa48("7444"), meta.game ?? (stryMutAct_9fa48("7445") ? "Stryker was here!" : (stryCov_9fa48("7445"), '')))])
  })])),
  handle(event, docs) {
    if (stryMutAct_9fa48("7446")) {
      {}
    } else {
      stryCov_9fa48("7446");
      for (const [id, origin] of allowed(event)) docs.put(stryMutAct_9fa48("7447") ? "" : (stryCov_9fa48("7447"), 'origins'), id, stryMutAct_9fa48("7448") ? {} : (stryCov_9fa48("7448"), {
        game: event.meta.game,
        origin
      }));
    }
  },
  updateEach(event, docs, id) {
    if (stryMutAct_9fa48("7449")) {
      {}
    } else {
      stryCov_9fa48("7449");
      if (stryMutAct_9fa48("7452") ? false : stryMutAct_9fa48("7451") ? true : stryMutAct_9fa48("7450") ? allowed(event).some(([allowedId]) => allowedId === id) : (stryCov_9fa48("7450", "7451", "7452"), !(stryMutAct_9fa48("7453") ? allowed(event).every(([allowedId]) => allowedId === id) : (stryCov_9fa48("7453"), allowed(event).some(stryMutAct_9fa48("7454") ? () => undefined : (stryCov_9fa48("7454"), ([allowedId]) => stryMutAct_9fa48("7457") ? allowedId !== id : stryMutAct_9fa48("7456") ? false : stryMutAct_9fa48("7455") ? true : (stryCov_9fa48("7455", "7456", "7457"), allowedId === id))))))) docs.remove(stryMutAct_9fa48("7458") ? "" : (stryCov_9fa48("7458"), 'origins'), id);
    }
  }
});

/**
 * Document id -> an origin that the game allows from now on. The id of a removed document stays in the store, so it is
 * a hash and contains no text of the game.
 */
function allowed({
  meta,
  data
}: StoredEvent): (readonly [id: string, origin: string])[] {
  if (stryMutAct_9fa48("7459")) {
    {}
  } else {
    stryCov_9fa48("7459");
    return unsafeCast<readonly string[]>(data.corsOrigins).map(stryMutAct_9fa48("7460") ? () => undefined : (stryCov_9fa48("7460"), origin => stryMutAct_9fa48("7461") ? [] : (stryCov_9fa48("7461"), [stryMutAct_9fa48("7462") ? `` : (stryCov_9fa48("7462"), `${meta.game}/${hash(stryMutAct_9fa48("7463") ? "" : (stryCov_9fa48("7463"), 'sha256'), origin, stryMutAct_9fa48("7464") ? "" : (stryCov_9fa48("7464"), 'base64url'))}`), origin])));
  }
}