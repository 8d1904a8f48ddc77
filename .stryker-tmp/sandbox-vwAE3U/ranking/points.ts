// Points in rank order, each with a time: counts how many of the first points are in a time window. Immutable: adding
// or removing points builds a new instance from the old one.
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
import { asChunks } from './chunks.ts';
import { runAll } from './times.ts';
import { WaveletMatrix } from './wavelet-matrix.ts';

/** Points handled per step while building: some hundredths of a millisecond. */
const SLICE = 512;
export interface Point {
  readonly time: number;
  /** Its index among all points. */
  place: number;
}
export class Points<Some extends Point> {
  /** In rank order. */
  readonly all: readonly Some[];
  readonly #byTime: readonly Some[];
  readonly #times: Float64Array;
  readonly #places: WaveletMatrix;
  private constructor(all: readonly Some[], byTime: readonly Some[], times: Float64Array, places: WaveletMatrix) {
    if (stryMutAct_9fa48("9547")) {
      {}
    } else {
      stryCov_9fa48("9547");
      this.all = all;
      this.#byTime = byTime;
      this.#times = times;
      this.#places = places;
    }
  }
  static none<Some extends Point>(): Points<Some> {
    if (stryMutAct_9fa48("9548")) {
      {}
    } else {
      stryCov_9fa48("9548");
      return new Points<Some>(stryMutAct_9fa48("9549") ? ["Stryker was here"] : (stryCov_9fa48("9549"), []), stryMutAct_9fa48("9550") ? ["Stryker was here"] : (stryCov_9fa48("9550"), []), new Float64Array(0), runAll(WaveletMatrix.build(stryMutAct_9fa48("9551") ? ["Stryker was here"] : (stryCov_9fa48("9551"), []), 0)));
    }
  }

  /**
   * A new instance with the points for which `stays` is true and some more, built in steps by merging both orders,
   * because the new points are few. The old instance can be read meanwhile, but not afterwards.
   */
  *with(added: readonly Some[], inRankOrder: (a: Some, b: Some) => number, stays: (point: Some) => boolean): Generator<void, Points<Some>> {
    if (stryMutAct_9fa48("9552")) {
      {}
    } else {
      stryCov_9fa48("9552");
      const all = yield* merged(this.all, added.toSorted(inRankOrder), inRankOrder, stays);
      const byTime = yield* merged(this.#byTime, added.toSorted(inTimeOrder), inTimeOrder, stays);
      for (let place = 0; stryMutAct_9fa48("9555") ? place >= all.length : stryMutAct_9fa48("9554") ? place <= all.length : stryMutAct_9fa48("9553") ? false : (stryCov_9fa48("9553", "9554", "9555"), place < all.length); stryMutAct_9fa48("9556") ? place-- : (stryCov_9fa48("9556"), place++)) {
        if (stryMutAct_9fa48("9557")) {
          {}
        } else {
          stryCov_9fa48("9557");
          ;
          (all[place] as Some).place = place;
          if (stryMutAct_9fa48("9560") ? place % SLICE !== 0 : stryMutAct_9fa48("9559") ? false : stryMutAct_9fa48("9558") ? true : (stryCov_9fa48("9558", "9559", "9560"), (stryMutAct_9fa48("9561") ? place * SLICE : (stryCov_9fa48("9561"), place % SLICE)) === 0)) yield;
        }
      }
      const times = new Float64Array(all.length);
      const places = new Uint32Array(all.length);
      for (let at = 0; stryMutAct_9fa48("9564") ? at >= all.length : stryMutAct_9fa48("9563") ? at <= all.length : stryMutAct_9fa48("9562") ? false : (stryCov_9fa48("9562", "9563", "9564"), at < all.length); stryMutAct_9fa48("9565") ? at-- : (stryCov_9fa48("9565"), at++)) {
        if (stryMutAct_9fa48("9566")) {
          {}
        } else {
          stryCov_9fa48("9566");
          const point = byTime[at] as Some;
          times[at] = point.time;
          places[at] = point.place;
          if (stryMutAct_9fa48("9569") ? at % SLICE !== 0 : stryMutAct_9fa48("9568") ? false : stryMutAct_9fa48("9567") ? true : (stryCov_9fa48("9567", "9568", "9569"), (stryMutAct_9fa48("9570") ? at * SLICE : (stryCov_9fa48("9570"), at % SLICE)) === 0)) yield;
        }
      }
      return new Points(all, byTime, times, yield* WaveletMatrix.build(asChunks(places), all.length));
    }
  }
  get bytes(): number {
    if (stryMutAct_9fa48("9571")) {
      {}
    } else {
      stryCov_9fa48("9571");
      return stryMutAct_9fa48("9572") ? this.#times.byteLength - this.#places.bytes : (stryCov_9fa48("9572"), this.#times.byteLength + this.#places.bytes);
    }
  }

  /** The number of the first `bound` points in `[since, until)`. */
  count(since: number, until: number, bound: number): number {
    if (stryMutAct_9fa48("9573")) {
      {}
    } else {
      stryCov_9fa48("9573");
      return this.#places.count(this.#timeAt(since), this.#timeAt(until), bound);
    }
  }

  /** The index of the first point in the window from an index on, or -1. */
  next(since: number, until: number, from: number): number {
    if (stryMutAct_9fa48("9574")) {
      {}
    } else {
      stryCov_9fa48("9574");
      return this.#places.atLeast(this.#timeAt(since), this.#timeAt(until), from);
    }
  }

  /** Counts the leading points for which `isFirst` is true; it must be false for all later ones. O(log n). */
  countFirst(isFirst: (point: Some) => boolean): number {
    if (stryMutAct_9fa48("9575")) {
      {}
    } else {
      stryCov_9fa48("9575");
      return countFirst(this.all, isFirst);
    }
  }
  #timeAt(time: number): number {
    if (stryMutAct_9fa48("9576")) {
      {}
    } else {
      stryCov_9fa48("9576");
      const times = this.#times;
      let low = 0;
      let high = times.length;
      while (stryMutAct_9fa48("9579") ? low >= high : stryMutAct_9fa48("9578") ? low <= high : stryMutAct_9fa48("9577") ? false : (stryCov_9fa48("9577", "9578", "9579"), low < high)) {
        if (stryMutAct_9fa48("9580")) {
          {}
        } else {
          stryCov_9fa48("9580");
          const middle = (stryMutAct_9fa48("9581") ? low - high : (stryCov_9fa48("9581"), low + high)) >>> 1;
          if (stryMutAct_9fa48("9585") ? times[middle] as number >= time : stryMutAct_9fa48("9584") ? (times[middle] as number) <= time : stryMutAct_9fa48("9583") ? false : stryMutAct_9fa48("9582") ? true : (stryCov_9fa48("9582", "9583", "9584", "9585"), (times[middle] as number) < time)) low = stryMutAct_9fa48("9586") ? middle - 1 : (stryCov_9fa48("9586"), middle + 1);else high = middle;
        }
      }
      return low;
    }
  }
}

/** Counts the leading items for which `isFirst` is true; it must be false for all later ones. O(log n). */
export function countFirst<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): number {
  if (stryMutAct_9fa48("9587")) {
    {}
  } else {
    stryCov_9fa48("9587");
    let low = 0;
    let high = items.length;
    while (stryMutAct_9fa48("9590") ? low >= high : stryMutAct_9fa48("9589") ? low <= high : stryMutAct_9fa48("9588") ? false : (stryCov_9fa48("9588", "9589", "9590"), low < high)) {
      if (stryMutAct_9fa48("9591")) {
        {}
      } else {
        stryCov_9fa48("9591");
        const middle = (stryMutAct_9fa48("9592") ? low - high : (stryCov_9fa48("9592"), low + high)) >>> 1;
        if (stryMutAct_9fa48("9594") ? false : stryMutAct_9fa48("9593") ? true : (stryCov_9fa48("9593", "9594"), isFirst(items[middle] as Item))) low = stryMutAct_9fa48("9595") ? middle - 1 : (stryCov_9fa48("9595"), middle + 1);else high = middle;
      }
    }
    return low;
  }
}
const inTimeOrder = stryMutAct_9fa48("9596") ? () => undefined : (stryCov_9fa48("9596"), (() => {
  const inTimeOrder = (a: Point, b: Point): number => stryMutAct_9fa48("9597") ? a.time + b.time : (stryCov_9fa48("9597"), a.time - b.time);
  return inTimeOrder;
})());

/** Merges two ordered lists, without the items of the first one that do not stay. */
function* merged<Item>(some: readonly Item[], others: readonly Item[], order: (a: Item, b: Item) => number, stays: (item: Item) => boolean): Generator<void, Item[]> {
  if (stryMutAct_9fa48("9598")) {
    {}
  } else {
    stryCov_9fa48("9598");
    const all: Item[] = stryMutAct_9fa48("9599") ? ["Stryker was here"] : (stryCov_9fa48("9599"), []);
    let next = 0;
    for (let at = 0; stryMutAct_9fa48("9602") ? at >= some.length : stryMutAct_9fa48("9601") ? at <= some.length : stryMutAct_9fa48("9600") ? false : (stryCov_9fa48("9600", "9601", "9602"), at < some.length); stryMutAct_9fa48("9603") ? at-- : (stryCov_9fa48("9603"), at++)) {
      if (stryMutAct_9fa48("9604")) {
        {}
      } else {
        stryCov_9fa48("9604");
        if (stryMutAct_9fa48("9607") ? at % SLICE !== 0 : stryMutAct_9fa48("9606") ? false : stryMutAct_9fa48("9605") ? true : (stryCov_9fa48("9605", "9606", "9607"), (stryMutAct_9fa48("9608") ? at * SLICE : (stryCov_9fa48("9608"), at % SLICE)) === 0)) yield;
        const item = some[at] as Item;
        if (stryMutAct_9fa48("9611") ? false : stryMutAct_9fa48("9610") ? true : stryMutAct_9fa48("9609") ? stays(item) : (stryCov_9fa48("9609", "9610", "9611"), !stays(item))) continue;
        while (stryMutAct_9fa48("9613") ? next < others.length || order(others[next] as Item, item) < 0 : stryMutAct_9fa48("9612") ? false : (stryCov_9fa48("9612", "9613"), (stryMutAct_9fa48("9616") ? next >= others.length : stryMutAct_9fa48("9615") ? next <= others.length : stryMutAct_9fa48("9614") ? true : (stryCov_9fa48("9614", "9615", "9616"), next < others.length)) && (stryMutAct_9fa48("9619") ? order(others[next] as Item, item) >= 0 : stryMutAct_9fa48("9618") ? order(others[next] as Item, item) <= 0 : stryMutAct_9fa48("9617") ? true : (stryCov_9fa48("9617", "9618", "9619"), order(others[next] as Item, item) < 0)))) all.push(others[next++] as Item);
        all.push(item);
      }
    }
    while (stryMutAct_9fa48("9622") ? next >= others.length : stryMutAct_9fa48("9621") ? next <= others.length : stryMutAct_9fa48("9620") ? false : (stryCov_9fa48("9620", "9621", "9622"), next < others.length)) all.push(others[next++] as Item);
    return all;
  }
}