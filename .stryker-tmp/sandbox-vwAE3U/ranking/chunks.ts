// Number lists split into chunks. A single array of a million numbers would pause the process for milliseconds when it
// is allocated or first touched.

/** Numbers per chunk; the last chunk may be shorter. */function stryNS_9fa48() {
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
export const CHUNK_BITS = 16;
export const CHUNK_SIZE = 1 << CHUNK_BITS;
export const CHUNK_MASK = stryMutAct_9fa48("9019") ? CHUNK_SIZE + 1 : (stryCov_9fa48("9019"), CHUNK_SIZE - 1);
export type Chunks<Numbers extends Uint32Array | Float64Array = Uint32Array> = readonly Numbers[];

/** Allocates this many zeros, one chunk per step, and touches their memory. */
export function* zeros(length: number): Generator<void, Uint32Array[]> {
  if (stryMutAct_9fa48("9020")) {
    {}
  } else {
    stryCov_9fa48("9020");
    const chunks: Uint32Array[] = stryMutAct_9fa48("9021") ? ["Stryker was here"] : (stryCov_9fa48("9021"), []);
    for (let from = 0; stryMutAct_9fa48("9024") ? from >= length : stryMutAct_9fa48("9023") ? from <= length : stryMutAct_9fa48("9022") ? false : (stryCov_9fa48("9022", "9023", "9024"), from < length); stryMutAct_9fa48("9025") ? from -= CHUNK_SIZE : (stryCov_9fa48("9025"), from += CHUNK_SIZE)) {
      if (stryMutAct_9fa48("9026")) {
        {}
      } else {
        stryCov_9fa48("9026");
        chunks.push(new Uint32Array(stryMutAct_9fa48("9027") ? Math.max(CHUNK_SIZE, length - from) : (stryCov_9fa48("9027"), Math.min(CHUNK_SIZE, stryMutAct_9fa48("9028") ? length + from : (stryCov_9fa48("9028"), length - from)))).fill(0));
        yield;
      }
    }
    return chunks;
  }
}

/** Copies the first `count` numbers of `from` to index `to` of `into`. */
export function* copy(from: Chunks, count: number, into: Chunks, to: number): Generator<void> {
  if (stryMutAct_9fa48("9029")) {
    {}
  } else {
    stryCov_9fa48("9029");
    for (let at = 0; stryMutAct_9fa48("9032") ? at >= count : stryMutAct_9fa48("9031") ? at <= count : stryMutAct_9fa48("9030") ? false : (stryCov_9fa48("9030", "9031", "9032"), at < count);) {
      if (stryMutAct_9fa48("9033")) {
        {}
      } else {
        stryCov_9fa48("9033");
        const [source, target] = stryMutAct_9fa48("9034") ? [] : (stryCov_9fa48("9034"), [from[at >>> CHUNK_BITS] as Uint32Array, into[to + at >>> CHUNK_BITS] as Uint32Array]);
        const [first, place] = stryMutAct_9fa48("9035") ? [] : (stryCov_9fa48("9035"), [at & CHUNK_MASK, (stryMutAct_9fa48("9036") ? to - at : (stryCov_9fa48("9036"), to + at)) & CHUNK_MASK]);
        const length = stryMutAct_9fa48("9037") ? Math.max(count - at, CHUNK_SIZE - first, CHUNK_SIZE - place) : (stryCov_9fa48("9037"), Math.min(stryMutAct_9fa48("9038") ? count + at : (stryCov_9fa48("9038"), count - at), stryMutAct_9fa48("9039") ? CHUNK_SIZE + first : (stryCov_9fa48("9039"), CHUNK_SIZE - first), stryMutAct_9fa48("9040") ? CHUNK_SIZE + place : (stryCov_9fa48("9040"), CHUNK_SIZE - place)));
        target.set(source.subarray(first, stryMutAct_9fa48("9041") ? first - length : (stryCov_9fa48("9041"), first + length)), place);
        stryMutAct_9fa48("9042") ? at -= length : (stryCov_9fa48("9042"), at += length);
        yield;
      }
    }
  }
}

/** Splits an array into chunks without copying. */
export function asChunks<Numbers extends Uint32Array | Float64Array>(numbers: Numbers): Chunks<Numbers> {
  if (stryMutAct_9fa48("9043")) {
    {}
  } else {
    stryCov_9fa48("9043");
    const chunks = Array.from(stryMutAct_9fa48("9044") ? {} : (stryCov_9fa48("9044"), {
      length: Math.ceil(stryMutAct_9fa48("9045") ? numbers.length * CHUNK_SIZE : (stryCov_9fa48("9045"), numbers.length / CHUNK_SIZE))
    }), stryMutAct_9fa48("9046") ? () => undefined : (stryCov_9fa48("9046"), (_, chunk) => numbers.subarray(stryMutAct_9fa48("9047") ? chunk / CHUNK_SIZE : (stryCov_9fa48("9047"), chunk * CHUNK_SIZE), stryMutAct_9fa48("9048") ? (chunk + 1) / CHUNK_SIZE : (stryCov_9fa48("9048"), (stryMutAct_9fa48("9049") ? chunk - 1 : (stryCov_9fa48("9049"), chunk + 1)) * CHUNK_SIZE))));
    return chunks as Numbers[];
  }
}
export const lengthOf = stryMutAct_9fa48("9050") ? () => undefined : (stryCov_9fa48("9050"), (() => {
  const lengthOf = (chunks: Chunks<Uint32Array | Float64Array>): number => (stryMutAct_9fa48("9053") ? chunks.length !== 0 : stryMutAct_9fa48("9052") ? false : stryMutAct_9fa48("9051") ? true : (stryCov_9fa48("9051", "9052", "9053"), chunks.length === 0)) ? 0 : stryMutAct_9fa48("9054") ? (chunks.length - 1) * CHUNK_SIZE - (chunks.at(-1) as Uint32Array).length : (stryCov_9fa48("9054"), (stryMutAct_9fa48("9055") ? (chunks.length - 1) / CHUNK_SIZE : (stryCov_9fa48("9055"), (stryMutAct_9fa48("9056") ? chunks.length + 1 : (stryCov_9fa48("9056"), chunks.length - 1)) * CHUNK_SIZE)) + (chunks.at(-1) as Uint32Array).length);
  return lengthOf;
})());
export const bytesOfChunks = stryMutAct_9fa48("9057") ? () => undefined : (stryCov_9fa48("9057"), (() => {
  const bytesOfChunks = (chunks: Chunks): number => chunks.reduce(stryMutAct_9fa48("9058") ? () => undefined : (stryCov_9fa48("9058"), (sum, {
    byteLength
  }) => stryMutAct_9fa48("9059") ? sum - byteLength : (stryCov_9fa48("9059"), sum + byteLength)), 0);
  return bytesOfChunks;
})());
export const numberAt = stryMutAct_9fa48("9060") ? () => undefined : (stryCov_9fa48("9060"), (() => {
  const numberAt = (chunks: Chunks<Uint32Array | Float64Array>, at: number): number => (chunks[at >>> CHUNK_BITS] as Uint32Array)[at & CHUNK_MASK] as number;
  return numberAt;
})());