// The state of view builds: which builds of each view exist and which one is active. A build is a copy of a view made
// from the log beside the active one. One document holds the whole state, so that any number of views switch in one
// step.
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
import { Refusal } from '../../domain/decider.ts';
import { type Projection, viewKey } from '../projection.ts';
import type { Difference } from '../verify/report.ts';
export interface Builds {
  /** The number of the last requested build; 0 is the first build of every view. */
  readonly last: number;
  /** View key (`name@version`) -> active build; a missing entry means 0. */
  readonly shown: Readonly<Record<string, number>>;
  /** The previously active builds, which are still applied so that they can be restored. */
  readonly kept: PreviousBuilds | null;
  /** The build in progress. At most one. */
  readonly change: BuildChange | null;
  /** The outcome of the last build. */
  readonly ended: Ended | null;
}
export interface PreviousBuilds {
  readonly builds: Readonly<Record<string, number>>;
  /** ISO 8601; the previous builds are discarded then. */
  readonly until: string;
}
export interface BuildChange {
  readonly number: number;
  /** Keys of the views that are rebuilt. */
  readonly views: readonly string[];
  /** `building`: catching up by itself. `comparing`: applied in step with the active builds. */
  readonly phase: 'building' | 'comparing';
  /** ISO 8601. */
  readonly asked: string;
}
export interface Ended {
  readonly number: number;
  readonly views: readonly string[];
  readonly outcome: 'switched' | 'cancelled' | 'failed' | 'taken_back';
  readonly finished: string;
  /** The reason of a failure. */
  readonly reason: string | null;
  /** The result of the comparison with the previous build; null if none was made. */
  readonly compared: Compared | null;
}
export interface Compared {
  readonly documents: number;
  readonly found: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
}
export const NO_BUILDS: Builds = stryMutAct_9fa48("5702") ? {} : (stryCov_9fa48("5702"), {
  last: 0,
  shown: {},
  kept: null,
  change: null,
  ended: null
});
type Next = (builds: Builds) => Builds;

/**
 * Starts a build of these views and discards the previous builds. Throws Refusal `views_rebuilding` if one is in
 * progress.
 */
export function requestBuild(views: readonly string[], time: string): Next {
  if (stryMutAct_9fa48("5703")) {
    {}
  } else {
    stryCov_9fa48("5703");
    return builds => {
      if (stryMutAct_9fa48("5704")) {
        {}
      } else {
        stryCov_9fa48("5704");
        refuseWhileRunning(builds);
        const last = stryMutAct_9fa48("5705") ? builds.last - 1 : (stryCov_9fa48("5705"), builds.last + 1);
        return stryMutAct_9fa48("5706") ? {} : (stryCov_9fa48("5706"), {
          ...builds,
          last,
          kept: null,
          change: stryMutAct_9fa48("5707") ? {} : (stryCov_9fa48("5707"), {
            number: last,
            views,
            phase: stryMutAct_9fa48("5708") ? "" : (stryCov_9fa48("5708"), 'building'),
            asked: time
          })
        });
      }
    };
  }
}
function refuseWhileRunning({
  change
}: Builds): void {
  if (stryMutAct_9fa48("5709")) {
    {}
  } else {
    stryCov_9fa48("5709");
    if (stryMutAct_9fa48("5712") ? change !== null : stryMutAct_9fa48("5711") ? false : stryMutAct_9fa48("5710") ? true : (stryCov_9fa48("5710", "5711", "5712"), change === null)) return;
    const detail = stryMutAct_9fa48("5713") ? "" : (stryCov_9fa48("5713"), 'A rebuild of views is already running: wait until it ends, or cancel it.');
    throw new Refusal(stryMutAct_9fa48("5714") ? "" : (stryCov_9fa48("5714"), 'conflict'), stryMutAct_9fa48("5715") ? "" : (stryCov_9fa48("5715"), 'views_rebuilding'), detail);
  }
}

/** The build has caught up: from now on it is applied in step with the active builds. */
export function startComparing(number: number): Next {
  if (stryMutAct_9fa48("5716")) {
    {}
  } else {
    stryCov_9fa48("5716");
    return builds => {
      if (stryMutAct_9fa48("5717")) {
        {}
      } else {
        stryCov_9fa48("5717");
        const {
          change
        } = builds;
        if (stryMutAct_9fa48("5720") ? change?.number !== number && change.phase !== 'building' : stryMutAct_9fa48("5719") ? false : stryMutAct_9fa48("5718") ? true : (stryCov_9fa48("5718", "5719", "5720"), (stryMutAct_9fa48("5722") ? change?.number === number : stryMutAct_9fa48("5721") ? false : (stryCov_9fa48("5721", "5722"), (stryMutAct_9fa48("5723") ? change.number : (stryCov_9fa48("5723"), change?.number)) !== number)) || (stryMutAct_9fa48("5725") ? change.phase === 'building' : stryMutAct_9fa48("5724") ? false : (stryCov_9fa48("5724", "5725"), change.phase !== (stryMutAct_9fa48("5726") ? "" : (stryCov_9fa48("5726"), 'building')))))) return builds;
        return stryMutAct_9fa48("5727") ? {} : (stryCov_9fa48("5727"), {
          ...builds,
          change: stryMutAct_9fa48("5728") ? {} : (stryCov_9fa48("5728"), {
            ...change,
            phase: stryMutAct_9fa48("5729") ? "" : (stryCov_9fa48("5729"), 'comparing')
          })
        });
      }
    };
  }
}
export function switchTo(number: number, compared: Compared, time: string, keptUntil: string): Next {
  if (stryMutAct_9fa48("5730")) {
    {}
  } else {
    stryCov_9fa48("5730");
    return builds => {
      if (stryMutAct_9fa48("5731")) {
        {}
      } else {
        stryCov_9fa48("5731");
        const {
          change,
          shown
        } = builds;
        if (stryMutAct_9fa48("5734") ? change?.number !== number && change.phase !== 'comparing' : stryMutAct_9fa48("5733") ? false : stryMutAct_9fa48("5732") ? true : (stryCov_9fa48("5732", "5733", "5734"), (stryMutAct_9fa48("5736") ? change?.number === number : stryMutAct_9fa48("5735") ? false : (stryCov_9fa48("5735", "5736"), (stryMutAct_9fa48("5737") ? change.number : (stryCov_9fa48("5737"), change?.number)) !== number)) || (stryMutAct_9fa48("5739") ? change.phase === 'comparing' : stryMutAct_9fa48("5738") ? false : (stryCov_9fa48("5738", "5739"), change.phase !== (stryMutAct_9fa48("5740") ? "" : (stryCov_9fa48("5740"), 'comparing')))))) return builds;
        const before = Object.fromEntries(change.views.map(stryMutAct_9fa48("5741") ? () => undefined : (stryCov_9fa48("5741"), view => stryMutAct_9fa48("5742") ? [] : (stryCov_9fa48("5742"), [view, stryMutAct_9fa48("5743") ? shown[view] && 0 : (stryCov_9fa48("5743"), shown[view] ?? 0)]))));
        const now = Object.fromEntries(change.views.map(stryMutAct_9fa48("5744") ? () => undefined : (stryCov_9fa48("5744"), view => stryMutAct_9fa48("5745") ? [] : (stryCov_9fa48("5745"), [view, number]))));
        return stryMutAct_9fa48("5746") ? {} : (stryCov_9fa48("5746"), {
          ...builds,
          shown: stryMutAct_9fa48("5747") ? {} : (stryCov_9fa48("5747"), {
            ...shown,
            ...now
          }),
          kept: stryMutAct_9fa48("5748") ? {} : (stryCov_9fa48("5748"), {
            builds: before,
            until: keptUntil
          }),
          change: null,
          ended: stryMutAct_9fa48("5749") ? {} : (stryCov_9fa48("5749"), {
            number,
            views: change.views,
            outcome: stryMutAct_9fa48("5750") ? "" : (stryCov_9fa48("5750"), 'switched'),
            finished: time,
            reason: null,
            compared
          })
        });
      }
    };
  }
}

/** Cancels the build in progress and leaves the active builds. Does nothing if there is none. */
export const cancel = stryMutAct_9fa48("5751") ? () => undefined : (stryCov_9fa48("5751"), (() => {
  const cancel = (time: string): Next => end(stryMutAct_9fa48("5752") ? "" : (stryCov_9fa48("5752"), 'cancelled'), null, null, time);
  return cancel;
})());
export function fail(number: number, reason: string, compared: Compared, time: string): Next {
  if (stryMutAct_9fa48("5753")) {
    {}
  } else {
    stryCov_9fa48("5753");
    return stryMutAct_9fa48("5754") ? () => undefined : (stryCov_9fa48("5754"), builds => (stryMutAct_9fa48("5757") ? builds.change?.number !== number : stryMutAct_9fa48("5756") ? false : stryMutAct_9fa48("5755") ? true : (stryCov_9fa48("5755", "5756", "5757"), (stryMutAct_9fa48("5758") ? builds.change.number : (stryCov_9fa48("5758"), builds.change?.number)) === number)) ? end(stryMutAct_9fa48("5759") ? "" : (stryCov_9fa48("5759"), 'failed'), reason, compared, time)(builds) : builds);
  }
}
function end(outcome: Ended['outcome'], reason: string | null, compared: Compared | null, time: string): Next {
  if (stryMutAct_9fa48("5760")) {
    {}
  } else {
    stryCov_9fa48("5760");
    return builds => {
      if (stryMutAct_9fa48("5761")) {
        {}
      } else {
        stryCov_9fa48("5761");
        const {
          change
        } = builds;
        if (stryMutAct_9fa48("5764") ? change !== null : stryMutAct_9fa48("5763") ? false : stryMutAct_9fa48("5762") ? true : (stryCov_9fa48("5762", "5763", "5764"), change === null)) return builds;
        const {
          number,
          views
        } = change;
        return stryMutAct_9fa48("5765") ? {} : (stryCov_9fa48("5765"), {
          ...builds,
          change: null,
          ended: stryMutAct_9fa48("5766") ? {} : (stryCov_9fa48("5766"), {
            number,
            views,
            outcome,
            finished: time,
            reason,
            compared
          })
        });
      }
    };
  }
}

/**
 * Makes the previous builds active and keeps the current ones in their place, so that this can be undone in the same
 * way. Throws Refusal `nothing_kept`.
 */
export function restorePrevious(time: string): Next {
  if (stryMutAct_9fa48("5767")) {
    {}
  } else {
    stryCov_9fa48("5767");
    return builds => {
      if (stryMutAct_9fa48("5768")) {
        {}
      } else {
        stryCov_9fa48("5768");
        const {
          kept,
          shown
        } = builds;
        refuseWhileRunning(builds);
        if (stryMutAct_9fa48("5771") ? kept !== null : stryMutAct_9fa48("5770") ? false : stryMutAct_9fa48("5769") ? true : (stryCov_9fa48("5769", "5770", "5771"), kept === null)) {
          if (stryMutAct_9fa48("5772")) {
            {}
          } else {
            stryCov_9fa48("5772");
            const detail = stryMutAct_9fa48("5773") ? "" : (stryCov_9fa48("5773"), 'There is no previous build to restore: there was no rebuild, or its previous build was discarded.');
            throw new Refusal(stryMutAct_9fa48("5774") ? "" : (stryCov_9fa48("5774"), 'conflict'), stryMutAct_9fa48("5775") ? "" : (stryCov_9fa48("5775"), 'nothing_kept'), detail);
          }
        }
        const views = Object.keys(kept.builds);
        const now = Object.fromEntries(views.map(stryMutAct_9fa48("5776") ? () => undefined : (stryCov_9fa48("5776"), view => stryMutAct_9fa48("5777") ? [] : (stryCov_9fa48("5777"), [view, stryMutAct_9fa48("5778") ? shown[view] && 0 : (stryCov_9fa48("5778"), shown[view] ?? 0)]))));
        const number = stryMutAct_9fa48("5779") ? Math.min(...Object.values(kept.builds)) : (stryCov_9fa48("5779"), Math.max(...Object.values(kept.builds)));
        return stryMutAct_9fa48("5780") ? {} : (stryCov_9fa48("5780"), {
          ...builds,
          shown: stryMutAct_9fa48("5781") ? {} : (stryCov_9fa48("5781"), {
            ...shown,
            ...kept.builds
          }),
          kept: stryMutAct_9fa48("5782") ? {} : (stryCov_9fa48("5782"), {
            ...kept,
            builds: now
          }),
          ended: stryMutAct_9fa48("5783") ? {} : (stryCov_9fa48("5783"), {
            number,
            views,
            outcome: stryMutAct_9fa48("5784") ? "" : (stryCov_9fa48("5784"), 'taken_back'),
            finished: time,
            reason: null,
            compared: null
          })
        });
      }
    };
  }
}

/** Discards the previous builds. They cannot be restored afterwards. */
export const discardPrevious: Next = stryMutAct_9fa48("5785") ? () => undefined : (stryCov_9fa48("5785"), (() => {
  const discardPrevious: Next = builds => (stryMutAct_9fa48("5788") ? builds.kept !== null : stryMutAct_9fa48("5787") ? false : stryMutAct_9fa48("5786") ? true : (stryCov_9fa48("5786", "5787", "5788"), builds.kept === null)) ? builds : stryMutAct_9fa48("5789") ? {} : (stryCov_9fa48("5789"), {
    ...builds,
    kept: null
  });
  return discardPrevious;
})());

/** The key of a view in one of its builds. */
export const buildKey = stryMutAct_9fa48("5790") ? () => undefined : (stryCov_9fa48("5790"), (() => {
  const buildKey = (view: string, build: number): string => (stryMutAct_9fa48("5793") ? build !== 0 : stryMutAct_9fa48("5792") ? false : stryMutAct_9fa48("5791") ? true : (stryCov_9fa48("5791", "5792", "5793"), build === 0)) ? view : stryMutAct_9fa48("5794") ? `` : (stryCov_9fa48("5794"), `${view}+${build}`);
  return buildKey;
})());
export const activeKey = stryMutAct_9fa48("5795") ? () => undefined : (stryCov_9fa48("5795"), (() => {
  const activeKey = ({
    shown
  }: Builds, view: string): string => buildKey(view, stryMutAct_9fa48("5796") ? shown[view] && 0 : (stryCov_9fa48("5796"), shown[view] ?? 0));
  return activeKey;
})());
const inBuild = stryMutAct_9fa48("5797") ? () => undefined : (stryCov_9fa48("5797"), (() => {
  const inBuild = (projection: Projection, build: number): Projection => stryMutAct_9fa48("5798") ? {} : (stryCov_9fa48("5798"), {
    ...projection,
    build
  });
  return inBuild;
})());

/** Each view in its active build. */
export function activeProjections({
  shown
}: Builds, projections: readonly Projection[]): readonly Projection[] {
  if (stryMutAct_9fa48("5799")) {
    {}
  } else {
    stryCov_9fa48("5799");
    return projections.map(stryMutAct_9fa48("5800") ? () => undefined : (stryCov_9fa48("5800"), projection => inBuild(projection, stryMutAct_9fa48("5801") ? shown[viewKey(projection)] && 0 : (stryCov_9fa48("5801"), shown[viewKey(projection)] ?? 0))));
  }
}

/** All builds that are applied in step: the active ones, the previous ones, and the one that is being compared. */
export function projectionsInStep(builds: Builds, projections: readonly Projection[]): readonly Projection[] {
  if (stryMutAct_9fa48("5802")) {
    {}
  } else {
    stryCov_9fa48("5802");
    const {
      shown,
      kept,
      change
    } = builds;
    return projections.flatMap(projection => {
      if (stryMutAct_9fa48("5803")) {
        {}
      } else {
        stryCov_9fa48("5803");
        const view = viewKey(projection);
        const numbers = new Set(stryMutAct_9fa48("5804") ? [] : (stryCov_9fa48("5804"), [stryMutAct_9fa48("5805") ? shown[view] && 0 : (stryCov_9fa48("5805"), shown[view] ?? 0)]));
        const before = stryMutAct_9fa48("5806") ? kept.builds[view] : (stryCov_9fa48("5806"), kept?.builds[view]);
        if (stryMutAct_9fa48("5809") ? before === undefined : stryMutAct_9fa48("5808") ? false : stryMutAct_9fa48("5807") ? true : (stryCov_9fa48("5807", "5808", "5809"), before !== undefined)) numbers.add(before);
        if (stryMutAct_9fa48("5812") ? change?.phase === 'comparing' || change.views.includes(view) : stryMutAct_9fa48("5811") ? false : stryMutAct_9fa48("5810") ? true : (stryCov_9fa48("5810", "5811", "5812"), (stryMutAct_9fa48("5814") ? change?.phase !== 'comparing' : stryMutAct_9fa48("5813") ? true : (stryCov_9fa48("5813", "5814"), (stryMutAct_9fa48("5815") ? change.phase : (stryCov_9fa48("5815"), change?.phase)) === (stryMutAct_9fa48("5816") ? "" : (stryCov_9fa48("5816"), 'comparing')))) && change.views.includes(view))) numbers.add(change.number);
        // Sorted, so that a switch does not change the list.
        return stryMutAct_9fa48("5817") ? [...numbers].map(number => inBuild(projection, number)) : (stryCov_9fa48("5817"), (stryMutAct_9fa48("5818") ? [] : (stryCov_9fa48("5818"), [...numbers])).sort(stryMutAct_9fa48("5819") ? () => undefined : (stryCov_9fa48("5819"), (a, b) => stryMutAct_9fa48("5820") ? a + b : (stryCov_9fa48("5820"), a - b))).map(stryMutAct_9fa48("5821") ? () => undefined : (stryCov_9fa48("5821"), number => inBuild(projection, number))));
      }
    });
  }
}

/** The builds that are still catching up. */
export function projectionsBeingBuilt({
  change
}: Builds, projections: readonly Projection[]): readonly Projection[] {
  if (stryMutAct_9fa48("5822")) {
    {}
  } else {
    stryCov_9fa48("5822");
    if (stryMutAct_9fa48("5825") ? change?.phase === 'building' : stryMutAct_9fa48("5824") ? false : stryMutAct_9fa48("5823") ? true : (stryCov_9fa48("5823", "5824", "5825"), (stryMutAct_9fa48("5826") ? change.phase : (stryCov_9fa48("5826"), change?.phase)) !== (stryMutAct_9fa48("5827") ? "" : (stryCov_9fa48("5827"), 'building')))) return stryMutAct_9fa48("5828") ? ["Stryker was here"] : (stryCov_9fa48("5828"), []);
    const own = stryMutAct_9fa48("5829") ? projections : (stryCov_9fa48("5829"), projections.filter(stryMutAct_9fa48("5830") ? () => undefined : (stryCov_9fa48("5830"), projection => change.views.includes(viewKey(projection)))));
    return own.map(stryMutAct_9fa48("5831") ? () => undefined : (stryCov_9fa48("5831"), projection => inBuild(projection, change.number)));
  }
}