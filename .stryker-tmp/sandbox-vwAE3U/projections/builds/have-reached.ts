// Whether builds of views have reached a position in the log. Checkpoints alone do not tell: the checkpoint of an idle
// partition moves only once in a while, so it can be far behind although nothing is left to apply.
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
import type { Position } from '../../domain/event.ts';
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts';
import type { Log } from '../../stores/contract/log.ts';
import type { Views } from '../../stores/contract/views.ts';
import { IDLE_CHECKPOINT_EVERY } from '../run.ts';
const MAX_PAGE = 1_000;
/** More events than the checkpoint of an idle partition can be behind. */
const MAX_READ = stryMutAct_9fa48("5609") ? 2 / IDLE_CHECKPOINT_EVERY : (stryCov_9fa48("5609"), 2 * IDLE_CHECKPOINT_EVERY);
export interface ReachedDeps {
  readonly views: Views;
  readonly log: Pick<Log, 'head' | 'readAll'>;
}

/** Whether each of these views has applied all events up to this position; null: an empty log. */
export async function haveReached({
  views,
  log
}: ReachedDeps, keys: readonly string[], to: Position | null): Promise<boolean> {
  if (stryMutAct_9fa48("5610")) {
    {}
  } else {
    stryCov_9fa48("5610");
    if (stryMutAct_9fa48("5613") ? to !== null : stryMutAct_9fa48("5612") ? false : stryMutAct_9fa48("5611") ? true : (stryCov_9fa48("5611", "5612", "5613"), to === null)) return stryMutAct_9fa48("5614") ? false : (stryCov_9fa48("5614"), true);
    const all: ReadonlyMap<number, {
      readonly position: Position;
    }>[] = stryMutAct_9fa48("5615") ? ["Stryker was here"] : (stryCov_9fa48("5615"), []);
    for (const key of keys) all.push(await views.checkpoints(key));
    const least = new Map<number, Position>();
    for (const partition of ALL_PARTITIONS) {
      if (stryMutAct_9fa48("5616")) {
        {}
      } else {
        stryCov_9fa48("5616");
        for (const checkpoints of all) {
          if (stryMutAct_9fa48("5617")) {
            {}
          } else {
            stryCov_9fa48("5617");
            const position = stryMutAct_9fa48("5618") ? checkpoints.get(partition).position : (stryCov_9fa48("5618"), checkpoints.get(partition)?.position);
            // The view has not started in this partition.
            if (stryMutAct_9fa48("5621") ? position !== undefined : stryMutAct_9fa48("5620") ? false : stryMutAct_9fa48("5619") ? true : (stryCov_9fa48("5619", "5620", "5621"), position === undefined)) return stryMutAct_9fa48("5622") ? true : (stryCov_9fa48("5622"), false);
            if (stryMutAct_9fa48("5626") ? position >= (least.get(partition) ?? END) : stryMutAct_9fa48("5625") ? position <= (least.get(partition) ?? END) : stryMutAct_9fa48("5624") ? false : stryMutAct_9fa48("5623") ? true : (stryCov_9fa48("5623", "5624", "5625", "5626"), position < (stryMutAct_9fa48("5627") ? least.get(partition) && END : (stryCov_9fa48("5627"), least.get(partition) ?? END)))) least.set(partition, position);
          }
        }
      }
    }
    let after = (stryMutAct_9fa48("5628") ? [] : (stryCov_9fa48("5628"), [...least.values()])).reduce(stryMutAct_9fa48("5629") ? () => undefined : (stryCov_9fa48("5629"), (first, one) => (stryMutAct_9fa48("5633") ? one >= first : stryMutAct_9fa48("5632") ? one <= first : stryMutAct_9fa48("5631") ? false : stryMutAct_9fa48("5630") ? true : (stryCov_9fa48("5630", "5631", "5632", "5633"), one < first)) ? one : first), END);
    // Read one event first: if the build is far behind, it already shows that.
    for (let read = 0, page = 1; stryMutAct_9fa48("5636") ? after >= to : stryMutAct_9fa48("5635") ? after <= to : stryMutAct_9fa48("5634") ? false : (stryCov_9fa48("5634", "5635", "5636"), after < to); stryMutAct_9fa48("5637") ? read -= page : (stryCov_9fa48("5637"), read += page), page = stryMutAct_9fa48("5638") ? Math.max(10 * page, MAX_PAGE) : (stryCov_9fa48("5638"), Math.min(stryMutAct_9fa48("5639") ? 10 / page : (stryCov_9fa48("5639"), 10 * page), MAX_PAGE))) {
      if (stryMutAct_9fa48("5640")) {
        {}
      } else {
        stryCov_9fa48("5640");
        if (stryMutAct_9fa48("5644") ? read <= MAX_READ : stryMutAct_9fa48("5643") ? read >= MAX_READ : stryMutAct_9fa48("5642") ? false : stryMutAct_9fa48("5641") ? true : (stryCov_9fa48("5641", "5642", "5643", "5644"), read > MAX_READ)) return stryMutAct_9fa48("5645") ? true : (stryCov_9fa48("5645"), false);
        const events = await log.readAll(after, page);
        if (stryMutAct_9fa48("5648") ? events.length !== 0 : stryMutAct_9fa48("5647") ? false : stryMutAct_9fa48("5646") ? true : (stryCov_9fa48("5646", "5647", "5648"), events.length === 0)) return stryMutAct_9fa48("5649") ? false : (stryCov_9fa48("5649"), true);
        for (const {
          position,
          meta
        } of events) {
          if (stryMutAct_9fa48("5650")) {
            {}
          } else {
            stryCov_9fa48("5650");
            if (stryMutAct_9fa48("5653") ? position <= to || position > (least.get(partitionOf(meta.game)) ?? END) : stryMutAct_9fa48("5652") ? false : stryMutAct_9fa48("5651") ? true : (stryCov_9fa48("5651", "5652", "5653"), (stryMutAct_9fa48("5656") ? position > to : stryMutAct_9fa48("5655") ? position < to : stryMutAct_9fa48("5654") ? true : (stryCov_9fa48("5654", "5655", "5656"), position <= to)) && (stryMutAct_9fa48("5659") ? position <= (least.get(partitionOf(meta.game)) ?? END) : stryMutAct_9fa48("5658") ? position >= (least.get(partitionOf(meta.game)) ?? END) : stryMutAct_9fa48("5657") ? true : (stryCov_9fa48("5657", "5658", "5659"), position > (stryMutAct_9fa48("5660") ? least.get(partitionOf(meta.game)) && END : (stryCov_9fa48("5660"), least.get(partitionOf(meta.game)) ?? END)))))) return stryMutAct_9fa48("5661") ? true : (stryCov_9fa48("5661"), false);
            after = position;
          }
        }
      }
    }
    return stryMutAct_9fa48("5662") ? false : (stryCov_9fa48("5662"), true);
  }
}

/** Greater than every position. */
const END: Position = stryMutAct_9fa48("5663") ? "" : (stryCov_9fa48("5663"), '\uffff');