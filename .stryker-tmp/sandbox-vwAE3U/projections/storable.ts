// Rejects documents that no store accepts: an id that is not plain text, or an indexed field that is neither text nor a
// finite number. An event that leads to one is parked with its stream; if only the write detected it, the whole view
// would be stuck.
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
import type { JsonObject } from '../domain/event.ts';
import type { CollectionSpec } from '../stores/contract/views.ts';
import { isIndexable, isPlain } from '../stores/support/storable.ts';
import type { DocRef } from './projection.ts';
export const isNamable = stryMutAct_9fa48("7843") ? () => undefined : (stryCov_9fa48("7843"), (() => {
  const isNamable = ([, id]: DocRef): boolean => isPlain(id);
  return isNamable;
})());

/** Whether a value can be an indexed field of a document; absent is allowed. */
export const isFindable = stryMutAct_9fa48("7844") ? () => undefined : (stryCov_9fa48("7844"), (() => {
  const isFindable = (value: unknown): boolean => stryMutAct_9fa48("7847") ? (value === null || value === undefined) && isIndexable(value) : stryMutAct_9fa48("7846") ? false : stryMutAct_9fa48("7845") ? true : (stryCov_9fa48("7845", "7846", "7847"), (stryMutAct_9fa48("7849") ? value === null && value === undefined : stryMutAct_9fa48("7848") ? false : (stryCov_9fa48("7848", "7849"), (stryMutAct_9fa48("7851") ? value !== null : stryMutAct_9fa48("7850") ? false : (stryCov_9fa48("7850", "7851"), value === null)) || (stryMutAct_9fa48("7853") ? value !== undefined : stryMutAct_9fa48("7852") ? false : (stryCov_9fa48("7852", "7853"), value === undefined)))) || isIndexable(value));
  return isFindable;
})());

/** Returns a check that throws a TypeError for a document of these collections that no store accepts. */
export function storableIn(collections: readonly CollectionSpec[]) {
  if (stryMutAct_9fa48("7854")) {
    {}
  } else {
    stryCov_9fa48("7854");
    const indexed = new Map(collections.map(({
      name,
      indexes
    }) => {
      if (stryMutAct_9fa48("7855")) {
        {}
      } else {
        stryCov_9fa48("7855");
        const fields = Object.values(indexes).flat().map(stryMutAct_9fa48("7856") ? () => undefined : (stryCov_9fa48("7856"), field => field.replace(stryMutAct_9fa48("7857") ? /-/ : (stryCov_9fa48("7857"), /^-/), stryMutAct_9fa48("7858") ? "Stryker was here!" : (stryCov_9fa48("7858"), ''))));
        return [name, [...new Set(fields)]] as const;
      }
    }));
    return (collection: string, id: string, body: JsonObject | null): void => {
      if (stryMutAct_9fa48("7859")) {
        {}
      } else {
        stryCov_9fa48("7859");
        if (stryMutAct_9fa48("7862") ? false : stryMutAct_9fa48("7861") ? true : stryMutAct_9fa48("7860") ? isPlain(id) : (stryCov_9fa48("7860", "7861", "7862"), !isPlain(id))) throw new TypeError(stryMutAct_9fa48("7863") ? `` : (stryCov_9fa48("7863"), `${JSON.stringify(id)} can be no id of a document`));
        if (stryMutAct_9fa48("7866") ? body !== null : stryMutAct_9fa48("7865") ? false : stryMutAct_9fa48("7864") ? true : (stryCov_9fa48("7864", "7865", "7866"), body === null)) return;
        for (const field of stryMutAct_9fa48("7867") ? indexed.get(collection) && [] : (stryCov_9fa48("7867"), indexed.get(collection) ?? (stryMutAct_9fa48("7868") ? ["Stryker was here"] : (stryCov_9fa48("7868"), [])))) {
          if (stryMutAct_9fa48("7869")) {
            {}
          } else {
            stryCov_9fa48("7869");
            if (stryMutAct_9fa48("7872") ? false : stryMutAct_9fa48("7871") ? true : stryMutAct_9fa48("7870") ? isFindable(body[field]) : (stryCov_9fa48("7870", "7871", "7872"), !isFindable(body[field]))) throw new TypeError(stryMutAct_9fa48("7873") ? `` : (stryCov_9fa48("7873"), `${field} is indexed, and neither text nor a number that JSON can hold`));
          }
        }
      }
    };
  }
}