// Fills rankings from the documents. Rankings are derived data: they start empty in process, and a Redis can lose them.
// They are filled per partition, before any further change is put into them.
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
import type { Position } from '../domain/event.ts';
import { ALL_PARTITIONS } from '../domain/partition.ts';
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts';
import type { Log } from '../stores/contract/log.ts';
import { type AllRankings, type FilledRanking, type Rankings, RankingsLost } from '../stores/contract/rankings.ts';
import type { Views } from '../stores/contract/views.ts';
import type { Applier } from './apply.ts';
import { type Projection, type Ranked, viewKey } from './projection.ts';
const PAGE = 5_000;
const CHECK_RANKINGS_EVERY_MS = 500;
const CHECK_FILLED_EVERY_MS = 20;
export interface FillDeps {
  readonly log: Log;
  readonly views: Views;
  readonly rankings: AllRankings;
  readonly installation: string;
}

/** Applies the log to the views of these appliers and writes them with their checkpoints, at least up to a position. */
export type CatchUp = (until: Position) => Promise<void>;

/** The rankings of one view in one partition. */
interface OwnSet {
  readonly view: string;
  readonly ranked: Ranked;
  readonly partition: number;
  readonly rankings: Rankings;
}
function setsOf({
  rankings
}: FillDeps, appliers: readonly Applier[], partitions: readonly number[]): OwnSet[] {
  if (stryMutAct_9fa48("6725")) {
    {}
  } else {
    stryCov_9fa48("6725");
    return appliers.flatMap(({
      projection
    }) => {
      if (stryMutAct_9fa48("6726")) {
        {}
      } else {
        stryCov_9fa48("6726");
        const {
          ranked
        } = projection;
        if (stryMutAct_9fa48("6729") ? ranked !== undefined : stryMutAct_9fa48("6728") ? false : stryMutAct_9fa48("6727") ? true : (stryCov_9fa48("6727", "6728", "6729"), ranked === undefined)) return stryMutAct_9fa48("6730") ? ["Stryker was here"] : (stryCov_9fa48("6730"), []);
        const view = viewKey(projection);
        return partitions.map(stryMutAct_9fa48("6731") ? () => undefined : (stryCov_9fa48("6731"), partition => stryMutAct_9fa48("6732") ? {} : (stryCov_9fa48("6732"), {
          view,
          ranked,
          partition,
          rankings: rankings.of(view, partition)
        })));
      }
    });
  }
}

/**
 * Fills, in these partitions, the rankings that are not filled for this installation. Returns all their rankings, so
 * that the caller can watch them.
 * Another process that still believes it owns a partition may have put changes into the lost rankings, and may write
 * the matching documents only now. So the fill begins first: from then on such a put fails. Then the documents are
 * brought to the current head of the log, past everything that was put before, so that a late write is not newer. Only
 * then are the documents read.
 */
export async function fillRankings(deps: FillDeps, appliers: readonly Applier[], partitions: readonly number[], catchUp: CatchUp): Promise<readonly Rankings[]> {
  if (stryMutAct_9fa48("6733")) {
    {}
  } else {
    stryCov_9fa48("6733");
    const sets = setsOf(deps, appliers, partitions);
    const empty = await notFilled(deps, sets);
    if (stryMutAct_9fa48("6737") ? empty.length <= 0 : stryMutAct_9fa48("6736") ? empty.length >= 0 : stryMutAct_9fa48("6735") ? false : stryMutAct_9fa48("6734") ? true : (stryCov_9fa48("6734", "6735", "6736", "6737"), empty.length > 0)) {
      if (stryMutAct_9fa48("6738")) {
        {}
      } else {
        stryCov_9fa48("6738");
        const fills = await Promise.all(empty.map(stryMutAct_9fa48("6739") ? () => undefined : (stryCov_9fa48("6739"), async set => [set, await set.rankings.beginFill(deps.installation)] as const)));
        const head = await deps.log.head();
        if (stryMutAct_9fa48("6742") ? head === null : stryMutAct_9fa48("6741") ? false : stryMutAct_9fa48("6740") ? true : (stryCov_9fa48("6740", "6741", "6742"), head !== null)) await catchUp(head);
        const reached = await positionsOf(deps, empty);
        for (const [set, fill] of fills) await fill.finish(reached(set), everyRanking(deps, set));
      }
    }
    return sets.map(stryMutAct_9fa48("6743") ? () => undefined : (stryCov_9fa48("6743"), ({
      rankings
    }) => rankings));
  }
}
async function notFilled(deps: FillDeps, sets: readonly OwnSet[]): Promise<OwnSet[]> {
  if (stryMutAct_9fa48("6744")) {
    {}
  } else {
    stryCov_9fa48("6744");
    const filled = await Promise.all(sets.map(stryMutAct_9fa48("6745") ? () => undefined : (stryCov_9fa48("6745"), ({
      rankings
    }) => rankings.isFilled(deps.installation))));
    const reached = await positionsOf(deps, sets);
    // No checkpoint: the documents were dropped, for instance after the log was restored, so the ranking must not survive
    // either.
    return stryMutAct_9fa48("6746") ? sets : (stryCov_9fa48("6746"), sets.filter(stryMutAct_9fa48("6747") ? () => undefined : (stryCov_9fa48("6747"), (set, at) => stryMutAct_9fa48("6750") ? filled[at] === false && reached(set) === null : stryMutAct_9fa48("6749") ? false : stryMutAct_9fa48("6748") ? true : (stryCov_9fa48("6748", "6749", "6750"), (stryMutAct_9fa48("6752") ? filled[at] !== false : stryMutAct_9fa48("6751") ? false : (stryCov_9fa48("6751", "6752"), filled[at] === (stryMutAct_9fa48("6753") ? true : (stryCov_9fa48("6753"), false)))) || (stryMutAct_9fa48("6755") ? reached(set) !== null : stryMutAct_9fa48("6754") ? false : (stryCov_9fa48("6754", "6755"), reached(set) === null))))));
  }
}

/**
 * Polls whether the rankings still exist and aborts the run if they are lost; the next run fills them. Without new
 * events no write would notice. `rankings` as returned by `fillRankings`. Returns a function that stops polling.
 */
export function endWhenRankingsAreLost(rankings: readonly Rankings[], round: AbortController): () => void {
  if (stryMutAct_9fa48("6756")) {
    {}
  } else {
    stryCov_9fa48("6756");
    let isLooking = stryMutAct_9fa48("6757") ? true : (stryCov_9fa48("6757"), false);
    const look = async () => {
      if (stryMutAct_9fa48("6758")) {
        {}
      } else {
        stryCov_9fa48("6758");
        if (stryMutAct_9fa48("6760") ? false : stryMutAct_9fa48("6759") ? true : (stryCov_9fa48("6759", "6760"), isLooking)) return;
        isLooking = stryMutAct_9fa48("6761") ? false : (stryCov_9fa48("6761"), true);
        // A store that is away has not lost them: its answer tells, once it is back.
        const whole = await Promise.all(rankings.map(stryMutAct_9fa48("6762") ? () => undefined : (stryCov_9fa48("6762"), one => one.isCurrent().catch(stryMutAct_9fa48("6763") ? () => undefined : (stryCov_9fa48("6763"), () => stryMutAct_9fa48("6764") ? false : (stryCov_9fa48("6764"), true))))));
        if (stryMutAct_9fa48("6766") ? false : stryMutAct_9fa48("6765") ? true : (stryCov_9fa48("6765", "6766"), whole.includes(stryMutAct_9fa48("6767") ? true : (stryCov_9fa48("6767"), false)))) round.abort();
        isLooking = stryMutAct_9fa48("6768") ? true : (stryCov_9fa48("6768"), false);
      }
    };
    const looking = setInterval(stryMutAct_9fa48("6769") ? () => undefined : (stryCov_9fa48("6769"), () => void look()), CHECK_RANKINGS_EVERY_MS).unref();
    return stryMutAct_9fa48("6770") ? () => undefined : (stryCov_9fa48("6770"), () => clearInterval(looking));
  }
}

/**
 * Resolves once the rankings of all these views can be read, no matter which node fills them, or when the signal
 * aborts. Rejects if their store fails.
 */
export async function untilFilled(rankings: AllRankings, projections: readonly Projection[], signal: AbortSignal): Promise<void> {
  if (stryMutAct_9fa48("6771")) {
    {}
  } else {
    stryCov_9fa48("6771");
    const views = stryMutAct_9fa48("6772") ? projections.map(viewKey) : (stryCov_9fa48("6772"), projections.filter(stryMutAct_9fa48("6773") ? () => undefined : (stryCov_9fa48("6773"), ({
      ranked
    }) => stryMutAct_9fa48("6776") ? ranked === undefined : stryMutAct_9fa48("6775") ? false : stryMutAct_9fa48("6774") ? true : (stryCov_9fa48("6774", "6775", "6776"), ranked !== undefined))).map(viewKey));
    let missing = views.flatMap(stryMutAct_9fa48("6777") ? () => undefined : (stryCov_9fa48("6777"), view => ALL_PARTITIONS.map(stryMutAct_9fa48("6778") ? () => undefined : (stryCov_9fa48("6778"), partition => rankings.of(view, partition)))));
    while (stryMutAct_9fa48("6780") ? false : stryMutAct_9fa48("6779") ? signal.aborted : (stryCov_9fa48("6779", "6780"), !signal.aborted)) {
      if (stryMutAct_9fa48("6781")) {
        {}
      } else {
        stryCov_9fa48("6781");
        const filled = await Promise.all(missing.map(canBeRead));
        missing = stryMutAct_9fa48("6782") ? missing : (stryCov_9fa48("6782"), missing.filter(stryMutAct_9fa48("6783") ? () => undefined : (stryCov_9fa48("6783"), (_, at) => stryMutAct_9fa48("6786") ? filled[at] !== false : stryMutAct_9fa48("6785") ? false : stryMutAct_9fa48("6784") ? true : (stryCov_9fa48("6784", "6785", "6786"), filled[at] === (stryMutAct_9fa48("6787") ? true : (stryCov_9fa48("6787"), false))))));
        if (stryMutAct_9fa48("6790") ? missing.length !== 0 : stryMutAct_9fa48("6789") ? false : stryMutAct_9fa48("6788") ? true : (stryCov_9fa48("6788", "6789", "6790"), missing.length === 0)) return;
        await new Promise(stryMutAct_9fa48("6791") ? () => undefined : (stryCov_9fa48("6791"), wake => setTimeout(wake, CHECK_FILLED_EVERY_MS)));
      }
    }
  }
}
async function canBeRead(set: Rankings): Promise<boolean> {
  if (stryMutAct_9fa48("6792")) {
    {}
  } else {
    stryCov_9fa48("6792");
    try {
      if (stryMutAct_9fa48("6793")) {
        {}
      } else {
        stryCov_9fa48("6793");
        await set.size(stryMutAct_9fa48("6794") ? "Stryker was here!" : (stryCov_9fa48("6794"), ''));
        return stryMutAct_9fa48("6795") ? false : (stryCov_9fa48("6795"), true);
      }
    } catch (error) {
      if (stryMutAct_9fa48("6796")) {
        {}
      } else {
        stryCov_9fa48("6796");
        if (stryMutAct_9fa48("6798") ? false : stryMutAct_9fa48("6797") ? true : (stryCov_9fa48("6797", "6798"), error instanceof RankingsLost)) return stryMutAct_9fa48("6799") ? true : (stryCov_9fa48("6799"), false);
        throw error;
      }
    }
  }
}

/** Returns a lookup of the position that all documents of a set have reached; null if there may be none. */
async function positionsOf({
  views
}: FillDeps, sets: readonly OwnSet[]): Promise<(set: OwnSet) => Position | null> {
  if (stryMutAct_9fa48("6800")) {
    {}
  } else {
    stryCov_9fa48("6800");
    const keys = stryMutAct_9fa48("6801") ? [] : (stryCov_9fa48("6801"), [...new Set(sets.map(stryMutAct_9fa48("6802") ? () => undefined : (stryCov_9fa48("6802"), ({
      view
    }) => view)))]);
    const checkpoints = new Map(await Promise.all(keys.map(stryMutAct_9fa48("6803") ? () => undefined : (stryCov_9fa48("6803"), async key => [key, await views.checkpoints(key)] as const))));
    return stryMutAct_9fa48("6804") ? () => undefined : (stryCov_9fa48("6804"), ({
      view,
      partition
    }) => stryMutAct_9fa48("6805") ? checkpoints.get(view)?.get(partition)?.position && null : (stryCov_9fa48("6805"), (stryMutAct_9fa48("6807") ? checkpoints.get(view).get(partition)?.position : stryMutAct_9fa48("6806") ? checkpoints.get(view)?.get(partition).position : (stryCov_9fa48("6806", "6807"), checkpoints.get(view)?.get(partition)?.position)) ?? null));
  }
}
async function* everyRanking({
  views
}: FillDeps, {
  view,
  ranked,
  partition
}: OwnSet): AsyncIterable<FilledRanking> {
  if (stryMutAct_9fa48("6808")) {
    {}
  } else {
    stryCov_9fa48("6808");
    const {
      keys,
      byPartition
    } = ranked;
    if (stryMutAct_9fa48("6809")) {
      for (let after: string | undefined; false;) {
        const bound = after === undefined ? {} : {
          after
        };
        const find = {
          view,
          collection: keys,
          index: byPartition,
          equal: [partition],
          ...bound,
          limit: PAGE
        };
        const named = (await views.find(find)).map(({
          body
        }) => body[ranked.key] as string);
        for (const key of named) yield {
          key,
          members: members(views, view, ranked, key)
        };
        if (named.length < PAGE) return;
        after = named.at(-1);
      }
    } else {
      stryCov_9fa48("6809");
      for (let after: string | undefined;;) {
        if (stryMutAct_9fa48("6810")) {
          {}
        } else {
          stryCov_9fa48("6810");
          const bound = (stryMutAct_9fa48("6813") ? after !== undefined : stryMutAct_9fa48("6812") ? false : stryMutAct_9fa48("6811") ? true : (stryCov_9fa48("6811", "6812", "6813"), after === undefined)) ? {} : stryMutAct_9fa48("6814") ? {} : (stryCov_9fa48("6814"), {
            after
          });
          const find = stryMutAct_9fa48("6815") ? {} : (stryCov_9fa48("6815"), {
            view,
            collection: keys,
            index: byPartition,
            equal: stryMutAct_9fa48("6816") ? [] : (stryCov_9fa48("6816"), [partition]),
            ...bound,
            limit: PAGE
          });
          const named = (await views.find(find)).map(stryMutAct_9fa48("6817") ? () => undefined : (stryCov_9fa48("6817"), ({
            body
          }) => body[ranked.key] as string));
          for (const key of named) yield stryMutAct_9fa48("6818") ? {} : (stryCov_9fa48("6818"), {
            key,
            members: members(views, view, ranked, key)
          });
          if (stryMutAct_9fa48("6822") ? named.length >= PAGE : stryMutAct_9fa48("6821") ? named.length <= PAGE : stryMutAct_9fa48("6820") ? false : stryMutAct_9fa48("6819") ? true : (stryCov_9fa48("6819", "6820", "6821", "6822"), named.length < PAGE)) return;
          after = named.at(stryMutAct_9fa48("6823") ? +1 : (stryCov_9fa48("6823"), -1));
        }
      }
    }
  }
}
async function* members(views: Views, view: string, ranked: Ranked, key: string): AsyncIterable<string[]> {
  if (stryMutAct_9fa48("6824")) {
    {}
  } else {
    stryCov_9fa48("6824");
    const {
      collection,
      index
    } = ranked;
    if (stryMutAct_9fa48("6825")) {
      for (let after: string | undefined; false;) {
        const bound = after === undefined ? {} : {
          after
        };
        const documents = await views.find({
          view,
          collection,
          index,
          equal: [key],
          ...bound,
          limit: PAGE
        });
        const page = documents.map(({
          body
        }) => body[ranked.member] as string);
        if (page.length > 0) yield page;
        if (page.length < PAGE) return;
        // Let pending requests run.
        await yieldToEventLoop();
        after = page.at(-1);
      }
    } else {
      stryCov_9fa48("6825");
      for (let after: string | undefined;;) {
        if (stryMutAct_9fa48("6826")) {
          {}
        } else {
          stryCov_9fa48("6826");
          const bound = (stryMutAct_9fa48("6829") ? after !== undefined : stryMutAct_9fa48("6828") ? false : stryMutAct_9fa48("6827") ? true : (stryCov_9fa48("6827", "6828", "6829"), after === undefined)) ? {} : stryMutAct_9fa48("6830") ? {} : (stryCov_9fa48("6830"), {
            after
          });
          const documents = await views.find(stryMutAct_9fa48("6831") ? {} : (stryCov_9fa48("6831"), {
            view,
            collection,
            index,
            equal: stryMutAct_9fa48("6832") ? [] : (stryCov_9fa48("6832"), [key]),
            ...bound,
            limit: PAGE
          }));
          const page = documents.map(stryMutAct_9fa48("6833") ? () => undefined : (stryCov_9fa48("6833"), ({
            body
          }) => body[ranked.member] as string));
          if (stryMutAct_9fa48("6837") ? page.length <= 0 : stryMutAct_9fa48("6836") ? page.length >= 0 : stryMutAct_9fa48("6835") ? false : stryMutAct_9fa48("6834") ? true : (stryCov_9fa48("6834", "6835", "6836", "6837"), page.length > 0)) yield page;
          if (stryMutAct_9fa48("6841") ? page.length >= PAGE : stryMutAct_9fa48("6840") ? page.length <= PAGE : stryMutAct_9fa48("6839") ? false : stryMutAct_9fa48("6838") ? true : (stryCov_9fa48("6838", "6839", "6840", "6841"), page.length < PAGE)) return;
          // Let pending requests run.
          await yieldToEventLoop();
          after = page.at(stryMutAct_9fa48("6842") ? +1 : (stryCov_9fa48("6842"), -1));
        }
      }
    }
  }
}