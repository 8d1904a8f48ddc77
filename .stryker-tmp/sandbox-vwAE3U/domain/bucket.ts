// A bucket: its name and what may be held in it and downloaded from it.
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
import type { Aggregate, Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import { streamName } from './streams.ts';
export const bucketStream = stryMutAct_9fa48("2404") ? () => undefined : (stryCov_9fa48("2404"), (() => {
  const bucketStream = (bucket: string): string => streamName(stryMutAct_9fa48("2405") ? "" : (stryCov_9fa48("2405"), 'bucket-'), bucket);
  return bucketStream;
})());

/** Bytes and numbers of files, all whole and from 0. A type, not an interface: it is stored as it is. */
export type BucketLimits = {
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** What one player may hold. */
  readonly playerMaxBytes: number;
  readonly playerMaxFiles: number;
  readonly maxFileBytes: number;
  /** In a calendar month, UTC. */
  readonly monthlyDownloadBytes: number;
};
const MIB = 1024 ** 2;
export const NEW_BUCKET: BucketLimits = stryMutAct_9fa48("2406") ? {} : (stryCov_9fa48("2406"), {
  maxBytes: stryMutAct_9fa48("2407") ? 1024 / MIB : (stryCov_9fa48("2407"), 1024 * MIB),
  maxFiles: 10_000,
  playerMaxBytes: stryMutAct_9fa48("2408") ? 16 / MIB : (stryCov_9fa48("2408"), 16 * MIB),
  playerMaxFiles: 100,
  maxFileBytes: stryMutAct_9fa48("2409") ? 8 / MIB : (stryCov_9fa48("2409"), 8 * MIB),
  monthlyDownloadBytes: stryMutAct_9fa48("2410") ? 10 * 1024 / MIB : (stryCov_9fa48("2410"), (stryMutAct_9fa48("2411") ? 10 / 1024 : (stryCov_9fa48("2411"), 10 * 1024)) * MIB)
});
interface BucketData {
  readonly name: string;
  readonly limits: BucketLimits;
}
export type BucketEvent = {
  readonly type: 'BucketCreated';
  readonly data: BucketData;
} | {
  readonly type: 'BucketConfigured';
  readonly data: BucketData;
} | {
  readonly type: 'BucketDeleted';
  readonly data: Readonly<Record<string, never>>;
};
export interface Bucket extends BucketData {
  readonly created: string;
  readonly deleted: boolean;
}
export const bucket: Aggregate<Bucket | null, BucketEvent> = stryMutAct_9fa48("2412") ? {} : (stryCov_9fa48("2412"), {
  name: stryMutAct_9fa48("2413") ? "" : (stryCov_9fa48("2413"), 'bucket'),
  initial: null,
  evolve(state, event, moment) {
    if (stryMutAct_9fa48("2414")) {
      {}
    } else {
      stryCov_9fa48("2414");
      if (stryMutAct_9fa48("2417") ? event.type !== 'BucketCreated' : stryMutAct_9fa48("2416") ? false : stryMutAct_9fa48("2415") ? true : (stryCov_9fa48("2415", "2416", "2417"), event.type === (stryMutAct_9fa48("2418") ? "" : (stryCov_9fa48("2418"), 'BucketCreated')))) return stryMutAct_9fa48("2419") ? {} : (stryCov_9fa48("2419"), {
        ...event.data,
        created: moment.time,
        deleted: stryMutAct_9fa48("2420") ? true : (stryCov_9fa48("2420"), false)
      });
      if (stryMutAct_9fa48("2423") ? state !== null : stryMutAct_9fa48("2422") ? false : stryMutAct_9fa48("2421") ? true : (stryCov_9fa48("2421", "2422", "2423"), state === null)) return null;
      switch (event.type) {
        case stryMutAct_9fa48("2425") ? "" : (stryCov_9fa48("2425"), 'BucketConfigured'):
          if (stryMutAct_9fa48("2424")) {} else {
            stryCov_9fa48("2424");
            return stryMutAct_9fa48("2426") ? {} : (stryCov_9fa48("2426"), {
              ...state,
              ...event.data
            });
          }
        case stryMutAct_9fa48("2428") ? "" : (stryCov_9fa48("2428"), 'BucketDeleted'):
          if (stryMutAct_9fa48("2427")) {} else {
            stryCov_9fa48("2427");
            return stryMutAct_9fa48("2429") ? {} : (stryCov_9fa48("2429"), {
              ...state,
              deleted: stryMutAct_9fa48("2430") ? false : (stryCov_9fa48("2430"), true)
            });
          }
        default:
          if (stryMutAct_9fa48("2431")) {} else {
            stryCov_9fa48("2431");
            return state;
          }
      }
    }
  }
});
export function createBucket(data: BucketData): Decision<Bucket | null, BucketEvent> {
  if (stryMutAct_9fa48("2432")) {
    {}
  } else {
    stryCov_9fa48("2432");
    return stryMutAct_9fa48("2433") ? () => undefined : (stryCov_9fa48("2433"), state => (stryMutAct_9fa48("2436") ? state !== null : stryMutAct_9fa48("2435") ? false : stryMutAct_9fa48("2434") ? true : (stryCov_9fa48("2434", "2435", "2436"), state === null)) ? stryMutAct_9fa48("2437") ? [] : (stryCov_9fa48("2437"), [stryMutAct_9fa48("2438") ? {} : (stryCov_9fa48("2438"), {
      type: stryMutAct_9fa48("2439") ? "" : (stryCov_9fa48("2439"), 'BucketCreated'),
      data
    })]) : stryMutAct_9fa48("2440") ? ["Stryker was here"] : (stryCov_9fa48("2440"), []));
  }
}
export interface BucketChange {
  readonly name?: string | undefined;
  readonly limits?: { readonly [L in keyof BucketLimits]?: number | undefined };
}

/** Changes what is named and leaves the rest. Lower limits take nothing away: they only let nothing more in. */
export function changeBucket(change: BucketChange, expect: (state: Bucket) => void): Decision<Bucket | null, BucketEvent> {
  if (stryMutAct_9fa48("2441")) {
    {}
  } else {
    stryCov_9fa48("2441");
    return state => {
      if (stryMutAct_9fa48("2442")) {
        {}
      } else {
        stryCov_9fa48("2442");
        const present = existing(state);
        expect(present);
        const limits = laidOver(present.limits, stryMutAct_9fa48("2443") ? change.limits && {} : (stryCov_9fa48("2443"), change.limits ?? {}));
        const name = stryMutAct_9fa48("2444") ? change.name && present.name : (stryCov_9fa48("2444"), change.name ?? present.name);
        const isSame = stryMutAct_9fa48("2447") ? name === present.name || JSON.stringify(limits) === JSON.stringify(present.limits) : stryMutAct_9fa48("2446") ? false : stryMutAct_9fa48("2445") ? true : (stryCov_9fa48("2445", "2446", "2447"), (stryMutAct_9fa48("2449") ? name !== present.name : stryMutAct_9fa48("2448") ? true : (stryCov_9fa48("2448", "2449"), name === present.name)) && (stryMutAct_9fa48("2451") ? JSON.stringify(limits) !== JSON.stringify(present.limits) : stryMutAct_9fa48("2450") ? true : (stryCov_9fa48("2450", "2451"), JSON.stringify(limits) === JSON.stringify(present.limits))));
        return isSame ? stryMutAct_9fa48("2452") ? ["Stryker was here"] : (stryCov_9fa48("2452"), []) : stryMutAct_9fa48("2453") ? [] : (stryCov_9fa48("2453"), [stryMutAct_9fa48("2454") ? {} : (stryCov_9fa48("2454"), {
          type: stryMutAct_9fa48("2455") ? "" : (stryCov_9fa48("2455"), 'BucketConfigured'),
          data: stryMutAct_9fa48("2456") ? {} : (stryCov_9fa48("2456"), {
            name,
            limits
          })
        })]);
      }
    };
  }
}
export const deleteBucket: Decision<Bucket | null, BucketEvent> = state => {
  if (stryMutAct_9fa48("2457")) {
    {}
  } else {
    stryCov_9fa48("2457");
    existing(state);
    return stryMutAct_9fa48("2458") ? [] : (stryCov_9fa48("2458"), [stryMutAct_9fa48("2459") ? {} : (stryCov_9fa48("2459"), {
      type: stryMutAct_9fa48("2460") ? "" : (stryCov_9fa48("2460"), 'BucketDeleted'),
      data: {}
    })]);
  }
};

/** In the order of the base's keys. */
export function laidOver(base: BucketLimits, over: NonNullable<BucketChange['limits']>): BucketLimits {
  if (stryMutAct_9fa48("2461")) {
    {}
  } else {
    stryCov_9fa48("2461");
    const {
      maxBytes,
      maxFiles,
      playerMaxBytes,
      playerMaxFiles,
      maxFileBytes,
      monthlyDownloadBytes
    } = base;
    return stryMutAct_9fa48("2462") ? {} : (stryCov_9fa48("2462"), {
      maxBytes: stryMutAct_9fa48("2463") ? over.maxBytes && maxBytes : (stryCov_9fa48("2463"), over.maxBytes ?? maxBytes),
      maxFiles: stryMutAct_9fa48("2464") ? over.maxFiles && maxFiles : (stryCov_9fa48("2464"), over.maxFiles ?? maxFiles),
      playerMaxBytes: stryMutAct_9fa48("2465") ? over.playerMaxBytes && playerMaxBytes : (stryCov_9fa48("2465"), over.playerMaxBytes ?? playerMaxBytes),
      playerMaxFiles: stryMutAct_9fa48("2466") ? over.playerMaxFiles && playerMaxFiles : (stryCov_9fa48("2466"), over.playerMaxFiles ?? playerMaxFiles),
      maxFileBytes: stryMutAct_9fa48("2467") ? over.maxFileBytes && maxFileBytes : (stryCov_9fa48("2467"), over.maxFileBytes ?? maxFileBytes),
      monthlyDownloadBytes: stryMutAct_9fa48("2468") ? over.monthlyDownloadBytes && monthlyDownloadBytes : (stryCov_9fa48("2468"), over.monthlyDownloadBytes ?? monthlyDownloadBytes)
    });
  }
}
export function bucketNotFound(): Refusal {
  if (stryMutAct_9fa48("2469")) {
    {}
  } else {
    stryCov_9fa48("2469");
    return new Refusal(stryMutAct_9fa48("2470") ? "" : (stryCov_9fa48("2470"), 'not_found'), stryMutAct_9fa48("2471") ? "" : (stryCov_9fa48("2471"), 'bucket_not_found'), stryMutAct_9fa48("2472") ? "" : (stryCov_9fa48("2472"), 'There is no such bucket.'));
  }
}
function existing(state: Bucket | null): Bucket {
  if (stryMutAct_9fa48("2473")) {
    {}
  } else {
    stryCov_9fa48("2473");
    if (stryMutAct_9fa48("2476") ? state === null && state.deleted : stryMutAct_9fa48("2475") ? false : stryMutAct_9fa48("2474") ? true : (stryCov_9fa48("2474", "2475", "2476"), (stryMutAct_9fa48("2478") ? state !== null : stryMutAct_9fa48("2477") ? false : (stryCov_9fa48("2477", "2478"), state === null)) || state.deleted)) throw bucketNotFound();
    return state;
  }
}