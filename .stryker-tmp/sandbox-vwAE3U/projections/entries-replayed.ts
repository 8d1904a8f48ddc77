// How the view of entries handles replayed events. A replay covers a range of a board's history; it adds to a
// generation of entries that is built beside the active one, or clears a generation.
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
import { type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { EventReference } from '../domain/event-reference.ts';
import type { BuiltSlice, ClearedSlice } from '../domain/rebuild.ts';
import { rankingKey } from '../ranking/key.ts';
import { applyScoreEvent, entryRef, entryRefs, type Generation, needsStream, putEntry, standingRef } from './entry-documents.ts';
import type { DocRef, Folding, Replays } from './projection.ts';

/** Types of rebuild events that trigger a replay of some of the history. */
export const REPLAY_TRIGGERS: ReadonlySet<string> = new Set(stryMutAct_9fa48("6051") ? [] : (stryCov_9fa48("6051"), [stryMutAct_9fa48("6052") ? "" : (stryCov_9fa48("6052"), 'LeaderboardSliceBuilt'), stryMutAct_9fa48("6053") ? "" : (stryCov_9fa48("6053"), 'LeaderboardRulesChanged'), stryMutAct_9fa48("6054") ? "" : (stryCov_9fa48("6054"), 'LeaderboardSliceCleared')]));

/**
 * On a unique board each player has one entry. It is written once, from the fold of the whole history up to a position.
 */
const folding: Folding = stryMutAct_9fa48("6055") ? {} : (stryCov_9fa48("6055"), {
  asOf: stryMutAct_9fa48("6056") ? () => undefined : (stryCov_9fa48("6056"), ({
    type,
    data
  }) => stryMutAct_9fa48("6057") ? (type === 'LeaderboardSliceBuilt' ? unsafeCast<BuiltSlice>(data).asOf : null) && null : (stryCov_9fa48("6057"), ((stryMutAct_9fa48("6060") ? type !== 'LeaderboardSliceBuilt' : stryMutAct_9fa48("6059") ? false : stryMutAct_9fa48("6058") ? true : (stryCov_9fa48("6058", "6059", "6060"), type === (stryMutAct_9fa48("6061") ? "" : (stryCov_9fa48("6061"), 'LeaderboardSliceBuilt')))) ? unsafeCast<BuiltSlice>(data).asOf : null) ?? null)),
  needs: stryMutAct_9fa48("6062") ? () => undefined : (stryCov_9fa48("6062"), event => stryMutAct_9fa48("6063") ? [] : (stryCov_9fa48("6063"), [generationRef(event)])),
  generation(event, docs) {
    if (stryMutAct_9fa48("6064")) {
      {}
    } else {
      stryCov_9fa48("6064");
      const present = docs.get(...generationRef(event));
      return (stryMutAct_9fa48("6067") ? present !== null : stryMutAct_9fa48("6066") ? false : stryMutAct_9fa48("6065") ? true : (stryCov_9fa48("6065", "6066", "6067"), present === null)) ? null : stryMutAct_9fa48("6068") ? {} : (stryCov_9fa48("6068"), {
        board: stryMutAct_9fa48("6069") ? event.meta.board && '' : (stryCov_9fa48("6069"), event.meta.board ?? (stryMutAct_9fa48("6070") ? "Stryker was here!" : (stryCov_9fa48("6070"), ''))),
        ...unsafeCast<Generation>(present)
      });
    }
  },
  reads: stryMutAct_9fa48("6071") ? () => undefined : (stryCov_9fa48("6071"), ({
    player
  }) => stryMutAct_9fa48("6072") ? [] : (stryCov_9fa48("6072"), [stryMutAct_9fa48("6073") ? [] : (stryCov_9fa48("6073"), [stryMutAct_9fa48("6074") ? "" : (stryCov_9fa48("6074"), 'names'), player])])),
  makes: stryMutAct_9fa48("6075") ? () => undefined : (stryCov_9fa48("6075"), (standing, of) => standingRef(standing, of.board, of)),
  handle: stryMutAct_9fa48("6076") ? () => undefined : (stryCov_9fa48("6076"), (standing, of, docs) => putEntry(standing, of.board, of, docs))
});
export const replays: Replays = stryMutAct_9fa48("6077") ? {} : (stryCov_9fa48("6077"), {
  triggers: REPLAY_TRIGGERS,
  takes: new Set(stryMutAct_9fa48("6078") ? [] : (stryCov_9fa48("6078"), [stryMutAct_9fa48("6079") ? "" : (stryCov_9fa48("6079"), 'ScoreSubmitted'), stryMutAct_9fa48("6080") ? "" : (stryCov_9fa48("6080"), 'ScoreDeleted')])),
  range({
    type,
    data,
    meta
  }) {
    if (stryMutAct_9fa48("6081")) {
      {}
    } else {
      stryCov_9fa48("6081");
      const {
        board = stryMutAct_9fa48("6082") ? "Stryker was here!" : (stryCov_9fa48("6082"), '')
      } = meta;
      if (stryMutAct_9fa48("6085") ? type !== 'LeaderboardSliceBuilt' : stryMutAct_9fa48("6084") ? false : stryMutAct_9fa48("6083") ? true : (stryCov_9fa48("6083", "6084", "6085"), type === (stryMutAct_9fa48("6086") ? "" : (stryCov_9fa48("6086"), 'LeaderboardSliceBuilt')))) return stryMutAct_9fa48("6087") ? {} : (stryCov_9fa48("6087"), {
        board,
        ...unsafeCast<Pick<BuiltSlice, 'after' | 'upTo'>>(data)
      });
      if (stryMutAct_9fa48("6090") ? type !== 'LeaderboardRulesChanged' : stryMutAct_9fa48("6089") ? false : stryMutAct_9fa48("6088") ? true : (stryCov_9fa48("6088", "6089", "6090"), type === (stryMutAct_9fa48("6091") ? "" : (stryCov_9fa48("6091"), 'LeaderboardRulesChanged')))) return stryMutAct_9fa48("6092") ? {} : (stryCov_9fa48("6092"), {
        board,
        after: unsafeCast<EventReference | null>(data.after),
        upTo: null
      });
      const {
        after,
        upTo
      } = unsafeCast<ClearedSlice>(data);
      return (stryMutAct_9fa48("6095") ? type === 'LeaderboardSliceCleared' || upTo !== null : stryMutAct_9fa48("6094") ? false : stryMutAct_9fa48("6093") ? true : (stryCov_9fa48("6093", "6094", "6095"), (stryMutAct_9fa48("6097") ? type !== 'LeaderboardSliceCleared' : stryMutAct_9fa48("6096") ? true : (stryCov_9fa48("6096", "6097"), type === (stryMutAct_9fa48("6098") ? "" : (stryCov_9fa48("6098"), 'LeaderboardSliceCleared')))) && (stryMutAct_9fa48("6100") ? upTo === null : stryMutAct_9fa48("6099") ? true : (stryCov_9fa48("6099", "6100"), upTo !== null)))) ? stryMutAct_9fa48("6101") ? {} : (stryCov_9fa48("6101"), {
        board,
        after,
        upTo
      }) : null;
    }
  },
  needs(past, event, peek, stream) {
    if (stryMutAct_9fa48("6102")) {
      {}
    } else {
      stryCov_9fa48("6102");
      const of = generationRef(event);
      const names: DocRef = stryMutAct_9fa48("6103") ? [] : (stryCov_9fa48("6103"), [stryMutAct_9fa48("6104") ? "" : (stryCov_9fa48("6104"), 'names'), stryMutAct_9fa48("6105") ? past.meta.player && '' : (stryCov_9fa48("6105"), past.meta.player ?? (stryMutAct_9fa48("6106") ? "Stryker was here!" : (stryCov_9fa48("6106"), '')))]);
      const present = peek(...of);
      if (stryMutAct_9fa48("6109") ? present !== null : stryMutAct_9fa48("6108") ? false : stryMutAct_9fa48("6107") ? true : (stryCov_9fa48("6107", "6108", "6109"), present === null)) {
        if (stryMutAct_9fa48("6110")) {
          {}
        } else {
          stryCov_9fa48("6110");
          const isCleared = stryMutAct_9fa48("6113") ? event.type === 'LeaderboardSliceCleared' || past.type === 'ScoreSubmitted' : stryMutAct_9fa48("6112") ? false : stryMutAct_9fa48("6111") ? true : (stryCov_9fa48("6111", "6112", "6113"), (stryMutAct_9fa48("6115") ? event.type !== 'LeaderboardSliceCleared' : stryMutAct_9fa48("6114") ? true : (stryCov_9fa48("6114", "6115"), event.type === (stryMutAct_9fa48("6116") ? "" : (stryCov_9fa48("6116"), 'LeaderboardSliceCleared')))) && (stryMutAct_9fa48("6118") ? past.type !== 'ScoreSubmitted' : stryMutAct_9fa48("6117") ? true : (stryCov_9fa48("6117", "6118"), past.type === (stryMutAct_9fa48("6119") ? "" : (stryCov_9fa48("6119"), 'ScoreSubmitted')))));
          return isCleared ? stryMutAct_9fa48("6120") ? [] : (stryCov_9fa48("6120"), [of, ...clearedRefs(past, event)]) : stryMutAct_9fa48("6121") ? [] : (stryCov_9fa48("6121"), [of, names]);
        }
      }
      return stryMutAct_9fa48("6122") ? [] : (stryCov_9fa48("6122"), [of, names, ...entryRefs(past, unsafeCast<Generation>(present), stream)]);
    }
  },
  handle(past, event, docs, stream) {
    if (stryMutAct_9fa48("6123")) {
      {}
    } else {
      stryCov_9fa48("6123");
      const present = docs.get(...generationRef(event));
      const of = (stryMutAct_9fa48("6126") ? present !== null : stryMutAct_9fa48("6125") ? false : stryMutAct_9fa48("6124") ? true : (stryCov_9fa48("6124", "6125", "6126"), present === null)) ? null : unsafeCast<Generation>(present);
      if (stryMutAct_9fa48("6129") ? event.type !== 'LeaderboardSliceCleared' : stryMutAct_9fa48("6128") ? false : stryMutAct_9fa48("6127") ? true : (stryCov_9fa48("6127", "6128", "6129"), event.type === (stryMutAct_9fa48("6130") ? "" : (stryCov_9fa48("6130"), 'LeaderboardSliceCleared')))) {
        if (stryMutAct_9fa48("6131")) {
          {}
        } else {
          stryCov_9fa48("6131");
          if (stryMutAct_9fa48("6134") ? past.type === 'ScoreSubmitted' : stryMutAct_9fa48("6133") ? false : stryMutAct_9fa48("6132") ? true : (stryCov_9fa48("6132", "6133", "6134"), past.type !== (stryMutAct_9fa48("6135") ? "" : (stryCov_9fa48("6135"), 'ScoreSubmitted')))) return;
          const refs = (stryMutAct_9fa48("6138") ? of !== null : stryMutAct_9fa48("6137") ? false : stryMutAct_9fa48("6136") ? true : (stryCov_9fa48("6136", "6137", "6138"), of === null)) ? clearedRefs(past, event) : stryMutAct_9fa48("6139") ? [] : (stryCov_9fa48("6139"), [entryRef(past, of)]);
          for (const ref of refs) if (stryMutAct_9fa48("6142") ? docs.get(...ref) === null : stryMutAct_9fa48("6141") ? false : stryMutAct_9fa48("6140") ? true : (stryCov_9fa48("6140", "6141", "6142"), docs.get(...ref) !== null)) docs.remove(...ref);
        }
      } else if (stryMutAct_9fa48("6145") ? of === null : stryMutAct_9fa48("6144") ? false : stryMutAct_9fa48("6143") ? true : (stryCov_9fa48("6143", "6144", "6145"), of !== null)) applyScoreEvent(past, of, docs, stream);
    }
  },
  failed(past, event, docs, reason) {
    if (stryMutAct_9fa48("6146")) {
      {}
    } else {
      stryCov_9fa48("6146");
      const present = docs.get(...generationRef(event));
      const broken = stryMutAct_9fa48("6147") ? `` : (stryCov_9fa48("6147"), `${past}: ${reason}`);
      if (stryMutAct_9fa48("6150") ? present !== null || present.broken === undefined : stryMutAct_9fa48("6149") ? false : stryMutAct_9fa48("6148") ? true : (stryCov_9fa48("6148", "6149", "6150"), (stryMutAct_9fa48("6152") ? present === null : stryMutAct_9fa48("6151") ? true : (stryCov_9fa48("6151", "6152"), present !== null)) && (stryMutAct_9fa48("6154") ? present.broken !== undefined : stryMutAct_9fa48("6153") ? true : (stryCov_9fa48("6153", "6154"), present.broken === undefined)))) docs.put(...generationRef(event), stryMutAct_9fa48("6155") ? {} : (stryCov_9fa48("6155"), {
        ...present,
        broken
      }));
    }
  },
  folding,
  needsStreamFor: new Set(stryMutAct_9fa48("6156") ? [] : (stryCov_9fa48("6156"), [stryMutAct_9fa48("6157") ? "" : (stryCov_9fa48("6157"), 'ScoreDeleted')])),
  needsStream(past, event, peek) {
    if (stryMutAct_9fa48("6158")) {
      {}
    } else {
      stryCov_9fa48("6158");
      if (stryMutAct_9fa48("6161") ? event?.type !== 'LeaderboardSliceCleared' : stryMutAct_9fa48("6160") ? false : stryMutAct_9fa48("6159") ? true : (stryCov_9fa48("6159", "6160", "6161"), (stryMutAct_9fa48("6162") ? event.type : (stryCov_9fa48("6162"), event?.type)) === (stryMutAct_9fa48("6163") ? "" : (stryCov_9fa48("6163"), 'LeaderboardSliceCleared')))) return stryMutAct_9fa48("6164") ? true : (stryCov_9fa48("6164"), false);
      const present = (stryMutAct_9fa48("6167") ? event !== null : stryMutAct_9fa48("6166") ? false : stryMutAct_9fa48("6165") ? true : (stryCov_9fa48("6165", "6166", "6167"), event === null)) ? peek(stryMutAct_9fa48("6168") ? "" : (stryCov_9fa48("6168"), 'boards'), stryMutAct_9fa48("6169") ? past.meta.board && '' : (stryCov_9fa48("6169"), past.meta.board ?? (stryMutAct_9fa48("6170") ? "Stryker was here!" : (stryCov_9fa48("6170"), '')))) : peek(...generationRef(event));
      return stryMutAct_9fa48("6173") ? present !== null || needsStream(past, unsafeCast(present), peek) : stryMutAct_9fa48("6172") ? false : stryMutAct_9fa48("6171") ? true : (stryCov_9fa48("6171", "6172", "6173"), (stryMutAct_9fa48("6175") ? present === null : stryMutAct_9fa48("6174") ? true : (stryCov_9fa48("6174", "6175"), present !== null)) && needsStream(past, unsafeCast(present), peek));
    }
  }
});

/**
 * Documents that a submission may have created in a generation whose kind is unknown. The write that cleared the last
 * range may have removed the generation's document and failed before it removed the entries; then the range is cleared
 * again.
 */
function clearedRefs(past: StoredEvent, {
  data
}: StoredEvent): readonly DocRef[] {
  if (stryMutAct_9fa48("6176")) {
    {}
  } else {
    stryCov_9fa48("6176");
    const generation = Number(data.generation);
    return (stryMutAct_9fa48("6177") ? [] : (stryCov_9fa48("6177"), [stryMutAct_9fa48("6178") ? false : (stryCov_9fa48("6178"), true), stryMutAct_9fa48("6179") ? true : (stryCov_9fa48("6179"), false)])).map(stryMutAct_9fa48("6180") ? () => undefined : (stryCov_9fa48("6180"), unique => entryRef(past, stryMutAct_9fa48("6181") ? {} : (stryCov_9fa48("6181"), {
      generation,
      rules: stryMutAct_9fa48("6182") ? {} : (stryCov_9fa48("6182"), {
        unique
      })
    }))));
  }
}

/** The document of the generation that a rebuild event names. */
export const generationRef = stryMutAct_9fa48("6183") ? () => undefined : (stryCov_9fa48("6183"), (() => {
  const generationRef = ({
    meta,
    data
  }: StoredEvent): DocRef => stryMutAct_9fa48("6184") ? [] : (stryCov_9fa48("6184"), [stryMutAct_9fa48("6185") ? "" : (stryCov_9fa48("6185"), 'generations'), rankingKey(stryMutAct_9fa48("6186") ? meta.board && '' : (stryCov_9fa48("6186"), meta.board ?? (stryMutAct_9fa48("6187") ? "Stryker was here!" : (stryCov_9fa48("6187"), ''))), Number(stryMutAct_9fa48("6188") ? data.generation && 1 : (stryCov_9fa48("6188"), data.generation ?? 1)))]);
  return generationRef;
})());