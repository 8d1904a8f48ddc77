// Follows the partitions that another process owns: while someone in this process waits for their views, reads their
// checkpoints from the store.
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
import { ALL_PARTITIONS } from '../domain/partition.ts';
import type { PartitionOwnership } from '../stores/contract/partition-ownership.ts';
import type { Checkpoint, Views } from '../stores/contract/views.ts';
import { leastReached } from './checkpoints.ts';
import type { Progress } from './progress.ts';

/**
 * Polling interval while someone waits: the most that a read after a write through another node is delayed. After 20
 * polls without news each further one doubles the interval, so that waiting in vain (for a position of a log that was
 * since restored from a copy, or for projectors that are down) costs the store little.
 */
const POLL_EVERY_MS = 10;
const POLLS_BEFORE_BACKOFF = 20;
const MAX_POLL_MS = 160;
const RETRY_MS = 1_000;
export interface FollowDeps {
  readonly views: Views;
  readonly progress: Progress;
  /** Called when a poll fails; polling continues. */
  lookFailed(error: unknown): void;
}

/** Follows all views of these keys until the signal aborts. */
export async function followOthers({
  views,
  progress,
  lookFailed
}: FollowDeps, keys: readonly string[], holding: PartitionOwnership, signal: AbortSignal): Promise<void> {
  if (stryMutAct_9fa48("7217")) {
    {}
  } else {
    stryCov_9fa48("7217");
    let wake = () => {};
    progress.onWait = stryMutAct_9fa48("7218") ? () => undefined : (stryCov_9fa48("7218"), () => wake());
    // One listener for the whole run: a signal retains everything that `AbortSignal.any` derives from it for its
    // lifetime.
    signal.addEventListener(stryMutAct_9fa48("7219") ? "" : (stryCov_9fa48("7219"), 'abort'), stryMutAct_9fa48("7220") ? () => undefined : (stryCov_9fa48("7220"), () => wake()), stryMutAct_9fa48("7221") ? {} : (stryCov_9fa48("7221"), {
      once: stryMutAct_9fa48("7222") ? false : (stryCov_9fa48("7222"), true)
    }));
    let fruitless = 0;
    while (stryMutAct_9fa48("7224") ? false : stryMutAct_9fa48("7223") ? signal.aborted : (stryCov_9fa48("7223", "7224"), !signal.aborted)) {
      if (stryMutAct_9fa48("7225")) {
        {}
      } else {
        stryCov_9fa48("7225");
        const {
          partitions,
          changed
        } = holding.now();
        const others = stryMutAct_9fa48("7226") ? ALL_PARTITIONS : (stryCov_9fa48("7226"), ALL_PARTITIONS.filter(stryMutAct_9fa48("7227") ? () => undefined : (stryCov_9fa48("7227"), partition => stryMutAct_9fa48("7228") ? partitions.has(partition) : (stryCov_9fa48("7228"), !partitions.has(partition)))));
        if (stryMutAct_9fa48("7230") ? false : stryMutAct_9fa48("7229") ? true : (stryCov_9fa48("7229", "7230"), progress.isAwaited(others))) {
          if (stryMutAct_9fa48("7231")) {
            {}
          } else {
            stryCov_9fa48("7231");
            const found = await poll(views, keys, others, progress).catch((error: unknown) => {
              if (stryMutAct_9fa48("7232")) {
                {}
              } else {
                stryCov_9fa48("7232");
                lookFailed(error);
                return null;
              }
            });
            fruitless = (stryMutAct_9fa48("7235") ? found !== true : stryMutAct_9fa48("7234") ? false : stryMutAct_9fa48("7233") ? true : (stryCov_9fa48("7233", "7234", "7235"), found === (stryMutAct_9fa48("7236") ? false : (stryCov_9fa48("7236"), true)))) ? 0 : stryMutAct_9fa48("7237") ? fruitless - 1 : (stryCov_9fa48("7237"), fruitless + 1);
            await new Promise(stryMutAct_9fa48("7238") ? () => undefined : (stryCov_9fa48("7238"), wake => setTimeout(wake, (stryMutAct_9fa48("7241") ? found !== null : stryMutAct_9fa48("7240") ? false : stryMutAct_9fa48("7239") ? true : (stryCov_9fa48("7239", "7240", "7241"), found === null)) ? RETRY_MS : pauseMs(fruitless))));
          }
        } else {
          if (stryMutAct_9fa48("7242")) {
            {}
          } else {
            stryCov_9fa48("7242");
            fruitless = 0;
            const woken = new Promise<void>(resolve => {
              if (stryMutAct_9fa48("7243")) {
                {}
              } else {
                stryCov_9fa48("7243");
                wake = resolve;
              }
            });
            changed.addEventListener(stryMutAct_9fa48("7244") ? "" : (stryCov_9fa48("7244"), 'abort'), wake, stryMutAct_9fa48("7245") ? {} : (stryCov_9fa48("7245"), {
              once: stryMutAct_9fa48("7246") ? false : (stryCov_9fa48("7246"), true)
            }));
            await woken;
            changed.removeEventListener(stryMutAct_9fa48("7247") ? "" : (stryCov_9fa48("7247"), 'abort'), wake);
          }
        }
      }
    }
  }
}
function pauseMs(fruitless: number): number {
  if (stryMutAct_9fa48("7248")) {
    {}
  } else {
    stryCov_9fa48("7248");
    return stryMutAct_9fa48("7249") ? Math.max(POLL_EVERY_MS * 2 ** Math.max(0, fruitless - POLLS_BEFORE_BACKOFF), MAX_POLL_MS) : (stryCov_9fa48("7249"), Math.min(stryMutAct_9fa48("7250") ? POLL_EVERY_MS / 2 ** Math.max(0, fruitless - POLLS_BEFORE_BACKOFF) : (stryCov_9fa48("7250"), POLL_EVERY_MS * 2 ** (stryMutAct_9fa48("7251") ? Math.min(0, fruitless - POLLS_BEFORE_BACKOFF) : (stryCov_9fa48("7251"), Math.max(0, stryMutAct_9fa48("7252") ? fruitless + POLLS_BEFORE_BACKOFF : (stryCov_9fa48("7252"), fruitless - POLLS_BEFORE_BACKOFF))))), MAX_POLL_MS));
  }
}

/** Returns true if any position has advanced. */
async function poll(views: Views, keys: readonly string[], partitions: readonly number[], progress: Progress): Promise<boolean> {
  if (stryMutAct_9fa48("7253")) {
    {}
  } else {
    stryCov_9fa48("7253");
    const all: ReadonlyMap<number, Checkpoint>[] = await Promise.all(keys.map(stryMutAct_9fa48("7254") ? () => undefined : (stryCov_9fa48("7254"), key => views.checkpoints(key))));
    let found = stryMutAct_9fa48("7255") ? true : (stryCov_9fa48("7255"), false);
    for (const partition of partitions) {
      if (stryMutAct_9fa48("7256")) {
        {}
      } else {
        stryCov_9fa48("7256");
        const reached = leastReached(all, partition);
        if (stryMutAct_9fa48("7259") ? reached !== null || progress.advance(partition, reached) : stryMutAct_9fa48("7258") ? false : stryMutAct_9fa48("7257") ? true : (stryCov_9fa48("7257", "7258", "7259"), (stryMutAct_9fa48("7261") ? reached === null : stryMutAct_9fa48("7260") ? true : (stryCov_9fa48("7260", "7261"), reached !== null)) && progress.advance(partition, reached))) found = stryMutAct_9fa48("7262") ? false : (stryCov_9fa48("7262"), true);
      }
    }
    return found;
  }
}