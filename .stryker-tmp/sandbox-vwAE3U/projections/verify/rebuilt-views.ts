// Rebuilds views from the log in a scratch store, with the code that builds the live ones, and advances them event by
// event to the position at which they are compared.
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
import type { Position, StoredEvent } from '../../domain/event.ts';
import { partitionOf } from '../../domain/partition.ts';
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts';
import type { History } from '../../stores/contract/history.ts';
import type { Log } from '../../stores/contract/log.ts';
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts';
import type { Views } from '../../stores/contract/views.ts';
import { type Applier, createApplier } from '../apply.ts';
import { batchesOf } from '../catch-up.ts';
import { Folds } from '../folds.ts';
import { MemoryBudget } from '../memory-budget.ts';
import { PARKED, type Projection, viewSpec } from '../projection.ts';
import { write } from '../write.ts';

/** Events read at once and held until they are due. */
const BATCH = 250;
/** Documents changed before a write, and bytes of documents held between two writes. */
const CHANGED_MAX = 1_000;
const HELD_BYTES = stryMutAct_9fa48("8252") ? 32 / 2 ** 20 : (stryCov_9fa48("8252"), 32 * 2 ** 20);
export interface RebuiltViews {
  readonly views: Views;
  /** Position of the last event applied; '' before the first. */
  readonly at: Position;
  /** Number of events applied. */
  readonly events: number;
  /** Applies the next events of the log until one is not due. Rejects with the signal's reason. */
  advance(isDue: (event: StoredEvent) => boolean, signal: AbortSignal): Promise<void>;
  /** Whether views at these checkpoints have applied every event that was applied here. */
  isReachedBy(checkpoints: ReadonlyMap<number, Position>): boolean;
}

/** `views` must be empty and used by nobody else; `history` may be a view in it. */
export async function rebuildViews(log: Log, history: History, views: Views, projections: readonly Projection[]): Promise<RebuiltViews> {
  if (stryMutAct_9fa48("8253")) {
    {}
  } else {
    stryCov_9fa48("8253");
    await prepare(views, projections);
    // No fold is prepared here: ranges that were cut from a fold are folded again, however large.
    const folds = new Folds(stryMutAct_9fa48("8254") ? {} : (stryCov_9fa48("8254"), {
      log,
      history
    }), 0);
    const deps = stryMutAct_9fa48("8255") ? {} : (stryCov_9fa48("8255"), {
      log,
      history,
      views,
      rankings: NO_RANKINGS,
      parked: () => {},
      folds
    });
    const held = new MemoryBudget(HELD_BYTES);
    const appliers = projections.map(stryMutAct_9fa48("8256") ? () => undefined : (stryCov_9fa48("8256"), projection => createApplier(projection, deps, held)));
    /** Partition -> the last event applied. */
    const last = new Map<number, Position>();
    let ahead: StoredEvent[] = stryMutAct_9fa48("8257") ? ["Stryker was here"] : (stryCov_9fa48("8257"), []);
    let at: Position = stryMutAct_9fa48("8258") ? "Stryker was here!" : (stryCov_9fa48("8258"), '');
    let events = 0;
    async function apply(due: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
      if (stryMutAct_9fa48("8259")) {
        {}
      } else {
        stryCov_9fa48("8259");
        for (const applier of appliers) {
          if (stryMutAct_9fa48("8260")) {
            {}
          } else {
            stryCov_9fa48("8260");
            await applier.apply(due, signal);
            if (stryMutAct_9fa48("8264") ? applier.changed() < CHANGED_MAX : stryMutAct_9fa48("8263") ? applier.changed() > CHANGED_MAX : stryMutAct_9fa48("8262") ? false : stryMutAct_9fa48("8261") ? true : (stryCov_9fa48("8261", "8262", "8263", "8264"), applier.changed() >= CHANGED_MAX)) await flush(stryMutAct_9fa48("8265") ? [] : (stryCov_9fa48("8265"), [applier]));
          }
        }
        for (const {
          position,
          meta
        } of due) last.set(partitionOf(meta.game), position);
        at = stryMutAct_9fa48("8266") ? due.at(-1)?.position && at : (stryCov_9fa48("8266"), (stryMutAct_9fa48("8267") ? due.at(-1).position : (stryCov_9fa48("8267"), due.at(stryMutAct_9fa48("8268") ? +1 : (stryCov_9fa48("8268"), -1))?.position)) ?? at);
        stryMutAct_9fa48("8269") ? events -= due.length : (stryCov_9fa48("8269"), events += due.length);
      }
    }
    const flush = stryMutAct_9fa48("8270") ? () => undefined : (stryCov_9fa48("8270"), (() => {
      const flush = (some: readonly Applier[]) => write(deps, ...some.map(stryMutAct_9fa48("8271") ? () => undefined : (stryCov_9fa48("8271"), applier => applier.take(new Map()))));
      return flush;
    })());
    return stryMutAct_9fa48("8272") ? {} : (stryCov_9fa48("8272"), {
      views,
      get at() {
        if (stryMutAct_9fa48("8273")) {
          {}
        } else {
          stryCov_9fa48("8273");
          return at;
        }
      },
      get events() {
        if (stryMutAct_9fa48("8274")) {
          {}
        } else {
          stryCov_9fa48("8274");
          return events;
        }
      },
      async advance(isDue, signal) {
        if (stryMutAct_9fa48("8275")) {
          {}
        } else {
          stryCov_9fa48("8275");
          if (stryMutAct_9fa48("8276")) {
            for (; false;) {
              signal.throwIfAborted();
              if (ahead.length === 0) ahead = await log.readAll(at === '' ? null : at, BATCH);
              const end = ahead.findIndex(event => !isDue(event));
              const due = end < 0 ? ahead : ahead.slice(0, end);
              for (const batch of due.length > 0 ? batchesOf(due, appliers) : []) {
                // A replay reads the history, which may be one of these views: write it first.
                if (batch.replays) await flush(appliers);
                await apply(batch.events, signal);
              }
              ahead = end < 0 ? [] : ahead.slice(end);
              if (end >= 0 || due.length === 0) break;
              // Awaiting resolved promises does not yield to the event loop; a server has requests to answer meanwhile.
              await yieldToEventLoop();
            }
          } else {
            stryCov_9fa48("8276");
            for (;;) {
              if (stryMutAct_9fa48("8277")) {
                {}
              } else {
                stryCov_9fa48("8277");
                signal.throwIfAborted();
                if (stryMutAct_9fa48("8280") ? ahead.length !== 0 : stryMutAct_9fa48("8279") ? false : stryMutAct_9fa48("8278") ? true : (stryCov_9fa48("8278", "8279", "8280"), ahead.length === 0)) ahead = await log.readAll((stryMutAct_9fa48("8283") ? at !== '' : stryMutAct_9fa48("8282") ? false : stryMutAct_9fa48("8281") ? true : (stryCov_9fa48("8281", "8282", "8283"), at === (stryMutAct_9fa48("8284") ? "Stryker was here!" : (stryCov_9fa48("8284"), '')))) ? null : at, BATCH);
                const end = ahead.findIndex(stryMutAct_9fa48("8285") ? () => undefined : (stryCov_9fa48("8285"), event => stryMutAct_9fa48("8286") ? isDue(event) : (stryCov_9fa48("8286"), !isDue(event))));
                const due = (stryMutAct_9fa48("8290") ? end >= 0 : stryMutAct_9fa48("8289") ? end <= 0 : stryMutAct_9fa48("8288") ? false : stryMutAct_9fa48("8287") ? true : (stryCov_9fa48("8287", "8288", "8289", "8290"), end < 0)) ? ahead : stryMutAct_9fa48("8291") ? ahead : (stryCov_9fa48("8291"), ahead.slice(0, end));
                for (const batch of (stryMutAct_9fa48("8295") ? due.length <= 0 : stryMutAct_9fa48("8294") ? due.length >= 0 : stryMutAct_9fa48("8293") ? false : stryMutAct_9fa48("8292") ? true : (stryCov_9fa48("8292", "8293", "8294", "8295"), due.length > 0)) ? batchesOf(due, appliers) : stryMutAct_9fa48("8296") ? ["Stryker was here"] : (stryCov_9fa48("8296"), [])) {
                  if (stryMutAct_9fa48("8297")) {
                    {}
                  } else {
                    stryCov_9fa48("8297");
                    // A replay reads the history, which may be one of these views: write it first.
                    if (stryMutAct_9fa48("8299") ? false : stryMutAct_9fa48("8298") ? true : (stryCov_9fa48("8298", "8299"), batch.replays)) await flush(appliers);
                    await apply(batch.events, signal);
                  }
                }
                ahead = (stryMutAct_9fa48("8303") ? end >= 0 : stryMutAct_9fa48("8302") ? end <= 0 : stryMutAct_9fa48("8301") ? false : stryMutAct_9fa48("8300") ? true : (stryCov_9fa48("8300", "8301", "8302", "8303"), end < 0)) ? stryMutAct_9fa48("8304") ? ["Stryker was here"] : (stryCov_9fa48("8304"), []) : stryMutAct_9fa48("8305") ? ahead : (stryCov_9fa48("8305"), ahead.slice(end));
                if (stryMutAct_9fa48("8308") ? end >= 0 && due.length === 0 : stryMutAct_9fa48("8307") ? false : stryMutAct_9fa48("8306") ? true : (stryCov_9fa48("8306", "8307", "8308"), (stryMutAct_9fa48("8311") ? end < 0 : stryMutAct_9fa48("8310") ? end > 0 : stryMutAct_9fa48("8309") ? false : (stryCov_9fa48("8309", "8310", "8311"), end >= 0)) || (stryMutAct_9fa48("8313") ? due.length !== 0 : stryMutAct_9fa48("8312") ? false : (stryCov_9fa48("8312", "8313"), due.length === 0)))) break;
                // Awaiting resolved promises does not yield to the event loop; a server has requests to answer meanwhile.
                await yieldToEventLoop();
              }
            }
          }
          await flush(appliers);
        }
      },
      isReachedBy: stryMutAct_9fa48("8314") ? () => undefined : (stryCov_9fa48("8314"), checkpoints => stryMutAct_9fa48("8315") ? [...last].some(([partition, position]) => position <= (checkpoints.get(partition) ?? '')) : (stryCov_9fa48("8315"), (stryMutAct_9fa48("8316") ? [] : (stryCov_9fa48("8316"), [...last])).every(stryMutAct_9fa48("8317") ? () => undefined : (stryCov_9fa48("8317"), ([partition, position]) => stryMutAct_9fa48("8321") ? position > (checkpoints.get(partition) ?? '') : stryMutAct_9fa48("8320") ? position < (checkpoints.get(partition) ?? '') : stryMutAct_9fa48("8319") ? false : stryMutAct_9fa48("8318") ? true : (stryCov_9fa48("8318", "8319", "8320", "8321"), position <= (stryMutAct_9fa48("8322") ? checkpoints.get(partition) && '' : (stryCov_9fa48("8322"), checkpoints.get(partition) ?? (stryMutAct_9fa48("8323") ? "Stryker was here!" : (stryCov_9fa48("8323"), '')))))))))
    });
  }
}

/**
 * Twice, so that the indexes exist before the documents: creating them over many documents at once would block a
 * running server.
 */
async function prepare(views: Views, projections: readonly Projection[]): Promise<void> {
  if (stryMutAct_9fa48("8324")) {
    {}
  } else {
    stryCov_9fa48("8324");
    for (const projection of stryMutAct_9fa48("8325") ? [] : (stryCov_9fa48("8325"), [...projections, ...projections])) await views.prepare(viewSpec(projection));
  }
}

/** The collections of a view that are compared. */
export const collectionsOf = stryMutAct_9fa48("8326") ? () => undefined : (stryCov_9fa48("8326"), (() => {
  const collectionsOf = (projection: Projection): string[] => viewSpec(projection).collections.map(stryMutAct_9fa48("8327") ? () => undefined : (stryCov_9fa48("8327"), ({
    name
  }) => name));
  return collectionsOf;
})());
export const isParked = stryMutAct_9fa48("8328") ? () => undefined : (stryCov_9fa48("8328"), (() => {
  const isParked = (collection: string): boolean => stryMutAct_9fa48("8331") ? collection !== PARKED : stryMutAct_9fa48("8330") ? false : stryMutAct_9fa48("8329") ? true : (stryCov_9fa48("8329", "8330", "8331"), collection === PARKED);
  return isParked;
})());

/** Rankings are compared with the documents; the rebuild has none. */
const nowhere = (): never => {
  if (stryMutAct_9fa48("8332")) {
    {}
  } else {
    stryCov_9fa48("8332");
    throw new Error(stryMutAct_9fa48("8333") ? "" : (stryCov_9fa48("8333"), 'rebuilt views have no rankings'));
  }
};
const NO_RANKING: Rankings = stryMutAct_9fa48("8334") ? {} : (stryCov_9fa48("8334"), {
  isFilled: stryMutAct_9fa48("8335") ? () => undefined : (stryCov_9fa48("8335"), async () => stryMutAct_9fa48("8336") ? false : (stryCov_9fa48("8336"), true)),
  isCurrent: stryMutAct_9fa48("8337") ? () => undefined : (stryCov_9fa48("8337"), async () => stryMutAct_9fa48("8338") ? false : (stryCov_9fa48("8338"), true)),
  beginFill: nowhere,
  put: async () => {},
  size: nowhere,
  before: nowhere,
  ranks: nowhere,
  range: nowhere,
  around: nowhere
});
const NO_RANKINGS: AllRankings = stryMutAct_9fa48("8339") ? {} : (stryCov_9fa48("8339"), {
  putMax: Number.POSITIVE_INFINITY,
  of: stryMutAct_9fa48("8340") ? () => undefined : (stryCov_9fa48("8340"), () => NO_RANKING),
  drop: async () => {}
});