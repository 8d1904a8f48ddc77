// Decodes a member (sort key) into the fields that it was encoded from (ranking/member.ts), exactly.
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
import type { RankedFields } from './member.ts';
const ZERO = 0x30;
const NINE = 0x39;
const HEAD_NEGATIVE = 0x5f;
const HEAD_POSITIVE = 0x60;
/** Marks that precede a secondary score. */
const SECONDARY_FOLLOWS: ReadonlySet<number> = new Set(stryMutAct_9fa48("9061") ? [] : (stryCov_9fa48("9061"), [0x21, 0x7d]));
const TIME_LENGTH = 8;
type Directions = {
  readonly ordering: 'asc' | 'desc';
  readonly secondaryOrdering: 'asc' | 'desc';
};

/** `by` must be the orderings that the member was encoded with. */
export function fieldsOfMember(member: string, by: Directions): RankedFields {
  if (stryMutAct_9fa48("9062")) {
    {}
  } else {
    stryCov_9fa48("9062");
    const {
      score,
      secondary,
      end
    } = scoresOfMember(member, by);
    return stryMutAct_9fa48("9063") ? {} : (stryCov_9fa48("9063"), {
      score,
      secondary,
      timeMs: timeAt(member, stryMutAct_9fa48("9064") ? end - 1 : (stryCov_9fa48("9064"), end + 1)),
      id: stryMutAct_9fa48("9065") ? member : (stryCov_9fa48("9065"), member.slice(stryMutAct_9fa48("9066") ? end + 1 - TIME_LENGTH : (stryCov_9fa48("9066"), (stryMutAct_9fa48("9067") ? end - 1 : (stryCov_9fa48("9067"), end + 1)) + TIME_LENGTH)))
    });
  }
}

/** Only the scores, and the index of the mark after them. */
export function scoresOfMember(member: string, {
  ordering,
  secondaryOrdering
}: Directions) {
  if (stryMutAct_9fa48("9068")) {
    {}
  } else {
    stryCov_9fa48("9068");
    const mark = markAt(member, 1);
    const score = numberOf(member, 0, mark, ordering);
    if (stryMutAct_9fa48("9071") ? false : stryMutAct_9fa48("9070") ? true : stryMutAct_9fa48("9069") ? SECONDARY_FOLLOWS.has(member.charCodeAt(mark)) : (stryCov_9fa48("9069", "9070", "9071"), !SECONDARY_FOLLOWS.has(member.charCodeAt(mark)))) return stryMutAct_9fa48("9072") ? {} : (stryCov_9fa48("9072"), {
      score,
      secondary: null,
      end: mark
    });
    const end = markAt(member, stryMutAct_9fa48("9073") ? mark - 2 : (stryCov_9fa48("9073"), mark + 2));
    return stryMutAct_9fa48("9074") ? {} : (stryCov_9fa48("9074"), {
      score,
      secondary: numberOf(member, stryMutAct_9fa48("9075") ? mark - 1 : (stryCov_9fa48("9075"), mark + 1), end, secondaryOrdering),
      end
    });
  }
}
function markAt(member: string, from: number): number {
  if (stryMutAct_9fa48("9076")) {
    {}
  } else {
    stryCov_9fa48("9076");
    let at = from;
    for (let code = member.charCodeAt(at); stryMutAct_9fa48("9078") ? code >= ZERO || code <= NINE : stryMutAct_9fa48("9077") ? false : (stryCov_9fa48("9077", "9078"), (stryMutAct_9fa48("9081") ? code < ZERO : stryMutAct_9fa48("9080") ? code > ZERO : stryMutAct_9fa48("9079") ? true : (stryCov_9fa48("9079", "9080", "9081"), code >= ZERO)) && (stryMutAct_9fa48("9084") ? code > NINE : stryMutAct_9fa48("9083") ? code < NINE : stryMutAct_9fa48("9082") ? true : (stryCov_9fa48("9082", "9083", "9084"), code <= NINE)));) code = member.charCodeAt(stryMutAct_9fa48("9085") ? --at : (stryCov_9fa48("9085"), ++at));
    return at;
  }
}
function numberOf(member: string, head: number, end: number, ordering: 'asc' | 'desc'): Decimal {
  if (stryMutAct_9fa48("9086")) {
    {}
  } else {
    stryCov_9fa48("9086");
    const code = member.charCodeAt(head);
    const isNegated = stryMutAct_9fa48("9090") ? code > HEAD_NEGATIVE : stryMutAct_9fa48("9089") ? code < HEAD_NEGATIVE : stryMutAct_9fa48("9088") ? false : stryMutAct_9fa48("9087") ? true : (stryCov_9fa48("9087", "9088", "9089", "9090"), code <= HEAD_NEGATIVE);
    const whole = isNegated ? stryMutAct_9fa48("9091") ? HEAD_NEGATIVE + code : (stryCov_9fa48("9091"), HEAD_NEGATIVE - code) : stryMutAct_9fa48("9092") ? code + HEAD_POSITIVE : (stryCov_9fa48("9092"), code - HEAD_POSITIVE);
    let digits = stryMutAct_9fa48("9093") ? member : (stryCov_9fa48("9093"), member.slice(stryMutAct_9fa48("9094") ? head - 1 : (stryCov_9fa48("9094"), head + 1), end));
    if (stryMutAct_9fa48("9096") ? false : stryMutAct_9fa48("9095") ? true : (stryCov_9fa48("9095", "9096"), isNegated)) digits = complemented(digits);
    const before = (stryMutAct_9fa48("9099") ? whole !== 0 : stryMutAct_9fa48("9098") ? false : stryMutAct_9fa48("9097") ? true : (stryCov_9fa48("9097", "9098", "9099"), whole === 0)) ? stryMutAct_9fa48("9100") ? "" : (stryCov_9fa48("9100"), '0') : stryMutAct_9fa48("9101") ? digits.padEnd(whole, '0') : (stryCov_9fa48("9101"), digits.slice(0, whole).padEnd(whole, stryMutAct_9fa48("9102") ? "" : (stryCov_9fa48("9102"), '0')));
    const after = stryMutAct_9fa48("9103") ? digits : (stryCov_9fa48("9103"), digits.slice(whole));
    const size = (stryMutAct_9fa48("9106") ? after !== '' : stryMutAct_9fa48("9105") ? false : stryMutAct_9fa48("9104") ? true : (stryCov_9fa48("9104", "9105", "9106"), after === (stryMutAct_9fa48("9107") ? "Stryker was here!" : (stryCov_9fa48("9107"), '')))) ? before : stryMutAct_9fa48("9108") ? `` : (stryCov_9fa48("9108"), `${before}.${after}`);
    // A number that ranks higher the larger it is was encoded negated; zero has no sign.
    const isNegative = stryMutAct_9fa48("9111") ? isNegated === (ordering === 'asc') || size !== '0' : stryMutAct_9fa48("9110") ? false : stryMutAct_9fa48("9109") ? true : (stryCov_9fa48("9109", "9110", "9111"), (stryMutAct_9fa48("9113") ? isNegated !== (ordering === 'asc') : stryMutAct_9fa48("9112") ? true : (stryCov_9fa48("9112", "9113"), isNegated === (stryMutAct_9fa48("9116") ? ordering !== 'asc' : stryMutAct_9fa48("9115") ? false : stryMutAct_9fa48("9114") ? true : (stryCov_9fa48("9114", "9115", "9116"), ordering === (stryMutAct_9fa48("9117") ? "" : (stryCov_9fa48("9117"), 'asc')))))) && (stryMutAct_9fa48("9119") ? size === '0' : stryMutAct_9fa48("9118") ? true : (stryCov_9fa48("9118", "9119"), size !== (stryMutAct_9fa48("9120") ? "" : (stryCov_9fa48("9120"), '0')))));
    return (isNegative ? `-${size}` : size) as Decimal;
  }
}

/** The nines' complement of each digit. */
function complemented(digits: string): string {
  if (stryMutAct_9fa48("9121")) {
    {}
  } else {
    stryCov_9fa48("9121");
    let made = stryMutAct_9fa48("9122") ? "Stryker was here!" : (stryCov_9fa48("9122"), '');
    for (let at = 0; stryMutAct_9fa48("9125") ? at >= digits.length : stryMutAct_9fa48("9124") ? at <= digits.length : stryMutAct_9fa48("9123") ? false : (stryCov_9fa48("9123", "9124", "9125"), at < digits.length); stryMutAct_9fa48("9126") ? at-- : (stryCov_9fa48("9126"), at++)) stryMutAct_9fa48("9127") ? made -= String.fromCharCode(ZERO + NINE - digits.charCodeAt(at)) : (stryCov_9fa48("9127"), made += String.fromCharCode(stryMutAct_9fa48("9128") ? ZERO + NINE + digits.charCodeAt(at) : (stryCov_9fa48("9128"), (stryMutAct_9fa48("9129") ? ZERO - NINE : (stryCov_9fa48("9129"), ZERO + NINE)) - digits.charCodeAt(at))));
    return made;
  }
}
function timeAt(member: string, at: number): number {
  if (stryMutAct_9fa48("9130")) {
    {}
  } else {
    stryCov_9fa48("9130");
    let ms = 0;
    for (let next = at; stryMutAct_9fa48("9133") ? next >= at + TIME_LENGTH : stryMutAct_9fa48("9132") ? next <= at + TIME_LENGTH : stryMutAct_9fa48("9131") ? false : (stryCov_9fa48("9131", "9132", "9133"), next < (stryMutAct_9fa48("9134") ? at - TIME_LENGTH : (stryCov_9fa48("9134"), at + TIME_LENGTH))); stryMutAct_9fa48("9135") ? next-- : (stryCov_9fa48("9135"), next++)) ms = stryMutAct_9fa48("9136") ? ms * 64 + member.charCodeAt(next) + ZERO : (stryCov_9fa48("9136"), (stryMutAct_9fa48("9137") ? ms * 64 - member.charCodeAt(next) : (stryCov_9fa48("9137"), (stryMutAct_9fa48("9138") ? ms / 64 : (stryCov_9fa48("9138"), ms * 64)) + member.charCodeAt(next))) - ZERO);
    return ms;
  }
}