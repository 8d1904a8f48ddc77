// The rules of a leaderboard: how its entries are ordered, and which submissions are taken.
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
import { Refusal } from './decider.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
export type Ordering = 'desc' | 'asc';
export type Rules = {
  readonly ordering: Ordering;
  readonly secondaryOrdering: Ordering;
  /** One entry per player, their best. */
  readonly unique: boolean;
  /** Inclusive bounds. */
  readonly minScore: Decimal | null;
  readonly maxScore: Decimal | null;
};

/** What is left out stays as it is. */
export type RulesChange = { readonly [K in keyof Rules]?: Rules[K] | undefined };

/** The rules that a change leads to. Throws where no score could be submitted. */
export function rulesAfter(present: Rules, change: RulesChange): Rules {
  if (stryMutAct_9fa48("2360")) {
    {}
  } else {
    stryCov_9fa48("2360");
    const rules = stryMutAct_9fa48("2361") ? {} : (stryCov_9fa48("2361"), {
      ...present,
      ...defined(change)
    });
    checkBounds(rules);
    return rules;
  }
}
export function checkBounds(rules: Rules): void {
  if (stryMutAct_9fa48("2362")) {
    {}
  } else {
    stryCov_9fa48("2362");
    if (stryMutAct_9fa48("2365") ? rules.minScore === null && rules.maxScore === null : stryMutAct_9fa48("2364") ? false : stryMutAct_9fa48("2363") ? true : (stryCov_9fa48("2363", "2364", "2365"), (stryMutAct_9fa48("2367") ? rules.minScore !== null : stryMutAct_9fa48("2366") ? false : (stryCov_9fa48("2366", "2367"), rules.minScore === null)) || (stryMutAct_9fa48("2369") ? rules.maxScore !== null : stryMutAct_9fa48("2368") ? false : (stryCov_9fa48("2368", "2369"), rules.maxScore === null)))) return;
    if (stryMutAct_9fa48("2373") ? compareDecimals(rules.minScore, rules.maxScore) <= 0 : stryMutAct_9fa48("2372") ? compareDecimals(rules.minScore, rules.maxScore) >= 0 : stryMutAct_9fa48("2371") ? false : stryMutAct_9fa48("2370") ? true : (stryCov_9fa48("2370", "2371", "2372", "2373"), compareDecimals(rules.minScore, rules.maxScore) > 0)) {
      if (stryMutAct_9fa48("2374")) {
        {}
      } else {
        stryCov_9fa48("2374");
        throw new Refusal(stryMutAct_9fa48("2375") ? "" : (stryCov_9fa48("2375"), 'malformed'), stryMutAct_9fa48("2376") ? "" : (stryCov_9fa48("2376"), 'malformed'), stryMutAct_9fa48("2377") ? "" : (stryCov_9fa48("2377"), 'min_score is above max_score: no score could be submitted.'), stryMutAct_9fa48("2378") ? {} : (stryCov_9fa48("2378"), {
          errors: stryMutAct_9fa48("2379") ? [] : (stryCov_9fa48("2379"), [stryMutAct_9fa48("2380") ? {} : (stryCov_9fa48("2380"), {
            pointer: stryMutAct_9fa48("2381") ? "" : (stryCov_9fa48("2381"), '/min_score'),
            detail: stryMutAct_9fa48("2382") ? "" : (stryCov_9fa48("2382"), 'is above max_score')
          })])
        }));
      }
    }
  }
}
export function sameRules(a: Rules, b: Rules): boolean {
  if (stryMutAct_9fa48("2383")) {
    {}
  } else {
    stryCov_9fa48("2383");
    return stryMutAct_9fa48("2386") ? a.ordering === b.ordering && a.secondaryOrdering === b.secondaryOrdering && a.unique === b.unique && a.minScore === b.minScore || a.maxScore === b.maxScore : stryMutAct_9fa48("2385") ? false : stryMutAct_9fa48("2384") ? true : (stryCov_9fa48("2384", "2385", "2386"), (stryMutAct_9fa48("2388") ? a.ordering === b.ordering && a.secondaryOrdering === b.secondaryOrdering && a.unique === b.unique || a.minScore === b.minScore : stryMutAct_9fa48("2387") ? true : (stryCov_9fa48("2387", "2388"), (stryMutAct_9fa48("2390") ? a.ordering === b.ordering && a.secondaryOrdering === b.secondaryOrdering || a.unique === b.unique : stryMutAct_9fa48("2389") ? true : (stryCov_9fa48("2389", "2390"), (stryMutAct_9fa48("2392") ? a.ordering === b.ordering || a.secondaryOrdering === b.secondaryOrdering : stryMutAct_9fa48("2391") ? true : (stryCov_9fa48("2391", "2392"), (stryMutAct_9fa48("2394") ? a.ordering !== b.ordering : stryMutAct_9fa48("2393") ? true : (stryCov_9fa48("2393", "2394"), a.ordering === b.ordering)) && (stryMutAct_9fa48("2396") ? a.secondaryOrdering !== b.secondaryOrdering : stryMutAct_9fa48("2395") ? true : (stryCov_9fa48("2395", "2396"), a.secondaryOrdering === b.secondaryOrdering)))) && (stryMutAct_9fa48("2398") ? a.unique !== b.unique : stryMutAct_9fa48("2397") ? true : (stryCov_9fa48("2397", "2398"), a.unique === b.unique)))) && (stryMutAct_9fa48("2400") ? a.minScore !== b.minScore : stryMutAct_9fa48("2399") ? true : (stryCov_9fa48("2399", "2400"), a.minScore === b.minScore)))) && (stryMutAct_9fa48("2402") ? a.maxScore !== b.maxScore : stryMutAct_9fa48("2401") ? true : (stryCov_9fa48("2401", "2402"), a.maxScore === b.maxScore)));
  }
}
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  if (stryMutAct_9fa48("2403")) {
    {}
  } else {
    stryCov_9fa48("2403");
    return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
  }
}