// The view of history: every event, indexed by its game and board, for log stores that have no such index. Its
// documents hold the events with personal text decrypted; the text of a deleted player is cleared, including events
// that are applied after the deletion.
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
import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts';
import { ownerOf, PERSONAL_FIELDS, personalTexts } from '../domain/personal.ts';
import type { DocRef, Projection } from './projection.ts';
const refOf = stryMutAct_9fa48("7263") ? () => undefined : (stryCov_9fa48("7263"), (() => {
  const refOf = ({
    position
  }: StoredEvent): DocRef => stryMutAct_9fa48("7264") ? [] : (stryCov_9fa48("7264"), [stryMutAct_9fa48("7265") ? "" : (stryCov_9fa48("7265"), 'events'), position]);
  return refOf;
})());

/** Marks a player as deleted. */
const goneRef = stryMutAct_9fa48("7266") ? () => undefined : (stryCov_9fa48("7266"), (() => {
  const goneRef = (event: StoredEvent): DocRef => stryMutAct_9fa48("7267") ? [] : (stryCov_9fa48("7267"), [stryMutAct_9fa48("7268") ? "" : (stryCov_9fa48("7268"), 'gone'), stryMutAct_9fa48("7269") ? ownerOf(event) && '' : (stryCov_9fa48("7269"), ownerOf(event) ?? (stryMutAct_9fa48("7270") ? "Stryker was here!" : (stryCov_9fa48("7270"), '')))]);
  return goneRef;
})());
export const history: Projection = stryMutAct_9fa48("7271") ? {} : (stryCov_9fa48("7271"), {
  name: stryMutAct_9fa48("7272") ? "" : (stryCov_9fa48("7272"), 'history'),
  version: 3,
  collections: stryMutAct_9fa48("7273") ? [] : (stryCov_9fa48("7273"), [stryMutAct_9fa48("7274") ? {} : (stryCov_9fa48("7274"), {
    name: stryMutAct_9fa48("7275") ? "" : (stryCov_9fa48("7275"), 'events'),
    indexes: stryMutAct_9fa48("7276") ? {} : (stryCov_9fa48("7276"), {
      board: stryMutAct_9fa48("7277") ? [] : (stryCov_9fa48("7277"), [stryMutAct_9fa48("7278") ? "" : (stryCov_9fa48("7278"), 'board'), stryMutAct_9fa48("7279") ? "" : (stryCov_9fa48("7279"), 'position')]),
      game: stryMutAct_9fa48("7280") ? [] : (stryCov_9fa48("7280"), [stryMutAct_9fa48("7281") ? "" : (stryCov_9fa48("7281"), 'game'), stryMutAct_9fa48("7282") ? "" : (stryCov_9fa48("7282"), 'position')]),
      personal: stryMutAct_9fa48("7283") ? [] : (stryCov_9fa48("7283"), [stryMutAct_9fa48("7284") ? "" : (stryCov_9fa48("7284"), 'personal'), stryMutAct_9fa48("7285") ? "" : (stryCov_9fa48("7285"), 'position')])
    })
  }), stryMutAct_9fa48("7286") ? {} : (stryCov_9fa48("7286"), {
    name: stryMutAct_9fa48("7287") ? "" : (stryCov_9fa48("7287"), 'gone'),
    indexes: {}
  })]),
  takes: stryMutAct_9fa48("7288") ? "" : (stryCov_9fa48("7288"), 'every event'),
  needs: event => {
    if (stryMutAct_9fa48("7289")) {
      {}
    } else {
      stryCov_9fa48("7289");
      const isPersonal = stryMutAct_9fa48("7292") ? event.type === 'PlayerDeleted' && personalTexts(event).length > 0 : stryMutAct_9fa48("7291") ? false : stryMutAct_9fa48("7290") ? true : (stryCov_9fa48("7290", "7291", "7292"), (stryMutAct_9fa48("7294") ? event.type !== 'PlayerDeleted' : stryMutAct_9fa48("7293") ? false : (stryCov_9fa48("7293", "7294"), event.type === (stryMutAct_9fa48("7295") ? "" : (stryCov_9fa48("7295"), 'PlayerDeleted')))) || (stryMutAct_9fa48("7298") ? personalTexts(event).length <= 0 : stryMutAct_9fa48("7297") ? personalTexts(event).length >= 0 : stryMutAct_9fa48("7296") ? false : (stryCov_9fa48("7296", "7297", "7298"), personalTexts(event).length > 0)));
      return isPersonal ? stryMutAct_9fa48("7299") ? [] : (stryCov_9fa48("7299"), [refOf(event), goneRef(event)]) : stryMutAct_9fa48("7300") ? [] : (stryCov_9fa48("7300"), [refOf(event)]);
    }
  },
  query({
    type,
    meta
  }) {
    if (stryMutAct_9fa48("7301")) {
      {}
    } else {
      stryCov_9fa48("7301");
      if (stryMutAct_9fa48("7304") ? type === 'PlayerDeleted' : stryMutAct_9fa48("7303") ? false : stryMutAct_9fa48("7302") ? true : (stryCov_9fa48("7302", "7303", "7304"), type !== (stryMutAct_9fa48("7305") ? "" : (stryCov_9fa48("7305"), 'PlayerDeleted')))) return stryMutAct_9fa48("7306") ? ["Stryker was here"] : (stryCov_9fa48("7306"), []);
      return stryMutAct_9fa48("7307") ? [] : (stryCov_9fa48("7307"), [stryMutAct_9fa48("7308") ? {} : (stryCov_9fa48("7308"), {
        collection: stryMutAct_9fa48("7309") ? "" : (stryCov_9fa48("7309"), 'events'),
        index: stryMutAct_9fa48("7310") ? "" : (stryCov_9fa48("7310"), 'personal'),
        equal: stryMutAct_9fa48("7311") ? [] : (stryCov_9fa48("7311"), [stryMutAct_9fa48("7312") ? meta.player && '' : (stryCov_9fa48("7312"), meta.player ?? (stryMutAct_9fa48("7313") ? "Stryker was here!" : (stryCov_9fa48("7313"), '')))])
      })]);
    }
  },
  handle(event, docs) {
    if (stryMutAct_9fa48("7314")) {
      {}
    } else {
      stryCov_9fa48("7314");
      if (stryMutAct_9fa48("7317") ? event.type !== 'PlayerDeleted' : stryMutAct_9fa48("7316") ? false : stryMutAct_9fa48("7315") ? true : (stryCov_9fa48("7315", "7316", "7317"), event.type === (stryMutAct_9fa48("7318") ? "" : (stryCov_9fa48("7318"), 'PlayerDeleted')))) docs.put(...goneRef(event), {});
      const {
        game,
        board = null
      } = event.meta;
      const isLate = stryMutAct_9fa48("7321") ? personalTexts(event).length > 0 || docs.get(...goneRef(event)) !== null : stryMutAct_9fa48("7320") ? false : stryMutAct_9fa48("7319") ? true : (stryCov_9fa48("7319", "7320", "7321"), (stryMutAct_9fa48("7324") ? personalTexts(event).length <= 0 : stryMutAct_9fa48("7323") ? personalTexts(event).length >= 0 : stryMutAct_9fa48("7322") ? true : (stryCov_9fa48("7322", "7323", "7324"), personalTexts(event).length > 0)) && (stryMutAct_9fa48("7326") ? docs.get(...goneRef(event)) === null : stryMutAct_9fa48("7325") ? true : (stryCov_9fa48("7325", "7326"), docs.get(...goneRef(event)) !== null)));
      docs.put(...refOf(event), stryMutAct_9fa48("7327") ? {} : (stryCov_9fa48("7327"), {
        game,
        board,
        // By type, not by content: the content reads differently once the player's key is gone.
        personal: event.type in PERSONAL_FIELDS ? ownerOf(event) : null,
        position: event.position,
        event: asKept(isLate ? cleared(event) : event)
      }));
    }
  },
  updateEach(_, docs, id) {
    if (stryMutAct_9fa48("7328")) {
      {}
    } else {
      stryCov_9fa48("7328");
      const kept = docs.get(stryMutAct_9fa48("7329") ? "" : (stryCov_9fa48("7329"), 'events'), id);
      if (stryMutAct_9fa48("7332") ? kept === null : stryMutAct_9fa48("7331") ? false : stryMutAct_9fa48("7330") ? true : (stryCov_9fa48("7330", "7331", "7332"), kept !== null)) docs.put(stryMutAct_9fa48("7333") ? "" : (stryCov_9fa48("7333"), 'events'), id, stryMutAct_9fa48("7334") ? {} : (stryCov_9fa48("7334"), {
        ...kept,
        event: asKept(cleared(unsafeCast(kept.event)))
      }));
    }
  }
});
const asKept = stryMutAct_9fa48("7335") ? () => undefined : (stryCov_9fa48("7335"), (() => {
  const asKept = (event: StoredEvent): JsonObject => unsafeCast<JsonObject>(event);
  return asKept;
})());
function cleared(event: StoredEvent): StoredEvent {
  if (stryMutAct_9fa48("7336")) {
    {}
  } else {
    stryCov_9fa48("7336");
    const nothing = Object.fromEntries(personalTexts(event).map(stryMutAct_9fa48("7337") ? () => undefined : (stryCov_9fa48("7337"), field => stryMutAct_9fa48("7338") ? [] : (stryCov_9fa48("7338"), [field, null]))));
    return stryMutAct_9fa48("7339") ? {} : (stryCov_9fa48("7339"), {
      ...event,
      data: stryMutAct_9fa48("7340") ? {} : (stryCov_9fa48("7340"), {
        ...event.data,
        ...nothing
      })
    });
  }
}