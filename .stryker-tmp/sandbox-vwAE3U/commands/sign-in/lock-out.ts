// Attempts to guess a password or a mailed code, counted on all nodes: 5 failures a minute for a login, 20 for a network;
// 20 wrong codes in 15 minutes for a network. A place is taken before the password or the code is looked at and given
// back where it was right, so that racers get no more guesses than anybody.
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
import { Refusal } from '../../domain/decider.ts';
import type { WindowSpec, Windows } from '../../stores/contract/transient.ts';
export const FAILURES_PER_LOGIN = 5;
export const FAILURES_PER_NETWORK = 20;
export const FAILURES_WITHIN_MS = 60_000;
export const WRONG_CODES_PER_NETWORK = 20;
export const WRONG_CODES_WITHIN_MS = stryMutAct_9fa48("1404") ? 15 / 60_000 : (stryCov_9fa48("1404"), 15 * 60_000);
/**
 * Attempts of this node that wait for one under way to end; and of one network among them, so that others can wait too.
 */
export const MAX_WAITING = 1_024;
export const MAX_WAITING_OF_NETWORK = 64;
export interface LockOut {
  /**
   * Runs an attempt, which answers null where it failed. 429 `rate_limited` where too many failed within the last
   * minute, for this login or from this network, whether or not anybody has the login and whatever the attempt would
   * have been.
   */
  attempt<T>(login: string, network: string, nowMs: number, prove: () => Promise<T | null>): Promise<T | null>;
  /** Likewise for a mailed code: 429 where too many from this network were wrong within the last 15 minutes. */
  attemptCode<T>(network: string, nowMs: number, prove: () => Promise<T | null>): Promise<T | null>;
}
interface Running {
  /** The windows that it holds a place of. */
  readonly keys: readonly string[];
  readonly ended: Promise<void>;
  end(): void;
}
export function createLockOut(windows: Windows): LockOut {
  if (stryMutAct_9fa48("1405")) {
    {}
  } else {
    stryCov_9fa48("1405");
    const attempts = new Attempts(windows);
    return stryMutAct_9fa48("1406") ? {} : (stryCov_9fa48("1406"), {
      attempt: (login, network, nowMs, prove) => {
        if (stryMutAct_9fa48("1407")) {
          {}
        } else {
          stryCov_9fa48("1407");
          const specs: readonly WindowSpec[] = stryMutAct_9fa48("1408") ? [] : (stryCov_9fa48("1408"), [stryMutAct_9fa48("1409") ? {} : (stryCov_9fa48("1409"), {
            key: stryMutAct_9fa48("1410") ? `` : (stryCov_9fa48("1410"), `login:${login}`),
            most: FAILURES_PER_LOGIN,
            withinMs: FAILURES_WITHIN_MS
          }), stryMutAct_9fa48("1411") ? {} : (stryCov_9fa48("1411"), {
            key: stryMutAct_9fa48("1412") ? `` : (stryCov_9fa48("1412"), `login_address:${network}`),
            most: FAILURES_PER_NETWORK,
            withinMs: FAILURES_WITHIN_MS
          })]);
          return attempts.run(specs, network, nowMs, prove);
        }
      },
      attemptCode: (network, nowMs, prove) => {
        if (stryMutAct_9fa48("1413")) {
          {}
        } else {
          stryCov_9fa48("1413");
          const spec = stryMutAct_9fa48("1414") ? {} : (stryCov_9fa48("1414"), {
            key: stryMutAct_9fa48("1415") ? `` : (stryCov_9fa48("1415"), `code_address:{${network}}`),
            most: WRONG_CODES_PER_NETWORK,
            withinMs: WRONG_CODES_WITHIN_MS
          });
          return attempts.run(stryMutAct_9fa48("1416") ? [] : (stryCov_9fa48("1416"), [spec]), network, nowMs, prove);
        }
      }
    });
  }
}
class Attempts {
  readonly #windows: Windows;
  readonly #waiting = new WaitingAttempts();
  /** Attempts under way on this node. */
  readonly #running = new Set<Running>();
  constructor(windows: Windows) {
    if (stryMutAct_9fa48("1417")) {
      {}
    } else {
      stryCov_9fa48("1417");
      this.#windows = windows;
    }
  }
  async run<T>(specs: readonly WindowSpec[], network: string, nowMs: number, prove: () => Promise<T | null>): Promise<T | null> {
    if (stryMutAct_9fa48("1418")) {
      {}
    } else {
      stryCov_9fa48("1418");
      const id = randomUUID();
      const one = await this.#enter(specs, id, network, nowMs);
      let isFailure = stryMutAct_9fa48("1419") ? true : (stryCov_9fa48("1419"), false);
      try {
        if (stryMutAct_9fa48("1420")) {
          {}
        } else {
          stryCov_9fa48("1420");
          const proven = await prove();
          isFailure = stryMutAct_9fa48("1423") ? proven !== null : stryMutAct_9fa48("1422") ? false : stryMutAct_9fa48("1421") ? true : (stryCov_9fa48("1421", "1422", "1423"), proven === null);
          return proven;
        }
      } finally {
        if (stryMutAct_9fa48("1424")) {
          {}
        } else {
          stryCov_9fa48("1424");
          // Where it cannot be given back, it counts: nobody gains by that.
          if (stryMutAct_9fa48("1427") ? false : stryMutAct_9fa48("1426") ? true : stryMutAct_9fa48("1425") ? isFailure : (stryCov_9fa48("1425", "1426", "1427"), !isFailure)) await this.#windows.leave(specs, id).catch(() => {});
          this.#running.delete(one);
          one.end();
        }
      }
    }
  }

  /**
   * Places may all be held by attempts that will turn out right: where those of this node hold one of each full window,
   * it waits for them. Where none does, failures have filled it.
   */
  async #enter(specs: readonly WindowSpec[], attempt: string, network: string, nowMs: number): Promise<Running> {
    if (stryMutAct_9fa48("1428")) {
      {}
    } else {
      stryCov_9fa48("1428");
      if (stryMutAct_9fa48("1429")) {
        for (; false;) {
          const before = [...this.#running];
          const waits = await this.#windows.enter(specs, attempt, nowMs);
          const full = specs.filter((_, n) => (waits[n] ?? 0) > 0);
          if (full.length === 0) return this.#begin(specs);
          // An attempt that held a place when the windows were asked may have given it back since.
          const holders = [...before, ...this.#running].filter(({
            keys
          }) => full.some(({
            key
          }) => keys.includes(key)));
          if (!full.every(({
            key
          }) => holders.some(({
            keys
          }) => keys.includes(key)))) throw lockedOut(specs, waits);
          await this.#waiting.wait(network, Promise.race(holders.map(({
            ended
          }) => ended)));
        }
      } else {
        stryCov_9fa48("1429");
        for (;;) {
          if (stryMutAct_9fa48("1430")) {
            {}
          } else {
            stryCov_9fa48("1430");
            const before = stryMutAct_9fa48("1431") ? [] : (stryCov_9fa48("1431"), [...this.#running]);
            const waits = await this.#windows.enter(specs, attempt, nowMs);
            const full = stryMutAct_9fa48("1432") ? specs : (stryCov_9fa48("1432"), specs.filter(stryMutAct_9fa48("1433") ? () => undefined : (stryCov_9fa48("1433"), (_, n) => stryMutAct_9fa48("1437") ? (waits[n] ?? 0) <= 0 : stryMutAct_9fa48("1436") ? (waits[n] ?? 0) >= 0 : stryMutAct_9fa48("1435") ? false : stryMutAct_9fa48("1434") ? true : (stryCov_9fa48("1434", "1435", "1436", "1437"), (stryMutAct_9fa48("1438") ? waits[n] && 0 : (stryCov_9fa48("1438"), waits[n] ?? 0)) > 0))));
            if (stryMutAct_9fa48("1441") ? full.length !== 0 : stryMutAct_9fa48("1440") ? false : stryMutAct_9fa48("1439") ? true : (stryCov_9fa48("1439", "1440", "1441"), full.length === 0)) return this.#begin(specs);
            // An attempt that held a place when the windows were asked may have given it back since.
            const holders = stryMutAct_9fa48("1442") ? [...before, ...this.#running] : (stryCov_9fa48("1442"), (stryMutAct_9fa48("1443") ? [] : (stryCov_9fa48("1443"), [...before, ...this.#running])).filter(stryMutAct_9fa48("1444") ? () => undefined : (stryCov_9fa48("1444"), ({
              keys
            }) => stryMutAct_9fa48("1445") ? full.every(({
              key
            }) => keys.includes(key)) : (stryCov_9fa48("1445"), full.some(stryMutAct_9fa48("1446") ? () => undefined : (stryCov_9fa48("1446"), ({
              key
            }) => keys.includes(key)))))));
            if (stryMutAct_9fa48("1449") ? false : stryMutAct_9fa48("1448") ? true : stryMutAct_9fa48("1447") ? full.every(({
              key
            }) => holders.some(({
              keys
            }) => keys.includes(key))) : (stryCov_9fa48("1447", "1448", "1449"), !(stryMutAct_9fa48("1450") ? full.some(({
              key
            }) => holders.some(({
              keys
            }) => keys.includes(key))) : (stryCov_9fa48("1450"), full.every(stryMutAct_9fa48("1451") ? () => undefined : (stryCov_9fa48("1451"), ({
              key
            }) => stryMutAct_9fa48("1452") ? holders.every(({
              keys
            }) => keys.includes(key)) : (stryCov_9fa48("1452"), holders.some(stryMutAct_9fa48("1453") ? () => undefined : (stryCov_9fa48("1453"), ({
              keys
            }) => keys.includes(key)))))))))) throw lockedOut(specs, waits);
            await this.#waiting.wait(network, Promise.race(holders.map(stryMutAct_9fa48("1454") ? () => undefined : (stryCov_9fa48("1454"), ({
              ended
            }) => ended))));
          }
        }
      }
    }
  }
  #begin(specs: readonly WindowSpec[]): Running {
    if (stryMutAct_9fa48("1455")) {
      {}
    } else {
      stryCov_9fa48("1455");
      let resolved = () => {};
      const ended = new Promise<void>(resolve => {
        if (stryMutAct_9fa48("1456")) {
          {}
        } else {
          stryCov_9fa48("1456");
          resolved = resolve;
        }
      });
      const one = stryMutAct_9fa48("1457") ? {} : (stryCov_9fa48("1457"), {
        keys: specs.map(stryMutAct_9fa48("1458") ? () => undefined : (stryCov_9fa48("1458"), ({
          key
        }) => key)),
        ended,
        end: stryMutAct_9fa48("1459") ? () => undefined : (stryCov_9fa48("1459"), () => resolved())
      });
      this.#running.add(one);
      return one;
    }
  }
}

/** How many attempts wait for others to end, in all and by network. */
class WaitingAttempts {
  #all = 0;
  readonly #ofNetwork = new Map<string, number>();

  /** Throws 503 `sign_in_busy` where too many wait. */
  async wait(network: string, ended: Promise<void>): Promise<void> {
    if (stryMutAct_9fa48("1460")) {
      {}
    } else {
      stryCov_9fa48("1460");
      const own = stryMutAct_9fa48("1461") ? this.#ofNetwork.get(network) && 0 : (stryCov_9fa48("1461"), this.#ofNetwork.get(network) ?? 0);
      if (stryMutAct_9fa48("1464") ? this.#all >= MAX_WAITING && own >= MAX_WAITING_OF_NETWORK : stryMutAct_9fa48("1463") ? false : stryMutAct_9fa48("1462") ? true : (stryCov_9fa48("1462", "1463", "1464"), (stryMutAct_9fa48("1467") ? this.#all < MAX_WAITING : stryMutAct_9fa48("1466") ? this.#all > MAX_WAITING : stryMutAct_9fa48("1465") ? false : (stryCov_9fa48("1465", "1466", "1467"), this.#all >= MAX_WAITING)) || (stryMutAct_9fa48("1470") ? own < MAX_WAITING_OF_NETWORK : stryMutAct_9fa48("1469") ? own > MAX_WAITING_OF_NETWORK : stryMutAct_9fa48("1468") ? false : (stryCov_9fa48("1468", "1469", "1470"), own >= MAX_WAITING_OF_NETWORK)))) throw signInBusy();
      stryMutAct_9fa48("1471") ? this.#all -= 1 : (stryCov_9fa48("1471"), this.#all += 1);
      this.#ofNetwork.set(network, stryMutAct_9fa48("1472") ? own - 1 : (stryCov_9fa48("1472"), own + 1));
      await ended.finally(() => {
        if (stryMutAct_9fa48("1473")) {
          {}
        } else {
          stryCov_9fa48("1473");
          stryMutAct_9fa48("1474") ? this.#all += 1 : (stryCov_9fa48("1474"), this.#all -= 1);
          const left = stryMutAct_9fa48("1475") ? (this.#ofNetwork.get(network) ?? 1) + 1 : (stryCov_9fa48("1475"), (stryMutAct_9fa48("1476") ? this.#ofNetwork.get(network) && 1 : (stryCov_9fa48("1476"), this.#ofNetwork.get(network) ?? 1)) - 1);
          if (stryMutAct_9fa48("1479") ? left !== 0 : stryMutAct_9fa48("1478") ? false : stryMutAct_9fa48("1477") ? true : (stryCov_9fa48("1477", "1478", "1479"), left === 0)) this.#ofNetwork.delete(network);else this.#ofNetwork.set(network, left);
        }
      });
    }
  }
}
function lockedOut(specs: readonly WindowSpec[], waits: readonly number[]): Refusal {
  if (stryMutAct_9fa48("1480")) {
    {}
  } else {
    stryCov_9fa48("1480");
    const longest = stryMutAct_9fa48("1481") ? Math.min(...waits) : (stryCov_9fa48("1481"), Math.max(...waits));
    const policy = stryMutAct_9fa48("1482") ? specs[waits.indexOf(longest)].key.split(':')[0] : (stryCov_9fa48("1482"), specs[waits.indexOf(longest)]?.key.split(stryMutAct_9fa48("1483") ? "" : (stryCov_9fa48("1483"), ':'))[0]);
    return tooMany(stryMutAct_9fa48("1484") ? policy && '' : (stryCov_9fa48("1484"), policy ?? (stryMutAct_9fa48("1485") ? "Stryker was here!" : (stryCov_9fa48("1485"), ''))), longest, stryMutAct_9fa48("1486") ? "" : (stryCov_9fa48("1486"), 'Too many sign-ins have failed.'));
  }
}

/** 429 `rate_limited`. */
export function tooMany(policy: string, waitMs: number, why: string): Refusal {
  if (stryMutAct_9fa48("1487")) {
    {}
  } else {
    stryCov_9fa48("1487");
    const seconds = stryMutAct_9fa48("1488") ? Math.min(1, Math.ceil(waitMs / 1_000)) : (stryCov_9fa48("1488"), Math.max(1, Math.ceil(stryMutAct_9fa48("1489") ? waitMs * 1_000 : (stryCov_9fa48("1489"), waitMs / 1_000))));
    return new Refusal(stryMutAct_9fa48("1490") ? "" : (stryCov_9fa48("1490"), 'too_many'), stryMutAct_9fa48("1491") ? "" : (stryCov_9fa48("1491"), 'rate_limited'), stryMutAct_9fa48("1492") ? `` : (stryCov_9fa48("1492"), `${why} Wait ${seconds} s.`), stryMutAct_9fa48("1493") ? {} : (stryCov_9fa48("1493"), {
      retry_after: seconds,
      policy
    }));
  }
}

/** 503 `sign_in_busy`: nothing was looked at. */
export function signInBusy(): Refusal {
  if (stryMutAct_9fa48("1494")) {
    {}
  } else {
    stryCov_9fa48("1494");
    const detail = stryMutAct_9fa48("1495") ? "" : (stryCov_9fa48("1495"), 'Too many players sign in at once. Nothing was changed; try again.');
    return new Refusal(stryMutAct_9fa48("1496") ? "" : (stryCov_9fa48("1496"), 'unavailable'), stryMutAct_9fa48("1497") ? "" : (stryCov_9fa48("1497"), 'sign_in_busy'), detail, stryMutAct_9fa48("1498") ? {} : (stryCov_9fa48("1498"), {
      retry_after: 1
    }));
  }
}