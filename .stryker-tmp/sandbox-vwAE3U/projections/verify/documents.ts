// Compares the documents of one collection, live and rebuilt, page by page. A document that differs is read again: a
// live document is right as of its last event, so the rebuilt views are brought to that event first.
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
import type { Document, Views } from '../../stores/contract/views.ts';
import { type Projection, viewKey } from '../projection.ts';
import { type Difference, differencesOf, isSame } from './report.ts';
import type { VerifyContext } from './verify-context.ts';
const PAGE = 1_000;
/** Suspects that are checked again together. */
const RECHECKED_AT_ONCE = 500;
/** A difference counts if it is still there after this many checks, each at a later position of the log. */
const MAX_CHECKS = 3;

/** Returns the number of documents compared and the differences. */
export async function compareDocuments(context: VerifyContext, projection: Pick<Projection, 'name' | 'version' | 'build'>, collection: string): Promise<{
  readonly documents: number;
  readonly differences: Difference[];
}> {
  if (stryMutAct_9fa48("7899")) {
    {}
  } else {
    stryCov_9fa48("7899");
    const {
      deps,
      rebuiltViews,
      signal
    } = context;
    const view = viewKey(projection);
    const differences: Difference[] = stryMutAct_9fa48("7900") ? ["Stryker was here"] : (stryCov_9fa48("7900"), []);
    let suspects: Suspect[] = stryMutAct_9fa48("7901") ? ["Stryker was here"] : (stryCov_9fa48("7901"), []);
    let documents = 0;
    const settle = async () => {
      if (stryMutAct_9fa48("7902")) {
        {}
      } else {
        stryCov_9fa48("7902");
        differences.push(...(await checkAgain(context, view, collection, suspects)));
        suspects = stryMutAct_9fa48("7903") ? ["Stryker was here"] : (stryCov_9fa48("7903"), []);
      }
    };
    if (stryMutAct_9fa48("7904")) {
      for (let after: string | null = null; false;) {
        signal.throwIfAborted();
        // Read the live documents last, so that they are not older than the rebuilt ones.
        const rebuilt = await rebuiltViews.views.scan(view, collection, after, PAGE);
        const livePage = await deps.live.scan(view, collection, after, PAGE);
        const until = lastOfBoth(PAGE, livePage, rebuilt);
        const rebuiltById = new Map(upToId(rebuilt, until).map(document => [document.id, document]));
        for (const document of upToId(livePage, until)) {
          documents++;
          if (!isSame(document, rebuiltById.get(document.id) ?? null)) suspects.push({
            id: document.id,
            live: document
          });
          rebuiltById.delete(document.id);
        }
        for (const id of rebuiltById.keys()) suspects.push({
          id,
          live: null
        });
        context.compared(documents);
        if (suspects.length >= RECHECKED_AT_ONCE) await settle();
        if (until === null) break;
        after = until;
        await yieldToEventLoop();
      }
    } else {
      stryCov_9fa48("7904");
      for (let after: string | null = null;;) {
        if (stryMutAct_9fa48("7905")) {
          {}
        } else {
          stryCov_9fa48("7905");
          signal.throwIfAborted();
          // Read the live documents last, so that they are not older than the rebuilt ones.
          const rebuilt = await rebuiltViews.views.scan(view, collection, after, PAGE);
          const livePage = await deps.live.scan(view, collection, after, PAGE);
          const until = lastOfBoth(PAGE, livePage, rebuilt);
          const rebuiltById = new Map(upToId(rebuilt, until).map(stryMutAct_9fa48("7906") ? () => undefined : (stryCov_9fa48("7906"), document => stryMutAct_9fa48("7907") ? [] : (stryCov_9fa48("7907"), [document.id, document]))));
          for (const document of upToId(livePage, until)) {
            if (stryMutAct_9fa48("7908")) {
              {}
            } else {
              stryCov_9fa48("7908");
              stryMutAct_9fa48("7909") ? documents-- : (stryCov_9fa48("7909"), documents++);
              if (stryMutAct_9fa48("7912") ? false : stryMutAct_9fa48("7911") ? true : stryMutAct_9fa48("7910") ? isSame(document, rebuiltById.get(document.id) ?? null) : (stryCov_9fa48("7910", "7911", "7912"), !isSame(document, stryMutAct_9fa48("7913") ? rebuiltById.get(document.id) && null : (stryCov_9fa48("7913"), rebuiltById.get(document.id) ?? null)))) suspects.push(stryMutAct_9fa48("7914") ? {} : (stryCov_9fa48("7914"), {
                id: document.id,
                live: document
              }));
              rebuiltById.delete(document.id);
            }
          }
          for (const id of rebuiltById.keys()) suspects.push(stryMutAct_9fa48("7915") ? {} : (stryCov_9fa48("7915"), {
            id,
            live: null
          }));
          context.compared(documents);
          if (stryMutAct_9fa48("7919") ? suspects.length < RECHECKED_AT_ONCE : stryMutAct_9fa48("7918") ? suspects.length > RECHECKED_AT_ONCE : stryMutAct_9fa48("7917") ? false : stryMutAct_9fa48("7916") ? true : (stryCov_9fa48("7916", "7917", "7918", "7919"), suspects.length >= RECHECKED_AT_ONCE)) await settle();
          if (stryMutAct_9fa48("7922") ? until !== null : stryMutAct_9fa48("7921") ? false : stryMutAct_9fa48("7920") ? true : (stryCov_9fa48("7920", "7921", "7922"), until === null)) break;
          after = until;
          await yieldToEventLoop();
        }
      }
    }
    await settle();
    return stryMutAct_9fa48("7923") ? {} : (stryCov_9fa48("7923"), {
      documents,
      differences
    });
  }
}

/** The id up to which both pages are complete; null if both reach the end. */
export function lastOfBoth(limit: number, ...pages: readonly (readonly Document[])[]): string | null {
  if (stryMutAct_9fa48("7924")) {
    {}
  } else {
    stryCov_9fa48("7924");
    const ends = stryMutAct_9fa48("7925") ? pages.map(page => page.at(-1)?.id ?? '') : (stryCov_9fa48("7925"), pages.filter(stryMutAct_9fa48("7926") ? () => undefined : (stryCov_9fa48("7926"), ({
      length
    }) => stryMutAct_9fa48("7929") ? length !== limit : stryMutAct_9fa48("7928") ? false : stryMutAct_9fa48("7927") ? true : (stryCov_9fa48("7927", "7928", "7929"), length === limit))).map(stryMutAct_9fa48("7930") ? () => undefined : (stryCov_9fa48("7930"), page => stryMutAct_9fa48("7931") ? page.at(-1)?.id && '' : (stryCov_9fa48("7931"), (stryMutAct_9fa48("7932") ? page.at(-1).id : (stryCov_9fa48("7932"), page.at(stryMutAct_9fa48("7933") ? +1 : (stryCov_9fa48("7933"), -1))?.id)) ?? (stryMutAct_9fa48("7934") ? "Stryker was here!" : (stryCov_9fa48("7934"), ''))))));
    return (stryMutAct_9fa48("7937") ? ends.length !== 0 : stryMutAct_9fa48("7936") ? false : stryMutAct_9fa48("7935") ? true : (stryCov_9fa48("7935", "7936", "7937"), ends.length === 0)) ? null : ends.reduce(stryMutAct_9fa48("7938") ? () => undefined : (stryCov_9fa48("7938"), (least, one) => (stryMutAct_9fa48("7942") ? one >= least : stryMutAct_9fa48("7941") ? one <= least : stryMutAct_9fa48("7940") ? false : stryMutAct_9fa48("7939") ? true : (stryCov_9fa48("7939", "7940", "7941", "7942"), one < least)) ? one : least));
  }
}
export const upToId = stryMutAct_9fa48("7943") ? () => undefined : (stryCov_9fa48("7943"), (() => {
  const upToId = (page: readonly Document[], until: string | null): readonly Document[] => (stryMutAct_9fa48("7946") ? until !== null : stryMutAct_9fa48("7945") ? false : stryMutAct_9fa48("7944") ? true : (stryCov_9fa48("7944", "7945", "7946"), until === null)) ? page : stryMutAct_9fa48("7947") ? page : (stryCov_9fa48("7947"), page.filter(stryMutAct_9fa48("7948") ? () => undefined : (stryCov_9fa48("7948"), ({
    id
  }) => stryMutAct_9fa48("7952") ? id > until : stryMutAct_9fa48("7951") ? id < until : stryMutAct_9fa48("7950") ? false : stryMutAct_9fa48("7949") ? true : (stryCov_9fa48("7949", "7950", "7951", "7952"), id <= until))));
  return upToId;
})());

/** A live document that differs from the rebuilt one, as the scan found it; null if there was none. */
interface Suspect {
  readonly id: string;
  readonly live: Document | null;
}
async function checkAgain(context: VerifyContext, view: string, collection: string, suspects: readonly Suspect[]) {
  if (stryMutAct_9fa48("7953")) {
    {}
  } else {
    stryCov_9fa48("7953");
    const differences: Difference[] = stryMutAct_9fa48("7954") ? ["Stryker was here"] : (stryCov_9fa48("7954"), []);
    for (let from = 0; stryMutAct_9fa48("7957") ? from >= suspects.length : stryMutAct_9fa48("7956") ? from <= suspects.length : stryMutAct_9fa48("7955") ? false : (stryCov_9fa48("7955", "7956", "7957"), from < suspects.length); stryMutAct_9fa48("7958") ? from -= RECHECKED_AT_ONCE : (stryCov_9fa48("7958"), from += RECHECKED_AT_ONCE)) {
      if (stryMutAct_9fa48("7959")) {
        {}
      } else {
        stryCov_9fa48("7959");
        let left: readonly Differing[] = stryMutAct_9fa48("7960") ? suspects.map(one => ({
          ...one,
          rebuilt: null
        })) : (stryCov_9fa48("7960"), suspects.slice(from, stryMutAct_9fa48("7961") ? from - RECHECKED_AT_ONCE : (stryCov_9fa48("7961"), from + RECHECKED_AT_ONCE)).map(stryMutAct_9fa48("7962") ? () => undefined : (stryCov_9fa48("7962"), one => stryMutAct_9fa48("7963") ? {} : (stryCov_9fa48("7963"), {
          ...one,
          rebuilt: null
        }))));
        for (let check = 0; stryMutAct_9fa48("7965") ? check < MAX_CHECKS || left.length > 0 : stryMutAct_9fa48("7964") ? false : (stryCov_9fa48("7964", "7965"), (stryMutAct_9fa48("7968") ? check >= MAX_CHECKS : stryMutAct_9fa48("7967") ? check <= MAX_CHECKS : stryMutAct_9fa48("7966") ? true : (stryCov_9fa48("7966", "7967", "7968"), check < MAX_CHECKS)) && (stryMutAct_9fa48("7971") ? left.length <= 0 : stryMutAct_9fa48("7970") ? left.length >= 0 : stryMutAct_9fa48("7969") ? true : (stryCov_9fa48("7969", "7970", "7971"), left.length > 0))); stryMutAct_9fa48("7972") ? check-- : (stryCov_9fa48("7972"), check++)) {
          if (stryMutAct_9fa48("7973")) {
            {}
          } else {
            stryCov_9fa48("7973");
            await context.live.align();
            left = await stillDiffering(context, view, collection, left);
          }
        }
        // The rebuilt views may be ahead of the live ones after the checks of single documents.
        await context.live.align();
        for (const {
          id,
          live,
          rebuilt
        } of left) differences.push(...differencesOf(stryMutAct_9fa48("7974") ? {} : (stryCov_9fa48("7974"), {
          view,
          collection,
          id
        }), live, rebuilt));
      }
    }
    return differences;
  }
}

/** Reads the documents by their ids; one that cannot be parsed is taken as the scan found it. */
export async function readAgain<One extends {
  readonly id: string;
}>(where: {
  readonly views: Pick<Views, 'get'>;
  readonly view: string;
  readonly collection: string;
}, suspects: readonly One[], asScanned: (one: One) => Document | null): Promise<(Document | null)[]> {
  if (stryMutAct_9fa48("7975")) {
    {}
  } else {
    stryCov_9fa48("7975");
    const {
      views,
      view,
      collection
    } = where;
    const ids = suspects.map(stryMutAct_9fa48("7976") ? () => undefined : (stryCov_9fa48("7976"), ({
      id
    }) => id));
    try {
      if (stryMutAct_9fa48("7977")) {
        {}
      } else {
        stryCov_9fa48("7977");
        return await views.get(view, collection, ids);
      }
    } catch (error) {
      if (stryMutAct_9fa48("7978")) {
        {}
      } else {
        stryCov_9fa48("7978");
        if (stryMutAct_9fa48("7981") ? false : stryMutAct_9fa48("7980") ? true : stryMutAct_9fa48("7979") ? error instanceof SyntaxError : (stryCov_9fa48("7979", "7980", "7981"), !(error instanceof SyntaxError))) throw error;
        const [only] = suspects;
        if (stryMutAct_9fa48("7984") ? only !== undefined || suspects.length === 1 : stryMutAct_9fa48("7983") ? false : stryMutAct_9fa48("7982") ? true : (stryCov_9fa48("7982", "7983", "7984"), (stryMutAct_9fa48("7986") ? only === undefined : stryMutAct_9fa48("7985") ? true : (stryCov_9fa48("7985", "7986"), only !== undefined)) && (stryMutAct_9fa48("7988") ? suspects.length !== 1 : stryMutAct_9fa48("7987") ? true : (stryCov_9fa48("7987", "7988"), suspects.length === 1)))) return stryMutAct_9fa48("7989") ? [] : (stryCov_9fa48("7989"), [asScanned(only)]);
      }
    }
    const found: (Document | null)[] = stryMutAct_9fa48("7990") ? ["Stryker was here"] : (stryCov_9fa48("7990"), []);
    for (const one of suspects) found.push(...(await readAgain(where, stryMutAct_9fa48("7991") ? [] : (stryCov_9fa48("7991"), [one]), asScanned)));
    return found;
  }
}
interface Differing extends Suspect {
  readonly rebuilt: Document | null;
}
async function stillDiffering({
  deps,
  rebuiltViews,
  signal
}: VerifyContext, view: string, collection: string, suspects: readonly Differing[]): Promise<Differing[]> {
  if (stryMutAct_9fa48("7992")) {
    {}
  } else {
    stryCov_9fa48("7992");
    const found = await readAgain(stryMutAct_9fa48("7993") ? {} : (stryCov_9fa48("7993"), {
      views: deps.live,
      view,
      collection
    }), suspects, stryMutAct_9fa48("7994") ? () => undefined : (stryCov_9fa48("7994"), ({
      live
    }) => live));
    const all = suspects.map(({
      id,
      live: before
    }, place) => {
      if (stryMutAct_9fa48("7995")) {
        {}
      } else {
        stryCov_9fa48("7995");
        const now = stryMutAct_9fa48("7996") ? found[place] && null : (stryCov_9fa48("7996"), found[place] ?? null);
        // A lookup by id may return a cached copy. If it has the same last event as the document found by the scan, the
        // scanned one counts.
        return stryMutAct_9fa48("7997") ? {} : (stryCov_9fa48("7997"), {
          id,
          live: (stryMutAct_9fa48("8000") ? now !== null || now.pos === before?.pos : stryMutAct_9fa48("7999") ? false : stryMutAct_9fa48("7998") ? true : (stryCov_9fa48("7998", "7999", "8000"), (stryMutAct_9fa48("8002") ? now === null : stryMutAct_9fa48("8001") ? true : (stryCov_9fa48("8001", "8002"), now !== null)) && (stryMutAct_9fa48("8004") ? now.pos !== before?.pos : stryMutAct_9fa48("8003") ? true : (stryCov_9fa48("8003", "8004"), now.pos === (stryMutAct_9fa48("8005") ? before.pos : (stryCov_9fa48("8005"), before?.pos)))))) ? before : now
        });
      }
    });
    // Documents that changed meanwhile are compared last, each at its last event.
    stryMutAct_9fa48("8006") ? all : (stryCov_9fa48("8006"), all.sort(stryMutAct_9fa48("8007") ? () => undefined : (stryCov_9fa48("8007"), (a, b) => (stryMutAct_9fa48("8011") ? (a.live?.pos ?? '') >= (b.live?.pos ?? '') : stryMutAct_9fa48("8010") ? (a.live?.pos ?? '') <= (b.live?.pos ?? '') : stryMutAct_9fa48("8009") ? false : stryMutAct_9fa48("8008") ? true : (stryCov_9fa48("8008", "8009", "8010", "8011"), (stryMutAct_9fa48("8012") ? a.live?.pos && '' : (stryCov_9fa48("8012"), (stryMutAct_9fa48("8013") ? a.live.pos : (stryCov_9fa48("8013"), a.live?.pos)) ?? (stryMutAct_9fa48("8014") ? "Stryker was here!" : (stryCov_9fa48("8014"), '')))) < (stryMutAct_9fa48("8015") ? b.live?.pos && '' : (stryCov_9fa48("8015"), (stryMutAct_9fa48("8016") ? b.live.pos : (stryCov_9fa48("8016"), b.live?.pos)) ?? (stryMutAct_9fa48("8017") ? "Stryker was here!" : (stryCov_9fa48("8017"), '')))))) ? stryMutAct_9fa48("8018") ? +1 : (stryCov_9fa48("8018"), -1) : 1)));
    const differing: Differing[] = stryMutAct_9fa48("8019") ? ["Stryker was here"] : (stryCov_9fa48("8019"), []);
    for (const {
      id,
      live
    } of all) {
      if (stryMutAct_9fa48("8020")) {
        {}
      } else {
        stryCov_9fa48("8020");
        const pos = stryMutAct_9fa48("8021") ? live?.pos && '' : (stryCov_9fa48("8021"), (stryMutAct_9fa48("8022") ? live.pos : (stryCov_9fa48("8022"), live?.pos)) ?? (stryMutAct_9fa48("8023") ? "Stryker was here!" : (stryCov_9fa48("8023"), '')));
        if (stryMutAct_9fa48("8027") ? pos <= rebuiltViews.at : stryMutAct_9fa48("8026") ? pos >= rebuiltViews.at : stryMutAct_9fa48("8025") ? false : stryMutAct_9fa48("8024") ? true : (stryCov_9fa48("8024", "8025", "8026", "8027"), pos > rebuiltViews.at)) await rebuiltViews.advance(stryMutAct_9fa48("8028") ? () => undefined : (stryCov_9fa48("8028"), ({
          position
        }) => stryMutAct_9fa48("8032") ? position > pos : stryMutAct_9fa48("8031") ? position < pos : stryMutAct_9fa48("8030") ? false : stryMutAct_9fa48("8029") ? true : (stryCov_9fa48("8029", "8030", "8031", "8032"), position <= pos)), signal);
        const [rebuilt = null] = await rebuiltViews.views.get(view, collection, stryMutAct_9fa48("8033") ? [] : (stryCov_9fa48("8033"), [id]));
        if (stryMutAct_9fa48("8036") ? false : stryMutAct_9fa48("8035") ? true : stryMutAct_9fa48("8034") ? isSame(live, rebuilt) : (stryCov_9fa48("8034", "8035", "8036"), !isSame(live, rebuilt))) differing.push(stryMutAct_9fa48("8037") ? {} : (stryCov_9fa48("8037"), {
          id,
          live,
          rebuilt
        }));
      }
    }
    return differing;
  }
}