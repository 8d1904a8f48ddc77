// A wavelet matrix (Claude, Navarro, Ordóñez: The wavelet matrix, Information Systems 47, 2015): a sequence of
// integers, one bit of each per level. It counts the numbers below a bound in any index range, in one step per level.
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
import { CHUNK_BITS, CHUNK_MASK, type Chunks, copy, lengthOf, zeros } from './chunks.ts';

/** A block has three words: the number of ones in the level before it, then 64 bits of the level. */
const BLOCK = 3;
const BLOCK_BITS = 64;
/** Numbers handled per step: some tenths of a millisecond at most. A chunk is a multiple of it. */
const SLICE = 4_096;
export class WaveletMatrix {
  readonly length: number;
  readonly #levels: number;
  /** The blocks of each level. */
  readonly #words: Uint32Array[] = stryMutAct_9fa48("9963") ? ["Stryker was here"] : (stryCov_9fa48("9963"), []);
  /** Number of zero bits per level. Numbers with a zero there come first on the next level. */
  readonly #zeros: Uint32Array;
  private constructor(length: number, levels: number) {
    if (stryMutAct_9fa48("9964")) {
      {}
    } else {
      stryCov_9fa48("9964");
      this.length = length;
      this.#levels = levels;
      this.#zeros = new Uint32Array(levels);
    }
  }
  get bytes(): number {
    if (stryMutAct_9fa48("9965")) {
      {}
    } else {
      stryCov_9fa48("9965");
      return this.#words.reduce(stryMutAct_9fa48("9966") ? () => undefined : (stryCov_9fa48("9966"), (sum, {
        byteLength
      }) => stryMutAct_9fa48("9967") ? sum - byteLength : (stryCov_9fa48("9967"), sum + byteLength)), 0);
    }
  }

  /** Builds from numbers below `bound`, which are overwritten. O(n log bound), in steps. */
  static *build(numbers: Chunks, bound: number): Generator<void, WaveletMatrix> {
    if (stryMutAct_9fa48("9968")) {
      {}
    } else {
      stryCov_9fa48("9968");
      const length = lengthOf(numbers);
      const made = new WaveletMatrix(length, stryMutAct_9fa48("9969") ? Math.min(1, 32 - Math.clz32(Math.max(0, bound - 1))) : (stryCov_9fa48("9969"), Math.max(1, stryMutAct_9fa48("9970") ? 32 + Math.clz32(Math.max(0, bound - 1)) : (stryCov_9fa48("9970"), 32 - Math.clz32(stryMutAct_9fa48("9971") ? Math.min(0, bound - 1) : (stryCov_9fa48("9971"), Math.max(0, stryMutAct_9fa48("9972") ? bound + 1 : (stryCov_9fa48("9972"), bound - 1))))))));
      const aside = yield* zeros(length);
      for (let level = 0; stryMutAct_9fa48("9975") ? level >= made.#levels : stryMutAct_9fa48("9974") ? level <= made.#levels : stryMutAct_9fa48("9973") ? false : (stryCov_9fa48("9973", "9974", "9975"), level < made.#levels); stryMutAct_9fa48("9976") ? level-- : (stryCov_9fa48("9976"), level++)) yield* made.#fill(level, numbers, aside);
      return made;
    }
  }
  *#fill(level: number, numbers: Chunks, aside: Chunks): Generator<void, void> {
    if (stryMutAct_9fa48("9977")) {
      {}
    } else {
      stryCov_9fa48("9977");
      const {
        length
      } = this;
      const words = new Uint32Array(stryMutAct_9fa48("9978") ? ((length >>> 6) + 1) / BLOCK : (stryCov_9fa48("9978"), (stryMutAct_9fa48("9979") ? (length >>> 6) - 1 : (stryCov_9fa48("9979"), (length >>> 6) + 1)) * BLOCK));
      this.#words.push(words);
      yield;
      const shift = stryMutAct_9fa48("9980") ? this.#levels - 1 + level : (stryCov_9fa48("9980"), (stryMutAct_9fa48("9981") ? this.#levels + 1 : (stryCov_9fa48("9981"), this.#levels - 1)) - level);
      let none = 0;
      let ones = 0;
      // The chunks that receive the next number with a zero bit and the next with a one bit.
      let low = numbers[0] as Uint32Array;
      let high = aside[0] as Uint32Array;
      for (let from = 0; stryMutAct_9fa48("9984") ? from >= length : stryMutAct_9fa48("9983") ? from <= length : stryMutAct_9fa48("9982") ? false : (stryCov_9fa48("9982", "9983", "9984"), from < length); stryMutAct_9fa48("9985") ? from -= SLICE : (stryCov_9fa48("9985"), from += SLICE)) {
        if (stryMutAct_9fa48("9986")) {
          {}
        } else {
          stryCov_9fa48("9986");
          const end = stryMutAct_9fa48("9987") ? Math.max(length, from + SLICE) : (stryCov_9fa48("9987"), Math.min(length, stryMutAct_9fa48("9988") ? from - SLICE : (stryCov_9fa48("9988"), from + SLICE)));
          const chunk = numbers[from >>> CHUNK_BITS] as Uint32Array;
          for (let at = from; stryMutAct_9fa48("9991") ? at >= end : stryMutAct_9fa48("9990") ? at <= end : stryMutAct_9fa48("9989") ? false : (stryCov_9fa48("9989", "9990", "9991"), at < end); stryMutAct_9fa48("9992") ? at-- : (stryCov_9fa48("9992"), at++)) {
            if (stryMutAct_9fa48("9993")) {
              {}
            } else {
              stryCov_9fa48("9993");
              const block = stryMutAct_9fa48("9994") ? (at >>> 6) / BLOCK : (stryCov_9fa48("9994"), (at >>> 6) * BLOCK);
              if (stryMutAct_9fa48("9997") ? at % BLOCK_BITS !== 0 : stryMutAct_9fa48("9996") ? false : stryMutAct_9fa48("9995") ? true : (stryCov_9fa48("9995", "9996", "9997"), (stryMutAct_9fa48("9998") ? at * BLOCK_BITS : (stryCov_9fa48("9998"), at % BLOCK_BITS)) === 0)) words[block] = ones;
              const number = chunk[at & CHUNK_MASK] as number;
              if (stryMutAct_9fa48("10000") ? false : stryMutAct_9fa48("9999") ? true : (stryCov_9fa48("9999", "10000"), number >>> shift & 1)) {
                if (stryMutAct_9fa48("10001")) {
                  {}
                } else {
                  stryCov_9fa48("10001");
                  const word = stryMutAct_9fa48("10002") ? block + 1 - (at >>> 5 & 1) : (stryCov_9fa48("10002"), (stryMutAct_9fa48("10003") ? block - 1 : (stryCov_9fa48("10003"), block + 1)) + (at >>> 5 & 1));
                  words[word] = (words[word] as number) | 1 << (at & 31);
                  high[(stryMutAct_9fa48("10004") ? ones-- : (stryCov_9fa48("10004"), ones++)) & CHUNK_MASK] = number;
                  if (stryMutAct_9fa48("10007") ? (ones & CHUNK_MASK) !== 0 : stryMutAct_9fa48("10006") ? false : stryMutAct_9fa48("10005") ? true : (stryCov_9fa48("10005", "10006", "10007"), (ones & CHUNK_MASK) === 0)) high = aside[ones >>> CHUNK_BITS] as Uint32Array;
                }
              } else {
                if (stryMutAct_9fa48("10008")) {
                  {}
                } else {
                  stryCov_9fa48("10008");
                  low[(stryMutAct_9fa48("10009") ? none-- : (stryCov_9fa48("10009"), none++)) & CHUNK_MASK] = number;
                  if (stryMutAct_9fa48("10012") ? (none & CHUNK_MASK) !== 0 : stryMutAct_9fa48("10011") ? false : stryMutAct_9fa48("10010") ? true : (stryCov_9fa48("10010", "10011", "10012"), (none & CHUNK_MASK) === 0)) low = numbers[none >>> CHUNK_BITS] as Uint32Array;
                }
              }
            }
          }
          yield;
        }
      }
      if (stryMutAct_9fa48("10015") ? length % BLOCK_BITS !== 0 : stryMutAct_9fa48("10014") ? false : stryMutAct_9fa48("10013") ? true : (stryCov_9fa48("10013", "10014", "10015"), (stryMutAct_9fa48("10016") ? length * BLOCK_BITS : (stryCov_9fa48("10016"), length % BLOCK_BITS)) === 0)) words[stryMutAct_9fa48("10017") ? (length >>> 6) / BLOCK : (stryCov_9fa48("10017"), (length >>> 6) * BLOCK)] = ones;
      yield* copy(aside, ones, numbers, none);
      this.#zeros[level] = none;
    }
  }

  /** The count of numbers below `bound` at indexes from `from` to before `to`. */
  count(from: number, to: number, bound: number): number {
    if (stryMutAct_9fa48("10018")) {
      {}
    } else {
      stryCov_9fa48("10018");
      if (stryMutAct_9fa48("10021") ? from >= to && bound <= 0 : stryMutAct_9fa48("10020") ? false : stryMutAct_9fa48("10019") ? true : (stryCov_9fa48("10019", "10020", "10021"), (stryMutAct_9fa48("10024") ? from < to : stryMutAct_9fa48("10023") ? from > to : stryMutAct_9fa48("10022") ? false : (stryCov_9fa48("10022", "10023", "10024"), from >= to)) || (stryMutAct_9fa48("10027") ? bound > 0 : stryMutAct_9fa48("10026") ? bound < 0 : stryMutAct_9fa48("10025") ? false : (stryCov_9fa48("10025", "10026", "10027"), bound <= 0)))) return 0;
      if (stryMutAct_9fa48("10030") ? this.#levels < 32 || bound >>> this.#levels > 0 : stryMutAct_9fa48("10029") ? false : stryMutAct_9fa48("10028") ? true : (stryCov_9fa48("10028", "10029", "10030"), (stryMutAct_9fa48("10033") ? this.#levels >= 32 : stryMutAct_9fa48("10032") ? this.#levels <= 32 : stryMutAct_9fa48("10031") ? true : (stryCov_9fa48("10031", "10032", "10033"), this.#levels < 32)) && (stryMutAct_9fa48("10036") ? bound >>> this.#levels <= 0 : stryMutAct_9fa48("10035") ? bound >>> this.#levels >= 0 : stryMutAct_9fa48("10034") ? true : (stryCov_9fa48("10034", "10035", "10036"), bound >>> this.#levels > 0)))) return stryMutAct_9fa48("10037") ? to + from : (stryCov_9fa48("10037"), to - from);
      let low = from;
      let high = to;
      let count = 0;
      for (let level = 0; stryMutAct_9fa48("10039") ? level < this.#levels || low < high : stryMutAct_9fa48("10038") ? false : (stryCov_9fa48("10038", "10039"), (stryMutAct_9fa48("10042") ? level >= this.#levels : stryMutAct_9fa48("10041") ? level <= this.#levels : stryMutAct_9fa48("10040") ? true : (stryCov_9fa48("10040", "10041", "10042"), level < this.#levels)) && (stryMutAct_9fa48("10045") ? low >= high : stryMutAct_9fa48("10044") ? low <= high : stryMutAct_9fa48("10043") ? true : (stryCov_9fa48("10043", "10044", "10045"), low < high))); stryMutAct_9fa48("10046") ? level-- : (stryCov_9fa48("10046"), level++)) {
        if (stryMutAct_9fa48("10047")) {
          {}
        } else {
          stryCov_9fa48("10047");
          const words = this.#words[level] as Uint32Array;
          const lowOnes = ones(words, low);
          const highOnes = ones(words, high);
          if (stryMutAct_9fa48("10049") ? false : stryMutAct_9fa48("10048") ? true : (stryCov_9fa48("10048", "10049"), bound >>> (stryMutAct_9fa48("10050") ? this.#levels - 1 + level : (stryCov_9fa48("10050"), (stryMutAct_9fa48("10051") ? this.#levels + 1 : (stryCov_9fa48("10051"), this.#levels - 1)) - level)) & 1)) {
            if (stryMutAct_9fa48("10052")) {
              {}
            } else {
              stryCov_9fa48("10052");
              stryMutAct_9fa48("10053") ? count -= high - highOnes - (low - lowOnes) : (stryCov_9fa48("10053"), count += stryMutAct_9fa48("10054") ? high - highOnes + (low - lowOnes) : (stryCov_9fa48("10054"), (stryMutAct_9fa48("10055") ? high + highOnes : (stryCov_9fa48("10055"), high - highOnes)) - (stryMutAct_9fa48("10056") ? low + lowOnes : (stryCov_9fa48("10056"), low - lowOnes))));
              const zeros = this.#zeros[level] as number;
              low = stryMutAct_9fa48("10057") ? zeros - lowOnes : (stryCov_9fa48("10057"), zeros + lowOnes);
              high = stryMutAct_9fa48("10058") ? zeros - highOnes : (stryCov_9fa48("10058"), zeros + highOnes);
            }
          } else {
            if (stryMutAct_9fa48("10059")) {
              {}
            } else {
              stryCov_9fa48("10059");
              stryMutAct_9fa48("10060") ? low += lowOnes : (stryCov_9fa48("10060"), low -= lowOnes);
              stryMutAct_9fa48("10061") ? high += highOnes : (stryCov_9fa48("10061"), high -= highOnes);
            }
          }
        }
      }
      return count;
    }
  }

  /** The least number that is not below `bound` at indexes from `from` to before `to`, or -1. */
  atLeast(from: number, to: number, bound: number): number {
    if (stryMutAct_9fa48("10062")) {
      {}
    } else {
      stryCov_9fa48("10062");
      if (stryMutAct_9fa48("10065") ? from >= to && this.#levels < 32 && bound >>> this.#levels > 0 : stryMutAct_9fa48("10064") ? false : stryMutAct_9fa48("10063") ? true : (stryCov_9fa48("10063", "10064", "10065"), (stryMutAct_9fa48("10068") ? from < to : stryMutAct_9fa48("10067") ? from > to : stryMutAct_9fa48("10066") ? false : (stryCov_9fa48("10066", "10067", "10068"), from >= to)) || (stryMutAct_9fa48("10070") ? this.#levels < 32 || bound >>> this.#levels > 0 : stryMutAct_9fa48("10069") ? false : (stryCov_9fa48("10069", "10070"), (stryMutAct_9fa48("10073") ? this.#levels >= 32 : stryMutAct_9fa48("10072") ? this.#levels <= 32 : stryMutAct_9fa48("10071") ? true : (stryCov_9fa48("10071", "10072", "10073"), this.#levels < 32)) && (stryMutAct_9fa48("10076") ? bound >>> this.#levels <= 0 : stryMutAct_9fa48("10075") ? bound >>> this.#levels >= 0 : stryMutAct_9fa48("10074") ? true : (stryCov_9fa48("10074", "10075", "10076"), bound >>> this.#levels > 0)))))) return stryMutAct_9fa48("10077") ? +1 : (stryCov_9fa48("10077"), -1);
      let low = from;
      let high = to;
      /** The deepest level at which numbers larger than the followed ones exist, and their range on the next level. */
      let other = stryMutAct_9fa48("10078") ? +1 : (stryCov_9fa48("10078"), -1);
      let otherLow = 0;
      let otherHigh = 0;
      let level = 0;
      for (; stryMutAct_9fa48("10080") ? level < this.#levels || low < high : stryMutAct_9fa48("10079") ? false : (stryCov_9fa48("10079", "10080"), (stryMutAct_9fa48("10083") ? level >= this.#levels : stryMutAct_9fa48("10082") ? level <= this.#levels : stryMutAct_9fa48("10081") ? true : (stryCov_9fa48("10081", "10082", "10083"), level < this.#levels)) && (stryMutAct_9fa48("10086") ? low >= high : stryMutAct_9fa48("10085") ? low <= high : stryMutAct_9fa48("10084") ? true : (stryCov_9fa48("10084", "10085", "10086"), low < high))); stryMutAct_9fa48("10087") ? level-- : (stryCov_9fa48("10087"), level++)) {
        if (stryMutAct_9fa48("10088")) {
          {}
        } else {
          stryCov_9fa48("10088");
          const words = this.#words[level] as Uint32Array;
          const zeros = this.#zeros[level] as number;
          const lowOnes = ones(words, low);
          const highOnes = ones(words, high);
          if (stryMutAct_9fa48("10090") ? false : stryMutAct_9fa48("10089") ? true : (stryCov_9fa48("10089", "10090"), bound >>> (stryMutAct_9fa48("10091") ? this.#levels - 1 + level : (stryCov_9fa48("10091"), (stryMutAct_9fa48("10092") ? this.#levels + 1 : (stryCov_9fa48("10092"), this.#levels - 1)) - level)) & 1)) {
            if (stryMutAct_9fa48("10093")) {
              {}
            } else {
              stryCov_9fa48("10093");
              low = stryMutAct_9fa48("10094") ? zeros - lowOnes : (stryCov_9fa48("10094"), zeros + lowOnes);
              high = stryMutAct_9fa48("10095") ? zeros - highOnes : (stryCov_9fa48("10095"), zeros + highOnes);
              continue;
            }
          }
          if (stryMutAct_9fa48("10099") ? lowOnes >= highOnes : stryMutAct_9fa48("10098") ? lowOnes <= highOnes : stryMutAct_9fa48("10097") ? false : stryMutAct_9fa48("10096") ? true : (stryCov_9fa48("10096", "10097", "10098", "10099"), lowOnes < highOnes)) {
            if (stryMutAct_9fa48("10100")) {
              {}
            } else {
              stryCov_9fa48("10100");
              other = level;
              otherLow = stryMutAct_9fa48("10101") ? zeros - lowOnes : (stryCov_9fa48("10101"), zeros + lowOnes);
              otherHigh = stryMutAct_9fa48("10102") ? zeros - highOnes : (stryCov_9fa48("10102"), zeros + highOnes);
            }
          }
          stryMutAct_9fa48("10103") ? low += lowOnes : (stryCov_9fa48("10103"), low -= lowOnes);
          stryMutAct_9fa48("10104") ? high += highOnes : (stryCov_9fa48("10104"), high -= highOnes);
        }
      }
      if (stryMutAct_9fa48("10108") ? low >= high : stryMutAct_9fa48("10107") ? low <= high : stryMutAct_9fa48("10106") ? false : stryMutAct_9fa48("10105") ? true : (stryCov_9fa48("10105", "10106", "10107", "10108"), low < high)) return bound;
      if (stryMutAct_9fa48("10112") ? other >= 0 : stryMutAct_9fa48("10111") ? other <= 0 : stryMutAct_9fa48("10110") ? false : stryMutAct_9fa48("10109") ? true : (stryCov_9fa48("10109", "10110", "10111", "10112"), other < 0)) return stryMutAct_9fa48("10113") ? +1 : (stryCov_9fa48("10113"), -1);
      const shift = stryMutAct_9fa48("10114") ? this.#levels - 1 + other : (stryCov_9fa48("10114"), (stryMutAct_9fa48("10115") ? this.#levels + 1 : (stryCov_9fa48("10115"), this.#levels - 1)) - other);
      return this.#least(stryMutAct_9fa48("10116") ? other - 1 : (stryCov_9fa48("10116"), other + 1), otherLow, otherHigh, stryMutAct_9fa48("10117") ? (bound >>> shift | 1) / 2 ** shift : (stryCov_9fa48("10117"), (bound >>> shift | 1) * 2 ** shift));
    }
  }

  /** The least number in a range of a level, given the bits of the levels above. */
  #least(from: number, fromLow: number, fromHigh: number, known: number): number {
    if (stryMutAct_9fa48("10118")) {
      {}
    } else {
      stryCov_9fa48("10118");
      let low = fromLow;
      let high = fromHigh;
      let number = known;
      for (let level = from; stryMutAct_9fa48("10121") ? level >= this.#levels : stryMutAct_9fa48("10120") ? level <= this.#levels : stryMutAct_9fa48("10119") ? false : (stryCov_9fa48("10119", "10120", "10121"), level < this.#levels); stryMutAct_9fa48("10122") ? level-- : (stryCov_9fa48("10122"), level++)) {
        if (stryMutAct_9fa48("10123")) {
          {}
        } else {
          stryCov_9fa48("10123");
          const words = this.#words[level] as Uint32Array;
          const lowOnes = ones(words, low);
          const highOnes = ones(words, high);
          if (stryMutAct_9fa48("10127") ? high - highOnes <= low - lowOnes : stryMutAct_9fa48("10126") ? high - highOnes >= low - lowOnes : stryMutAct_9fa48("10125") ? false : stryMutAct_9fa48("10124") ? true : (stryCov_9fa48("10124", "10125", "10126", "10127"), (stryMutAct_9fa48("10128") ? high + highOnes : (stryCov_9fa48("10128"), high - highOnes)) > (stryMutAct_9fa48("10129") ? low + lowOnes : (stryCov_9fa48("10129"), low - lowOnes)))) {
            if (stryMutAct_9fa48("10130")) {
              {}
            } else {
              stryCov_9fa48("10130");
              stryMutAct_9fa48("10131") ? low += lowOnes : (stryCov_9fa48("10131"), low -= lowOnes);
              stryMutAct_9fa48("10132") ? high += highOnes : (stryCov_9fa48("10132"), high -= highOnes);
            }
          } else {
            if (stryMutAct_9fa48("10133")) {
              {}
            } else {
              stryCov_9fa48("10133");
              const zeros = this.#zeros[level] as number;
              low = stryMutAct_9fa48("10134") ? zeros - lowOnes : (stryCov_9fa48("10134"), zeros + lowOnes);
              high = stryMutAct_9fa48("10135") ? zeros - highOnes : (stryCov_9fa48("10135"), zeros + highOnes);
              stryMutAct_9fa48("10136") ? number -= 2 ** (this.#levels - 1 - level) : (stryCov_9fa48("10136"), number += 2 ** (stryMutAct_9fa48("10137") ? this.#levels - 1 + level : (stryCov_9fa48("10137"), (stryMutAct_9fa48("10138") ? this.#levels + 1 : (stryCov_9fa48("10138"), this.#levels - 1)) - level)));
            }
          }
        }
      }
      return number;
    }
  }
}

/** The number of ones in a level before an index. */
function ones(words: Uint32Array, place: number): number {
  if (stryMutAct_9fa48("10139")) {
    {}
  } else {
    stryCov_9fa48("10139");
    const block = stryMutAct_9fa48("10140") ? (place >>> 6) / BLOCK : (stryCov_9fa48("10140"), (place >>> 6) * BLOCK);
    const mask = stryMutAct_9fa48("10141") ? (1 << (place & 31)) + 1 : (stryCov_9fa48("10141"), (1 << (place & 31)) - 1);
    const first = words[block + 1] as number;
    if (stryMutAct_9fa48("10144") ? (place & 32) !== 0 : stryMutAct_9fa48("10143") ? false : stryMutAct_9fa48("10142") ? true : (stryCov_9fa48("10142", "10143", "10144"), (place & 32) === 0)) return stryMutAct_9fa48("10145") ? (words[block] as number) - bitsOf(first & mask) : (stryCov_9fa48("10145"), (words[block] as number) + bitsOf(first & mask));
    return stryMutAct_9fa48("10146") ? (words[block] as number) + bitsOf(first) - bitsOf((words[block + 2] as number) & mask) : (stryCov_9fa48("10146"), (stryMutAct_9fa48("10147") ? (words[block] as number) - bitsOf(first) : (stryCov_9fa48("10147"), (words[block] as number) + bitsOf(first))) + bitsOf((words[block + 2] as number) & mask));
  }
}
function bitsOf(word: number): number {
  if (stryMutAct_9fa48("10148")) {
    {}
  } else {
    stryCov_9fa48("10148");
    const pairs = stryMutAct_9fa48("10149") ? word + (word >>> 1 & 0x55555555) : (stryCov_9fa48("10149"), word - (word >>> 1 & 0x55555555));
    const fours = stryMutAct_9fa48("10150") ? (pairs & 0x33333333) - (pairs >>> 2 & 0x33333333) : (stryCov_9fa48("10150"), (pairs & 0x33333333) + (pairs >>> 2 & 0x33333333));
    return Math.imul((stryMutAct_9fa48("10151") ? fours - (fours >>> 4) : (stryCov_9fa48("10151"), fours + (fours >>> 4))) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
}