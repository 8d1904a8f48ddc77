// What of a month's bytes downloads may take: decisions on a bucket's quota. Nothing is sent that was not counted under
// the limit before, and what is promised to those who use none of it gives way to those who hold less.
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
import type { BucketLimits } from './bucket.ts';
import type { Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import { asOfMinute, type QuotaEvent, unsent } from './quota.ts';
import type { Quota } from './quota-state.ts';

/** What one asker may hold promised and not sent is this part of the month's bytes; or one file, where that is more. */
const ASKER_PART = stryMutAct_9fa48("2181") ? 1 * 8 : (stryCov_9fa48("2181"), 1 / 8);
/** A node counts ahead at most this part of what is still free. */
const AHEAD_PART = stryMutAct_9fa48("2182") ? 1 * 16 : (stryCov_9fa48("2182"), 1 / 16);

/**
 * Promises a download of so many bytes in this month. Links cost nothing to ask for, so who would hold more than their
 * part gives up all that was promised to them before; and where there is no room, those do who hold more than `by`
 * would (null: one who holds nothing, and never gives way). A link whose promise is gone is good still, for as long as
 * there is room. 422 `download_quota_exceeded`.
 */
export function beginDownload(fresh: {
  readonly download: string;
  readonly bytes: number;
  readonly expires: string;
  readonly by: string | null;
}, limits: BucketLimits, nowMs: number): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("2183")) {
    {}
  } else {
    stryCov_9fa48("2183");
    return before => {
      if (stryMutAct_9fa48("2184")) {
        {}
      } else {
        stryCov_9fa48("2184");
        const state = asOfMinute(before, nowMs);
        if (stryMutAct_9fa48("2186") ? false : stryMutAct_9fa48("2185") ? true : (stryCov_9fa48("2185", "2186"), state.downloads.has(fresh.download))) return stryMutAct_9fa48("2187") ? ["Stryker was here"] : (stryCov_9fa48("2187"), []);
        const {
          by,
          ...data
        } = fresh;
        const {
          bytes
        } = data;
        const own = (stryMutAct_9fa48("2190") ? by !== null : stryMutAct_9fa48("2189") ? false : stryMutAct_9fa48("2188") ? true : (stryCov_9fa48("2188", "2189", "2190"), by === null)) ? 0 : stryMutAct_9fa48("2191") ? state.askers.get(by) && 0 : (stryCov_9fa48("2191"), state.askers.get(by) ?? 0);
        const part = stryMutAct_9fa48("2192") ? limits.monthlyDownloadBytes / ASKER_PART : (stryCov_9fa48("2192"), limits.monthlyDownloadBytes * ASKER_PART);
        const over = overBy(state, bytes, limits);
        // One large file is a promise like any other where there is no room.
        const givesUp = stryMutAct_9fa48("2195") ? own > 0 && own + bytes > part || own <= part || over <= 0 : stryMutAct_9fa48("2194") ? false : stryMutAct_9fa48("2193") ? true : (stryCov_9fa48("2193", "2194", "2195"), (stryMutAct_9fa48("2197") ? own > 0 || own + bytes > part : stryMutAct_9fa48("2196") ? true : (stryCov_9fa48("2196", "2197"), (stryMutAct_9fa48("2200") ? own <= 0 : stryMutAct_9fa48("2199") ? own >= 0 : stryMutAct_9fa48("2198") ? true : (stryCov_9fa48("2198", "2199", "2200"), own > 0)) && (stryMutAct_9fa48("2203") ? own + bytes <= part : stryMutAct_9fa48("2202") ? own + bytes >= part : stryMutAct_9fa48("2201") ? true : (stryCov_9fa48("2201", "2202", "2203"), (stryMutAct_9fa48("2204") ? own - bytes : (stryCov_9fa48("2204"), own + bytes)) > part)))) && (stryMutAct_9fa48("2206") ? own <= part && over <= 0 : stryMutAct_9fa48("2205") ? true : (stryCov_9fa48("2205", "2206"), (stryMutAct_9fa48("2209") ? own > part : stryMutAct_9fa48("2208") ? own < part : stryMutAct_9fa48("2207") ? false : (stryCov_9fa48("2207", "2208", "2209"), own <= part)) || (stryMutAct_9fa48("2212") ? over > 0 : stryMutAct_9fa48("2211") ? over < 0 : stryMutAct_9fa48("2210") ? false : (stryCov_9fa48("2210", "2211", "2212"), over <= 0)))));
        const askers = givesUp ? stryMutAct_9fa48("2213") ? [] : (stryCov_9fa48("2213"), [by, ...givingWay(state, stryMutAct_9fa48("2214") ? {} : (stryCov_9fa48("2214"), {
          over: stryMutAct_9fa48("2215") ? over + own : (stryCov_9fa48("2215"), over - own),
          bytes,
          holding: bytes,
          except: by
        }), limits)]) : givingWay(state, stryMutAct_9fa48("2216") ? {} : (stryCov_9fa48("2216"), {
          over,
          bytes,
          holding: stryMutAct_9fa48("2217") ? own - bytes : (stryCov_9fa48("2217"), own + bytes),
          except: by
        }), limits);
        return stryMutAct_9fa48("2218") ? [] : (stryCov_9fa48("2218"), [...dropping(askers), stryMutAct_9fa48("2219") ? {} : (stryCov_9fa48("2219"), {
          type: stryMutAct_9fa48("2220") ? "" : (stryCov_9fa48("2220"), 'DownloadBegun'),
          data: (stryMutAct_9fa48("2223") ? by !== null : stryMutAct_9fa48("2222") ? false : stryMutAct_9fa48("2221") ? true : (stryCov_9fa48("2221", "2222", "2223"), by === null)) ? data : stryMutAct_9fa48("2224") ? {} : (stryCov_9fa48("2224"), {
            ...data,
            by
          })
        })]);
      }
    };
  }
}

/**
 * Counts bytes that are about to be sent, and up to `ahead` more for others. What was promised to the download is there
 * for it; beyond that there must be room. 422 `download_quota_exceeded`: then they must not be sent.
 */
export function sendDownload({
  download,
  bytes,
  ahead
}: {
  readonly download: string;
  readonly bytes: number;
  readonly ahead: number;
}, limits: BucketLimits, nowMs: number): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("2225")) {
    {}
  } else {
    stryCov_9fa48("2225");
    return before => {
      if (stryMutAct_9fa48("2226")) {
        {}
      } else {
        stryCov_9fa48("2226");
        if (stryMutAct_9fa48("2229") ? bytes !== 0 : stryMutAct_9fa48("2228") ? false : stryMutAct_9fa48("2227") ? true : (stryCov_9fa48("2227", "2228", "2229"), bytes === 0)) return stryMutAct_9fa48("2230") ? ["Stryker was here"] : (stryCov_9fa48("2230"), []);
        const state = asOfMinute(before, nowMs);
        const promise = state.downloads.get(download);
        const beyond = stryMutAct_9fa48("2231") ? Math.min(0, bytes - (promise === undefined ? 0 : unsent(promise))) : (stryCov_9fa48("2231"), Math.max(0, stryMutAct_9fa48("2232") ? bytes + (promise === undefined ? 0 : unsent(promise)) : (stryCov_9fa48("2232"), bytes - ((stryMutAct_9fa48("2235") ? promise !== undefined : stryMutAct_9fa48("2234") ? false : stryMutAct_9fa48("2233") ? true : (stryCov_9fa48("2233", "2234", "2235"), promise === undefined)) ? 0 : unsent(promise)))));
        const over = overBy(state, beyond, limits);
        const keeping = stryMutAct_9fa48("2236") ? {} : (stryCov_9fa48("2236"), {
          by: stryMutAct_9fa48("2237") ? promise?.by && null : (stryCov_9fa48("2237"), (stryMutAct_9fa48("2238") ? promise.by : (stryCov_9fa48("2238"), promise?.by)) ?? null),
          bytes: stryMutAct_9fa48("2239") ? bytes + beyond : (stryCov_9fa48("2239"), bytes - beyond)
        });
        const want = stryMutAct_9fa48("2240") ? {} : (stryCov_9fa48("2240"), {
          over,
          bytes: beyond,
          holding: beyond,
          except: null,
          keeping
        });
        const askers = (stryMutAct_9fa48("2243") ? beyond !== 0 : stryMutAct_9fa48("2242") ? false : stryMutAct_9fa48("2241") ? true : (stryCov_9fa48("2241", "2242", "2243"), beyond === 0)) ? stryMutAct_9fa48("2244") ? ["Stryker was here"] : (stryCov_9fa48("2244"), []) : givingWay(state, want, limits);
        const further = stryMutAct_9fa48("2245") ? Math.max(ahead, Math.floor(-over * AHEAD_PART)) : (stryCov_9fa48("2245"), Math.min(ahead, Math.floor(stryMutAct_9fa48("2246") ? -over / AHEAD_PART : (stryCov_9fa48("2246"), (stryMutAct_9fa48("2247") ? +over : (stryCov_9fa48("2247"), -over)) * AHEAD_PART))));
        return stryMutAct_9fa48("2248") ? [] : (stryCov_9fa48("2248"), [...dropping(askers), stryMutAct_9fa48("2249") ? {} : (stryCov_9fa48("2249"), {
          type: stryMutAct_9fa48("2250") ? "" : (stryCov_9fa48("2250"), 'DownloadMetered'),
          data: stryMutAct_9fa48("2251") ? {} : (stryCov_9fa48("2251"), {
            download,
            bytes
          })
        }), ...((stryMutAct_9fa48("2255") ? further <= 0 : stryMutAct_9fa48("2254") ? further >= 0 : stryMutAct_9fa48("2253") ? false : stryMutAct_9fa48("2252") ? true : (stryCov_9fa48("2252", "2253", "2254", "2255"), further > 0)) ? stryMutAct_9fa48("2256") ? [] : (stryCov_9fa48("2256"), [{
          type: 'DownloadMetered',
          data: {
            download: null,
            bytes: further
          }
        } as const]) : stryMutAct_9fa48("2257") ? ["Stryker was here"] : (stryCov_9fa48("2257"), []))]);
      }
    };
  }
}

/** Bytes that are sent, whatever was promised. */
export function recordDownload(download: string, bytes: number): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("2258")) {
    {}
  } else {
    stryCov_9fa48("2258");
    return stryMutAct_9fa48("2259") ? () => undefined : (stryCov_9fa48("2259"), () => (stryMutAct_9fa48("2262") ? bytes !== 0 : stryMutAct_9fa48("2261") ? false : stryMutAct_9fa48("2260") ? true : (stryCov_9fa48("2260", "2261", "2262"), bytes === 0)) ? stryMutAct_9fa48("2263") ? ["Stryker was here"] : (stryCov_9fa48("2263"), []) : stryMutAct_9fa48("2264") ? [] : (stryCov_9fa48("2264"), [stryMutAct_9fa48("2265") ? {} : (stryCov_9fa48("2265"), {
      type: stryMutAct_9fa48("2266") ? "" : (stryCov_9fa48("2266"), 'DownloadMetered'),
      data: stryMutAct_9fa48("2267") ? {} : (stryCov_9fa48("2267"), {
        download,
        bytes
      })
    })]));
  }
}

/**
 * Of bytes that were metered in a month, those that were not sent after all. They are promised to the download again,
 * but not from one month to the next: there others may have been promised as much.
 */
export function cutDownload({
  download,
  bytes,
  month
}: {
  readonly download: string | null;
  readonly bytes: number;
  readonly month: string;
}, nowMs: number): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("2268")) {
    {}
  } else {
    stryCov_9fa48("2268");
    return before => {
      if (stryMutAct_9fa48("2269")) {
        {}
      } else {
        stryCov_9fa48("2269");
        if (stryMutAct_9fa48("2272") ? bytes !== 0 : stryMutAct_9fa48("2271") ? false : stryMutAct_9fa48("2270") ? true : (stryCov_9fa48("2270", "2271", "2272"), bytes === 0)) return stryMutAct_9fa48("2273") ? ["Stryker was here"] : (stryCov_9fa48("2273"), []);
        const isOver = stryMutAct_9fa48("2276") ? asOfMinute(before, nowMs).month === month : stryMutAct_9fa48("2275") ? false : stryMutAct_9fa48("2274") ? true : (stryCov_9fa48("2274", "2275", "2276"), asOfMinute(before, nowMs).month !== month);
        return stryMutAct_9fa48("2277") ? [] : (stryCov_9fa48("2277"), [stryMutAct_9fa48("2278") ? {} : (stryCov_9fa48("2278"), {
          type: stryMutAct_9fa48("2279") ? "" : (stryCov_9fa48("2279"), 'DownloadCut'),
          data: stryMutAct_9fa48("2280") ? {} : (stryCov_9fa48("2280"), {
            download: isOver ? null : download,
            bytes,
            month
          })
        })]);
      }
    };
  }
}

/** Which downloads bytes counted ahead went to. Those to which nothing is promised any more are left out. */
export function tellSent(sent: ReadonlyMap<string, number>): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("2281")) {
    {}
  } else {
    stryCov_9fa48("2281");
    return state => {
      if (stryMutAct_9fa48("2282")) {
        {}
      } else {
        stryCov_9fa48("2282");
        const known = stryMutAct_9fa48("2283") ? [...sent] : (stryCov_9fa48("2283"), (stryMutAct_9fa48("2284") ? [] : (stryCov_9fa48("2284"), [...sent])).filter(stryMutAct_9fa48("2285") ? () => undefined : (stryCov_9fa48("2285"), ([download, bytes]) => stryMutAct_9fa48("2288") ? bytes > 0 || state.downloads.has(download) : stryMutAct_9fa48("2287") ? false : stryMutAct_9fa48("2286") ? true : (stryCov_9fa48("2286", "2287", "2288"), (stryMutAct_9fa48("2291") ? bytes <= 0 : stryMutAct_9fa48("2290") ? bytes >= 0 : stryMutAct_9fa48("2289") ? true : (stryCov_9fa48("2289", "2290", "2291"), bytes > 0)) && state.downloads.has(download)))));
        const downloads = known.map(stryMutAct_9fa48("2292") ? () => undefined : (stryCov_9fa48("2292"), ([download, bytes]) => stryMutAct_9fa48("2293") ? {} : (stryCov_9fa48("2293"), {
          download,
          bytes
        })));
        return (stryMutAct_9fa48("2296") ? downloads.length !== 0 : stryMutAct_9fa48("2295") ? false : stryMutAct_9fa48("2294") ? true : (stryCov_9fa48("2294", "2295", "2296"), downloads.length === 0)) ? stryMutAct_9fa48("2297") ? ["Stryker was here"] : (stryCov_9fa48("2297"), []) : stryMutAct_9fa48("2298") ? [] : (stryCov_9fa48("2298"), [stryMutAct_9fa48("2299") ? {} : (stryCov_9fa48("2299"), {
          type: stryMutAct_9fa48("2300") ? "" : (stryCov_9fa48("2300"), 'DownloadsSent'),
          data: stryMutAct_9fa48("2301") ? {} : (stryCov_9fa48("2301"), {
            downloads
          })
        })]);
      }
    };
  }
}

/** By how much more the month's bytes would be over the limit; below zero: so many would be free. */
const overBy = stryMutAct_9fa48("2302") ? () => undefined : (stryCov_9fa48("2302"), (() => {
  const overBy = ({
    sent,
    promised
  }: Quota, bytes: number, {
    monthlyDownloadBytes
  }: BucketLimits): number => stryMutAct_9fa48("2303") ? sent + promised + bytes + monthlyDownloadBytes : (stryCov_9fa48("2303"), (stryMutAct_9fa48("2304") ? sent + promised - bytes : (stryCov_9fa48("2304"), (stryMutAct_9fa48("2305") ? sent - promised : (stryCov_9fa48("2305"), sent + promised)) + bytes)) - monthlyDownloadBytes);
  return overBy;
})());
const dropping = (askers: readonly (string | null)[]): QuotaEvent[] => {
  if (stryMutAct_9fa48("2306")) {
    {}
  } else {
    stryCov_9fa48("2306");
    const named = stryMutAct_9fa48("2307") ? askers : (stryCov_9fa48("2307"), askers.filter(stryMutAct_9fa48("2308") ? () => undefined : (stryCov_9fa48("2308"), asker => stryMutAct_9fa48("2311") ? asker === null : stryMutAct_9fa48("2310") ? false : stryMutAct_9fa48("2309") ? true : (stryCov_9fa48("2309", "2310", "2311"), asker !== null))));
    return (stryMutAct_9fa48("2314") ? named.length !== 0 : stryMutAct_9fa48("2313") ? false : stryMutAct_9fa48("2312") ? true : (stryCov_9fa48("2312", "2313", "2314"), named.length === 0)) ? stryMutAct_9fa48("2315") ? ["Stryker was here"] : (stryCov_9fa48("2315"), []) : stryMutAct_9fa48("2316") ? [] : (stryCov_9fa48("2316"), [stryMutAct_9fa48("2317") ? {} : (stryCov_9fa48("2317"), {
      type: stryMutAct_9fa48("2318") ? "" : (stryCov_9fa48("2318"), 'PromisesDropped'),
      data: stryMutAct_9fa48("2319") ? {} : (stryCov_9fa48("2319"), {
        askers: named
      })
    })]);
  }
};
interface Want {
  /** What there is too little room for; none up to zero. */
  readonly over: number;
  readonly bytes: number;
  /** What the caller would hold then. */
  readonly holding: number;
  readonly except: string | null;
  /** Of what is promised to one of them so much is used by this very download: it makes no room. */
  readonly keeping?: {
    readonly by: string | null;
    readonly bytes: number;
  };
}

/**
 * Who gives way: the one who holds most, where that is more than `holding`. One suffices, or
 * the limit was lowered meanwhile.
 */
function givingWay(state: Quota, {
  over,
  bytes,
  holding,
  except,
  keeping
}: Want, limits: BucketLimits): string[] {
  if (stryMutAct_9fa48("2320")) {
    {}
  } else {
    stryCov_9fa48("2320");
    if (stryMutAct_9fa48("2324") ? over > 0 : stryMutAct_9fa48("2323") ? over < 0 : stryMutAct_9fa48("2322") ? false : stryMutAct_9fa48("2321") ? true : (stryCov_9fa48("2321", "2322", "2323", "2324"), over <= 0)) return stryMutAct_9fa48("2325") ? ["Stryker was here"] : (stryCov_9fa48("2325"), []);
    // Where what was sent leaves no room by itself, it need not be looked for.
    if (stryMutAct_9fa48("2329") ? state.sent + bytes > limits.monthlyDownloadBytes : stryMutAct_9fa48("2328") ? state.sent + bytes < limits.monthlyDownloadBytes : stryMutAct_9fa48("2327") ? false : stryMutAct_9fa48("2326") ? true : (stryCov_9fa48("2326", "2327", "2328", "2329"), (stryMutAct_9fa48("2330") ? state.sent - bytes : (stryCov_9fa48("2330"), state.sent + bytes)) <= limits.monthlyDownloadBytes)) {
      if (stryMutAct_9fa48("2331")) {
        {}
      } else {
        stryCov_9fa48("2331");
        let most = holding;
        let greatest: string | null = null;
        for (const [asker, promised] of state.askers.entries()) {
          if (stryMutAct_9fa48("2332")) {
            {}
          } else {
            stryCov_9fa48("2332");
            const held = (stryMutAct_9fa48("2335") ? asker !== keeping?.by : stryMutAct_9fa48("2334") ? false : stryMutAct_9fa48("2333") ? true : (stryCov_9fa48("2333", "2334", "2335"), asker === (stryMutAct_9fa48("2336") ? keeping.by : (stryCov_9fa48("2336"), keeping?.by)))) ? stryMutAct_9fa48("2337") ? promised + keeping.bytes : (stryCov_9fa48("2337"), promised - keeping.bytes) : promised;
            if (stryMutAct_9fa48("2340") ? held <= most && asker === except : stryMutAct_9fa48("2339") ? false : stryMutAct_9fa48("2338") ? true : (stryCov_9fa48("2338", "2339", "2340"), (stryMutAct_9fa48("2343") ? held > most : stryMutAct_9fa48("2342") ? held < most : stryMutAct_9fa48("2341") ? false : (stryCov_9fa48("2341", "2342", "2343"), held <= most)) || (stryMutAct_9fa48("2345") ? asker !== except : stryMutAct_9fa48("2344") ? false : (stryCov_9fa48("2344", "2345"), asker === except)))) continue;
            most = held;
            greatest = asker;
          }
        }
        if (stryMutAct_9fa48("2348") ? greatest !== null || most >= over : stryMutAct_9fa48("2347") ? false : stryMutAct_9fa48("2346") ? true : (stryCov_9fa48("2346", "2347", "2348"), (stryMutAct_9fa48("2350") ? greatest === null : stryMutAct_9fa48("2349") ? true : (stryCov_9fa48("2349", "2350"), greatest !== null)) && (stryMutAct_9fa48("2353") ? most < over : stryMutAct_9fa48("2352") ? most > over : stryMutAct_9fa48("2351") ? true : (stryCov_9fa48("2351", "2352", "2353"), most >= over)))) return stryMutAct_9fa48("2354") ? [] : (stryCov_9fa48("2354"), [greatest]);
      }
    }
    const detail = stryMutAct_9fa48("2355") ? "" : (stryCov_9fa48("2355"), 'The bucket’s monthly_download_bytes are used up: wait for the next month, or raise the limit.');
    throw new Refusal(stryMutAct_9fa48("2356") ? "" : (stryCov_9fa48("2356"), 'unprocessable'), stryMutAct_9fa48("2357") ? "" : (stryCov_9fa48("2357"), 'download_quota_exceeded'), detail, stryMutAct_9fa48("2358") ? {} : (stryCov_9fa48("2358"), {
      limit: stryMutAct_9fa48("2359") ? "" : (stryCov_9fa48("2359"), 'monthly_download_bytes')
    }));
  }
}