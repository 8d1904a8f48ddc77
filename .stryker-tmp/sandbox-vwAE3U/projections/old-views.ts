// Drops versions and builds of views that no live node uses any more.
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
import type { AllRankings } from '../stores/contract/rankings.ts';
import type { Views } from '../stores/contract/views.ts';
import { type Projection, viewKey } from './projection.ts';

/** Checks once; `used` are the keys of all views that live nodes use. */
export type DropUnused = (used: readonly string[]) => Promise<void>;
export interface OldViewsDeps {
  readonly views: Views;
  readonly rankings: AllRankings;
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number;
  /** Called for each view that was dropped. */
  dropped(view: string): void;
}

/**
 * Returns a check that drops a version or build of these projections that is not in `own` and has been unused for
 * `graceMs`.
 */
export function createDropUnused({
  views,
  rankings,
  elapsedMs,
  dropped
}: OldViewsDeps, projections: readonly Projection[], graceMs: number, own: () => readonly string[] = stryMutAct_9fa48("7401") ? () => undefined : (stryCov_9fa48("7401"), () => projections.map(viewKey))): DropUnused {
  if (stryMutAct_9fa48("7402")) {
    {}
  } else {
    stryCov_9fa48("7402");
    const names = new Set(projections.map(stryMutAct_9fa48("7403") ? () => undefined : (stryCov_9fa48("7403"), ({
      name
    }) => name)));
    const unusedSince = new Map<string, number>();
    return async used => {
      if (stryMutAct_9fa48("7404")) {
        {}
      } else {
        stryCov_9fa48("7404");
        const due: string[] = stryMutAct_9fa48("7405") ? ["Stryker was here"] : (stryCov_9fa48("7405"), []);
        for (const key of await views.list()) {
          if (stryMutAct_9fa48("7406")) {
            {}
          } else {
            stryCov_9fa48("7406");
            const isOurs = names.has(stryMutAct_9fa48("7407") ? key.split('@')[0] && '' : (stryCov_9fa48("7407"), key.split(stryMutAct_9fa48("7408") ? "" : (stryCov_9fa48("7408"), '@'))[0] ?? (stryMutAct_9fa48("7409") ? "Stryker was here!" : (stryCov_9fa48("7409"), ''))));
            if (stryMutAct_9fa48("7412") ? (!isOurs || own().includes(key)) && used.includes(key) : stryMutAct_9fa48("7411") ? false : stryMutAct_9fa48("7410") ? true : (stryCov_9fa48("7410", "7411", "7412"), (stryMutAct_9fa48("7414") ? !isOurs && own().includes(key) : stryMutAct_9fa48("7413") ? false : (stryCov_9fa48("7413", "7414"), (stryMutAct_9fa48("7415") ? isOurs : (stryCov_9fa48("7415"), !isOurs)) || own().includes(key))) || used.includes(key))) {
              if (stryMutAct_9fa48("7416")) {
                {}
              } else {
                stryCov_9fa48("7416");
                unusedSince.delete(key);
                continue;
              }
            }
            const since = stryMutAct_9fa48("7417") ? unusedSince.get(key) && elapsedMs() : (stryCov_9fa48("7417"), unusedSince.get(key) ?? elapsedMs());
            unusedSince.set(key, since);
            if (stryMutAct_9fa48("7421") ? elapsedMs() - since >= graceMs : stryMutAct_9fa48("7420") ? elapsedMs() - since <= graceMs : stryMutAct_9fa48("7419") ? false : stryMutAct_9fa48("7418") ? true : (stryCov_9fa48("7418", "7419", "7420", "7421"), (stryMutAct_9fa48("7422") ? elapsedMs() + since : (stryCov_9fa48("7422"), elapsedMs() - since)) < graceMs)) continue;
            due.push(key);
          }
        }
        for (const key of due) await rankings.drop(key);
        // All at once: clearing a large view takes long, but each stops being a view as soon as its drop begins.
        await Promise.all(due.map(async key => {
          if (stryMutAct_9fa48("7423")) {
            {}
          } else {
            stryCov_9fa48("7423");
            await views.drop(key);
            unusedSince.delete(key);
            dropped(key);
          }
        }));
      }
    };
  }
}