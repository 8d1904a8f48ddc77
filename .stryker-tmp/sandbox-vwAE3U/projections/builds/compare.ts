// Compares the active build of a view with a new build, document by document, while both apply the same events. After a
// failed write either build can be behind for a while, so documents may differ temporarily, or exist in one build only.
// A difference is real if both documents have the same last event, or if it stays after both builds have reached the
// head of the log that was read when it was seen.
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
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts';
import type { Document } from '../../stores/contract/views.ts';
import { type Projection, viewKey } from '../projection.ts';
import { lastOfBoth, readAgain, upToId } from '../verify/documents.ts';
import { collectionsOf, isParked } from '../verify/rebuilt-views.ts';
import { type Difference, differencesOf, isSame } from '../verify/report.ts';
import { haveReached, type ReachedDeps } from './have-reached.ts';
import type { Compared } from './state.ts';
const PAGE = 500;
const MAX_CHECKS = 30;
const CHECK_INTERVAL_MS = 100;
/** A difference between documents with the same last event counts after this many checks. */
const CHECKS_AT_SAME_EVENT = 3;
/**
 * Any other difference counts after both builds have reached the head of the log this many times without a change to
 * it. The first time excludes documents not yet created in one of them; the second time excludes documents not yet
 * deleted in one of them.
 */
const CHECKS_AT_HEAD = 2;
const MAX_DIFFERENCES = 20;
interface Suspect {
  readonly id: string;
  readonly shown: Document | null;
  readonly built: Document | null;
  readonly met: number;
}

/**
 * `parked`: number of streams that only the new build could not apply. Returns null if one build stayed behind the
 * other: compare again later.
 */
export async function compareBuilds(deps: ReachedDeps, pairs: readonly (readonly [shown: Projection, built: Projection])[], signal: AbortSignal, checkIntervalMs = CHECK_INTERVAL_MS): Promise<(Compared & {
  readonly parked: number;
}) | null> {
  if (stryMutAct_9fa48("5390")) {
    {}
  } else {
    stryCov_9fa48("5390");
    let documents = 0;
    let found = 0;
    let parked = 0;
    const differences: Difference[] = stryMutAct_9fa48("5391") ? ["Stryker was here"] : (stryCov_9fa48("5391"), []);
    for (const [shown, built] of pairs) {
      if (stryMutAct_9fa48("5392")) {
        {}
      } else {
        stryCov_9fa48("5392");
        const keys = stryMutAct_9fa48("5393") ? {} : (stryCov_9fa48("5393"), {
          shown: viewKey(shown),
          built: viewKey(built)
        });
        for (const collection of collectionsOf(shown)) {
          if (stryMutAct_9fa48("5394")) {
            {}
          } else {
            stryCov_9fa48("5394");
            for await (const {
              compared,
              suspects
            } of pagesOf(deps, keys, collection, signal)) {
              if (stryMutAct_9fa48("5395")) {
                {}
              } else {
                stryCov_9fa48("5395");
                stryMutAct_9fa48("5396") ? documents -= compared : (stryCov_9fa48("5396"), documents += compared);
                const differing = await settled(deps, keys, collection, suspects, stryMutAct_9fa48("5397") ? {} : (stryCov_9fa48("5397"), {
                  signal,
                  checkIntervalMs
                }));
                if (stryMutAct_9fa48("5400") ? differing !== null : stryMutAct_9fa48("5399") ? false : stryMutAct_9fa48("5398") ? true : (stryCov_9fa48("5398", "5399", "5400"), differing === null)) return null;
                for (const one of differing) {
                  if (stryMutAct_9fa48("5401")) {
                    {}
                  } else {
                    stryCov_9fa48("5401");
                    stryMutAct_9fa48("5402") ? found-- : (stryCov_9fa48("5402"), found++);
                    if (stryMutAct_9fa48("5405") ? isParked(collection) || one.built !== null : stryMutAct_9fa48("5404") ? false : stryMutAct_9fa48("5403") ? true : (stryCov_9fa48("5403", "5404", "5405"), isParked(collection) && (stryMutAct_9fa48("5407") ? one.built === null : stryMutAct_9fa48("5406") ? true : (stryCov_9fa48("5406", "5407"), one.built !== null)))) stryMutAct_9fa48("5408") ? parked-- : (stryCov_9fa48("5408"), parked++);
                    const place = stryMutAct_9fa48("5409") ? {} : (stryCov_9fa48("5409"), {
                      view: viewKey(shown),
                      collection,
                      id: one.id
                    });
                    if (stryMutAct_9fa48("5413") ? differences.length >= MAX_DIFFERENCES : stryMutAct_9fa48("5412") ? differences.length <= MAX_DIFFERENCES : stryMutAct_9fa48("5411") ? false : stryMutAct_9fa48("5410") ? true : (stryCov_9fa48("5410", "5411", "5412", "5413"), differences.length < MAX_DIFFERENCES)) differences.push(...differencesOf(place, one.shown, one.built));
                  }
                }
              }
            }
          }
        }
      }
    }
    return stryMutAct_9fa48("5414") ? {} : (stryCov_9fa48("5414"), {
      documents,
      found,
      differences: stryMutAct_9fa48("5415") ? differences : (stryCov_9fa48("5415"), differences.slice(0, MAX_DIFFERENCES)),
      parked
    });
  }
}
interface Keys {
  readonly shown: string;
  readonly built: string;
}
async function* pagesOf({
  views
}: ReachedDeps, {
  shown,
  built
}: Keys, collection: string, signal: AbortSignal) {
  if (stryMutAct_9fa48("5416")) {
    {}
  } else {
    stryCov_9fa48("5416");
    if (stryMutAct_9fa48("5417")) {
      for (let after: string | null = null; false;) {
        signal.throwIfAborted();
        const shownPage = await views.scan(shown, collection, after, PAGE);
        const builtPage = await views.scan(built, collection, after, PAGE);
        const until = lastOfBoth(PAGE, shownPage, builtPage);
        const builtById = new Map(upToId(builtPage, until).map(document => [document.id, document]));
        const suspects: Suspect[] = [];
        const page = upToId(shownPage, until);
        for (const document of page) {
          const other = builtById.get(document.id) ?? null;
          builtById.delete(document.id);
          if (!isSame(document, other)) suspects.push({
            id: document.id,
            shown: document,
            built: other,
            met: 0
          });
        }
        for (const [id, document] of builtById) suspects.push({
          id,
          shown: null,
          built: document,
          met: 0
        });
        yield {
          compared: page.length,
          suspects
        };
        if (until === null) return;
        after = until;
        await yieldToEventLoop();
      }
    } else {
      stryCov_9fa48("5417");
      for (let after: string | null = null;;) {
        if (stryMutAct_9fa48("5418")) {
          {}
        } else {
          stryCov_9fa48("5418");
          signal.throwIfAborted();
          const shownPage = await views.scan(shown, collection, after, PAGE);
          const builtPage = await views.scan(built, collection, after, PAGE);
          const until = lastOfBoth(PAGE, shownPage, builtPage);
          const builtById = new Map(upToId(builtPage, until).map(stryMutAct_9fa48("5419") ? () => undefined : (stryCov_9fa48("5419"), document => stryMutAct_9fa48("5420") ? [] : (stryCov_9fa48("5420"), [document.id, document]))));
          const suspects: Suspect[] = stryMutAct_9fa48("5421") ? ["Stryker was here"] : (stryCov_9fa48("5421"), []);
          const page = upToId(shownPage, until);
          for (const document of page) {
            if (stryMutAct_9fa48("5422")) {
              {}
            } else {
              stryCov_9fa48("5422");
              const other = stryMutAct_9fa48("5423") ? builtById.get(document.id) && null : (stryCov_9fa48("5423"), builtById.get(document.id) ?? null);
              builtById.delete(document.id);
              if (stryMutAct_9fa48("5426") ? false : stryMutAct_9fa48("5425") ? true : stryMutAct_9fa48("5424") ? isSame(document, other) : (stryCov_9fa48("5424", "5425", "5426"), !isSame(document, other))) suspects.push(stryMutAct_9fa48("5427") ? {} : (stryCov_9fa48("5427"), {
                id: document.id,
                shown: document,
                built: other,
                met: 0
              }));
            }
          }
          for (const [id, document] of builtById) suspects.push(stryMutAct_9fa48("5428") ? {} : (stryCov_9fa48("5428"), {
            id,
            shown: null,
            built: document,
            met: 0
          }));
          yield stryMutAct_9fa48("5429") ? {} : (stryCov_9fa48("5429"), {
            compared: page.length,
            suspects
          });
          if (stryMutAct_9fa48("5432") ? until !== null : stryMutAct_9fa48("5431") ? false : stryMutAct_9fa48("5430") ? true : (stryCov_9fa48("5430", "5431", "5432"), until === null)) return;
          after = until;
          await yieldToEventLoop();
        }
      }
    }
  }
}

/** The documents that really differ; null if some could not be decided. */
async function settled(deps: ReachedDeps, keys: Keys, collection: string, suspects: readonly Suspect[], {
  signal,
  checkIntervalMs
}: {
  readonly signal: AbortSignal;
  readonly checkIntervalMs: number;
}): Promise<readonly Suspect[] | null> {
  if (stryMutAct_9fa48("5433")) {
    {}
  } else {
    stryCov_9fa48("5433");
    if (stryMutAct_9fa48("5436") ? suspects.length !== 0 : stryMutAct_9fa48("5435") ? false : stryMutAct_9fa48("5434") ? true : (stryCov_9fa48("5434", "5435", "5436"), suspects.length === 0)) return suspects;
    let left = suspects;
    let head = await deps.log.head();
    for (let check = 1; stryMutAct_9fa48("5438") ? check <= MAX_CHECKS || left.length > 0 : stryMutAct_9fa48("5437") ? false : (stryCov_9fa48("5437", "5438"), (stryMutAct_9fa48("5441") ? check > MAX_CHECKS : stryMutAct_9fa48("5440") ? check < MAX_CHECKS : stryMutAct_9fa48("5439") ? true : (stryCov_9fa48("5439", "5440", "5441"), check <= MAX_CHECKS)) && (stryMutAct_9fa48("5444") ? left.length <= 0 : stryMutAct_9fa48("5443") ? left.length >= 0 : stryMutAct_9fa48("5442") ? true : (stryCov_9fa48("5442", "5443", "5444"), left.length > 0))); stryMutAct_9fa48("5445") ? check-- : (stryCov_9fa48("5445"), check++)) {
      if (stryMutAct_9fa48("5446")) {
        {}
      } else {
        stryCov_9fa48("5446");
        signal.throwIfAborted();
        await new Promise(stryMutAct_9fa48("5447") ? () => undefined : (stryCov_9fa48("5447"), wake => setTimeout(wake, checkIntervalMs)));
        // Check the checkpoints before reading the documents, so that the documents are no older.
        const met = await haveReached(deps, stryMutAct_9fa48("5448") ? [] : (stryCov_9fa48("5448"), [keys.shown, keys.built]), head);
        left = await stillDiffering(deps, keys, collection, left, met);
        if (stryMutAct_9fa48("5451") ? check >= CHECKS_AT_SAME_EVENT || left.every(isReal) : stryMutAct_9fa48("5450") ? false : stryMutAct_9fa48("5449") ? true : (stryCov_9fa48("5449", "5450", "5451"), (stryMutAct_9fa48("5454") ? check < CHECKS_AT_SAME_EVENT : stryMutAct_9fa48("5453") ? check > CHECKS_AT_SAME_EVENT : stryMutAct_9fa48("5452") ? true : (stryCov_9fa48("5452", "5453", "5454"), check >= CHECKS_AT_SAME_EVENT)) && (stryMutAct_9fa48("5455") ? left.some(isReal) : (stryCov_9fa48("5455"), left.every(isReal))))) return left;
        if (stryMutAct_9fa48("5457") ? false : stryMutAct_9fa48("5456") ? true : (stryCov_9fa48("5456", "5457"), met)) head = await deps.log.head();
      }
    }
    return (stryMutAct_9fa48("5460") ? left.length !== 0 : stryMutAct_9fa48("5459") ? false : stryMutAct_9fa48("5458") ? true : (stryCov_9fa48("5458", "5459", "5460"), left.length === 0)) ? left : null;
  }
}
const isReal = stryMutAct_9fa48("5461") ? () => undefined : (stryCov_9fa48("5461"), (() => {
  const isReal = ({
    shown,
    built,
    met
  }: Suspect): boolean => stryMutAct_9fa48("5464") ? shown?.pos === built?.pos && met >= CHECKS_AT_HEAD : stryMutAct_9fa48("5463") ? false : stryMutAct_9fa48("5462") ? true : (stryCov_9fa48("5462", "5463", "5464"), (stryMutAct_9fa48("5466") ? shown?.pos !== built?.pos : stryMutAct_9fa48("5465") ? false : (stryCov_9fa48("5465", "5466"), (stryMutAct_9fa48("5467") ? shown.pos : (stryCov_9fa48("5467"), shown?.pos)) === (stryMutAct_9fa48("5468") ? built.pos : (stryCov_9fa48("5468"), built?.pos)))) || (stryMutAct_9fa48("5471") ? met < CHECKS_AT_HEAD : stryMutAct_9fa48("5470") ? met > CHECKS_AT_HEAD : stryMutAct_9fa48("5469") ? false : (stryCov_9fa48("5469", "5470", "5471"), met >= CHECKS_AT_HEAD)));
  return isReal;
})());
async function stillDiffering({
  views
}: ReachedDeps, {
  shown,
  built
}: Keys, collection: string, suspects: readonly Suspect[], met: boolean): Promise<readonly Suspect[]> {
  if (stryMutAct_9fa48("5472")) {
    {}
  } else {
    stryCov_9fa48("5472");
    const shownPage = await readAgain(stryMutAct_9fa48("5473") ? {} : (stryCov_9fa48("5473"), {
      views,
      view: shown,
      collection
    }), suspects, stryMutAct_9fa48("5474") ? () => undefined : (stryCov_9fa48("5474"), one => one.shown));
    const builtPage = await readAgain(stryMutAct_9fa48("5475") ? {} : (stryCov_9fa48("5475"), {
      views,
      view: built,
      collection
    }), suspects, stryMutAct_9fa48("5476") ? () => undefined : (stryCov_9fa48("5476"), one => one.built));
    return suspects.flatMap((before, place) => {
      if (stryMutAct_9fa48("5477")) {
        {}
      } else {
        stryCov_9fa48("5477");
        const now = stryMutAct_9fa48("5478") ? {} : (stryCov_9fa48("5478"), {
          id: before.id,
          shown: preferScanned(shownPage[place], before.shown),
          built: preferScanned(builtPage[place], before.built)
        });
        if (stryMutAct_9fa48("5480") ? false : stryMutAct_9fa48("5479") ? true : (stryCov_9fa48("5479", "5480"), isSame(now.shown, now.built))) return stryMutAct_9fa48("5481") ? ["Stryker was here"] : (stryCov_9fa48("5481"), []);
        const isUnchanged = stryMutAct_9fa48("5484") ? now.shown?.pos === before.shown?.pos || now.built?.pos === before.built?.pos : stryMutAct_9fa48("5483") ? false : stryMutAct_9fa48("5482") ? true : (stryCov_9fa48("5482", "5483", "5484"), (stryMutAct_9fa48("5486") ? now.shown?.pos !== before.shown?.pos : stryMutAct_9fa48("5485") ? true : (stryCov_9fa48("5485", "5486"), (stryMutAct_9fa48("5487") ? now.shown.pos : (stryCov_9fa48("5487"), now.shown?.pos)) === (stryMutAct_9fa48("5488") ? before.shown.pos : (stryCov_9fa48("5488"), before.shown?.pos)))) && (stryMutAct_9fa48("5490") ? now.built?.pos !== before.built?.pos : stryMutAct_9fa48("5489") ? true : (stryCov_9fa48("5489", "5490"), (stryMutAct_9fa48("5491") ? now.built.pos : (stryCov_9fa48("5491"), now.built?.pos)) === (stryMutAct_9fa48("5492") ? before.built.pos : (stryCov_9fa48("5492"), before.built?.pos)))));
        return stryMutAct_9fa48("5493") ? [] : (stryCov_9fa48("5493"), [stryMutAct_9fa48("5494") ? {} : (stryCov_9fa48("5494"), {
          ...now,
          met: isUnchanged ? stryMutAct_9fa48("5495") ? before.met - Number(met) : (stryCov_9fa48("5495"), before.met + Number(met)) : 0
        })]);
      }
    });
  }
}

/**
 * A lookup by id may return a cached copy. If it has the same last event as the document found by the scan, the scanned
 * one counts.
 */
const preferScanned = stryMutAct_9fa48("5496") ? () => undefined : (stryCov_9fa48("5496"), (() => {
  const preferScanned = (now: Document | null = null, before: Document | null): Document | null => (stryMutAct_9fa48("5499") ? now !== null || now.pos === before?.pos : stryMutAct_9fa48("5498") ? false : stryMutAct_9fa48("5497") ? true : (stryCov_9fa48("5497", "5498", "5499"), (stryMutAct_9fa48("5501") ? now === null : stryMutAct_9fa48("5500") ? true : (stryCov_9fa48("5500", "5501"), now !== null)) && (stryMutAct_9fa48("5503") ? now.pos !== before?.pos : stryMutAct_9fa48("5502") ? true : (stryCov_9fa48("5502", "5503"), now.pos === (stryMutAct_9fa48("5504") ? before.pos : (stryCov_9fa48("5504"), before?.pos)))))) ? before : now;
  return preferScanned;
})());