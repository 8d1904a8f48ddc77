// How far this node's views are behind the log. It is computed from the log, so that it also shows a projector that is
// stuck. Only partitions that this node owns count.
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
import type { Position, StoredEvent } from '../domain/event.ts';
import { partitionOf } from '../domain/partition.ts';
import type { Log } from '../stores/contract/log.ts';
import type { PartitionOwnership } from '../stores/contract/partition-ownership.ts';
import type { Progress } from './progress.ts';
const PAGE = 1_000;
/** Pages to search for an event of an owned partition; beyond them the next event is taken for one. */
const PAGES = 10;
export interface Lag {
  /** Sets the position after which the projector reads, at the start of each run; null: the start of the log. */
  startFrom(from: Position | null): void;
  /** The position that the projector read last. */
  read(position: Position): void;
  /**
   * Milliseconds for which the oldest event that this node has yet to apply has waited; 0 if there is none. Rejects if
   * the log is unavailable.
   */
  ms(nowMs: number): Promise<number>;
}
export function createLag(log: Pick<Log, 'readAll'>, holding: PartitionOwnership, progress: Progress): Lag {
  if (stryMutAct_9fa48("7341")) {
    {}
  } else {
    stryCov_9fa48("7341");
    let at: Position | null = null;
    const isDue = stryMutAct_9fa48("7342") ? () => undefined : (stryCov_9fa48("7342"), (() => {
      const isDue = ({
        position,
        meta
      }: StoredEvent, owned: ReadonlySet<number>) => stryMutAct_9fa48("7345") ? owned.has(partitionOf(meta.game)) || position > (progress.current(meta.game) ?? '') : stryMutAct_9fa48("7344") ? false : stryMutAct_9fa48("7343") ? true : (stryCov_9fa48("7343", "7344", "7345"), owned.has(partitionOf(meta.game)) && (stryMutAct_9fa48("7348") ? position <= (progress.current(meta.game) ?? '') : stryMutAct_9fa48("7347") ? position >= (progress.current(meta.game) ?? '') : stryMutAct_9fa48("7346") ? true : (stryCov_9fa48("7346", "7347", "7348"), position > (stryMutAct_9fa48("7349") ? progress.current(meta.game) && '' : (stryCov_9fa48("7349"), progress.current(meta.game) ?? (stryMutAct_9fa48("7350") ? "Stryker was here!" : (stryCov_9fa48("7350"), '')))))));
      return isDue;
    })());
    async function oldestDue(owned: ReadonlySet<number>): Promise<StoredEvent | undefined> {
      if (stryMutAct_9fa48("7351")) {
        {}
      } else {
        stryCov_9fa48("7351");
        let after = at;
        if (stryMutAct_9fa48("7352")) {
          for (let page = 1; false; page++) {
            const events = await log.readAll(after, page === 1 ? 1 : PAGE);
            const due = events.find(event => isDue(event, owned));
            const last = events.at(-1);
            if (due !== undefined || last === undefined || page > PAGES) return due ?? last;
            after = last.position;
          }
        } else {
          stryCov_9fa48("7352");
          for (let page = 1;; stryMutAct_9fa48("7353") ? page-- : (stryCov_9fa48("7353"), page++)) {
            if (stryMutAct_9fa48("7354")) {
              {}
            } else {
              stryCov_9fa48("7354");
              const events = await log.readAll(after, (stryMutAct_9fa48("7357") ? page !== 1 : stryMutAct_9fa48("7356") ? false : stryMutAct_9fa48("7355") ? true : (stryCov_9fa48("7355", "7356", "7357"), page === 1)) ? 1 : PAGE);
              const due = events.find(stryMutAct_9fa48("7358") ? () => undefined : (stryCov_9fa48("7358"), event => isDue(event, owned)));
              const last = events.at(stryMutAct_9fa48("7359") ? +1 : (stryCov_9fa48("7359"), -1));
              if (stryMutAct_9fa48("7362") ? (due !== undefined || last === undefined) && page > PAGES : stryMutAct_9fa48("7361") ? false : stryMutAct_9fa48("7360") ? true : (stryCov_9fa48("7360", "7361", "7362"), (stryMutAct_9fa48("7364") ? due !== undefined && last === undefined : stryMutAct_9fa48("7363") ? false : (stryCov_9fa48("7363", "7364"), (stryMutAct_9fa48("7366") ? due === undefined : stryMutAct_9fa48("7365") ? false : (stryCov_9fa48("7365", "7366"), due !== undefined)) || (stryMutAct_9fa48("7368") ? last !== undefined : stryMutAct_9fa48("7367") ? false : (stryCov_9fa48("7367", "7368"), last === undefined)))) || (stryMutAct_9fa48("7371") ? page <= PAGES : stryMutAct_9fa48("7370") ? page >= PAGES : stryMutAct_9fa48("7369") ? false : (stryCov_9fa48("7369", "7370", "7371"), page > PAGES)))) return stryMutAct_9fa48("7372") ? due && last : (stryCov_9fa48("7372"), due ?? last);
              after = last.position;
            }
          }
        }
      }
    }
    return stryMutAct_9fa48("7373") ? {} : (stryCov_9fa48("7373"), {
      startFrom: from => {
        if (stryMutAct_9fa48("7374")) {
          {}
        } else {
          stryCov_9fa48("7374");
          at = from;
        }
      },
      read: position => {
        if (stryMutAct_9fa48("7375")) {
          {}
        } else {
          stryCov_9fa48("7375");
          at = position;
        }
      },
      async ms(nowMs) {
        if (stryMutAct_9fa48("7376")) {
          {}
        } else {
          stryCov_9fa48("7376");
          const owned = holding.now().partitions;
          if (stryMutAct_9fa48("7379") ? owned.size !== 0 : stryMutAct_9fa48("7378") ? false : stryMutAct_9fa48("7377") ? true : (stryCov_9fa48("7377", "7378", "7379"), owned.size === 0)) return 0;
          const due = await oldestDue(owned);
          return (stryMutAct_9fa48("7382") ? due !== undefined : stryMutAct_9fa48("7381") ? false : stryMutAct_9fa48("7380") ? true : (stryCov_9fa48("7380", "7381", "7382"), due === undefined)) ? 0 : stryMutAct_9fa48("7383") ? Math.min(0, nowMs - Date.parse(due.meta.time)) : (stryCov_9fa48("7383"), Math.max(0, stryMutAct_9fa48("7384") ? nowMs + Date.parse(due.meta.time) : (stryCov_9fa48("7384"), nowMs - Date.parse(due.meta.time))));
        }
      }
    });
  }
}