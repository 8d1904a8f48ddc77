// The calls that a stream's events have answered: those sent with an Idempotency-Key, for
// as long as a key is remembered.
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
import type { EventMeta } from '../domain/event.ts';

/** How long a call with an Idempotency-Key is remembered. */
export const CALLS_REMEMBERED_MS = stryMutAct_9fa48("238") ? 48 * 60 * 60 / 1000 : (stryCov_9fa48("238"), (stryMutAct_9fa48("239") ? 48 * 60 / 60 : (stryCov_9fa48("239"), (stryMutAct_9fa48("240") ? 48 / 60 : (stryCov_9fa48("240"), 48 * 60)) * 60)) * 1000);
export class Calls {
  /** Command id -> hash of its call and time of its events, oldest first. */
  readonly #calls = new Map<string, {
    readonly call: string;
    readonly timeMs: number;
  }>();

  /** The hash of the call that a command was sent with, where it was recorded and is still remembered. */
  get(command: string): string | undefined {
    if (stryMutAct_9fa48("241")) {
      {}
    } else {
      stryCov_9fa48("241");
      return stryMutAct_9fa48("242") ? this.#calls.get(command).call : (stryCov_9fa48("242"), this.#calls.get(command)?.call);
    }
  }
  note({
    command,
    call,
    time
  }: EventMeta): void {
    if (stryMutAct_9fa48("243")) {
      {}
    } else {
      stryCov_9fa48("243");
      if (stryMutAct_9fa48("246") ? call === undefined && this.#calls.has(command) : stryMutAct_9fa48("245") ? false : stryMutAct_9fa48("244") ? true : (stryCov_9fa48("244", "245", "246"), (stryMutAct_9fa48("248") ? call !== undefined : stryMutAct_9fa48("247") ? false : (stryCov_9fa48("247", "248"), call === undefined)) || this.#calls.has(command))) return;
      const timeMs = Date.parse(time);
      this.#calls.set(command, stryMutAct_9fa48("249") ? {} : (stryCov_9fa48("249"), {
        call,
        timeMs
      }));
      for (const [oldest, kept] of this.#calls) {
        if (stryMutAct_9fa48("250")) {
          {}
        } else {
          stryCov_9fa48("250");
          if (stryMutAct_9fa48("254") ? kept.timeMs < timeMs - CALLS_REMEMBERED_MS : stryMutAct_9fa48("253") ? kept.timeMs > timeMs - CALLS_REMEMBERED_MS : stryMutAct_9fa48("252") ? false : stryMutAct_9fa48("251") ? true : (stryCov_9fa48("251", "252", "253", "254"), kept.timeMs >= (stryMutAct_9fa48("255") ? timeMs + CALLS_REMEMBERED_MS : (stryCov_9fa48("255"), timeMs - CALLS_REMEMBERED_MS)))) return;
          this.#calls.delete(oldest);
        }
      }
    }
  }
}