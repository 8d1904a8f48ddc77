// Times as text, exactly as Date writes them at a fraction of its price: a page of rows has up to two a row, and
// each message to a room has one.
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
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Days whose text is held, each in the place of its number: a power of two. */
const DAYS = 256;
const dayIn = new Float64Array(DAYS).fill(Number.NaN);
const dateIn: string[] = (stryMutAct_9fa48("3152") ? new Array() : (stryCov_9fa48("3152"), new Array(DAYS))).fill(stryMutAct_9fa48("3153") ? "Stryker was here!" : (stryCov_9fa48("3153"), ''));
/** `00:00:` to `23:59:`, `00.` to `59.`, and `000Z` to `999Z`. */
const minutes = Array.from(stryMutAct_9fa48("3154") ? {} : (stryCov_9fa48("3154"), {
  length: 1_440
}), stryMutAct_9fa48("3155") ? () => undefined : (stryCov_9fa48("3155"), (_, n) => stryMutAct_9fa48("3156") ? `` : (stryCov_9fa48("3156"), `${digits(Math.floor(stryMutAct_9fa48("3157") ? n * 60 : (stryCov_9fa48("3157"), n / 60)), 2)}:${digits(stryMutAct_9fa48("3158") ? n * 60 : (stryCov_9fa48("3158"), n % 60), 2)}:`)));
const seconds = Array.from(stryMutAct_9fa48("3159") ? {} : (stryCov_9fa48("3159"), {
  length: 60
}), stryMutAct_9fa48("3160") ? () => undefined : (stryCov_9fa48("3160"), (_, n) => stryMutAct_9fa48("3161") ? `` : (stryCov_9fa48("3161"), `${digits(n, 2)}.`)));
const parts = Array.from(stryMutAct_9fa48("3162") ? {} : (stryCov_9fa48("3162"), {
  length: 1_000
}), stryMutAct_9fa48("3163") ? () => undefined : (stryCov_9fa48("3163"), (_, n) => stryMutAct_9fa48("3164") ? `` : (stryCov_9fa48("3164"), `${digits(n, 3)}Z`)));

/** ISO 8601, UTC, milliseconds. `ms`: whole Unix milliseconds, 1970 to 9999. */
export function isoOf(ms: number): string {
  if (stryMutAct_9fa48("3165")) {
    {}
  } else {
    stryCov_9fa48("3165");
    const day = Math.floor(stryMutAct_9fa48("3166") ? ms * DAY_MS : (stryCov_9fa48("3166"), ms / DAY_MS));
    const place = stryMutAct_9fa48("3167") ? day * DAYS : (stryCov_9fa48("3167"), day % DAYS);
    if (stryMutAct_9fa48("3170") ? dayIn[place] === day : stryMutAct_9fa48("3169") ? false : stryMutAct_9fa48("3168") ? true : (stryCov_9fa48("3168", "3169", "3170"), dayIn[place] !== day)) {
      if (stryMutAct_9fa48("3171")) {
        {}
      } else {
        stryCov_9fa48("3171");
        dateIn[place] = stryMutAct_9fa48("3172") ? new Date(day * DAY_MS).toISOString() : (stryCov_9fa48("3172"), new Date(stryMutAct_9fa48("3173") ? day / DAY_MS : (stryCov_9fa48("3173"), day * DAY_MS)).toISOString().slice(0, (stryMutAct_9fa48("3174") ? "" : (stryCov_9fa48("3174"), 'yyyy-mm-ddT')).length));
        dayIn[place] = day;
      }
    }
    const inDay = stryMutAct_9fa48("3175") ? ms + day * DAY_MS : (stryCov_9fa48("3175"), ms - (stryMutAct_9fa48("3176") ? day / DAY_MS : (stryCov_9fa48("3176"), day * DAY_MS)));
    const inMinute = stryMutAct_9fa48("3177") ? inDay * MINUTE_MS : (stryCov_9fa48("3177"), inDay % MINUTE_MS);
    const minute = minutes[(inDay - inMinute) / MINUTE_MS] as string;
    const second = seconds[Math.floor(inMinute / SECOND_MS)] as string;
    return stryMutAct_9fa48("3178") ? (dateIn[place] as string) + minute + second - (parts[inMinute % SECOND_MS] as string) : (stryCov_9fa48("3178"), (stryMutAct_9fa48("3179") ? (dateIn[place] as string) + minute - second : (stryCov_9fa48("3179"), (stryMutAct_9fa48("3180") ? (dateIn[place] as string) - minute : (stryCov_9fa48("3180"), (dateIn[place] as string) + minute)) + second)) + (parts[inMinute % SECOND_MS] as string));
  }
}
function digits(n: number, length: number): string {
  if (stryMutAct_9fa48("3181")) {
    {}
  } else {
    stryCov_9fa48("3181");
    return String(n).padStart(length, stryMutAct_9fa48("3182") ? "" : (stryCov_9fa48("3182"), '0'));
  }
}