// Removes the documents that a deleted game's events created, in every build of every view. The documents are found by
// calling `needs` of each projection again. Removals carry the position of GameErasureBegun, which comes after all
// other events of the game.
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
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts';
import type { AllRankings } from '../stores/contract/rankings.ts';
import type { Views } from '../stores/contract/views.ts';
import { attempt } from './needed.ts';
import { type DocRef, PARKED, type Projection, viewKey } from './projection.ts';
import { isNamable } from './storable.ts';
import { WorkingSet } from './working-set.ts';
import { viewChangesOf, write } from './write.ts';

/** Queried documents that are removed together. */
const FOUND_AT_ONCE = 100;
export interface GameClearing {
  /**
   * Removes what a page of a deleted game's events created; `begun` is its GameErasureBegun, which every view must have
   * applied. Idempotent. If the game's history is read from a view, this removes it from there too.
   */
  clear(page: readonly StoredEvent[], begun: StoredEvent): Promise<void>;
}
export interface ClearDeps {
  readonly views: Views;
  readonly rankings: AllRankings;
}

/** `builds`: the builds that this node applies now. */
export function createGameClearing(deps: ClearDeps, builds: () => readonly Projection[]): GameClearing {
  if (stryMutAct_9fa48("6013")) {
    {}
  } else {
    stryCov_9fa48("6013");
    return stryMutAct_9fa48("6014") ? {} : (stryCov_9fa48("6014"), {
      async clear(page, begun) {
        if (stryMutAct_9fa48("6015")) {
          {}
        } else {
          stryCov_9fa48("6015");
          for (const projection of builds()) {
            if (stryMutAct_9fa48("6016")) {
              {}
            } else {
              stryCov_9fa48("6016");
              await clearView(deps, projection, page, begun);
              await yieldToEventLoop();
            }
          }
        }
      }
    });
  }
}
async function clearView(deps: ClearDeps, projection: Projection, page: readonly StoredEvent[], begun: StoredEvent): Promise<void> {
  if (stryMutAct_9fa48("6017")) {
    {}
  } else {
    stryCov_9fa48("6017");
    const {
      takes,
      ranked,
      collections
    } = projection;
    const types = (stryMutAct_9fa48("6020") ? takes !== 'every event' : stryMutAct_9fa48("6019") ? false : stryMutAct_9fa48("6018") ? true : (stryCov_9fa48("6018", "6019", "6020"), takes === (stryMutAct_9fa48("6021") ? "" : (stryCov_9fa48("6021"), 'every event')))) ? null : new Set(takes);
    const docs = new WorkingSet(deps.views, viewKey(projection), ranked, collections);
    const refs: DocRef[] = stryMutAct_9fa48("6022") ? ["Stryker was here"] : (stryCov_9fa48("6022"), []);
    for (const event of page) {
      if (stryMutAct_9fa48("6023")) {
        {}
      } else {
        stryCov_9fa48("6023");
        refs.push(stryMutAct_9fa48("6024") ? [] : (stryCov_9fa48("6024"), [PARKED, event.stream]));
        if (stryMutAct_9fa48("6027") ? types !== null || !types.has(event.type) : stryMutAct_9fa48("6026") ? false : stryMutAct_9fa48("6025") ? true : (stryCov_9fa48("6025", "6026", "6027"), (stryMutAct_9fa48("6029") ? types === null : stryMutAct_9fa48("6028") ? true : (stryCov_9fa48("6028", "6029"), types !== null)) && (stryMutAct_9fa48("6030") ? types.has(event.type) : (stryCov_9fa48("6030"), !types.has(event.type))))) continue;
        refs.push(...(stryMutAct_9fa48("6031") ? attempt(() => projection.needs(event, () => null, [])) : (stryCov_9fa48("6031"), attempt(stryMutAct_9fa48("6032") ? () => undefined : (stryCov_9fa48("6032"), () => projection.needs(event, stryMutAct_9fa48("6033") ? () => undefined : (stryCov_9fa48("6033"), () => null), stryMutAct_9fa48("6034") ? ["Stryker was here"] : (stryCov_9fa48("6034"), [])))).filter(isNamable))));
        for (const found of stryMutAct_9fa48("6035") ? projection.removalQuery?.(event) && [] : (stryCov_9fa48("6035"), (stryMutAct_9fa48("6036") ? projection.removalQuery(event) : (stryCov_9fa48("6036"), projection.removalQuery?.(event))) ?? (stryMutAct_9fa48("6037") ? ["Stryker was here"] : (stryCov_9fa48("6037"), [])))) await clearQueried(deps, projection, found, begun);
      }
    }
    await docs.load(refs);
    for (const ref of refs) if (stryMutAct_9fa48("6040") ? docs.get(...ref) === null : stryMutAct_9fa48("6039") ? false : stryMutAct_9fa48("6038") ? true : (stryCov_9fa48("6038", "6039", "6040"), docs.get(...ref) !== null)) docs.remove(...ref);
    docs.accept(begun);
    await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), stryMutAct_9fa48("6041") ? true : (stryCov_9fa48("6041"), false)));
  }
}

/** Removes each page before it reads the next: removed documents are no longer in the index. */
async function clearQueried(deps: ClearDeps, projection: Projection, found: {
  readonly collection: string;
  readonly index: string;
  readonly equal: readonly (string | number)[];
}, begun: StoredEvent): Promise<void> {
  if (stryMutAct_9fa48("6042")) {
    {}
  } else {
    stryCov_9fa48("6042");
    const view = viewKey(projection);
    if (stryMutAct_9fa48("6043")) {
      for (; false;) {
        const documents = await deps.views.find({
          ...found,
          view,
          limit: FOUND_AT_ONCE
        });
        if (documents.length === 0) return;
        const docs = new WorkingSet(deps.views, view, projection.ranked, projection.collections);
        for (const document of documents) {
          docs.holdFound(found.collection, document);
          docs.remove(found.collection, document.id);
        }
        docs.accept(begun);
        await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), false));
        await yieldToEventLoop();
      }
    } else {
      stryCov_9fa48("6043");
      for (;;) {
        if (stryMutAct_9fa48("6044")) {
          {}
        } else {
          stryCov_9fa48("6044");
          const documents = await deps.views.find(stryMutAct_9fa48("6045") ? {} : (stryCov_9fa48("6045"), {
            ...found,
            view,
            limit: FOUND_AT_ONCE
          }));
          if (stryMutAct_9fa48("6048") ? documents.length !== 0 : stryMutAct_9fa48("6047") ? false : stryMutAct_9fa48("6046") ? true : (stryCov_9fa48("6046", "6047", "6048"), documents.length === 0)) return;
          const docs = new WorkingSet(deps.views, view, projection.ranked, projection.collections);
          for (const document of documents) {
            if (stryMutAct_9fa48("6049")) {
              {}
            } else {
              stryCov_9fa48("6049");
              docs.holdFound(found.collection, document);
              docs.remove(found.collection, document.id);
            }
          }
          docs.accept(begun);
          await write(deps, viewChangesOf(projection, docs.takeChanges(), new Map(), stryMutAct_9fa48("6050") ? true : (stryCov_9fa48("6050"), false)));
          await yieldToEventLoop();
        }
      }
    }
  }
}