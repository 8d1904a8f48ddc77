// The active-build pointer: one document beside the views, updated by compare-and-set. If it is lost together with the
// views, every view is at its first build and is rebuilt from the log.
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
import { randomUUID } from 'node:crypto';
import { type JsonObject, unsafeCast } from '../../domain/event.ts';
import type { Views } from '../../stores/contract/views.ts';
import { type Builds, NO_BUILDS } from './state.ts';
const VIEW = stryMutAct_9fa48("5664") ? {} : (stryCov_9fa48("5664"), {
  key: stryMutAct_9fa48("5665") ? "" : (stryCov_9fa48("5665"), 'builds@1'),
  collections: stryMutAct_9fa48("5666") ? [] : (stryCov_9fa48("5666"), [stryMutAct_9fa48("5667") ? {} : (stryCov_9fa48("5667"), {
    name: stryMutAct_9fa48("5668") ? "" : (stryCov_9fa48("5668"), 'builds'),
    indexes: {}
  })])
});
const ID = stryMutAct_9fa48("5669") ? "" : (stryCov_9fa48("5669"), 'builds');
export interface BuildPointer {
  read(): Promise<Builds>;
  /**
   * Applies `next` to the current value and stores the result; repeats if another node changed it meanwhile. Rejects
   * with what `next` throws.
   */
  change(next: (builds: Builds) => Builds): Promise<Builds>;
}
interface Stored {
  readonly builds: Builds;
  /** A random id per change: if two nodes write the same revision, the first one wins. */
  readonly by: string;
}
export function createBuildPointer(views: Views): BuildPointer {
  if (stryMutAct_9fa48("5670")) {
    {}
  } else {
    stryCov_9fa48("5670");
    let prepared: Promise<void> | null = null;
    async function stored(): Promise<{
      readonly pos: string;
      readonly body: Stored | null;
    }> {
      if (stryMutAct_9fa48("5671")) {
        {}
      } else {
        stryCov_9fa48("5671");
        stryMutAct_9fa48("5672") ? prepared &&= views.prepare(VIEW) : (stryCov_9fa48("5672"), prepared ??= views.prepare(VIEW));
        await prepared.catch((error: unknown) => {
          if (stryMutAct_9fa48("5673")) {
            {}
          } else {
            stryCov_9fa48("5673");
            prepared = null;
            throw error;
          }
        });
        const [document] = await views.get(VIEW.key, ID, stryMutAct_9fa48("5674") ? [] : (stryCov_9fa48("5674"), [ID]));
        return stryMutAct_9fa48("5675") ? {} : (stryCov_9fa48("5675"), {
          pos: stryMutAct_9fa48("5676") ? document?.pos && '' : (stryCov_9fa48("5676"), (stryMutAct_9fa48("5677") ? document.pos : (stryCov_9fa48("5677"), document?.pos)) ?? (stryMutAct_9fa48("5678") ? "Stryker was here!" : (stryCov_9fa48("5678"), ''))),
          body: document ? unsafeCast<Stored>(document.body) : null
        });
      }
    }
    return stryMutAct_9fa48("5679") ? {} : (stryCov_9fa48("5679"), {
      read: stryMutAct_9fa48("5680") ? () => undefined : (stryCov_9fa48("5680"), async () => stryMutAct_9fa48("5681") ? (await stored()).body?.builds && NO_BUILDS : (stryCov_9fa48("5681"), (stryMutAct_9fa48("5682") ? (await stored()).body.builds : (stryCov_9fa48("5682"), (await stored()).body?.builds)) ?? NO_BUILDS)),
      async change(next) {
        if (stryMutAct_9fa48("5683")) {
          {}
        } else {
          stryCov_9fa48("5683");
          if (stryMutAct_9fa48("5684")) {
            for (; false;) {
              const {
                pos,
                body
              } = await stored();
              const before = body?.builds ?? NO_BUILDS;
              const builds = next(before);
              if (builds === before) return builds;
              const made: Stored = {
                builds,
                by: randomUUID()
              };
              const revision = String(Number(pos) + 1).padStart(16, '0');
              const write = {
                collection: ID,
                id: ID,
                pos: revision,
                body: unsafeCast<JsonObject>(made)
              };
              await views.commit([{
                view: VIEW.key,
                writes: [write],
                checkpoints: new Map()
              }]);
              if ((await stored()).body?.by === made.by) return builds;
            }
          } else {
            stryCov_9fa48("5684");
            for (;;) {
              if (stryMutAct_9fa48("5685")) {
                {}
              } else {
                stryCov_9fa48("5685");
                const {
                  pos,
                  body
                } = await stored();
                const before = stryMutAct_9fa48("5686") ? body?.builds && NO_BUILDS : (stryCov_9fa48("5686"), (stryMutAct_9fa48("5687") ? body.builds : (stryCov_9fa48("5687"), body?.builds)) ?? NO_BUILDS);
                const builds = next(before);
                if (stryMutAct_9fa48("5690") ? builds !== before : stryMutAct_9fa48("5689") ? false : stryMutAct_9fa48("5688") ? true : (stryCov_9fa48("5688", "5689", "5690"), builds === before)) return builds;
                const made: Stored = stryMutAct_9fa48("5691") ? {} : (stryCov_9fa48("5691"), {
                  builds,
                  by: randomUUID()
                });
                const revision = String(stryMutAct_9fa48("5692") ? Number(pos) - 1 : (stryCov_9fa48("5692"), Number(pos) + 1)).padStart(16, stryMutAct_9fa48("5693") ? "" : (stryCov_9fa48("5693"), '0'));
                const write = stryMutAct_9fa48("5694") ? {} : (stryCov_9fa48("5694"), {
                  collection: ID,
                  id: ID,
                  pos: revision,
                  body: unsafeCast<JsonObject>(made)
                });
                await views.commit(stryMutAct_9fa48("5695") ? [] : (stryCov_9fa48("5695"), [stryMutAct_9fa48("5696") ? {} : (stryCov_9fa48("5696"), {
                  view: VIEW.key,
                  writes: stryMutAct_9fa48("5697") ? [] : (stryCov_9fa48("5697"), [write]),
                  checkpoints: new Map()
                })]));
                if (stryMutAct_9fa48("5700") ? (await stored()).body?.by !== made.by : stryMutAct_9fa48("5699") ? false : stryMutAct_9fa48("5698") ? true : (stryCov_9fa48("5698", "5699", "5700"), (stryMutAct_9fa48("5701") ? (await stored()).body.by : (stryCov_9fa48("5701"), (await stored()).body?.by)) === made.by)) return builds;
              }
            }
          }
        }
      }
    });
  }
}