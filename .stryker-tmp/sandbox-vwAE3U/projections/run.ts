// The projector: one subscription to the log that applies events in log order to all views of this process, in the
// partitions it owns. After each batch it writes rankings, documents and checkpoints, in that order, and wakes those
// who wait for the positions reached.
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
import { aborted } from '../scheduling/aborted.ts';
import type { PartitionOwnership } from '../stores/contract/partition-ownership.ts';
import type { Applier } from './apply.ts';
import { batchesOf, type CatchUpDeps, catchUp, type EventBatch, writeReached } from './catch-up.ts';
import { beyond, earliest, endsGame, everywhere, lastPerPartition, type OwnedCheckpoints } from './checkpoints.ts';
import { endWhenRankingsAreLost } from './fill-rankings.ts';
const LIVE_BATCH = 1_000;
const REOPEN_AFTER_MS = 200;
/** Checkpoints of idle partitions are moved forward at least once per this many events. */
export const IDLE_CHECKPOINT_EVERY = 10_000;
export interface RunDeps extends CatchUpDeps {
  /** Called when the subscription broke or a write failed. The projector then starts again from the last checkpoint. */
  reopening(error: unknown): void;
}

/**
 * Applies the log to the views until the signal aborts. It works in runs; each starts at the last checkpoints. A new
 * run starts after every failure and whenever the set of owned partitions changes.
 */
export async function run(deps: RunDeps, appliers: readonly Applier[], holding: PartitionOwnership, signal: AbortSignal): Promise<void> {
  if (stryMutAct_9fa48("7770")) {
    {}
  } else {
    stryCov_9fa48("7770");
    while (stryMutAct_9fa48("7772") ? false : stryMutAct_9fa48("7771") ? signal.aborted : (stryCov_9fa48("7771", "7772"), !signal.aborted)) {
      if (stryMutAct_9fa48("7773")) {
        {}
      } else {
        stryCov_9fa48("7773");
        const {
          partitions,
          changed
        } = holding.now();
        const thisRun = new AbortController();
        const until = AbortSignal.any(stryMutAct_9fa48("7774") ? [] : (stryCov_9fa48("7774"), [signal, changed, thisRun.signal]));
        if (stryMutAct_9fa48("7777") ? partitions.size !== 0 : stryMutAct_9fa48("7776") ? false : stryMutAct_9fa48("7775") ? true : (stryCov_9fa48("7775", "7776", "7777"), partitions.size === 0)) {
          if (stryMutAct_9fa48("7778")) {
            {}
          } else {
            stryCov_9fa48("7778");
            await aborted(until);
            continue;
          }
        }
        let endLooking = () => {};
        try {
          if (stryMutAct_9fa48("7779")) {
            {}
          } else {
            stryCov_9fa48("7779");
            const {
              checkpoints,
              rankings
            } = await catchUp(deps, appliers, partitions, until);
            endLooking = endWhenRankingsAreLost(rankings, thisRun);
            // A partition without a checkpoint gets one with the first batch: other nodes that follow it need to see it.
            let unmoved = (stryMutAct_9fa48("7782") ? earliest(checkpoints) !== null : stryMutAct_9fa48("7781") ? false : stryMutAct_9fa48("7780") ? true : (stryCov_9fa48("7780", "7781", "7782"), earliest(checkpoints) === null)) ? IDLE_CHECKPOINT_EVERY : 0;
            for await (const events of deps.log.subscribe(earliest(checkpoints), LIVE_BATCH, until)) {
              if (stryMutAct_9fa48("7783")) {
                {}
              } else {
                stryCov_9fa48("7783");
                for (const batch of batchesOf(events, appliers)) {
                  if (stryMutAct_9fa48("7784")) {
                    {}
                  } else {
                    stryCov_9fa48("7784");
                    stryMutAct_9fa48("7785") ? unmoved -= batch.events.length : (stryCov_9fa48("7785"), unmoved += batch.events.length);
                    const all = stryMutAct_9fa48("7788") ? unmoved >= IDLE_CHECKPOINT_EVERY && endsGame(batch.events) : stryMutAct_9fa48("7787") ? false : stryMutAct_9fa48("7786") ? true : (stryCov_9fa48("7786", "7787", "7788"), (stryMutAct_9fa48("7791") ? unmoved < IDLE_CHECKPOINT_EVERY : stryMutAct_9fa48("7790") ? unmoved > IDLE_CHECKPOINT_EVERY : stryMutAct_9fa48("7789") ? false : (stryCov_9fa48("7789", "7790", "7791"), unmoved >= IDLE_CHECKPOINT_EVERY)) || endsGame(batch.events));
                    await applyBatch(deps, checkpoints, batch, all, until);
                    if (stryMutAct_9fa48("7793") ? false : stryMutAct_9fa48("7792") ? true : (stryCov_9fa48("7792", "7793"), all)) unmoved = 0;
                  }
                }
              }
            }
          }
        } catch (error) {
          if (stryMutAct_9fa48("7794")) {
            {}
          } else {
            stryCov_9fa48("7794");
            if (stryMutAct_9fa48("7796") ? false : stryMutAct_9fa48("7795") ? true : (stryCov_9fa48("7795", "7796"), until.aborted)) continue;
            deps.reopening(error);
            await new Promise(stryMutAct_9fa48("7797") ? () => undefined : (stryCov_9fa48("7797"), wake => setTimeout(wake, REOPEN_AFTER_MS)));
          }
        } finally {
          if (stryMutAct_9fa48("7798")) {
            {}
          } else {
            stryCov_9fa48("7798");
            endLooking();
          }
        }
      }
    }
  }
}
async function applyBatch(deps: RunDeps, checkpoints: OwnedCheckpoints, {
  events,
  replays
}: EventBatch, all: boolean, signal: AbortSignal) {
  if (stryMutAct_9fa48("7799")) {
    {}
  } else {
    stryCov_9fa48("7799");
    const last = events.at(-1) as StoredEvent;
    const {
      owned,
      of
    } = checkpoints;
    for (const [applier, own] of of) await applier.apply(beyond(events, own, owned), signal);
    // Another node may own the partitions by now and may have written while this batch was loading, so its documents
    // could be of two states.
    signal.throwIfAborted();
    await writeReached(deps, checkpoints, all ? everywhere(last, owned) : lastPerPartition(events, owned), replays);
    deps.applied(events.length, last);
  }
}