// The view of entries: what is ranked. A unique board has one document per player, any other board one per submission.
// Each document holds its sort key in the ranking (`member`) and the name shown beside it. The player's visibility
// decides whether it is ranked: entries of a banned player are kept but hidden, those of a deleted player are removed.
// A board has one active generation of entries; during a rebuild the next generation is built beside it and receives
// only replayed events.
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
import type { Rules } from '../domain/board-rules.ts';
import { type StoredEvent, unsafeCast } from '../domain/event.ts';
import { sameReference } from '../domain/event-reference.ts';
import { partitionOf } from '../domain/partition.ts';
import type { ClearedSlice } from '../domain/rebuild.ts';
import { rankingKey } from '../ranking/key.ts';
import { generationRef, REPLAY_TRIGGERS, replays } from './entries-replayed.ts';
import { applyScoreEvent, entryRefs, type Generation, hidden, shown, visibilityOf } from './entry-documents.ts';
import type { DocRef, Docs, Peek, Projection } from './projection.ts';
export const entries: Projection = stryMutAct_9fa48("6189") ? {} : (stryCov_9fa48("6189"), {
  name: stryMutAct_9fa48("6190") ? "" : (stryCov_9fa48("6190"), 'entries'),
  version: 3,
  collections: stryMutAct_9fa48("6191") ? [] : (stryCov_9fa48("6191"), [stryMutAct_9fa48("6192") ? {} : (stryCov_9fa48("6192"), {
    name: stryMutAct_9fa48("6193") ? "" : (stryCov_9fa48("6193"), 'entries'),
    indexes: stryMutAct_9fa48("6194") ? {} : (stryCov_9fa48("6194"), {
      rank: stryMutAct_9fa48("6195") ? [] : (stryCov_9fa48("6195"), [stryMutAct_9fa48("6196") ? "" : (stryCov_9fa48("6196"), 'ranking'), stryMutAct_9fa48("6197") ? "" : (stryCov_9fa48("6197"), 'member')]),
      oldest: stryMutAct_9fa48("6198") ? [] : (stryCov_9fa48("6198"), [stryMutAct_9fa48("6199") ? "" : (stryCov_9fa48("6199"), 'ranking'), stryMutAct_9fa48("6200") ? "" : (stryCov_9fa48("6200"), 'updated'), stryMutAct_9fa48("6201") ? "" : (stryCov_9fa48("6201"), 'member')]),
      newest: stryMutAct_9fa48("6202") ? [] : (stryCov_9fa48("6202"), [stryMutAct_9fa48("6203") ? "" : (stryCov_9fa48("6203"), 'ranking'), stryMutAct_9fa48("6204") ? "" : (stryCov_9fa48("6204"), '-updated'), stryMutAct_9fa48("6205") ? "" : (stryCov_9fa48("6205"), 'member')]),
      player: stryMutAct_9fa48("6206") ? [] : (stryCov_9fa48("6206"), [stryMutAct_9fa48("6207") ? "" : (stryCov_9fa48("6207"), 'player'), stryMutAct_9fa48("6208") ? "" : (stryCov_9fa48("6208"), 'ranking'), stryMutAct_9fa48("6209") ? "" : (stryCov_9fa48("6209"), 'member')]),
      lookup: stryMutAct_9fa48("6210") ? [] : (stryCov_9fa48("6210"), [stryMutAct_9fa48("6211") ? "" : (stryCov_9fa48("6211"), 'lookup')])
    })
  }), // `boards` holds the active generation of each board; `generations` every generation that has entries.
  stryMutAct_9fa48("6212") ? {} : (stryCov_9fa48("6212"), {
    name: stryMutAct_9fa48("6213") ? "" : (stryCov_9fa48("6213"), 'boards'),
    indexes: {}
  }), stryMutAct_9fa48("6214") ? {} : (stryCov_9fa48("6214"), {
    name: stryMutAct_9fa48("6215") ? "" : (stryCov_9fa48("6215"), 'generations'),
    indexes: stryMutAct_9fa48("6216") ? {} : (stryCov_9fa48("6216"), {
      partition: stryMutAct_9fa48("6217") ? [] : (stryCov_9fa48("6217"), [stryMutAct_9fa48("6218") ? "" : (stryCov_9fa48("6218"), 'partition'), stryMutAct_9fa48("6219") ? "" : (stryCov_9fa48("6219"), 'ranking')])
    })
  }), stryMutAct_9fa48("6220") ? {} : (stryCov_9fa48("6220"), {
    name: stryMutAct_9fa48("6221") ? "" : (stryCov_9fa48("6221"), 'names'),
    indexes: {}
  })]),
  takes: stryMutAct_9fa48("6222") ? [] : (stryCov_9fa48("6222"), [stryMutAct_9fa48("6223") ? "" : (stryCov_9fa48("6223"), 'LeaderboardCreated'), stryMutAct_9fa48("6224") ? "" : (stryCov_9fa48("6224"), 'LeaderboardRulesRequested'), ...REPLAY_TRIGGERS, stryMutAct_9fa48("6225") ? "" : (stryCov_9fa48("6225"), 'PlayerCreated'), stryMutAct_9fa48("6226") ? "" : (stryCov_9fa48("6226"), 'PlayerNamed'), stryMutAct_9fa48("6227") ? "" : (stryCov_9fa48("6227"), 'PlayerBanned'), stryMutAct_9fa48("6228") ? "" : (stryCov_9fa48("6228"), 'PlayerUnbanned'), stryMutAct_9fa48("6229") ? "" : (stryCov_9fa48("6229"), 'PlayerDeleted'), stryMutAct_9fa48("6230") ? "" : (stryCov_9fa48("6230"), 'ScoreSubmitted'), stryMutAct_9fa48("6231") ? "" : (stryCov_9fa48("6231"), 'ScoreDeleted')]),
  ranked: stryMutAct_9fa48("6232") ? {} : (stryCov_9fa48("6232"), {
    collection: stryMutAct_9fa48("6233") ? "" : (stryCov_9fa48("6233"), 'entries'),
    index: stryMutAct_9fa48("6234") ? "" : (stryCov_9fa48("6234"), 'rank'),
    key: stryMutAct_9fa48("6235") ? "" : (stryCov_9fa48("6235"), 'ranking'),
    member: stryMutAct_9fa48("6236") ? "" : (stryCov_9fa48("6236"), 'member'),
    aside: stryMutAct_9fa48("6237") ? "" : (stryCov_9fa48("6237"), 'aside'),
    keys: stryMutAct_9fa48("6238") ? "" : (stryCov_9fa48("6238"), 'generations'),
    byPartition: stryMutAct_9fa48("6239") ? "" : (stryCov_9fa48("6239"), 'partition')
  }),
  replays,
  needs(event, peek, stream) {
    if (stryMutAct_9fa48("6240")) {
      {}
    } else {
      stryCov_9fa48("6240");
      const {
        board = stryMutAct_9fa48("6241") ? "Stryker was here!" : (stryCov_9fa48("6241"), ''),
        player = stryMutAct_9fa48("6242") ? "Stryker was here!" : (stryCov_9fa48("6242"), '')
      } = event.meta;
      switch (event.type) {
        case stryMutAct_9fa48("6243") ? "" : (stryCov_9fa48("6243"), 'LeaderboardCreated'):
        case stryMutAct_9fa48("6245") ? "" : (stryCov_9fa48("6245"), 'LeaderboardRulesChanged'):
          if (stryMutAct_9fa48("6244")) {} else {
            stryCov_9fa48("6244");
            return stryMutAct_9fa48("6246") ? [] : (stryCov_9fa48("6246"), [stryMutAct_9fa48("6247") ? [] : (stryCov_9fa48("6247"), [stryMutAct_9fa48("6248") ? "" : (stryCov_9fa48("6248"), 'boards'), board]), generationRef(event)]);
          }
        case stryMutAct_9fa48("6249") ? "" : (stryCov_9fa48("6249"), 'LeaderboardRulesRequested'):
        case stryMutAct_9fa48("6251") ? "" : (stryCov_9fa48("6251"), 'LeaderboardSliceCleared'):
          if (stryMutAct_9fa48("6250")) {} else {
            stryCov_9fa48("6250");
            return stryMutAct_9fa48("6252") ? [] : (stryCov_9fa48("6252"), [generationRef(event)]);
          }
        case stryMutAct_9fa48("6254") ? "" : (stryCov_9fa48("6254"), 'LeaderboardSliceBuilt'):
          if (stryMutAct_9fa48("6253")) {} else {
            stryCov_9fa48("6253");
            return stryMutAct_9fa48("6255") ? ["Stryker was here"] : (stryCov_9fa48("6255"), []);
          }
        case stryMutAct_9fa48("6256") ? "" : (stryCov_9fa48("6256"), 'ScoreSubmitted'):
        case stryMutAct_9fa48("6258") ? "" : (stryCov_9fa48("6258"), 'ScoreDeleted'):
          if (stryMutAct_9fa48("6257")) {} else {
            stryCov_9fa48("6257");
            return scoreRefs(event, peek, stream);
          }
        default:
          if (stryMutAct_9fa48("6259")) {} else {
            stryCov_9fa48("6259");
            return stryMutAct_9fa48("6260") ? [] : (stryCov_9fa48("6260"), [stryMutAct_9fa48("6261") ? [] : (stryCov_9fa48("6261"), [stryMutAct_9fa48("6262") ? "" : (stryCov_9fa48("6262"), 'names'), player])]);
          }
      }
    }
  },
  query({
    type,
    meta
  }) {
    if (stryMutAct_9fa48("6263")) {
      {}
    } else {
      stryCov_9fa48("6263");
      if (stryMutAct_9fa48("6266") ? false : stryMutAct_9fa48("6265") ? true : stryMutAct_9fa48("6264") ? CHANGES_ALL_ENTRIES.has(type) : (stryCov_9fa48("6264", "6265", "6266"), !CHANGES_ALL_ENTRIES.has(type))) return stryMutAct_9fa48("6267") ? ["Stryker was here"] : (stryCov_9fa48("6267"), []);
      // Hidden entries come first in this index. Hiding moves an entry back to them, showing moves it away from there, so
      // the direction avoids meeting an entry twice.
      const reverse = stryMutAct_9fa48("6270") ? type !== 'PlayerUnbanned' : stryMutAct_9fa48("6269") ? false : stryMutAct_9fa48("6268") ? true : (stryCov_9fa48("6268", "6269", "6270"), type === (stryMutAct_9fa48("6271") ? "" : (stryCov_9fa48("6271"), 'PlayerUnbanned')));
      return stryMutAct_9fa48("6272") ? [] : (stryCov_9fa48("6272"), [stryMutAct_9fa48("6273") ? {} : (stryCov_9fa48("6273"), {
        collection: stryMutAct_9fa48("6274") ? "" : (stryCov_9fa48("6274"), 'entries'),
        index: stryMutAct_9fa48("6275") ? "" : (stryCov_9fa48("6275"), 'player'),
        equal: stryMutAct_9fa48("6276") ? [] : (stryCov_9fa48("6276"), [stryMutAct_9fa48("6277") ? meta.player && '' : (stryCov_9fa48("6277"), meta.player ?? (stryMutAct_9fa48("6278") ? "Stryker was here!" : (stryCov_9fa48("6278"), '')))]),
        reverse
      })]);
    }
  },
  removalQuery({
    type,
    meta
  }) {
    if (stryMutAct_9fa48("6279")) {
      {}
    } else {
      stryCov_9fa48("6279");
      // Entries of every generation, shown or hidden.
      if (stryMutAct_9fa48("6282") ? type === 'PlayerCreated' : stryMutAct_9fa48("6281") ? false : stryMutAct_9fa48("6280") ? true : (stryCov_9fa48("6280", "6281", "6282"), type !== (stryMutAct_9fa48("6283") ? "" : (stryCov_9fa48("6283"), 'PlayerCreated')))) return stryMutAct_9fa48("6284") ? ["Stryker was here"] : (stryCov_9fa48("6284"), []);
      return stryMutAct_9fa48("6285") ? [] : (stryCov_9fa48("6285"), [stryMutAct_9fa48("6286") ? {} : (stryCov_9fa48("6286"), {
        collection: stryMutAct_9fa48("6287") ? "" : (stryCov_9fa48("6287"), 'entries'),
        index: stryMutAct_9fa48("6288") ? "" : (stryCov_9fa48("6288"), 'player'),
        equal: stryMutAct_9fa48("6289") ? [] : (stryCov_9fa48("6289"), [stryMutAct_9fa48("6290") ? meta.player && '' : (stryCov_9fa48("6290"), meta.player ?? (stryMutAct_9fa48("6291") ? "Stryker was here!" : (stryCov_9fa48("6291"), '')))])
      })]);
    }
  },
  handle(event, docs, stream) {
    if (stryMutAct_9fa48("6292")) {
      {}
    } else {
      stryCov_9fa48("6292");
      switch (event.type) {
        case stryMutAct_9fa48("6293") ? "" : (stryCov_9fa48("6293"), 'LeaderboardCreated'):
        case stryMutAct_9fa48("6295") ? "" : (stryCov_9fa48("6295"), 'LeaderboardRulesRequested'):
          if (stryMutAct_9fa48("6294")) {} else {
            stryCov_9fa48("6294");
            return putGeneration(event, docs);
          }
        case stryMutAct_9fa48("6297") ? "" : (stryCov_9fa48("6297"), 'LeaderboardRulesChanged'):
          if (stryMutAct_9fa48("6296")) {} else {
            stryCov_9fa48("6296");
            return activateGeneration(event, docs);
          }
        case stryMutAct_9fa48("6299") ? "" : (stryCov_9fa48("6299"), 'LeaderboardSliceCleared'):
          if (stryMutAct_9fa48("6298")) {} else {
            stryCov_9fa48("6298");
            return finishClearing(event, docs);
          }
        case stryMutAct_9fa48("6300") ? "" : (stryCov_9fa48("6300"), 'PlayerCreated'):
        case stryMutAct_9fa48("6302") ? "" : (stryCov_9fa48("6302"), 'PlayerNamed'):
          if (stryMutAct_9fa48("6301")) {} else {
            stryCov_9fa48("6301");
            return putName(event, docs);
          }
        case stryMutAct_9fa48("6304") ? "" : (stryCov_9fa48("6304"), 'PlayerBanned'):
          if (stryMutAct_9fa48("6303")) {} else {
            stryCov_9fa48("6303");
            return putVisibility(event, docs, stryMutAct_9fa48("6305") ? "" : (stryCov_9fa48("6305"), 'hidden'));
          }
        case stryMutAct_9fa48("6307") ? "" : (stryCov_9fa48("6307"), 'PlayerUnbanned'):
          if (stryMutAct_9fa48("6306")) {} else {
            stryCov_9fa48("6306");
            return putVisibility(event, docs, stryMutAct_9fa48("6308") ? "" : (stryCov_9fa48("6308"), 'shown'));
          }
        case stryMutAct_9fa48("6310") ? "" : (stryCov_9fa48("6310"), 'PlayerDeleted'):
          if (stryMutAct_9fa48("6309")) {} else {
            stryCov_9fa48("6309");
            return putDeleted(event, docs);
          }
        case stryMutAct_9fa48("6311") ? "" : (stryCov_9fa48("6311"), 'ScoreSubmitted'):
        case stryMutAct_9fa48("6313") ? "" : (stryCov_9fa48("6313"), 'ScoreDeleted'):
          if (stryMutAct_9fa48("6312")) {} else {
            stryCov_9fa48("6312");
            return applyScoreEvent(event, activeGeneration(docs, event), docs, stream);
          }
      }
    }
  },
  updateEach({
    type,
    data
  }, docs, id) {
    if (stryMutAct_9fa48("6314")) {
      {}
    } else {
      stryCov_9fa48("6314");
      if (stryMutAct_9fa48("6317") ? type !== 'PlayerDeleted' : stryMutAct_9fa48("6316") ? false : stryMutAct_9fa48("6315") ? true : (stryCov_9fa48("6315", "6316", "6317"), type === (stryMutAct_9fa48("6318") ? "" : (stryCov_9fa48("6318"), 'PlayerDeleted')))) return docs.remove(stryMutAct_9fa48("6319") ? "" : (stryCov_9fa48("6319"), 'entries'), id);
      const entry = docs.get(stryMutAct_9fa48("6320") ? "" : (stryCov_9fa48("6320"), 'entries'), id);
      if (stryMutAct_9fa48("6323") ? entry !== null : stryMutAct_9fa48("6322") ? false : stryMutAct_9fa48("6321") ? true : (stryCov_9fa48("6321", "6322", "6323"), entry === null)) return;
      if (stryMutAct_9fa48("6326") ? type !== 'PlayerBanned' : stryMutAct_9fa48("6325") ? false : stryMutAct_9fa48("6324") ? true : (stryCov_9fa48("6324", "6325", "6326"), type === (stryMutAct_9fa48("6327") ? "" : (stryCov_9fa48("6327"), 'PlayerBanned')))) docs.put(stryMutAct_9fa48("6328") ? "" : (stryCov_9fa48("6328"), 'entries'), id, hidden(entry));else if (stryMutAct_9fa48("6331") ? type !== 'PlayerUnbanned' : stryMutAct_9fa48("6330") ? false : stryMutAct_9fa48("6329") ? true : (stryCov_9fa48("6329", "6330", "6331"), type === (stryMutAct_9fa48("6332") ? "" : (stryCov_9fa48("6332"), 'PlayerUnbanned')))) docs.put(stryMutAct_9fa48("6333") ? "" : (stryCov_9fa48("6333"), 'entries'), id, shown(entry));else if (stryMutAct_9fa48("6336") ? entry.ownName !== null : stryMutAct_9fa48("6335") ? false : stryMutAct_9fa48("6334") ? true : (stryCov_9fa48("6334", "6335", "6336"), entry.ownName === null)) docs.put(stryMutAct_9fa48("6337") ? "" : (stryCov_9fa48("6337"), 'entries'), id, stryMutAct_9fa48("6338") ? {} : (stryCov_9fa48("6338"), {
        ...entry,
        name: stryMutAct_9fa48("6339") ? data.name && null : (stryCov_9fa48("6339"), data.name ?? null)
      }));
    }
  }
});
const CHANGES_ALL_ENTRIES: ReadonlySet<string> = new Set(stryMutAct_9fa48("6340") ? [] : (stryCov_9fa48("6340"), [stryMutAct_9fa48("6341") ? "" : (stryCov_9fa48("6341"), 'PlayerNamed'), stryMutAct_9fa48("6342") ? "" : (stryCov_9fa48("6342"), 'PlayerBanned'), stryMutAct_9fa48("6343") ? "" : (stryCov_9fa48("6343"), 'PlayerUnbanned'), stryMutAct_9fa48("6344") ? "" : (stryCov_9fa48("6344"), 'PlayerDeleted')]));
function scoreRefs(event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[] {
  if (stryMutAct_9fa48("6345")) {
    {}
  } else {
    stryCov_9fa48("6345");
    const {
      board = stryMutAct_9fa48("6346") ? "Stryker was here!" : (stryCov_9fa48("6346"), ''),
      player = stryMutAct_9fa48("6347") ? "Stryker was here!" : (stryCov_9fa48("6347"), '')
    } = event.meta;
    const boardRef: DocRef = stryMutAct_9fa48("6348") ? [] : (stryCov_9fa48("6348"), [stryMutAct_9fa48("6349") ? "" : (stryCov_9fa48("6349"), 'boards'), board]);
    const names: DocRef = stryMutAct_9fa48("6350") ? [] : (stryCov_9fa48("6350"), [stryMutAct_9fa48("6351") ? "" : (stryCov_9fa48("6351"), 'names'), player]);
    const held = peek(...boardRef);
    return (stryMutAct_9fa48("6354") ? held !== null : stryMutAct_9fa48("6353") ? false : stryMutAct_9fa48("6352") ? true : (stryCov_9fa48("6352", "6353", "6354"), held === null)) ? stryMutAct_9fa48("6355") ? [] : (stryCov_9fa48("6355"), [boardRef, names]) : stryMutAct_9fa48("6356") ? [] : (stryCov_9fa48("6356"), [boardRef, names, ...entryRefs(event, unsafeCast(held), stream)]);
  }
}
function activeGeneration(docs: Docs, event: StoredEvent): Generation {
  if (stryMutAct_9fa48("6357")) {
    {}
  } else {
    stryCov_9fa48("6357");
    const board = docs.get(stryMutAct_9fa48("6358") ? "" : (stryCov_9fa48("6358"), 'boards'), stryMutAct_9fa48("6359") ? event.meta.board && '' : (stryCov_9fa48("6359"), event.meta.board ?? (stryMutAct_9fa48("6360") ? "Stryker was here!" : (stryCov_9fa48("6360"), ''))));
    if (stryMutAct_9fa48("6363") ? board !== null : stryMutAct_9fa48("6362") ? false : stryMutAct_9fa48("6361") ? true : (stryCov_9fa48("6361", "6362", "6363"), board === null)) throw new Error(stryMutAct_9fa48("6364") ? `` : (stryCov_9fa48("6364"), `a submission to leaderboard ${event.meta.board}, which was never created`));
    return unsafeCast(board);
  }
}
function putGeneration(event: StoredEvent, docs: Docs): void {
  if (stryMutAct_9fa48("6365")) {
    {}
  } else {
    stryCov_9fa48("6365");
    const {
      meta,
      type
    } = event;
    const {
      rules,
      generation = 1
    } = unsafeCast<{
      rules: Rules;
      generation?: number;
    }>(event.data);
    const board = stryMutAct_9fa48("6366") ? meta.board && '' : (stryCov_9fa48("6366"), meta.board ?? (stryMutAct_9fa48("6367") ? "Stryker was here!" : (stryCov_9fa48("6367"), '')));
    const own = stryMutAct_9fa48("6368") ? {} : (stryCov_9fa48("6368"), {
      generation,
      rules,
      ranking: rankingKey(board, generation),
      partition: partitionOf(meta.game)
    });
    docs.put(...generationRef(event), own);
    if (stryMutAct_9fa48("6371") ? type !== 'LeaderboardCreated' : stryMutAct_9fa48("6370") ? false : stryMutAct_9fa48("6369") ? true : (stryCov_9fa48("6369", "6370", "6371"), type === (stryMutAct_9fa48("6372") ? "" : (stryCov_9fa48("6372"), 'LeaderboardCreated')))) docs.put(stryMutAct_9fa48("6373") ? "" : (stryCov_9fa48("6373"), 'boards'), board, stryMutAct_9fa48("6374") ? {} : (stryCov_9fa48("6374"), {
      generation,
      rules
    }));
  }
}
function activateGeneration({
  meta,
  data
}: StoredEvent, docs: Docs): void {
  if (stryMutAct_9fa48("6375")) {
    {}
  } else {
    stryCov_9fa48("6375");
    const {
      rules,
      generation
    } = unsafeCast<Generation>(data);
    docs.put(stryMutAct_9fa48("6376") ? "" : (stryCov_9fa48("6376"), 'boards'), stryMutAct_9fa48("6377") ? meta.board && '' : (stryCov_9fa48("6377"), meta.board ?? (stryMutAct_9fa48("6378") ? "Stryker was here!" : (stryCov_9fa48("6378"), ''))), stryMutAct_9fa48("6379") ? {} : (stryCov_9fa48("6379"), {
      generation,
      rules
    }));
  }
}
function finishClearing(event: StoredEvent, docs: Docs): void {
  if (stryMutAct_9fa48("6380")) {
    {}
  } else {
    stryCov_9fa48("6380");
    const {
      upTo,
      until
    } = unsafeCast<ClearedSlice>(event.data);
    if (stryMutAct_9fa48("6383") ? sameReference(upTo, until) || docs.get(...generationRef(event)) !== null : stryMutAct_9fa48("6382") ? false : stryMutAct_9fa48("6381") ? true : (stryCov_9fa48("6381", "6382", "6383"), sameReference(upTo, until) && (stryMutAct_9fa48("6385") ? docs.get(...generationRef(event)) === null : stryMutAct_9fa48("6384") ? true : (stryCov_9fa48("6384", "6385"), docs.get(...generationRef(event)) !== null)))) docs.remove(...generationRef(event));
  }
}
function putName({
  meta,
  data
}: StoredEvent, docs: Docs): void {
  if (stryMutAct_9fa48("6386")) {
    {}
  } else {
    stryCov_9fa48("6386");
    docs.put(stryMutAct_9fa48("6387") ? "" : (stryCov_9fa48("6387"), 'names'), stryMutAct_9fa48("6388") ? meta.player && '' : (stryCov_9fa48("6388"), meta.player ?? (stryMutAct_9fa48("6389") ? "Stryker was here!" : (stryCov_9fa48("6389"), ''))), stryMutAct_9fa48("6390") ? {} : (stryCov_9fa48("6390"), {
      name: stryMutAct_9fa48("6391") ? data.name && null : (stryCov_9fa48("6391"), data.name ?? null),
      standing: visibilityOf(docs, meta.player)
    }));
  }
}
function putVisibility({
  meta
}: StoredEvent, docs: Docs, visibility: 'shown' | 'hidden'): void {
  if (stryMutAct_9fa48("6392")) {
    {}
  } else {
    stryCov_9fa48("6392");
    const player = stryMutAct_9fa48("6393") ? meta.player && '' : (stryCov_9fa48("6393"), meta.player ?? (stryMutAct_9fa48("6394") ? "Stryker was here!" : (stryCov_9fa48("6394"), '')));
    docs.put(stryMutAct_9fa48("6395") ? "" : (stryCov_9fa48("6395"), 'names'), player, stryMutAct_9fa48("6396") ? {} : (stryCov_9fa48("6396"), {
      name: stryMutAct_9fa48("6397") ? docs.get('names', player)?.name && null : (stryCov_9fa48("6397"), (stryMutAct_9fa48("6398") ? docs.get('names', player).name : (stryCov_9fa48("6398"), docs.get(stryMutAct_9fa48("6399") ? "" : (stryCov_9fa48("6399"), 'names'), player)?.name)) ?? null),
      standing: visibility
    }));
  }
}

/**
 * Keeps only the fact of the deletion: a score that the player submitted just before, and that comes later in the log,
 * is not shown either.
 */
function putDeleted({
  meta
}: StoredEvent, docs: Docs): void {
  if (stryMutAct_9fa48("6400")) {
    {}
  } else {
    stryCov_9fa48("6400");
    docs.put(stryMutAct_9fa48("6401") ? "" : (stryCov_9fa48("6401"), 'names'), stryMutAct_9fa48("6402") ? meta.player && '' : (stryCov_9fa48("6402"), meta.player ?? (stryMutAct_9fa48("6403") ? "Stryker was here!" : (stryCov_9fa48("6403"), ''))), stryMutAct_9fa48("6404") ? {} : (stryCov_9fa48("6404"), {
      name: null,
      standing: stryMutAct_9fa48("6405") ? "" : (stryCov_9fa48("6405"), 'gone')
    }));
  }
}