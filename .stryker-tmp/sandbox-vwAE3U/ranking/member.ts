// A ranked entry as one sort key: a string of ASCII (0x21 to 0x7e), called a member, whose byte order is rank order, best
// first. It orders by score in the board's ordering, then entries with a secondary score before those without, secondary
// score, time, id. A score of six digits without a secondary score and an id of 24 characters need 40 bytes.
//
//   member = number, mark, [number, mark,] time, id      the second pair only if the first mark says so
//   number = head, digits      head: sign and number of digits before the point; digits: without trailing zeros and point
//
// A number that ranks higher the larger it is is encoded negated. A negative number inverts everything: the head, each
// digit (9 - d), and the mark, which sorts below every digit of a positive number and above every digit of a negative one.
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
import type { Decimal } from '../domain/decimal.ts';
export type Ordering = 'asc' | 'desc';

/** The fields that decide an entry's rank. `id` is ASCII (0x21 to 0x7e). */
export interface RankedFields {
  readonly score: Decimal;
  readonly secondary: Decimal | null;
  /** Unix milliseconds, 1970 to 9999. */
  readonly timeMs: number;
  readonly id: string;
}
export interface Orderings {
  readonly ordering: Ordering;
  readonly secondaryOrdering: Ordering;
}

/** 9999-12-31T23:59:59.999Z. */
const MAX_TIME_MS = 253_402_300_799_999;
const MAX_ID_LENGTH = 255;
/** Two numbers of 50 characters and the time need less than 128 bytes. */
const scratch = Buffer.alloc(stryMutAct_9fa48("9139") ? 128 - MAX_ID_LENGTH : (stryCov_9fa48("9139"), 128 + MAX_ID_LENGTH));
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
/** Heads run from 0x41 (negative, 30 digits) through 0x5f (negative, none) and 0x60 (positive, none) to 0x7e. */
const HEAD_NEGATIVE = 0x5f;
const HEAD_POSITIVE = 0x60;
/** Marks after a number: a secondary score follows (this value), or does not (value + 1, which sorts later). */
const MARK_POSITIVE = 0x21;
const MARK_NEGATIVE = 0x7d;
/** Time: eight digits of six bits each, from 0x30 up. */
const TIME_LENGTH = 8;
const SIX_BITS = 0x3f;
const HALF_OF_TIME = 2 ** 24;
/** The range of an id's characters. */
const FIRST_PRINTABLE = 0x21;
const LAST_PRINTABLE = 0x7e;

/** Throws RangeError for a time or an id out of range. */
export function encodeMember(fields: RankedFields, orderings: Orderings): string {
  if (stryMutAct_9fa48("9140")) {
    {}
  } else {
    stryCov_9fa48("9140");
    const {
      score,
      secondary,
      timeMs,
      id
    } = fields;
    let end = writeNumber(0, score, orderings.ordering, stryMutAct_9fa48("9143") ? secondary === null : stryMutAct_9fa48("9142") ? false : stryMutAct_9fa48("9141") ? true : (stryCov_9fa48("9141", "9142", "9143"), secondary !== null));
    if (stryMutAct_9fa48("9146") ? secondary === null : stryMutAct_9fa48("9145") ? false : stryMutAct_9fa48("9144") ? true : (stryCov_9fa48("9144", "9145", "9146"), secondary !== null)) end = writeNumber(end, secondary, orderings.secondaryOrdering, stryMutAct_9fa48("9147") ? false : (stryCov_9fa48("9147"), true));
    end = writeTime(end, timeMs);
    end = writeId(end, id);
    return scratch.toString(stryMutAct_9fa48("9148") ? "" : (stryCov_9fa48("9148"), 'latin1'), 0, end);
  }
}

/**
 * The member of an entry with this id that shows a submission: `time` is ISO 8601, UTC. Throws RangeError as
 * `encodeMember`.
 */
export function memberOf({
  score,
  secondary,
  time
}: Pick<RankedFields, 'score' | 'secondary'> & {
  readonly time: string;
}, id: string, orderings: Orderings): string {
  if (stryMutAct_9fa48("9149")) {
    {}
  } else {
    stryCov_9fa48("9149");
    return encodeMember(stryMutAct_9fa48("9150") ? {} : (stryCov_9fa48("9150"), {
      score,
      secondary,
      timeMs: Date.parse(time),
      id
    }), orderings);
  }
}

/**
 * A bound between members: all members of scores that rank before `score` are less, and with `isAfter` those of the
 * score itself too; all others are greater. It is not a member and cannot be decoded.
 */
export function boundOfScore(score: Decimal, ordering: Ordering, isAfter: boolean): string {
  if (stryMutAct_9fa48("9151")) {
    {}
  } else {
    stryCov_9fa48("9151");
    const end = writeNumber(0, score, ordering, stryMutAct_9fa48("9152") ? false : (stryCov_9fa48("9152"), true));
    // The mark after a score is this value or the next. The value after both sorts behind them and before every digit
    // that could follow.
    if (stryMutAct_9fa48("9154") ? false : stryMutAct_9fa48("9153") ? true : (stryCov_9fa48("9153", "9154"), isAfter)) scratch[stryMutAct_9fa48("9155") ? end + 1 : (stryCov_9fa48("9155"), end - 1)] = stryMutAct_9fa48("9156") ? (scratch[end - 1] as number) - 2 : (stryCov_9fa48("9156"), (scratch[end - 1] as number) + 2);
    return scratch.toString(stryMutAct_9fa48("9157") ? "" : (stryCov_9fa48("9157"), 'latin1'), 0, end);
  }
}

/**
 * The prefix of a member that encodes score and secondary score: on one leaderboard the lesser prefix has the better
 * scores.
 */
export const scoreOfMember = stryMutAct_9fa48("9158") ? () => undefined : (stryCov_9fa48("9158"), (() => {
  const scoreOfMember = (member: string): string => stryMutAct_9fa48("9159") ? member : (stryCov_9fa48("9159"), member.slice(0, timeAt(member)));
  return scoreOfMember;
})());

/** The id at the end of a member. It can have any length: the fields before it determine where it begins. */
export function idOfMember(member: string): string {
  if (stryMutAct_9fa48("9160")) {
    {}
  } else {
    stryCov_9fa48("9160");
    return stryMutAct_9fa48("9161") ? member : (stryCov_9fa48("9161"), member.slice(stryMutAct_9fa48("9162") ? timeAt(member) - TIME_LENGTH : (stryCov_9fa48("9162"), timeAt(member) + TIME_LENGTH)));
  }
}

/** The time of a member in Unix milliseconds. */
export function timeOfMember(member: string): number {
  if (stryMutAct_9fa48("9163")) {
    {}
  } else {
    stryCov_9fa48("9163");
    let time = 0;
    const at = timeAt(member);
    for (let next = at; stryMutAct_9fa48("9166") ? next >= at + TIME_LENGTH : stryMutAct_9fa48("9165") ? next <= at + TIME_LENGTH : stryMutAct_9fa48("9164") ? false : (stryCov_9fa48("9164", "9165", "9166"), next < (stryMutAct_9fa48("9167") ? at - TIME_LENGTH : (stryCov_9fa48("9167"), at + TIME_LENGTH))); stryMutAct_9fa48("9168") ? next-- : (stryCov_9fa48("9168"), next++)) time = stryMutAct_9fa48("9169") ? time * (SIX_BITS + 1) + member.charCodeAt(next) + ZERO : (stryCov_9fa48("9169"), (stryMutAct_9fa48("9170") ? time * (SIX_BITS + 1) - member.charCodeAt(next) : (stryCov_9fa48("9170"), (stryMutAct_9fa48("9171") ? time / (SIX_BITS + 1) : (stryCov_9fa48("9171"), time * (stryMutAct_9fa48("9172") ? SIX_BITS - 1 : (stryCov_9fa48("9172"), SIX_BITS + 1)))) + member.charCodeAt(next))) - ZERO);
    return time;
  }
}
function timeAt(member: string): number {
  if (stryMutAct_9fa48("9173")) {
    {}
  } else {
    stryCov_9fa48("9173");
    let at = markAt(member, 1);
    const mark = member.charCodeAt(at);
    if (stryMutAct_9fa48("9176") ? mark === MARK_POSITIVE && mark === MARK_NEGATIVE : stryMutAct_9fa48("9175") ? false : stryMutAct_9fa48("9174") ? true : (stryCov_9fa48("9174", "9175", "9176"), (stryMutAct_9fa48("9178") ? mark !== MARK_POSITIVE : stryMutAct_9fa48("9177") ? false : (stryCov_9fa48("9177", "9178"), mark === MARK_POSITIVE)) || (stryMutAct_9fa48("9180") ? mark !== MARK_NEGATIVE : stryMutAct_9fa48("9179") ? false : (stryCov_9fa48("9179", "9180"), mark === MARK_NEGATIVE)))) at = markAt(member, stryMutAct_9fa48("9181") ? at - 2 : (stryCov_9fa48("9181"), at + 2));
    return stryMutAct_9fa48("9182") ? at - 1 : (stryCov_9fa48("9182"), at + 1);
  }
}

/** Like `timeOfMember` and `idOfMember`, for a member stored in bytes: its time, given the offset of its id. */
export function timeInBytes(bytes: Uint8Array, idAt: number): number {
  if (stryMutAct_9fa48("9183")) {
    {}
  } else {
    stryCov_9fa48("9183");
    let time = 0;
    for (let next = stryMutAct_9fa48("9184") ? idAt + TIME_LENGTH : (stryCov_9fa48("9184"), idAt - TIME_LENGTH); stryMutAct_9fa48("9187") ? next >= idAt : stryMutAct_9fa48("9186") ? next <= idAt : stryMutAct_9fa48("9185") ? false : (stryCov_9fa48("9185", "9186", "9187"), next < idAt); stryMutAct_9fa48("9188") ? next-- : (stryCov_9fa48("9188"), next++)) time = stryMutAct_9fa48("9189") ? time * (SIX_BITS + 1) + (bytes[next] as number) + ZERO : (stryCov_9fa48("9189"), (stryMutAct_9fa48("9190") ? time * (SIX_BITS + 1) - (bytes[next] as number) : (stryCov_9fa48("9190"), (stryMutAct_9fa48("9191") ? time / (SIX_BITS + 1) : (stryCov_9fa48("9191"), time * (stryMutAct_9fa48("9192") ? SIX_BITS - 1 : (stryCov_9fa48("9192"), SIX_BITS + 1)))) + (bytes[next] as number))) - ZERO);
    return time;
  }
}
export function idInBytes(bytes: Uint8Array, from: number): number {
  if (stryMutAct_9fa48("9193")) {
    {}
  } else {
    stryCov_9fa48("9193");
    let at = stryMutAct_9fa48("9194") ? from - 1 : (stryCov_9fa48("9194"), from + 1);
    while (stryMutAct_9fa48("9195") ? false : (stryCov_9fa48("9195"), isDigit(bytes[at] as number))) stryMutAct_9fa48("9196") ? at-- : (stryCov_9fa48("9196"), at++);
    const mark = bytes[at];
    if (stryMutAct_9fa48("9199") ? mark === MARK_POSITIVE && mark === MARK_NEGATIVE : stryMutAct_9fa48("9198") ? false : stryMutAct_9fa48("9197") ? true : (stryCov_9fa48("9197", "9198", "9199"), (stryMutAct_9fa48("9201") ? mark !== MARK_POSITIVE : stryMutAct_9fa48("9200") ? false : (stryCov_9fa48("9200", "9201"), mark === MARK_POSITIVE)) || (stryMutAct_9fa48("9203") ? mark !== MARK_NEGATIVE : stryMutAct_9fa48("9202") ? false : (stryCov_9fa48("9202", "9203"), mark === MARK_NEGATIVE)))) {
      if (stryMutAct_9fa48("9204")) {
        {}
      } else {
        stryCov_9fa48("9204");
        stryMutAct_9fa48("9205") ? at -= 2 : (stryCov_9fa48("9205"), at += 2);
        while (stryMutAct_9fa48("9206") ? false : (stryCov_9fa48("9206"), isDigit(bytes[at] as number))) stryMutAct_9fa48("9207") ? at-- : (stryCov_9fa48("9207"), at++);
      }
    }
    return stryMutAct_9fa48("9208") ? at + 1 - TIME_LENGTH : (stryCov_9fa48("9208"), (stryMutAct_9fa48("9209") ? at - 1 : (stryCov_9fa48("9209"), at + 1)) + TIME_LENGTH);
  }
}
const isDigit = stryMutAct_9fa48("9210") ? () => undefined : (stryCov_9fa48("9210"), (() => {
  const isDigit = (code: number): boolean => stryMutAct_9fa48("9213") ? code >= ZERO || code <= NINE : stryMutAct_9fa48("9212") ? false : stryMutAct_9fa48("9211") ? true : (stryCov_9fa48("9211", "9212", "9213"), (stryMutAct_9fa48("9216") ? code < ZERO : stryMutAct_9fa48("9215") ? code > ZERO : stryMutAct_9fa48("9214") ? true : (stryCov_9fa48("9214", "9215", "9216"), code >= ZERO)) && (stryMutAct_9fa48("9219") ? code > NINE : stryMutAct_9fa48("9218") ? code < NINE : stryMutAct_9fa48("9217") ? true : (stryCov_9fa48("9217", "9218", "9219"), code <= NINE)));
  return isDigit;
})());

/** The index of the next mark: the first character from `at` on that is not a digit. */
function markAt(member: string, at: number): number {
  if (stryMutAct_9fa48("9220")) {
    {}
  } else {
    stryCov_9fa48("9220");
    let code = member.charCodeAt(at);
    while (stryMutAct_9fa48("9222") ? code >= ZERO || code <= NINE : stryMutAct_9fa48("9221") ? false : (stryCov_9fa48("9221", "9222"), (stryMutAct_9fa48("9225") ? code < ZERO : stryMutAct_9fa48("9224") ? code > ZERO : stryMutAct_9fa48("9223") ? true : (stryCov_9fa48("9223", "9224", "9225"), code >= ZERO)) && (stryMutAct_9fa48("9228") ? code > NINE : stryMutAct_9fa48("9227") ? code < NINE : stryMutAct_9fa48("9226") ? true : (stryCov_9fa48("9226", "9227", "9228"), code <= NINE)))) code = member.charCodeAt(stryMutAct_9fa48("9229") ? --at : (stryCov_9fa48("9229"), ++at));
    return at;
  }
}

/** Writes a number and its mark at `at`; returns the end index. */
function writeNumber(at: number, value: Decimal, ordering: Ordering, secondaryFollows: boolean): number {
  if (stryMutAct_9fa48("9230")) {
    {}
  } else {
    stryCov_9fa48("9230");
    const start = (stryMutAct_9fa48("9233") ? value.charCodeAt(0) !== MINUS : stryMutAct_9fa48("9232") ? false : stryMutAct_9fa48("9231") ? true : (stryCov_9fa48("9231", "9232", "9233"), value.charCodeAt(0) === MINUS)) ? 1 : 0;
    const negative = stryMutAct_9fa48("9236") ? value !== '0' || start === 1 === (ordering === 'asc') : stryMutAct_9fa48("9235") ? false : stryMutAct_9fa48("9234") ? true : (stryCov_9fa48("9234", "9235", "9236"), (stryMutAct_9fa48("9238") ? value === '0' : stryMutAct_9fa48("9237") ? true : (stryCov_9fa48("9237", "9238"), value !== (stryMutAct_9fa48("9239") ? "" : (stryCov_9fa48("9239"), '0')))) && (stryMutAct_9fa48("9241") ? start === 1 !== (ordering === 'asc') : stryMutAct_9fa48("9240") ? true : (stryCov_9fa48("9240", "9241"), (stryMutAct_9fa48("9244") ? start !== 1 : stryMutAct_9fa48("9243") ? false : stryMutAct_9fa48("9242") ? true : (stryCov_9fa48("9242", "9243", "9244"), start === 1)) === (stryMutAct_9fa48("9247") ? ordering !== 'asc' : stryMutAct_9fa48("9246") ? false : stryMutAct_9fa48("9245") ? true : (stryCov_9fa48("9245", "9246", "9247"), ordering === (stryMutAct_9fa48("9248") ? "" : (stryCov_9fa48("9248"), 'asc')))))));
    const digits = stryMutAct_9fa48("9249") ? at - 1 : (stryCov_9fa48("9249"), at + 1);
    let next = digits;
    let end = digits;
    let whole = stryMutAct_9fa48("9250") ? +1 : (stryCov_9fa48("9250"), -1);
    // A 0 before the decimal point is not counted as a digit.
    for (let from = (stryMutAct_9fa48("9253") ? value.charCodeAt(start) !== ZERO : stryMutAct_9fa48("9252") ? false : stryMutAct_9fa48("9251") ? true : (stryCov_9fa48("9251", "9252", "9253"), value.charCodeAt(start) === ZERO)) ? stryMutAct_9fa48("9254") ? start - 1 : (stryCov_9fa48("9254"), start + 1) : start; stryMutAct_9fa48("9257") ? from >= value.length : stryMutAct_9fa48("9256") ? from <= value.length : stryMutAct_9fa48("9255") ? false : (stryCov_9fa48("9255", "9256", "9257"), from < value.length); stryMutAct_9fa48("9258") ? from-- : (stryCov_9fa48("9258"), from++)) {
      if (stryMutAct_9fa48("9259")) {
        {}
      } else {
        stryCov_9fa48("9259");
        const code = value.charCodeAt(from);
        if (stryMutAct_9fa48("9262") ? code !== POINT : stryMutAct_9fa48("9261") ? false : stryMutAct_9fa48("9260") ? true : (stryCov_9fa48("9260", "9261", "9262"), code === POINT)) {
          if (stryMutAct_9fa48("9263")) {
            {}
          } else {
            stryCov_9fa48("9263");
            whole = stryMutAct_9fa48("9264") ? next + digits : (stryCov_9fa48("9264"), next - digits);
          }
        } else {
          if (stryMutAct_9fa48("9265")) {
            {}
          } else {
            stryCov_9fa48("9265");
            scratch[stryMutAct_9fa48("9266") ? next-- : (stryCov_9fa48("9266"), next++)] = negative ? stryMutAct_9fa48("9267") ? ZERO + NINE + code : (stryCov_9fa48("9267"), (stryMutAct_9fa48("9268") ? ZERO - NINE : (stryCov_9fa48("9268"), ZERO + NINE)) - code) : code;
            if (stryMutAct_9fa48("9271") ? code === ZERO : stryMutAct_9fa48("9270") ? false : stryMutAct_9fa48("9269") ? true : (stryCov_9fa48("9269", "9270", "9271"), code !== ZERO)) end = next;
          }
        }
      }
    }
    if (stryMutAct_9fa48("9275") ? whole >= 0 : stryMutAct_9fa48("9274") ? whole <= 0 : stryMutAct_9fa48("9273") ? false : stryMutAct_9fa48("9272") ? true : (stryCov_9fa48("9272", "9273", "9274", "9275"), whole < 0)) whole = stryMutAct_9fa48("9276") ? next + digits : (stryCov_9fa48("9276"), next - digits);
    scratch[at] = negative ? stryMutAct_9fa48("9277") ? HEAD_NEGATIVE + whole : (stryCov_9fa48("9277"), HEAD_NEGATIVE - whole) : stryMutAct_9fa48("9278") ? HEAD_POSITIVE - whole : (stryCov_9fa48("9278"), HEAD_POSITIVE + whole);
    scratch[end] = stryMutAct_9fa48("9279") ? (negative ? MARK_NEGATIVE : MARK_POSITIVE) - (secondaryFollows ? 0 : 1) : (stryCov_9fa48("9279"), (negative ? MARK_NEGATIVE : MARK_POSITIVE) + (secondaryFollows ? 0 : 1));
    return stryMutAct_9fa48("9280") ? end - 1 : (stryCov_9fa48("9280"), end + 1);
  }
}
function writeTime(at: number, timeMs: number): number {
  if (stryMutAct_9fa48("9281")) {
    {}
  } else {
    stryCov_9fa48("9281");
    if (stryMutAct_9fa48("9284") ? (!Number.isInteger(timeMs) || timeMs < 0) && timeMs > MAX_TIME_MS : stryMutAct_9fa48("9283") ? false : stryMutAct_9fa48("9282") ? true : (stryCov_9fa48("9282", "9283", "9284"), (stryMutAct_9fa48("9286") ? !Number.isInteger(timeMs) && timeMs < 0 : stryMutAct_9fa48("9285") ? false : (stryCov_9fa48("9285", "9286"), (stryMutAct_9fa48("9287") ? Number.isInteger(timeMs) : (stryCov_9fa48("9287"), !Number.isInteger(timeMs))) || (stryMutAct_9fa48("9290") ? timeMs >= 0 : stryMutAct_9fa48("9289") ? timeMs <= 0 : stryMutAct_9fa48("9288") ? false : (stryCov_9fa48("9288", "9289", "9290"), timeMs < 0)))) || (stryMutAct_9fa48("9293") ? timeMs <= MAX_TIME_MS : stryMutAct_9fa48("9292") ? timeMs >= MAX_TIME_MS : stryMutAct_9fa48("9291") ? false : (stryCov_9fa48("9291", "9292", "9293"), timeMs > MAX_TIME_MS)))) {
      if (stryMutAct_9fa48("9294")) {
        {}
      } else {
        stryCov_9fa48("9294");
        throw new RangeError(stryMutAct_9fa48("9295") ? `` : (stryCov_9fa48("9295"), `a ranked time must be whole milliseconds from 1970 to 9999, not ${timeMs}`));
      }
    }
    const low = stryMutAct_9fa48("9296") ? timeMs * HALF_OF_TIME : (stryCov_9fa48("9296"), timeMs % HALF_OF_TIME);
    writeHalf(at, stryMutAct_9fa48("9297") ? (timeMs - low) * HALF_OF_TIME : (stryCov_9fa48("9297"), (stryMutAct_9fa48("9298") ? timeMs + low : (stryCov_9fa48("9298"), timeMs - low)) / HALF_OF_TIME));
    writeHalf(stryMutAct_9fa48("9299") ? at - TIME_LENGTH / 2 : (stryCov_9fa48("9299"), at + (stryMutAct_9fa48("9300") ? TIME_LENGTH * 2 : (stryCov_9fa48("9300"), TIME_LENGTH / 2))), low);
    return stryMutAct_9fa48("9301") ? at - TIME_LENGTH : (stryCov_9fa48("9301"), at + TIME_LENGTH);
  }
}

/** 24 bits as four digits of six bits. */
function writeHalf(at: number, bits: number): void {
  if (stryMutAct_9fa48("9302")) {
    {}
  } else {
    stryCov_9fa48("9302");
    scratch[at] = stryMutAct_9fa48("9303") ? ZERO - (bits >> 18) : (stryCov_9fa48("9303"), ZERO + (bits >> 18));
    scratch[stryMutAct_9fa48("9304") ? at - 1 : (stryCov_9fa48("9304"), at + 1)] = stryMutAct_9fa48("9305") ? ZERO - (bits >> 12 & SIX_BITS) : (stryCov_9fa48("9305"), ZERO + (bits >> 12 & SIX_BITS));
    scratch[stryMutAct_9fa48("9306") ? at - 2 : (stryCov_9fa48("9306"), at + 2)] = stryMutAct_9fa48("9307") ? ZERO - (bits >> 6 & SIX_BITS) : (stryCov_9fa48("9307"), ZERO + (bits >> 6 & SIX_BITS));
    scratch[stryMutAct_9fa48("9308") ? at - 3 : (stryCov_9fa48("9308"), at + 3)] = stryMutAct_9fa48("9309") ? ZERO - (bits & SIX_BITS) : (stryCov_9fa48("9309"), ZERO + (bits & SIX_BITS));
  }
}
function writeId(at: number, id: string): number {
  if (stryMutAct_9fa48("9310")) {
    {}
  } else {
    stryCov_9fa48("9310");
    if (stryMutAct_9fa48("9314") ? id.length <= MAX_ID_LENGTH : stryMutAct_9fa48("9313") ? id.length >= MAX_ID_LENGTH : stryMutAct_9fa48("9312") ? false : stryMutAct_9fa48("9311") ? true : (stryCov_9fa48("9311", "9312", "9313", "9314"), id.length > MAX_ID_LENGTH)) throw new RangeError(stryMutAct_9fa48("9315") ? `` : (stryCov_9fa48("9315"), `an id of ${id.length} characters cannot be ranked`));
    for (let from = 0; stryMutAct_9fa48("9318") ? from >= id.length : stryMutAct_9fa48("9317") ? from <= id.length : stryMutAct_9fa48("9316") ? false : (stryCov_9fa48("9316", "9317", "9318"), from < id.length); stryMutAct_9fa48("9319") ? from-- : (stryCov_9fa48("9319"), from++)) {
      if (stryMutAct_9fa48("9320")) {
        {}
      } else {
        stryCov_9fa48("9320");
        const code = id.charCodeAt(from);
        if (stryMutAct_9fa48("9323") ? code < FIRST_PRINTABLE && code > LAST_PRINTABLE : stryMutAct_9fa48("9322") ? false : stryMutAct_9fa48("9321") ? true : (stryCov_9fa48("9321", "9322", "9323"), (stryMutAct_9fa48("9326") ? code >= FIRST_PRINTABLE : stryMutAct_9fa48("9325") ? code <= FIRST_PRINTABLE : stryMutAct_9fa48("9324") ? false : (stryCov_9fa48("9324", "9325", "9326"), code < FIRST_PRINTABLE)) || (stryMutAct_9fa48("9329") ? code <= LAST_PRINTABLE : stryMutAct_9fa48("9328") ? code >= LAST_PRINTABLE : stryMutAct_9fa48("9327") ? false : (stryCov_9fa48("9327", "9328", "9329"), code > LAST_PRINTABLE)))) throw new RangeError(stryMutAct_9fa48("9330") ? "" : (stryCov_9fa48("9330"), 'a ranked id must be printable ASCII'));
        scratch[stryMutAct_9fa48("9331") ? at - from : (stryCov_9fa48("9331"), at + from)] = code;
      }
    }
    return stryMutAct_9fa48("9332") ? at - id.length : (stryCov_9fa48("9332"), at + id.length);
  }
}