// The result of a verification: the live views match the log, or a list of differences.
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
import type { JsonObject } from '../../domain/event.ts';
import type { Document } from '../../stores/contract/views.ts';

/** Maximum number of differences listed; beyond it they are only counted. */
const MAX_LISTED = 1_000;
const MAX_FIELDS = 10;
const MAX_TEXT = 200;
export interface Difference {
  readonly view: string;
  /** Null if the view itself is missing. */
  readonly collection: string | null;
  readonly id: string | null;
  /** Path of the differing field, such as `body.state.name`; null if the document is missing on one side. */
  readonly field: string | null;
  /** JSON, possibly cut off; null if the value is missing. */
  readonly live: string | null;
  readonly rebuilt: string | null;
}
export interface Report {
  readonly equal: boolean;
  /** Position of the last event that both sides have applied. */
  readonly position: string;
  readonly events: number;
  readonly documents: number;
  /** Number of ranking members compared; null if the rankings are in the memory of a process that is not running. */
  readonly ranked: number | null;
  /** Number of parked streams, in the live and the rebuilt views alike. */
  readonly parked: number;
  /** Whether the live views stopped before the end of the log: no projector runs, or it is stuck. */
  readonly behind: boolean;
  readonly differences: readonly Difference[];
  /** The total number of differences. */
  readonly found: number;
}
export class Findings {
  readonly differences: Difference[] = stryMutAct_9fa48("8341") ? ["Stryker was here"] : (stryCov_9fa48("8341"), []);
  found = 0;
  add(...some: readonly Difference[]): void {
    if (stryMutAct_9fa48("8342")) {
      {}
    } else {
      stryCov_9fa48("8342");
      stryMutAct_9fa48("8343") ? this.found -= some.length : (stryCov_9fa48("8343"), this.found += some.length);
      for (const one of some) if (stryMutAct_9fa48("8347") ? this.differences.length >= MAX_LISTED : stryMutAct_9fa48("8346") ? this.differences.length <= MAX_LISTED : stryMutAct_9fa48("8345") ? false : stryMutAct_9fa48("8344") ? true : (stryCov_9fa48("8344", "8345", "8346", "8347"), this.differences.length < MAX_LISTED)) this.differences.push(one);
    }
  }
}

/** Compares byte for byte, including the order of fields and the position of the last event. */
export const isSame = stryMutAct_9fa48("8348") ? () => undefined : (stryCov_9fa48("8348"), (() => {
  const isSame = (a: Document | null, b: Document | null): boolean => stryMutAct_9fa48("8351") ? JSON.stringify(a) !== JSON.stringify(b) : stryMutAct_9fa48("8350") ? false : stryMutAct_9fa48("8349") ? true : (stryCov_9fa48("8349", "8350", "8351"), JSON.stringify(a) === JSON.stringify(b));
  return isSame;
})());

/** One difference per differing field, or one for the whole document if it is missing on one side. */
export function differencesOf(place: Pick<Difference, 'view' | 'collection' | 'id'>, live: Document | null, rebuilt: Document | null): Difference[] {
  if (stryMutAct_9fa48("8352")) {
    {}
  } else {
    stryCov_9fa48("8352");
    if (stryMutAct_9fa48("8355") ? live === null && rebuilt === null : stryMutAct_9fa48("8354") ? false : stryMutAct_9fa48("8353") ? true : (stryCov_9fa48("8353", "8354", "8355"), (stryMutAct_9fa48("8357") ? live !== null : stryMutAct_9fa48("8356") ? false : (stryCov_9fa48("8356", "8357"), live === null)) || (stryMutAct_9fa48("8359") ? rebuilt !== null : stryMutAct_9fa48("8358") ? false : (stryCov_9fa48("8358", "8359"), rebuilt === null)))) return stryMutAct_9fa48("8360") ? [] : (stryCov_9fa48("8360"), [stryMutAct_9fa48("8361") ? {} : (stryCov_9fa48("8361"), {
      ...place,
      field: null,
      live: textOf(stryMutAct_9fa48("8362") ? live.body : (stryCov_9fa48("8362"), live?.body)),
      rebuilt: textOf(stryMutAct_9fa48("8363") ? rebuilt.body : (stryCov_9fa48("8363"), rebuilt?.body))
    })]);
    const fields = stryMutAct_9fa48("8364") ? [] : (stryCov_9fa48("8364"), [...differingFields(stryMutAct_9fa48("8365") ? {} : (stryCov_9fa48("8365"), {
      pos: live.pos,
      body: live.body
    }), stryMutAct_9fa48("8366") ? {} : (stryCov_9fa48("8366"), {
      pos: rebuilt.pos,
      body: rebuilt.body
    }), stryMutAct_9fa48("8367") ? "Stryker was here!" : (stryCov_9fa48("8367"), ''))]);
    // Equal in content but not byte for byte.
    if (stryMutAct_9fa48("8370") ? fields.length !== 0 : stryMutAct_9fa48("8369") ? false : stryMutAct_9fa48("8368") ? true : (stryCov_9fa48("8368", "8369", "8370"), fields.length === 0)) fields.push(stryMutAct_9fa48("8371") ? {} : (stryCov_9fa48("8371"), {
      field: stryMutAct_9fa48("8372") ? "" : (stryCov_9fa48("8372"), 'order of fields'),
      live: live.body,
      rebuilt: rebuilt.body
    }));
    return stryMutAct_9fa48("8373") ? fields.map(one => ({
      ...place,
      field: one.field,
      live: textOf(one.live),
      rebuilt: textOf(one.rebuilt)
    })) : (stryCov_9fa48("8373"), fields.slice(0, MAX_FIELDS).map(stryMutAct_9fa48("8374") ? () => undefined : (stryCov_9fa48("8374"), one => stryMutAct_9fa48("8375") ? {} : (stryCov_9fa48("8375"), {
      ...place,
      field: one.field,
      live: textOf(one.live),
      rebuilt: textOf(one.rebuilt)
    }))));
  }
}
function* differingFields(live: unknown, rebuilt: unknown, path: string): Generator<{
  field: string;
  live: unknown;
  rebuilt: unknown;
}> {
  if (stryMutAct_9fa48("8376")) {
    {}
  } else {
    stryCov_9fa48("8376");
    if (stryMutAct_9fa48("8379") ? JSON.stringify(live) !== JSON.stringify(rebuilt) : stryMutAct_9fa48("8378") ? false : stryMutAct_9fa48("8377") ? true : (stryCov_9fa48("8377", "8378", "8379"), JSON.stringify(live) === JSON.stringify(rebuilt))) return;
    if (stryMutAct_9fa48("8382") ? !isObject(live) && !isObject(rebuilt) : stryMutAct_9fa48("8381") ? false : stryMutAct_9fa48("8380") ? true : (stryCov_9fa48("8380", "8381", "8382"), (stryMutAct_9fa48("8383") ? isObject(live) : (stryCov_9fa48("8383"), !isObject(live))) || (stryMutAct_9fa48("8384") ? isObject(rebuilt) : (stryCov_9fa48("8384"), !isObject(rebuilt))))) {
      if (stryMutAct_9fa48("8385")) {
        {}
      } else {
        stryCov_9fa48("8385");
        yield stryMutAct_9fa48("8386") ? {} : (stryCov_9fa48("8386"), {
          field: path,
          live,
          rebuilt
        });
        return;
      }
    }
    for (const name of new Set(stryMutAct_9fa48("8387") ? [] : (stryCov_9fa48("8387"), [...Object.keys(live), ...Object.keys(rebuilt)]))) {
      if (stryMutAct_9fa48("8388")) {
        {}
      } else {
        stryCov_9fa48("8388");
        yield* differingFields(live[name], rebuilt[name], (stryMutAct_9fa48("8391") ? path !== '' : stryMutAct_9fa48("8390") ? false : stryMutAct_9fa48("8389") ? true : (stryCov_9fa48("8389", "8390", "8391"), path === (stryMutAct_9fa48("8392") ? "Stryker was here!" : (stryCov_9fa48("8392"), '')))) ? name : stryMutAct_9fa48("8393") ? `` : (stryCov_9fa48("8393"), `${path}.${name}`));
      }
    }
  }
}
const isObject = stryMutAct_9fa48("8394") ? () => undefined : (stryCov_9fa48("8394"), (() => {
  const isObject = (value: unknown): value is JsonObject => stryMutAct_9fa48("8397") ? typeof value === 'object' || value !== null : stryMutAct_9fa48("8396") ? false : stryMutAct_9fa48("8395") ? true : (stryCov_9fa48("8395", "8396", "8397"), (stryMutAct_9fa48("8399") ? typeof value !== 'object' : stryMutAct_9fa48("8398") ? true : (stryCov_9fa48("8398", "8399"), typeof value === (stryMutAct_9fa48("8400") ? "" : (stryCov_9fa48("8400"), 'object')))) && (stryMutAct_9fa48("8402") ? value === null : stryMutAct_9fa48("8401") ? true : (stryCov_9fa48("8401", "8402"), value !== null)));
  return isObject;
})());
function textOf(value: unknown): string | null {
  if (stryMutAct_9fa48("8403")) {
    {}
  } else {
    stryCov_9fa48("8403");
    const text = (stryMutAct_9fa48("8406") ? value !== undefined : stryMutAct_9fa48("8405") ? false : stryMutAct_9fa48("8404") ? true : (stryCov_9fa48("8404", "8405", "8406"), value === undefined)) ? null : JSON.stringify(value);
    return (stryMutAct_9fa48("8409") ? text !== null || text.length > MAX_TEXT : stryMutAct_9fa48("8408") ? false : stryMutAct_9fa48("8407") ? true : (stryCov_9fa48("8407", "8408", "8409"), (stryMutAct_9fa48("8411") ? text === null : stryMutAct_9fa48("8410") ? true : (stryCov_9fa48("8410", "8411"), text !== null)) && (stryMutAct_9fa48("8414") ? text.length <= MAX_TEXT : stryMutAct_9fa48("8413") ? text.length >= MAX_TEXT : stryMutAct_9fa48("8412") ? true : (stryCov_9fa48("8412", "8413", "8414"), text.length > MAX_TEXT)))) ? stryMutAct_9fa48("8415") ? `` : (stryCov_9fa48("8415"), `${stryMutAct_9fa48("8416") ? text : (stryCov_9fa48("8416"), text.slice(0, MAX_TEXT))}…`) : text;
  }
}