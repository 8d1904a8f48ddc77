// The shape of every recorded event: the envelope that the log keeps and the metadata that each
// event carries from the first one on. The events themselves stand with their aggregates.
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
export type Json = null | boolean | number | string | readonly Json[] | {
  readonly [key: string]: Json;
};
export type JsonObject = {
  readonly [key: string]: Json;
};

/** Maximum nesting of objects and lists, in request bodies and in an event's data or metadata. */
export const JSON_MAX_DEPTH = 40;

/** Whether it is nested deeper than that. What lies deeper is not looked at, so no value exhausts the stack. */
export function isTooDeep(value: unknown, levelsLeft: number = JSON_MAX_DEPTH): boolean {
  if (stryMutAct_9fa48("2773")) {
    {}
  } else {
    stryCov_9fa48("2773");
    if (stryMutAct_9fa48("2776") ? typeof value !== 'object' && value === null : stryMutAct_9fa48("2775") ? false : stryMutAct_9fa48("2774") ? true : (stryCov_9fa48("2774", "2775", "2776"), (stryMutAct_9fa48("2778") ? typeof value === 'object' : stryMutAct_9fa48("2777") ? false : (stryCov_9fa48("2777", "2778"), typeof value !== (stryMutAct_9fa48("2779") ? "" : (stryCov_9fa48("2779"), 'object')))) || (stryMutAct_9fa48("2781") ? value !== null : stryMutAct_9fa48("2780") ? false : (stryCov_9fa48("2780", "2781"), value === null)))) return stryMutAct_9fa48("2782") ? true : (stryCov_9fa48("2782"), false);
    if (stryMutAct_9fa48("2785") ? levelsLeft !== 0 : stryMutAct_9fa48("2784") ? false : stryMutAct_9fa48("2783") ? true : (stryCov_9fa48("2783", "2784", "2785"), levelsLeft === 0)) return stryMutAct_9fa48("2786") ? false : (stryCov_9fa48("2786"), true);
    for (const one of Object.values(value)) if (stryMutAct_9fa48("2788") ? false : stryMutAct_9fa48("2787") ? true : (stryCov_9fa48("2787", "2788"), isTooDeep(one, stryMutAct_9fa48("2789") ? levelsLeft + 1 : (stryCov_9fa48("2789"), levelsLeft - 1)))) return stryMutAct_9fa48("2790") ? false : (stryCov_9fa48("2790"), true);
    return stryMutAct_9fa48("2791") ? true : (stryCov_9fa48("2791"), false);
  }
}

/** An event's metadata. Times are ISO 8601, UTC, milliseconds (`2026-11-21T07:05:01.123Z`). */
export interface EventMeta {
  /** Version of the event's shape, from 1. */
  readonly v: number;
  /** The game it belongs to; null for what belongs to the installation. Decides the partition. */
  readonly game: string | null;
  readonly board?: string;
  readonly player?: string;
  /** Id of the command that made it. */
  readonly command: string;
  /** Hash of the call (method, path, meaning of the body), only where the caller sent an Idempotency-Key. */
  readonly call?: string;
  /** Prefix of the API key that asked, or null where the service itself did. */
  readonly actor: string | null;
  /** Id of the request, or null where the service itself acted. */
  readonly request: string | null;
  /** When it was decided, by the node that decided it; never runs backwards within a stream. */
  readonly time: string;
}

/** An event about to be appended. */
export interface NewEvent {
  /** A UUID, the same for every attempt to append the same event. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly meta: EventMeta;
}

/** An event as the log gives it back. */
export interface StoredEvent extends NewEvent {
  readonly stream: string;
  /** Place in its stream, from 0. */
  readonly revision: number;
  /** Place in the log: opaque, ordered by code unit. */
  readonly position: Position;
}

/** A place in the log. Opaque; two positions of one log compare by code unit (`<`). */
export type Position = string;

/** The least of several, null being before the first; null where there are none. */
export function leastPosition(positions: Iterable<Position | null>): Position | null {
  if (stryMutAct_9fa48("2792")) {
    {}
  } else {
    stryCov_9fa48("2792");
    let least: Position | null = null;
    for (const position of positions) {
      if (stryMutAct_9fa48("2793")) {
        {}
      } else {
        stryCov_9fa48("2793");
        if (stryMutAct_9fa48("2796") ? position !== null : stryMutAct_9fa48("2795") ? false : stryMutAct_9fa48("2794") ? true : (stryCov_9fa48("2794", "2795", "2796"), position === null)) return null;
        if (stryMutAct_9fa48("2799") ? least === null && position < least : stryMutAct_9fa48("2798") ? false : stryMutAct_9fa48("2797") ? true : (stryCov_9fa48("2797", "2798", "2799"), (stryMutAct_9fa48("2801") ? least !== null : stryMutAct_9fa48("2800") ? false : (stryCov_9fa48("2800", "2801"), least === null)) || (stryMutAct_9fa48("2804") ? position >= least : stryMutAct_9fa48("2803") ? position <= least : stryMutAct_9fa48("2802") ? false : (stryCov_9fa48("2802", "2803", "2804"), position < least)))) least = position;
      }
    }
    return least;
  }
}

/** Where an event stands in its stream, and when it was decided (ISO 8601, UTC, milliseconds). */
export interface Moment {
  readonly revision: number;
  readonly time: string;
}
export function momentOf({
  revision,
  meta
}: Pick<StoredEvent, 'revision' | 'meta'>): Moment {
  if (stryMutAct_9fa48("2805")) {
    {}
  } else {
    stryCov_9fa48("2805");
    return stryMutAct_9fa48("2806") ? {} : (stryCov_9fa48("2806"), {
      revision,
      time: meta.time
    });
  }
}

/**
 * Stored JSON in the shape it was stored in: what was recorded under a type, or put in a
 * collection, comes back as that.
 */
export function unsafeCast<Shape>(stored: unknown): Shape {
  if (stryMutAct_9fa48("2807")) {
    {}
  } else {
    stryCov_9fa48("2807");
    return stored as Shape;
  }
}