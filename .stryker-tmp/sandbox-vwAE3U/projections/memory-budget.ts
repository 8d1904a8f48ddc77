// A memory budget that the appliers of several views share for the documents they hold between two writes.

/** Bytes that views may use while they are applied, and that folds of histories may use while board rules change. */function stryNS_9fa48() {
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
export interface ViewsMemory {
  readonly documents: number;
  readonly ruleFolds: number;
}

/** For tests and benchmarks only: a node divides its memory and passes the bytes. */
export const DEFAULT_VIEWS_MEMORY: ViewsMemory = stryMutAct_9fa48("7385") ? {} : (stryCov_9fa48("7385"), {
  documents: stryMutAct_9fa48("7386") ? 256 / 2 ** 20 : (stryCov_9fa48("7386"), 256 * 2 ** 20),
  ruleFolds: stryMutAct_9fa48("7387") ? 700 / 2 ** 20 : (stryCov_9fa48("7387"), 700 * 2 ** 20)
});
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #by = new Map<object, number>();
  constructor(maxBytes: number) {
    if (stryMutAct_9fa48("7388")) {
      {}
    } else {
      stryCov_9fa48("7388");
      this.#maxBytes = maxBytes;
    }
  }

  /**
   * Records what one holder has. Returns true if all together exceed the limit and this one holds at least the average.
   */
  requiresFlush(one: object, bytes: number): boolean {
    if (stryMutAct_9fa48("7389")) {
      {}
    } else {
      stryCov_9fa48("7389");
      this.#by.set(one, bytes);
      let all = 0;
      for (const held of this.#by.values()) stryMutAct_9fa48("7390") ? all -= held : (stryCov_9fa48("7390"), all += held);
      return stryMutAct_9fa48("7393") ? all > this.#maxBytes || bytes * this.#by.size >= all : stryMutAct_9fa48("7392") ? false : stryMutAct_9fa48("7391") ? true : (stryCov_9fa48("7391", "7392", "7393"), (stryMutAct_9fa48("7396") ? all <= this.#maxBytes : stryMutAct_9fa48("7395") ? all >= this.#maxBytes : stryMutAct_9fa48("7394") ? true : (stryCov_9fa48("7394", "7395", "7396"), all > this.#maxBytes)) && (stryMutAct_9fa48("7399") ? bytes * this.#by.size < all : stryMutAct_9fa48("7398") ? bytes * this.#by.size > all : stryMutAct_9fa48("7397") ? true : (stryCov_9fa48("7397", "7398", "7399"), (stryMutAct_9fa48("7400") ? bytes / this.#by.size : (stryCov_9fa48("7400"), bytes * this.#by.size)) >= all)));
    }
  }
}