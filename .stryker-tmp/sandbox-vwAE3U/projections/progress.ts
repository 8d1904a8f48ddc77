// The known position of the views per partition, and the waiters for later positions.
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
import { leastPosition, type Position } from '../domain/event.ts';
import { PARTITIONS, partitionOf } from '../domain/partition.ts';
interface Waiter {
  readonly position: Position;
  wake(reached: boolean): void;
}
export class Progress {
  readonly #reached: (Position | null)[] = (stryMutAct_9fa48("7566") ? new Array() : (stryCov_9fa48("7566"), new Array<Position | null>(PARTITIONS))).fill(null);
  readonly #waiters: Set<Waiter>[] = Array.from(stryMutAct_9fa48("7567") ? {} : (stryCov_9fa48("7567"), {
    length: PARTITIONS
  }), stryMutAct_9fa48("7568") ? () => undefined : (stryCov_9fa48("7568"), () => new Set()));
  /** Called when someone begins to wait. */
  onWait: () => void = () => {};

  /**
   * Records that all views have applied the partition's events up to this position. Returns true if that is further
   * than was known.
   */
  advance(partition: number, position: Position): boolean {
    if (stryMutAct_9fa48("7569")) {
      {}
    } else {
      stryCov_9fa48("7569");
      if (stryMutAct_9fa48("7571") ? false : stryMutAct_9fa48("7570") ? true : (stryCov_9fa48("7570", "7571"), this.#has(partition, position))) return stryMutAct_9fa48("7572") ? true : (stryCov_9fa48("7572"), false);
      this.#reached[partition] = position;
      for (const waiter of stryMutAct_9fa48("7573") ? this.#waiters[partition] && [] : (stryCov_9fa48("7573"), this.#waiters[partition] ?? (stryMutAct_9fa48("7574") ? ["Stryker was here"] : (stryCov_9fa48("7574"), [])))) if (stryMutAct_9fa48("7578") ? waiter.position > position : stryMutAct_9fa48("7577") ? waiter.position < position : stryMutAct_9fa48("7576") ? false : stryMutAct_9fa48("7575") ? true : (stryCov_9fa48("7575", "7576", "7577", "7578"), waiter.position <= position)) waiter.wake(stryMutAct_9fa48("7579") ? false : (stryCov_9fa48("7579"), true));
      return stryMutAct_9fa48("7580") ? false : (stryCov_9fa48("7580"), true);
    }
  }

  /** The position that a game's views have reached; null before anything was applied. */
  current(game: string | null): Position | null {
    if (stryMutAct_9fa48("7581")) {
      {}
    } else {
      stryCov_9fa48("7581");
      return stryMutAct_9fa48("7582") ? this.#reached[partitionOf(game)] && null : (stryCov_9fa48("7582"), this.#reached[partitionOf(game)] ?? null);
    }
  }

  /** The position that every partition has reached; null if one is unknown. */
  least(): Position | null {
    if (stryMutAct_9fa48("7583")) {
      {}
    } else {
      stryCov_9fa48("7583");
      return leastPosition(this.#reached);
    }
  }

  /** Whether someone waits for one of these partitions. */
  isAwaited(partitions: Iterable<number>): boolean {
    if (stryMutAct_9fa48("7584")) {
      {}
    } else {
      stryCov_9fa48("7584");
      for (const partition of partitions) if (stryMutAct_9fa48("7588") ? (this.#waiters[partition]?.size ?? 0) <= 0 : stryMutAct_9fa48("7587") ? (this.#waiters[partition]?.size ?? 0) >= 0 : stryMutAct_9fa48("7586") ? false : stryMutAct_9fa48("7585") ? true : (stryCov_9fa48("7585", "7586", "7587", "7588"), (stryMutAct_9fa48("7589") ? this.#waiters[partition]?.size && 0 : (stryCov_9fa48("7589"), (stryMutAct_9fa48("7590") ? this.#waiters[partition].size : (stryCov_9fa48("7590"), this.#waiters[partition]?.size)) ?? 0)) > 0)) return stryMutAct_9fa48("7591") ? false : (stryCov_9fa48("7591"), true);
      return stryMutAct_9fa48("7592") ? true : (stryCov_9fa48("7592"), false);
    }
  }

  /** Resolves to true once the views of a game have reached a position; to false after `timeoutMs`. */
  waitFor(game: string | null, position: Position, timeoutMs: number): Promise<boolean> {
    if (stryMutAct_9fa48("7593")) {
      {}
    } else {
      stryCov_9fa48("7593");
      const partition = partitionOf(game);
      if (stryMutAct_9fa48("7595") ? false : stryMutAct_9fa48("7594") ? true : (stryCov_9fa48("7594", "7595"), this.#has(partition, position))) return Promise.resolve(stryMutAct_9fa48("7596") ? false : (stryCov_9fa48("7596"), true));
      return this.#wait(partition, position, giveUp => {
        if (stryMutAct_9fa48("7597")) {
          {}
        } else {
          stryCov_9fa48("7597");
          const timer = setTimeout(giveUp, timeoutMs);
          return stryMutAct_9fa48("7598") ? () => undefined : (stryCov_9fa48("7598"), () => clearTimeout(timer));
        }
      });
    }
  }

  /**
   * Resolves to true once the views have reached a position ('': any) in a partition; to false if the signal aborts
   * first.
   */
  waitUntil(partition: number, position: Position | '', signal: AbortSignal): Promise<boolean> {
    if (stryMutAct_9fa48("7599")) {
      {}
    } else {
      stryCov_9fa48("7599");
      if (stryMutAct_9fa48("7601") ? false : stryMutAct_9fa48("7600") ? true : (stryCov_9fa48("7600", "7601"), this.#has(partition, position))) return Promise.resolve(stryMutAct_9fa48("7602") ? false : (stryCov_9fa48("7602"), true));
      if (stryMutAct_9fa48("7604") ? false : stryMutAct_9fa48("7603") ? true : (stryCov_9fa48("7603", "7604"), signal.aborted)) return Promise.resolve(stryMutAct_9fa48("7605") ? true : (stryCov_9fa48("7605"), false));
      return this.#wait(partition, position, giveUp => {
        if (stryMutAct_9fa48("7606")) {
          {}
        } else {
          stryCov_9fa48("7606");
          signal.addEventListener(stryMutAct_9fa48("7607") ? "" : (stryCov_9fa48("7607"), 'abort'), giveUp);
          return stryMutAct_9fa48("7608") ? () => undefined : (stryCov_9fa48("7608"), () => signal.removeEventListener(stryMutAct_9fa48("7609") ? "" : (stryCov_9fa48("7609"), 'abort'), giveUp));
        }
      });
    }
  }
  #has(partition: number, position: Position): boolean {
    if (stryMutAct_9fa48("7610")) {
      {}
    } else {
      stryCov_9fa48("7610");
      const reached = stryMutAct_9fa48("7611") ? this.#reached[partition] && null : (stryCov_9fa48("7611"), this.#reached[partition] ?? null);
      return stryMutAct_9fa48("7614") ? reached !== null || reached >= position : stryMutAct_9fa48("7613") ? false : stryMutAct_9fa48("7612") ? true : (stryCov_9fa48("7612", "7613", "7614"), (stryMutAct_9fa48("7616") ? reached === null : stryMutAct_9fa48("7615") ? true : (stryCov_9fa48("7615", "7616"), reached !== null)) && (stryMutAct_9fa48("7619") ? reached < position : stryMutAct_9fa48("7618") ? reached > position : stryMutAct_9fa48("7617") ? true : (stryCov_9fa48("7617", "7618", "7619"), reached >= position)));
    }
  }

  /** `until` registers the callback that gives up, and returns a function that unregisters it. */
  #wait(partition: number, position: Position, until: (giveUp: () => void) => () => void): Promise<boolean> {
    if (stryMutAct_9fa48("7620")) {
      {}
    } else {
      stryCov_9fa48("7620");
      const waiters = this.#waiters[partition] as Set<Waiter>;
      return new Promise(resolve => {
        if (stryMutAct_9fa48("7621")) {
          {}
        } else {
          stryCov_9fa48("7621");
          const wake = (came: boolean) => {
            if (stryMutAct_9fa48("7622")) {
              {}
            } else {
              stryCov_9fa48("7622");
              callOff();
              waiters.delete(waiter);
              resolve(came);
            }
          };
          const callOff = until(stryMutAct_9fa48("7623") ? () => undefined : (stryCov_9fa48("7623"), () => wake(stryMutAct_9fa48("7624") ? true : (stryCov_9fa48("7624"), false))));
          const waiter: Waiter = stryMutAct_9fa48("7625") ? {} : (stryCov_9fa48("7625"), {
            position,
            wake
          });
          waiters.add(waiter);
          this.onWait();
        }
      });
    }
  }
}