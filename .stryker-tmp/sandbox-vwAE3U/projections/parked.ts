// The parked (quarantined) streams of a view: each is skipped from the event on that could not be applied.
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
import type { Document, Views } from '../stores/contract/views.ts';
import { PARKED } from './projection.ts';

/** Stream -> position. */
export type Parked = ReadonlyMap<string, Position>;

/** Greater than every position. */
const END: Position = stryMutAct_9fa48("7465") ? "" : (stryCov_9fa48("7465"), '\uffff');
const PAGE = 1_000;

/**
 * Whether an event is skipped. Events of the stream before the one that parked it still count: they may not be written
 * yet.
 */
export function isParked(parked: Parked, {
  stream,
  position
}: Pick<StoredEvent, 'stream' | 'position'>): boolean {
  if (stryMutAct_9fa48("7466")) {
    {}
  } else {
    stryCov_9fa48("7466");
    return stryMutAct_9fa48("7469") ? parked.size > 0 || position >= (parked.get(stream) ?? END) : stryMutAct_9fa48("7468") ? false : stryMutAct_9fa48("7467") ? true : (stryCov_9fa48("7467", "7468", "7469"), (stryMutAct_9fa48("7472") ? parked.size <= 0 : stryMutAct_9fa48("7471") ? parked.size >= 0 : stryMutAct_9fa48("7470") ? true : (stryCov_9fa48("7470", "7471", "7472"), parked.size > 0)) && (stryMutAct_9fa48("7475") ? position < (parked.get(stream) ?? END) : stryMutAct_9fa48("7474") ? position > (parked.get(stream) ?? END) : stryMutAct_9fa48("7473") ? true : (stryCov_9fa48("7473", "7474", "7475"), position >= (stryMutAct_9fa48("7476") ? parked.get(stream) && END : (stryCov_9fa48("7476"), parked.get(stream) ?? END)))));
  }
}
export async function parkedStreams(views: Pick<Views, 'scan'>, view: string): Promise<Map<string, Position>> {
  if (stryMutAct_9fa48("7477")) {
    {}
  } else {
    stryCov_9fa48("7477");
    const streams = new Map<string, Position>();
    if (stryMutAct_9fa48("7478")) {
      for (let after: string | null = null; false;) {
        const documents: Document[] = await views.scan(view, PARKED, after, PAGE);
        for (const {
          id,
          body
        } of documents) streams.set(id, String(body.position));
        if (documents.length < PAGE) return streams;
        after = documents.at(-1)?.id ?? null;
      }
    } else {
      stryCov_9fa48("7478");
      for (let after: string | null = null;;) {
        if (stryMutAct_9fa48("7479")) {
          {}
        } else {
          stryCov_9fa48("7479");
          const documents: Document[] = await views.scan(view, PARKED, after, PAGE);
          for (const {
            id,
            body
          } of documents) streams.set(id, String(body.position));
          if (stryMutAct_9fa48("7483") ? documents.length >= PAGE : stryMutAct_9fa48("7482") ? documents.length <= PAGE : stryMutAct_9fa48("7481") ? false : stryMutAct_9fa48("7480") ? true : (stryCov_9fa48("7480", "7481", "7482", "7483"), documents.length < PAGE)) return streams;
          after = stryMutAct_9fa48("7484") ? documents.at(-1)?.id && null : (stryCov_9fa48("7484"), (stryMutAct_9fa48("7485") ? documents.at(-1).id : (stryCov_9fa48("7485"), documents.at(stryMutAct_9fa48("7486") ? +1 : (stryCov_9fa48("7486"), -1))?.id)) ?? null);
        }
      }
    }
  }
}