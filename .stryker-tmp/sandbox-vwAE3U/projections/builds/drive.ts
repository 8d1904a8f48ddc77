// Advances a build of views step by step: catch up, apply in step with the active build, compare, switch. All state is
// in the build pointer and the checkpoints, so any node can continue after a crash.
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
import type { Position } from '../../domain/event.ts';
import { ALL_PARTITIONS } from '../../domain/partition.ts';
import type { Log } from '../../stores/contract/log.ts';
import { type AllRankings, RankingsLost } from '../../stores/contract/rankings.ts';
import type { Views } from '../../stores/contract/views.ts';
import { type Projection, viewKey } from '../projection.ts';
import { compareBuilds } from './compare.ts';
import { haveReached } from './have-reached.ts';
import type { BuildPointer } from './pointer.ts';
import { activeKey, type BuildChange, type Builds, buildKey, discardPrevious, fail, startComparing, switchTo } from './state.ts';

/** How long the previous build is kept after a switch. Until then both builds are applied. */
export const KEEP_PREVIOUS_MS = stryMutAct_9fa48("5505") ? 24 / 3_600_000 : (stryCov_9fa48("5505"), 24 * 3_600_000);
export interface DriveDeps {
  /** The stored views, each build by its own key. */
  readonly views: Views;
  readonly rankings: AllRankings;
  readonly log: Log;
  readonly pointer: BuildPointer;
  readonly projections: readonly Projection[];
  /** Whether this node applies the build of this key in step with the active one. */
  isInStep(key: string): boolean;
  /** Milliseconds after which every node that may apply events has seen a change of the pointer. */
  readonly settleMs: number;
  readonly keptMs: number;
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number;
  /** Unix milliseconds. */
  now(): number;
}

/** Checks the state once and takes the next step if it is due. Rejects with the signal's reason. */
export type Drive = (signal: AbortSignal) => Promise<void>;
export function createBuildDriver(deps: DriveDeps): Drive {
  if (stryMutAct_9fa48("5506")) {
    {}
  } else {
    stryCov_9fa48("5506");
    const {
      pointer,
      projections
    } = deps;
    const mine = new Map(projections.map(stryMutAct_9fa48("5507") ? () => undefined : (stryCov_9fa48("5507"), projection => stryMutAct_9fa48("5508") ? [] : (stryCov_9fa48("5508"), [viewKey(projection), projection]))));
    let watched: {
      readonly of: string;
      readonly sinceMs: number;
      to?: Position | null;
    } | null = null;
    const time = stryMutAct_9fa48("5509") ? () => undefined : (stryCov_9fa48("5509"), (() => {
      const time = (ms: number) => new Date(ms).toISOString();
      return time;
    })());
    async function drive(signal: AbortSignal): Promise<void> {
      if (stryMutAct_9fa48("5510")) {
        {}
      } else {
        stryCov_9fa48("5510");
        const builds = await pointer.read();
        if (stryMutAct_9fa48("5513") ? builds.kept !== null || deps.now() >= Date.parse(builds.kept.until) : stryMutAct_9fa48("5512") ? false : stryMutAct_9fa48("5511") ? true : (stryCov_9fa48("5511", "5512", "5513"), (stryMutAct_9fa48("5515") ? builds.kept === null : stryMutAct_9fa48("5514") ? true : (stryCov_9fa48("5514", "5515"), builds.kept !== null)) && (stryMutAct_9fa48("5518") ? deps.now() < Date.parse(builds.kept.until) : stryMutAct_9fa48("5517") ? deps.now() > Date.parse(builds.kept.until) : stryMutAct_9fa48("5516") ? true : (stryCov_9fa48("5516", "5517", "5518"), deps.now() >= Date.parse(builds.kept.until))))) await pointer.change(discardPrevious);
        const {
          change
        } = builds;
        // A change requested by another program version is driven by its nodes, or must be cancelled.
        if (stryMutAct_9fa48("5521") ? change === null && !change.views.every(view => mine.has(view)) : stryMutAct_9fa48("5520") ? false : stryMutAct_9fa48("5519") ? true : (stryCov_9fa48("5519", "5520", "5521"), (stryMutAct_9fa48("5523") ? change !== null : stryMutAct_9fa48("5522") ? false : (stryCov_9fa48("5522", "5523"), change === null)) || (stryMutAct_9fa48("5524") ? change.views.every(view => mine.has(view)) : (stryCov_9fa48("5524"), !(stryMutAct_9fa48("5525") ? change.views.some(view => mine.has(view)) : (stryCov_9fa48("5525"), change.views.every(stryMutAct_9fa48("5526") ? () => undefined : (stryCov_9fa48("5526"), view => mine.has(view))))))))) return;
        const of = stryMutAct_9fa48("5527") ? `` : (stryCov_9fa48("5527"), `${change.number} ${change.phase}`);
        if (stryMutAct_9fa48("5530") ? watched?.of === of : stryMutAct_9fa48("5529") ? false : stryMutAct_9fa48("5528") ? true : (stryCov_9fa48("5528", "5529", "5530"), (stryMutAct_9fa48("5531") ? watched.of : (stryCov_9fa48("5531"), watched?.of)) !== of)) watched = stryMutAct_9fa48("5532") ? {} : (stryCov_9fa48("5532"), {
          of,
          sinceMs: deps.elapsedMs()
        });
        if (stryMutAct_9fa48("5535") ? change.phase !== 'comparing' : stryMutAct_9fa48("5534") ? false : stryMutAct_9fa48("5533") ? true : (stryCov_9fa48("5533", "5534", "5535"), change.phase === (stryMutAct_9fa48("5536") ? "" : (stryCov_9fa48("5536"), 'comparing')))) {
          if (stryMutAct_9fa48("5537")) {
            {}
          } else {
            stryCov_9fa48("5537");
            const isHere = stryMutAct_9fa48("5538") ? change.views.some(view => deps.isInStep(buildKey(view, change.number))) : (stryCov_9fa48("5538"), change.views.every(stryMutAct_9fa48("5539") ? () => undefined : (stryCov_9fa48("5539"), view => deps.isInStep(buildKey(view, change.number)))));
            if (stryMutAct_9fa48("5542") ? !isHere && deps.elapsedMs() - watched.sinceMs < deps.settleMs : stryMutAct_9fa48("5541") ? false : stryMutAct_9fa48("5540") ? true : (stryCov_9fa48("5540", "5541", "5542"), (stryMutAct_9fa48("5543") ? isHere : (stryCov_9fa48("5543"), !isHere)) || (stryMutAct_9fa48("5546") ? deps.elapsedMs() - watched.sinceMs >= deps.settleMs : stryMutAct_9fa48("5545") ? deps.elapsedMs() - watched.sinceMs <= deps.settleMs : stryMutAct_9fa48("5544") ? false : (stryCov_9fa48("5544", "5545", "5546"), (stryMutAct_9fa48("5547") ? deps.elapsedMs() + watched.sinceMs : (stryCov_9fa48("5547"), deps.elapsedMs() - watched.sinceMs)) < deps.settleMs)))) return;
          }
        }
        // The first call records the head of the log, beyond which no active view has applied anything; later calls wait
        // until the builds have reached it.
        if (stryMutAct_9fa48("5550") ? watched.to !== undefined : stryMutAct_9fa48("5549") ? false : stryMutAct_9fa48("5548") ? true : (stryCov_9fa48("5548", "5549", "5550"), watched.to === undefined)) {
          if (stryMutAct_9fa48("5551")) {
            {}
          } else {
            stryCov_9fa48("5551");
            watched.to = await deps.log.head();
            return;
          }
        }
        const shown = (stryMutAct_9fa48("5554") ? change.phase !== 'building' : stryMutAct_9fa48("5553") ? false : stryMutAct_9fa48("5552") ? true : (stryCov_9fa48("5552", "5553", "5554"), change.phase === (stryMutAct_9fa48("5555") ? "" : (stryCov_9fa48("5555"), 'building')))) ? stryMutAct_9fa48("5556") ? ["Stryker was here"] : (stryCov_9fa48("5556"), []) : change.views.map(stryMutAct_9fa48("5557") ? () => undefined : (stryCov_9fa48("5557"), view => activeKey(builds, view)));
        if (stryMutAct_9fa48("5560") ? !(await areThere(deps, change)) && !(await haveReached(deps, [...keysOf(change), ...shown], watched.to)) : stryMutAct_9fa48("5559") ? false : stryMutAct_9fa48("5558") ? true : (stryCov_9fa48("5558", "5559", "5560"), (stryMutAct_9fa48("5561") ? await areThere(deps, change) : (stryCov_9fa48("5561"), !(await areThere(deps, change)))) || (stryMutAct_9fa48("5562") ? await haveReached(deps, [...keysOf(change), ...shown], watched.to) : (stryCov_9fa48("5562"), !(await haveReached(deps, stryMutAct_9fa48("5563") ? [] : (stryCov_9fa48("5563"), [...keysOf(change), ...shown]), watched.to)))))) return;
        if (stryMutAct_9fa48("5566") ? change.phase !== 'building' : stryMutAct_9fa48("5565") ? false : stryMutAct_9fa48("5564") ? true : (stryCov_9fa48("5564", "5565", "5566"), change.phase === (stryMutAct_9fa48("5567") ? "" : (stryCov_9fa48("5567"), 'building')))) await pointer.change(startComparing(change.number));else await compareAndSwitch(builds, change, signal);
      }
    }
    async function compareAndSwitch(builds: Builds, {
      number,
      views: keys
    }: BuildChange, signal: AbortSignal): Promise<void> {
      if (stryMutAct_9fa48("5568")) {
        {}
      } else {
        stryCov_9fa48("5568");
        const pairs = keys.map(view => {
          if (stryMutAct_9fa48("5569")) {
            {}
          } else {
            stryCov_9fa48("5569");
            const projection = mine.get(view) as Projection;
            return [{
              ...projection,
              build: builds.shown[view] ?? 0
            }, {
              ...projection,
              build: number
            }] as const;
          }
        });
        const found = await compareBuilds(deps, pairs, signal);
        if (stryMutAct_9fa48("5572") ? found !== null : stryMutAct_9fa48("5571") ? false : stryMutAct_9fa48("5570") ? true : (stryCov_9fa48("5570", "5571", "5572"), found === null)) return;
        const {
          parked,
          ...compared
        } = found;
        const now = time(deps.now());
        if (stryMutAct_9fa48("5576") ? parked <= 0 : stryMutAct_9fa48("5575") ? parked >= 0 : stryMutAct_9fa48("5574") ? false : stryMutAct_9fa48("5573") ? true : (stryCov_9fa48("5573", "5574", "5575", "5576"), parked > 0)) {
          if (stryMutAct_9fa48("5577")) {
            {}
          } else {
            stryCov_9fa48("5577");
            const reason = stryMutAct_9fa48("5578") ? `` : (stryCov_9fa48("5578"), `${parked} streams have an event that the new build cannot apply, although the active build applied it`);
            await pointer.change(fail(number, reason, compared, now));
          }
        } else {
          if (stryMutAct_9fa48("5579")) {
            {}
          } else {
            stryCov_9fa48("5579");
            await pointer.change(switchTo(number, compared, now, time(stryMutAct_9fa48("5580") ? deps.now() - deps.keptMs : (stryCov_9fa48("5580"), deps.now() + deps.keptMs))));
          }
        }
      }
    }
    return drive;
  }
}
const keysOf = stryMutAct_9fa48("5581") ? () => undefined : (stryCov_9fa48("5581"), (() => {
  const keysOf = ({
    views,
    number
  }: BuildChange): string[] => views.map(stryMutAct_9fa48("5582") ? () => undefined : (stryCov_9fa48("5582"), view => buildKey(view, number)));
  return keysOf;
})());

/** Whether all views of a build exist, with their rankings filled. */
async function areThere({
  views,
  rankings,
  projections
}: DriveDeps, change: BuildChange): Promise<boolean> {
  if (stryMutAct_9fa48("5583")) {
    {}
  } else {
    stryCov_9fa48("5583");
    const there = await views.list();
    if (stryMutAct_9fa48("5586") ? false : stryMutAct_9fa48("5585") ? true : stryMutAct_9fa48("5584") ? keysOf(change).every(key => there.includes(key)) : (stryCov_9fa48("5584", "5585", "5586"), !(stryMutAct_9fa48("5587") ? keysOf(change).some(key => there.includes(key)) : (stryCov_9fa48("5587"), keysOf(change).every(stryMutAct_9fa48("5588") ? () => undefined : (stryCov_9fa48("5588"), key => there.includes(key))))))) return stryMutAct_9fa48("5589") ? true : (stryCov_9fa48("5589"), false);
    const ranked = stryMutAct_9fa48("5590") ? projections : (stryCov_9fa48("5590"), projections.filter(stryMutAct_9fa48("5591") ? () => undefined : (stryCov_9fa48("5591"), view => stryMutAct_9fa48("5594") ? view.ranked !== undefined || change.views.includes(viewKey(view)) : stryMutAct_9fa48("5593") ? false : stryMutAct_9fa48("5592") ? true : (stryCov_9fa48("5592", "5593", "5594"), (stryMutAct_9fa48("5596") ? view.ranked === undefined : stryMutAct_9fa48("5595") ? true : (stryCov_9fa48("5595", "5596"), view.ranked !== undefined)) && change.views.includes(viewKey(view))))));
    const keys = ranked.map(stryMutAct_9fa48("5597") ? () => undefined : (stryCov_9fa48("5597"), view => buildKey(viewKey(view), change.number)));
    return stryMutAct_9fa48("5598") ? (await Promise.all(keys.map(key => isRanked(rankings, key)))).some(Boolean) : (stryCov_9fa48("5598"), (await Promise.all(keys.map(stryMutAct_9fa48("5599") ? () => undefined : (stryCov_9fa48("5599"), key => isRanked(rankings, key))))).every(Boolean));
  }
}
async function isRanked(rankings: AllRankings, key: string): Promise<boolean> {
  if (stryMutAct_9fa48("5600")) {
    {}
  } else {
    stryCov_9fa48("5600");
    try {
      if (stryMutAct_9fa48("5601")) {
        {}
      } else {
        stryCov_9fa48("5601");
        await Promise.all(ALL_PARTITIONS.map(stryMutAct_9fa48("5602") ? () => undefined : (stryCov_9fa48("5602"), partition => rankings.of(key, partition).size(stryMutAct_9fa48("5603") ? "Stryker was here!" : (stryCov_9fa48("5603"), '')))));
        return stryMutAct_9fa48("5604") ? false : (stryCov_9fa48("5604"), true);
      }
    } catch (error) {
      if (stryMutAct_9fa48("5605")) {
        {}
      } else {
        stryCov_9fa48("5605");
        if (stryMutAct_9fa48("5607") ? false : stryMutAct_9fa48("5606") ? true : (stryCov_9fa48("5606", "5607"), error instanceof RankingsLost)) return stryMutAct_9fa48("5608") ? true : (stryCov_9fa48("5608"), false);
        throw error;
      }
    }
  }
}