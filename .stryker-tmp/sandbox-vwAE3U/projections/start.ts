// Steps before the first request: every view has its collections and was built from this log, and its projector, here
// or on another node, has reached the head that the log had when this process started.
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
import { ALL_PARTITIONS, partitionOf } from '../domain/partition.ts';
import type { Log } from '../stores/contract/log.ts';
import type { Views } from '../stores/contract/views.ts';
import type { Progress } from './progress.ts';
import { type Projection, viewKey, viewSpec } from './projection.ts';
const PAGE = 4_000;
interface StartDeps {
  readonly log: Log;
  readonly views: Views;
}

/** The log is not the one that a view was built from: it was restored, truncated or exchanged. */
export class LogAnchorMismatch extends Error {
  readonly code = stryMutAct_9fa48("7800") ? "" : (stryCov_9fa48("7800"), 'log_anchor_mismatch');
  constructor(view: string, position: string) {
    super((stryMutAct_9fa48("7801") ? `` : (stryCov_9fa48("7801"), `log_anchor_mismatch: view ${view} was built from a log that had another event at position ${position}. `)) + (stryMutAct_9fa48("7802") ? "" : (stryCov_9fa48("7802"), 'The log was restored or exchanged. Drop the views (views.sqlite, or in MongoDB every collection but `secrets`), and ')) + (stryMutAct_9fa48("7803") ? "" : (stryCov_9fa48("7803"), 'the next start rebuilds them from this log.')));
    this.name = stryMutAct_9fa48("7804") ? "" : (stryCov_9fa48("7804"), 'LogAnchorMismatch');
  }
}

/**
 * Prepares the views. Returns the keys of new views, which are to be built from the beginning. Throws
 * LogAnchorMismatch.
 */
export async function prepareViews({
  log,
  views
}: StartDeps, projections: readonly Projection[]): Promise<string[]> {
  if (stryMutAct_9fa48("7805")) {
    {}
  } else {
    stryCov_9fa48("7805");
    for (const projection of projections) await views.prepare(viewSpec(projection));
    const fresh: string[] = stryMutAct_9fa48("7806") ? ["Stryker was here"] : (stryCov_9fa48("7806"), []);
    // Views mostly have the same checkpoints: look each event up once.
    const ids = new Map<string, string | null>();
    const idAt = async (position: string) => {
      if (stryMutAct_9fa48("7807")) {
        {}
      } else {
        stryCov_9fa48("7807");
        const known = stryMutAct_9fa48("7808") ? (ids.get(position) ?? (await log.eventAt(position))?.id) && null : (stryCov_9fa48("7808"), (stryMutAct_9fa48("7809") ? ids.get(position) && (await log.eventAt(position))?.id : (stryCov_9fa48("7809"), ids.get(position) ?? (stryMutAct_9fa48("7810") ? (await log.eventAt(position)).id : (stryCov_9fa48("7810"), (await log.eventAt(position))?.id)))) ?? null);
        ids.set(position, known);
        return known;
      }
    };
    for (const projection of projections) {
      if (stryMutAct_9fa48("7811")) {
        {}
      } else {
        stryCov_9fa48("7811");
        const checkpoints = await views.checkpoints(viewKey(projection));
        if (stryMutAct_9fa48("7814") ? checkpoints.size !== 0 : stryMutAct_9fa48("7813") ? false : stryMutAct_9fa48("7812") ? true : (stryCov_9fa48("7812", "7813", "7814"), checkpoints.size === 0)) fresh.push(viewKey(projection));
        for (const {
          position,
          eventId
        } of checkpoints.values()) {
          if (stryMutAct_9fa48("7815")) {
            {}
          } else {
            stryCov_9fa48("7815");
            if (stryMutAct_9fa48("7818") ? (await idAt(position)) === eventId : stryMutAct_9fa48("7817") ? false : stryMutAct_9fa48("7816") ? true : (stryCov_9fa48("7816", "7817", "7818"), (await idAt(position)) !== eventId)) throw new LogAnchorMismatch(viewKey(projection), position);
          }
        }
      }
    }
    return fresh;
  }
}

/**
 * Resolves once every event that the log has now is applied to every view, by the owner of its partition; or when the
 * signal aborts.
 */
export async function untilBuilt(log: Log, progress: Progress, signal: AbortSignal): Promise<void> {
  if (stryMutAct_9fa48("7819")) {
    {}
  } else {
    stryCov_9fa48("7819");
    const head = await log.head();
    if (stryMutAct_9fa48("7822") ? head !== null : stryMutAct_9fa48("7821") ? false : stryMutAct_9fa48("7820") ? true : (stryCov_9fa48("7820", "7821", "7822"), head === null)) return;
    for (const partition of ALL_PARTITIONS) await progress.waitUntil(partition, stryMutAct_9fa48("7823") ? "Stryker was here!" : (stryCov_9fa48("7823"), ''), signal);
    // The checkpoint of an idle partition does not move, so wait for the position of each event since.
    for (let after = progress.least(); stryMutAct_9fa48("7825") ? after !== null && after < head || !signal.aborted : stryMutAct_9fa48("7824") ? false : (stryCov_9fa48("7824", "7825"), (stryMutAct_9fa48("7827") ? after !== null || after < head : stryMutAct_9fa48("7826") ? true : (stryCov_9fa48("7826", "7827"), (stryMutAct_9fa48("7829") ? after === null : stryMutAct_9fa48("7828") ? true : (stryCov_9fa48("7828", "7829"), after !== null)) && (stryMutAct_9fa48("7832") ? after >= head : stryMutAct_9fa48("7831") ? after <= head : stryMutAct_9fa48("7830") ? true : (stryCov_9fa48("7830", "7831", "7832"), after < head)))) && (stryMutAct_9fa48("7833") ? signal.aborted : (stryCov_9fa48("7833"), !signal.aborted)));) {
      if (stryMutAct_9fa48("7834")) {
        {}
      } else {
        stryCov_9fa48("7834");
        const events = await log.readAll(after, PAGE);
        for (const {
          position,
          meta
        } of events) {
          if (stryMutAct_9fa48("7835")) {
            {}
          } else {
            stryCov_9fa48("7835");
            if (stryMutAct_9fa48("7839") ? position > head : stryMutAct_9fa48("7838") ? position < head : stryMutAct_9fa48("7837") ? false : stryMutAct_9fa48("7836") ? true : (stryCov_9fa48("7836", "7837", "7838", "7839"), position <= head)) await progress.waitUntil(partitionOf(meta.game), position, signal);
          }
        }
        after = stryMutAct_9fa48("7840") ? events.at(-1)?.position && null : (stryCov_9fa48("7840"), (stryMutAct_9fa48("7841") ? events.at(-1).position : (stryCov_9fa48("7841"), events.at(stryMutAct_9fa48("7842") ? +1 : (stryCov_9fa48("7842"), -1))?.position)) ?? null);
      }
    }
  }
}