// Ordered times for windows, at mostly four bytes each; and sorting of times.
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
import { CHUNK_BITS, CHUNK_MASK, type Chunks, lengthOf, numberAt, zeros } from './chunks.ts';

/** The times of a segment are stored as distances from its first. */
const SEGMENT = 1_024;
const MAX_NEAR = stryMutAct_9fa48("9746") ? 2 ** 32 + 1 : (stryCov_9fa48("9746"), 2 ** 32 - 1);
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Numbers handled per step. */
const SLICE = 2_048;
/** Distances allocated at once. */
const SLAB = stryMutAct_9fa48("9747") ? 64 / SEGMENT : (stryCov_9fa48("9747"), 64 * SEGMENT);

/** Unix milliseconds in ascending order. */
export class SortedTimes {
  #length = 0;
  readonly #firsts: number[] = stryMutAct_9fa48("9748") ? ["Stryker was here"] : (stryCov_9fa48("9748"), []);
  readonly #distances: (Uint32Array | Float64Array)[] = stryMutAct_9fa48("9749") ? ["Stryker was here"] : (stryCov_9fa48("9749"), []);
  /** Free space for the four-byte distances of the next segments. */
  #room = new Uint32Array(0);
  readonly #expected: number;

  /** `length`: the expected number of times. */
  constructor(length = 0) {
    if (stryMutAct_9fa48("9750")) {
      {}
    } else {
      stryCov_9fa48("9750");
      this.#expected = length;
    }
  }
  get bytes(): number {
    if (stryMutAct_9fa48("9751")) {
      {}
    } else {
      stryCov_9fa48("9751");
      return this.#distances.reduce(stryMutAct_9fa48("9752") ? () => undefined : (stryCov_9fa48("9752"), (sum, {
        byteLength
      }) => stryMutAct_9fa48("9753") ? sum - byteLength : (stryCov_9fa48("9753"), sum + byteLength)), stryMutAct_9fa48("9754") ? this.#firsts.length / 8 : (stryCov_9fa48("9754"), this.#firsts.length * 8));
    }
  }

  /** Appends the first `count` of `times`, which are ascending and come after all existing ones. */
  addSegment(times: Float64Array, count: number): void {
    if (stryMutAct_9fa48("9755")) {
      {}
    } else {
      stryCov_9fa48("9755");
      const first = times[0] as number;
      const isNear = stryMutAct_9fa48("9759") ? (times[count - 1] as number) - first > MAX_NEAR : stryMutAct_9fa48("9758") ? (times[count - 1] as number) - first < MAX_NEAR : stryMutAct_9fa48("9757") ? false : stryMutAct_9fa48("9756") ? true : (stryCov_9fa48("9756", "9757", "9758", "9759"), (stryMutAct_9fa48("9760") ? (times[count - 1] as number) + first : (stryCov_9fa48("9760"), (times[count - 1] as number) - first)) <= MAX_NEAR);
      const distances = isNear ? this.#roomFor(count) : new Float64Array(count);
      for (let at = 0; stryMutAct_9fa48("9763") ? at >= count : stryMutAct_9fa48("9762") ? at <= count : stryMutAct_9fa48("9761") ? false : (stryCov_9fa48("9761", "9762", "9763"), at < count); stryMutAct_9fa48("9764") ? at-- : (stryCov_9fa48("9764"), at++)) distances[at] = stryMutAct_9fa48("9765") ? (times[at] as number) + first : (stryCov_9fa48("9765"), (times[at] as number) - first);
      this.#firsts.push(first);
      this.#distances.push(distances);
      stryMutAct_9fa48("9766") ? this.#length -= count : (stryCov_9fa48("9766"), this.#length += count);
    }
  }
  #roomFor(count: number): Uint32Array {
    if (stryMutAct_9fa48("9767")) {
      {}
    } else {
      stryCov_9fa48("9767");
      if (stryMutAct_9fa48("9771") ? this.#room.length >= count : stryMutAct_9fa48("9770") ? this.#room.length <= count : stryMutAct_9fa48("9769") ? false : stryMutAct_9fa48("9768") ? true : (stryCov_9fa48("9768", "9769", "9770", "9771"), this.#room.length < count)) this.#room = new Uint32Array(stryMutAct_9fa48("9772") ? Math.min(count, Math.min(SLAB, this.#expected - this.#length)) : (stryCov_9fa48("9772"), Math.max(count, stryMutAct_9fa48("9773") ? Math.max(SLAB, this.#expected - this.#length) : (stryCov_9fa48("9773"), Math.min(SLAB, stryMutAct_9fa48("9774") ? this.#expected + this.#length : (stryCov_9fa48("9774"), this.#expected - this.#length))))));
      const room = this.#room.subarray(0, count);
      this.#room = this.#room.subarray(count);
      return room;
    }
  }

  /** Index of the first time that is not before this one. */
  placeOf(time: number): number {
    if (stryMutAct_9fa48("9775")) {
      {}
    } else {
      stryCov_9fa48("9775");
      if (stryMutAct_9fa48("9778") ? this.#length === 0 && time <= (this.#firsts[0] as number) : stryMutAct_9fa48("9777") ? false : stryMutAct_9fa48("9776") ? true : (stryCov_9fa48("9776", "9777", "9778"), (stryMutAct_9fa48("9780") ? this.#length !== 0 : stryMutAct_9fa48("9779") ? false : (stryCov_9fa48("9779", "9780"), this.#length === 0)) || (stryMutAct_9fa48("9783") ? time > (this.#firsts[0] as number) : stryMutAct_9fa48("9782") ? time < (this.#firsts[0] as number) : stryMutAct_9fa48("9781") ? false : (stryCov_9fa48("9781", "9782", "9783"), time <= (this.#firsts[0] as number))))) return 0;
      let low = 0;
      let high = this.#firsts.length;
      while (stryMutAct_9fa48("9786") ? high - low <= 1 : stryMutAct_9fa48("9785") ? high - low >= 1 : stryMutAct_9fa48("9784") ? false : (stryCov_9fa48("9784", "9785", "9786"), (stryMutAct_9fa48("9787") ? high + low : (stryCov_9fa48("9787"), high - low)) > 1)) {
        if (stryMutAct_9fa48("9788")) {
          {}
        } else {
          stryCov_9fa48("9788");
          const middle = (stryMutAct_9fa48("9789") ? low - high : (stryCov_9fa48("9789"), low + high)) >>> 1;
          if (stryMutAct_9fa48("9793") ? this.#firsts[middle] as number >= time : stryMutAct_9fa48("9792") ? (this.#firsts[middle] as number) <= time : stryMutAct_9fa48("9791") ? false : stryMutAct_9fa48("9790") ? true : (stryCov_9fa48("9790", "9791", "9792", "9793"), (this.#firsts[middle] as number) < time)) low = middle;else high = middle;
        }
      }
      const distance = stryMutAct_9fa48("9794") ? time + (this.#firsts[low] as number) : (stryCov_9fa48("9794"), time - (this.#firsts[low] as number));
      const distances = this.#distances[low] as Uint32Array | Float64Array;
      const segment = stryMutAct_9fa48("9795") ? low / SEGMENT : (stryCov_9fa48("9795"), low * SEGMENT);
      low = 0;
      high = distances.length;
      while (stryMutAct_9fa48("9798") ? low >= high : stryMutAct_9fa48("9797") ? low <= high : stryMutAct_9fa48("9796") ? false : (stryCov_9fa48("9796", "9797", "9798"), low < high)) {
        if (stryMutAct_9fa48("9799")) {
          {}
        } else {
          stryCov_9fa48("9799");
          const middle = (stryMutAct_9fa48("9800") ? low - high : (stryCov_9fa48("9800"), low + high)) >>> 1;
          if (stryMutAct_9fa48("9804") ? distances[middle] as number >= distance : stryMutAct_9fa48("9803") ? (distances[middle] as number) <= distance : stryMutAct_9fa48("9802") ? false : stryMutAct_9fa48("9801") ? true : (stryCov_9fa48("9801", "9802", "9803", "9804"), (distances[middle] as number) < distance)) low = stryMutAct_9fa48("9805") ? middle - 1 : (stryCov_9fa48("9805"), middle + 1);else high = middle;
        }
      }
      return stryMutAct_9fa48("9806") ? segment - low : (stryCov_9fa48("9806"), segment + low);
    }
  }
}

/** Sorted times, and the original index of each. Equal times keep their order. */
interface TimeOrder {
  readonly sorted: SortedTimes;
  readonly places: Chunks;
}

/** Radix sort from the lowest digit. O(n), in steps. */
export function* orderTimes(times: Chunks<Float64Array>): Generator<void, TimeOrder> {
  if (stryMutAct_9fa48("9807")) {
    {}
  } else {
    stryCov_9fa48("9807");
    const length = lengthOf(times);
    let [least, most] = stryMutAct_9fa48("9808") ? [] : (stryCov_9fa48("9808"), [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    let places = yield* zeros(length);
    let other = yield* zeros(length);
    for (let at = 0; stryMutAct_9fa48("9811") ? at >= length : stryMutAct_9fa48("9810") ? at <= length : stryMutAct_9fa48("9809") ? false : (stryCov_9fa48("9809", "9810", "9811"), at < length); stryMutAct_9fa48("9812") ? at-- : (stryCov_9fa48("9812"), at++)) {
      if (stryMutAct_9fa48("9813")) {
        {}
      } else {
        stryCov_9fa48("9813");
        const time = numberAt(times, at);
        if (stryMutAct_9fa48("9817") ? time >= least : stryMutAct_9fa48("9816") ? time <= least : stryMutAct_9fa48("9815") ? false : stryMutAct_9fa48("9814") ? true : (stryCov_9fa48("9814", "9815", "9816", "9817"), time < least)) least = time;
        if (stryMutAct_9fa48("9821") ? time <= most : stryMutAct_9fa48("9820") ? time >= most : stryMutAct_9fa48("9819") ? false : stryMutAct_9fa48("9818") ? true : (stryCov_9fa48("9818", "9819", "9820", "9821"), time > most)) most = time;
        (places[at >>> CHUNK_BITS] as Uint32Array)[at & CHUNK_MASK] = at;
        if (stryMutAct_9fa48("9824") ? at % SLICE !== 0 : stryMutAct_9fa48("9823") ? false : stryMutAct_9fa48("9822") ? true : (stryCov_9fa48("9822", "9823", "9824"), (stryMutAct_9fa48("9825") ? at * SLICE : (stryCov_9fa48("9825"), at % SLICE)) === 0)) yield;
      }
    }
    for (let scale = 1; stryMutAct_9fa48("9828") ? scale > most - least : stryMutAct_9fa48("9827") ? scale < most - least : stryMutAct_9fa48("9826") ? false : (stryCov_9fa48("9826", "9827", "9828"), scale <= (stryMutAct_9fa48("9829") ? most + least : (stryCov_9fa48("9829"), most - least))); stryMutAct_9fa48("9830") ? scale /= DIGITS : (stryCov_9fa48("9830"), scale *= DIGITS)) {
      if (stryMutAct_9fa48("9831")) {
        {}
      } else {
        stryCov_9fa48("9831");
        const starts = new Uint32Array(stryMutAct_9fa48("9832") ? DIGITS - 1 : (stryCov_9fa48("9832"), DIGITS + 1));
        const digitOf = stryMutAct_9fa48("9833") ? () => undefined : (stryCov_9fa48("9833"), (() => {
          const digitOf = (place: number) => stryMutAct_9fa48("9834") ? Math.floor((numberAt(times, place) - least) / scale) * DIGITS : (stryCov_9fa48("9834"), Math.floor(stryMutAct_9fa48("9835") ? (numberAt(times, place) - least) * scale : (stryCov_9fa48("9835"), (stryMutAct_9fa48("9836") ? numberAt(times, place) + least : (stryCov_9fa48("9836"), numberAt(times, place) - least)) / scale)) % DIGITS);
          return digitOf;
        })());
        for (let at = 0; stryMutAct_9fa48("9839") ? at >= length : stryMutAct_9fa48("9838") ? at <= length : stryMutAct_9fa48("9837") ? false : (stryCov_9fa48("9837", "9838", "9839"), at < length); stryMutAct_9fa48("9840") ? at-- : (stryCov_9fa48("9840"), at++)) {
          if (stryMutAct_9fa48("9841")) {
            {}
          } else {
            stryCov_9fa48("9841");
            const digit = stryMutAct_9fa48("9842") ? digitOf(at) - 1 : (stryCov_9fa48("9842"), digitOf(at) + 1);
            starts[digit] = stryMutAct_9fa48("9843") ? (starts[digit] as number) - 1 : (stryCov_9fa48("9843"), (starts[digit] as number) + 1);
            if (stryMutAct_9fa48("9846") ? at % SLICE !== 0 : stryMutAct_9fa48("9845") ? false : stryMutAct_9fa48("9844") ? true : (stryCov_9fa48("9844", "9845", "9846"), (stryMutAct_9fa48("9847") ? at * SLICE : (stryCov_9fa48("9847"), at % SLICE)) === 0)) yield;
          }
        }
        for (let digit = 1; stryMutAct_9fa48("9850") ? digit > DIGITS : stryMutAct_9fa48("9849") ? digit < DIGITS : stryMutAct_9fa48("9848") ? false : (stryCov_9fa48("9848", "9849", "9850"), digit <= DIGITS); stryMutAct_9fa48("9851") ? digit-- : (stryCov_9fa48("9851"), digit++)) {
          if (stryMutAct_9fa48("9852")) {
            {}
          } else {
            stryCov_9fa48("9852");
            starts[digit] = stryMutAct_9fa48("9853") ? (starts[digit] as number) - (starts[digit - 1] as number) : (stryCov_9fa48("9853"), (starts[digit] as number) + (starts[digit - 1] as number));
          }
        }
        for (let at = 0; stryMutAct_9fa48("9856") ? at >= length : stryMutAct_9fa48("9855") ? at <= length : stryMutAct_9fa48("9854") ? false : (stryCov_9fa48("9854", "9855", "9856"), at < length); stryMutAct_9fa48("9857") ? at-- : (stryCov_9fa48("9857"), at++)) {
          if (stryMutAct_9fa48("9858")) {
            {}
          } else {
            stryCov_9fa48("9858");
            const place = numberAt(places, at);
            const digit = digitOf(place);
            const to = starts[digit] as number;
            (other[to >>> CHUNK_BITS] as Uint32Array)[to & CHUNK_MASK] = place;
            starts[digit] = stryMutAct_9fa48("9859") ? to - 1 : (stryCov_9fa48("9859"), to + 1);
            if (stryMutAct_9fa48("9862") ? at % SLICE !== 0 : stryMutAct_9fa48("9861") ? false : stryMutAct_9fa48("9860") ? true : (stryCov_9fa48("9860", "9861", "9862"), (stryMutAct_9fa48("9863") ? at * SLICE : (stryCov_9fa48("9863"), at % SLICE)) === 0)) yield;
          }
        }
        ;
        [places, other] = stryMutAct_9fa48("9864") ? [] : (stryCov_9fa48("9864"), [other, places]);
      }
    }
    const sorted = new SortedTimes(length);
    const segment = new Float64Array(SEGMENT);
    for (let at = 0; stryMutAct_9fa48("9867") ? at >= length : stryMutAct_9fa48("9866") ? at <= length : stryMutAct_9fa48("9865") ? false : (stryCov_9fa48("9865", "9866", "9867"), at < length); stryMutAct_9fa48("9868") ? at-- : (stryCov_9fa48("9868"), at++)) {
      if (stryMutAct_9fa48("9869")) {
        {}
      } else {
        stryCov_9fa48("9869");
        segment[stryMutAct_9fa48("9870") ? at * SEGMENT : (stryCov_9fa48("9870"), at % SEGMENT)] = numberAt(times, numberAt(places, at));
        const filled = stryMutAct_9fa48("9871") ? at % SEGMENT - 1 : (stryCov_9fa48("9871"), (stryMutAct_9fa48("9872") ? at * SEGMENT : (stryCov_9fa48("9872"), at % SEGMENT)) + 1);
        if (stryMutAct_9fa48("9875") ? filled === SEGMENT && at === length - 1 : stryMutAct_9fa48("9874") ? false : stryMutAct_9fa48("9873") ? true : (stryCov_9fa48("9873", "9874", "9875"), (stryMutAct_9fa48("9877") ? filled !== SEGMENT : stryMutAct_9fa48("9876") ? false : (stryCov_9fa48("9876", "9877"), filled === SEGMENT)) || (stryMutAct_9fa48("9879") ? at !== length - 1 : stryMutAct_9fa48("9878") ? false : (stryCov_9fa48("9878", "9879"), at === (stryMutAct_9fa48("9880") ? length + 1 : (stryCov_9fa48("9880"), length - 1)))))) sorted.addSegment(segment, filled);
        if (stryMutAct_9fa48("9883") ? at % SLICE !== 0 : stryMutAct_9fa48("9882") ? false : stryMutAct_9fa48("9881") ? true : (stryCov_9fa48("9881", "9882", "9883"), (stryMutAct_9fa48("9884") ? at * SLICE : (stryCov_9fa48("9884"), at % SLICE)) === 0)) yield;
      }
    }
    return stryMutAct_9fa48("9885") ? {} : (stryCov_9fa48("9885"), {
      sorted,
      places
    });
  }
}

/** Runs a generator to its end without yielding. */
export function runAll<Result>(slices: Generator<void, Result>): Result {
  if (stryMutAct_9fa48("9886")) {
    {}
  } else {
    stryCov_9fa48("9886");
    if (stryMutAct_9fa48("9887")) {
      for (; false;) {
        const next = slices.next();
        if (next.done) return next.value;
      }
    } else {
      stryCov_9fa48("9887");
      for (;;) {
        if (stryMutAct_9fa48("9888")) {
          {}
        } else {
          stryCov_9fa48("9888");
          const next = slices.next();
          if (stryMutAct_9fa48("9890") ? false : stryMutAct_9fa48("9889") ? true : (stryCov_9fa48("9889", "9890"), next.done)) return next.value;
        }
      }
    }
  }
}