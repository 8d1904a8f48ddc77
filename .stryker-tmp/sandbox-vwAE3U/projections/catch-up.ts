// The start of a projection run: fills lost rankings and applies what the log has by now in large batches.
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
import type { Position, StoredEvent } from '../domain/event.ts';
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts';
import type { Log } from '../stores/contract/log.ts';
import type { Rankings } from '../stores/contract/rankings.ts';
import type { Applier, ApplyDeps } from './apply.ts';
import { ahead, beyond, type Checkpoints, earliest, everywhere, move, type OwnedCheckpoints, reached, readCheckpoints } from './checkpoints.ts';
import { fillRankings } from './fill-rankings.ts';
import type { Progress } from './progress.ts';
import { viewSpec } from './projection.ts';
import { write } from './write.ts';
const CATCH_UP_BATCH = 4_000;
/** While catching up, write when this many documents have changed. */
const CHANGED_MAX = 200_000;
export interface CatchUpDeps extends ApplyDeps {
  readonly log: Log;
  /** The id of the installation: rankings filled for another one count as lost. */
  readonly installation: string;
  readonly progress: Progress;
  /**
   * Called with the position after which the log is read next: when a run starts, and after it has caught up.
   * Everything up to there is applied in the owned partitions.
   */
  readsFrom?(from: Position | null): void;
  /** Called after each write with the number of events in it and the last of them. */
  applied(events: number, last: StoredEvent): void;
  /** Overrides the batch sizes with smaller ones, for use while requests are served. */
  readonly pace?: {
    readonly events: number;
    readonly changes: number;
  };
  /** Called while history is applied, with the number of events read so far. */
  catchingUp(read: number): void;
}

/**
 * Returns the checkpoints that the views have reached, and their rankings, so that the caller can watch them. Rejects
 * with the signal's reason. A crash at any point is safe: documents may be ahead of the stored checkpoint, and events
 * that are applied again do not change them a second time.
 */
export async function catchUp(deps: CatchUpDeps, appliers: readonly Applier[], owned: ReadonlySet<number>, signal: AbortSignal): Promise<{
  checkpoints: OwnedCheckpoints;
  rankings: readonly Rankings[];
}> {
  if (stryMutAct_9fa48("5832")) {
    {}
  } else {
    stryCov_9fa48("5832");
    const checkpoints = await readCheckpoints(deps.views, appliers, owned);
    stryMutAct_9fa48("5833") ? deps.readsFrom(earliest(checkpoints)) : (stryCov_9fa48("5833"), deps.readsFrom?.(earliest(checkpoints)));
    const isFresh = stryMutAct_9fa48("5836") ? earliest(checkpoints) !== null : stryMutAct_9fa48("5835") ? false : stryMutAct_9fa48("5834") ? true : (stryCov_9fa48("5834", "5835", "5836"), earliest(checkpoints) === null);
    const history = stryMutAct_9fa48("5837") ? () => undefined : (stryCov_9fa48("5837"), (() => {
      const history = (until: Position) => applyHistory(deps, checkpoints, until, signal);
      return history;
    })());
    const rankings = await fillRankings(deps, appliers, stryMutAct_9fa48("5838") ? [] : (stryCov_9fa48("5838"), [...owned]), history);
    const head = await deps.log.head();
    if (stryMutAct_9fa48("5841") ? head === null : stryMutAct_9fa48("5840") ? false : stryMutAct_9fa48("5839") ? true : (stryCov_9fa48("5839", "5840", "5841"), head !== null)) await history(head);
    // Prepare again: a store may defer the indexes of a new collection until it is filled.
    if (stryMutAct_9fa48("5843") ? false : stryMutAct_9fa48("5842") ? true : (stryCov_9fa48("5842", "5843"), isFresh)) for (const {
      projection
    } of appliers) await deps.views.prepare(viewSpec(projection));
    stryMutAct_9fa48("5844") ? deps.readsFrom(earliest(checkpoints)) : (stryCov_9fa48("5844"), deps.readsFrom?.(earliest(checkpoints)));
    for (const [partition, position] of reached(checkpoints)) {
      if (stryMutAct_9fa48("5845")) {
        {}
      } else {
        stryCov_9fa48("5845");
        if (stryMutAct_9fa48("5848") ? position === null : stryMutAct_9fa48("5847") ? false : stryMutAct_9fa48("5846") ? true : (stryCov_9fa48("5846", "5847", "5848"), position !== null)) deps.progress.advance(partition, position);
      }
    }
    return stryMutAct_9fa48("5849") ? {} : (stryCov_9fa48("5849"), {
      checkpoints,
      rankings
    });
  }
}

/** Events that are applied and written together. */
export interface EventBatch {
  readonly events: readonly StoredEvent[];
  /** Whether the first event triggers a replay in some view: everything before it must be written first. */
  readonly replays: boolean;
}

/** Splits events into batches; every batch but the first begins with an event that triggers a replay. */
export function batchesOf(events: readonly StoredEvent[], appliers: Iterable<Applier>): readonly EventBatch[] {
  if (stryMutAct_9fa48("5850")) {
    {}
  } else {
    stryCov_9fa48("5850");
    const triggers = new Set<string>();
    for (const {
      projection
    } of appliers) for (const type of stryMutAct_9fa48("5851") ? projection.replays?.triggers && [] : (stryCov_9fa48("5851"), (stryMutAct_9fa48("5852") ? projection.replays.triggers : (stryCov_9fa48("5852"), projection.replays?.triggers)) ?? (stryMutAct_9fa48("5853") ? ["Stryker was here"] : (stryCov_9fa48("5853"), [])))) triggers.add(type);
    if (stryMutAct_9fa48("5856") ? false : stryMutAct_9fa48("5855") ? true : stryMutAct_9fa48("5854") ? events.some(({
      type
    }) => triggers.has(type)) : (stryCov_9fa48("5854", "5855", "5856"), !(stryMutAct_9fa48("5857") ? events.every(({
      type
    }) => triggers.has(type)) : (stryCov_9fa48("5857"), events.some(stryMutAct_9fa48("5858") ? () => undefined : (stryCov_9fa48("5858"), ({
      type
    }) => triggers.has(type))))))) return stryMutAct_9fa48("5859") ? [] : (stryCov_9fa48("5859"), [stryMutAct_9fa48("5860") ? {} : (stryCov_9fa48("5860"), {
      events,
      replays: stryMutAct_9fa48("5861") ? true : (stryCov_9fa48("5861"), false)
    })]);
    const batches: {
      readonly events: StoredEvent[];
      readonly replays: boolean;
    }[] = stryMutAct_9fa48("5862") ? ["Stryker was here"] : (stryCov_9fa48("5862"), []);
    for (const event of events) {
      if (stryMutAct_9fa48("5863")) {
        {}
      } else {
        stryCov_9fa48("5863");
        const replays = triggers.has(event.type);
        const batch = batches.at(stryMutAct_9fa48("5864") ? +1 : (stryCov_9fa48("5864"), -1));
        if (stryMutAct_9fa48("5867") ? batch === undefined && replays : stryMutAct_9fa48("5866") ? false : stryMutAct_9fa48("5865") ? true : (stryCov_9fa48("5865", "5866", "5867"), (stryMutAct_9fa48("5869") ? batch !== undefined : stryMutAct_9fa48("5868") ? false : (stryCov_9fa48("5868", "5869"), batch === undefined)) || replays)) batches.push(stryMutAct_9fa48("5870") ? {} : (stryCov_9fa48("5870"), {
          events: stryMutAct_9fa48("5871") ? [] : (stryCov_9fa48("5871"), [event]),
          replays
        }));else batch.events.push(event);
      }
    }
    return batches;
  }
}
async function applyHistory(deps: CatchUpDeps, checkpoints: OwnedCheckpoints, until: Position, signal: AbortSignal) {
  if (stryMutAct_9fa48("5872")) {
    {}
  } else {
    stryCov_9fa48("5872");
    const {
      owned,
      of
    } = checkpoints;
    let written = 0;
    let read = 0;
    let hasReplayed = stryMutAct_9fa48("5873") ? true : (stryCov_9fa48("5873"), false);
    let last: StoredEvent | undefined;
    const isDue = () => {
      if (stryMutAct_9fa48("5874")) {
        {}
      } else {
        stryCov_9fa48("5874");
        const appliers = stryMutAct_9fa48("5875") ? [] : (stryCov_9fa48("5875"), [...of.keys()]);
        // Weigh all appliers, even after one exceeds the limit: each is judged by what the others hold.
        if (stryMutAct_9fa48("5877") ? false : stryMutAct_9fa48("5876") ? true : (stryCov_9fa48("5876", "5877"), appliers.map(stryMutAct_9fa48("5878") ? () => undefined : (stryCov_9fa48("5878"), applier => applier.needsFlush())).includes(stryMutAct_9fa48("5879") ? false : (stryCov_9fa48("5879"), true)))) return stryMutAct_9fa48("5880") ? false : (stryCov_9fa48("5880"), true);
        const changed = appliers.reduce(stryMutAct_9fa48("5881") ? () => undefined : (stryCov_9fa48("5881"), (sum, applier) => stryMutAct_9fa48("5882") ? sum - applier.changed() : (stryCov_9fa48("5882"), sum + applier.changed())), 0);
        return stryMutAct_9fa48("5886") ? changed < Math.min(deps.pace?.changes ?? CHANGED_MAX, deps.rankings.putMax) : stryMutAct_9fa48("5885") ? changed > Math.min(deps.pace?.changes ?? CHANGED_MAX, deps.rankings.putMax) : stryMutAct_9fa48("5884") ? false : stryMutAct_9fa48("5883") ? true : (stryCov_9fa48("5883", "5884", "5885", "5886"), changed >= (stryMutAct_9fa48("5887") ? Math.max(deps.pace?.changes ?? CHANGED_MAX, deps.rankings.putMax) : (stryCov_9fa48("5887"), Math.min(stryMutAct_9fa48("5888") ? deps.pace?.changes && CHANGED_MAX : (stryCov_9fa48("5888"), (stryMutAct_9fa48("5889") ? deps.pace.changes : (stryCov_9fa48("5889"), deps.pace?.changes)) ?? CHANGED_MAX), deps.rankings.putMax))));
      }
    };
    const writeAll = async () => {
      if (stryMutAct_9fa48("5890")) {
        {}
      } else {
        stryCov_9fa48("5890");
        if (stryMutAct_9fa48("5893") ? last === undefined && read === written : stryMutAct_9fa48("5892") ? false : stryMutAct_9fa48("5891") ? true : (stryCov_9fa48("5891", "5892", "5893"), (stryMutAct_9fa48("5895") ? last !== undefined : stryMutAct_9fa48("5894") ? false : (stryCov_9fa48("5894", "5895"), last === undefined)) || (stryMutAct_9fa48("5897") ? read !== written : stryMutAct_9fa48("5896") ? false : (stryCov_9fa48("5896", "5897"), read === written)))) return;
        await writeReached(deps, checkpoints, everywhere(last, owned), hasReplayed);
        deps.applied(stryMutAct_9fa48("5898") ? read + written : (stryCov_9fa48("5898"), read - written), last);
        written = read;
        hasReplayed = stryMutAct_9fa48("5899") ? true : (stryCov_9fa48("5899"), false);
      }
    };
    for (let after = earliest(checkpoints); stryMutAct_9fa48("5901") ? after === null && after < until : stryMutAct_9fa48("5900") ? false : (stryCov_9fa48("5900", "5901"), (stryMutAct_9fa48("5903") ? after !== null : stryMutAct_9fa48("5902") ? false : (stryCov_9fa48("5902", "5903"), after === null)) || (stryMutAct_9fa48("5906") ? after >= until : stryMutAct_9fa48("5905") ? after <= until : stryMutAct_9fa48("5904") ? false : (stryCov_9fa48("5904", "5905", "5906"), after < until))); after = stryMutAct_9fa48("5907") ? last?.position && null : (stryCov_9fa48("5907"), (stryMutAct_9fa48("5908") ? last.position : (stryCov_9fa48("5908"), last?.position)) ?? null)) {
      if (stryMutAct_9fa48("5909")) {
        {}
      } else {
        stryCov_9fa48("5909");
        const events = await deps.log.readAll(after, stryMutAct_9fa48("5910") ? deps.pace?.events && CATCH_UP_BATCH : (stryCov_9fa48("5910"), (stryMutAct_9fa48("5911") ? deps.pace.events : (stryCov_9fa48("5911"), deps.pace?.events)) ?? CATCH_UP_BATCH));
        // Awaiting resolved promises does not yield to the event loop.
        if (stryMutAct_9fa48("5914") ? deps.pace === undefined : stryMutAct_9fa48("5913") ? false : stryMutAct_9fa48("5912") ? true : (stryCov_9fa48("5912", "5913", "5914"), deps.pace !== undefined)) await yieldToEventLoop();
        signal.throwIfAborted();
        if (stryMutAct_9fa48("5917") ? events.length !== 0 : stryMutAct_9fa48("5916") ? false : stryMutAct_9fa48("5915") ? true : (stryCov_9fa48("5915", "5916", "5917"), events.length === 0)) return;
        for (const {
          events: batch,
          replays
        } of batchesOf(events, of.keys())) {
          if (stryMutAct_9fa48("5918")) {
            {}
          } else {
            stryCov_9fa48("5918");
            if (stryMutAct_9fa48("5920") ? false : stryMutAct_9fa48("5919") ? true : (stryCov_9fa48("5919", "5920"), replays)) await writeAll();
            stryMutAct_9fa48("5921") ? hasReplayed &&= replays : (stryCov_9fa48("5921"), hasReplayed ||= replays);
            for (const [applier, own] of of) await applier.apply(beyond(batch, own, owned), signal);
            stryMutAct_9fa48("5922") ? read -= batch.length : (stryCov_9fa48("5922"), read += batch.length);
            last = batch.at(stryMutAct_9fa48("5923") ? +1 : (stryCov_9fa48("5923"), -1));
            signal.throwIfAborted();
          }
        }
        if (stryMutAct_9fa48("5926") ? isDue() && (last?.position ?? '') >= until : stryMutAct_9fa48("5925") ? false : stryMutAct_9fa48("5924") ? true : (stryCov_9fa48("5924", "5925", "5926"), isDue() || (stryMutAct_9fa48("5929") ? (last?.position ?? '') < until : stryMutAct_9fa48("5928") ? (last?.position ?? '') > until : stryMutAct_9fa48("5927") ? false : (stryCov_9fa48("5927", "5928", "5929"), (stryMutAct_9fa48("5930") ? last?.position && '' : (stryCov_9fa48("5930"), (stryMutAct_9fa48("5931") ? last.position : (stryCov_9fa48("5931"), last?.position)) ?? (stryMutAct_9fa48("5932") ? "Stryker was here!" : (stryCov_9fa48("5932"), '')))) >= until)))) await writeAll();
        deps.catchingUp(read);
      }
    }
  }
}

/**
 * Writes the changes of all views with the checkpoints that they reached, and wakes those who wait for these positions.
 * Views that replay are written first: other views refer to their documents, and a reader must not find a reference to
 * a missing document.
 */
export async function writeReached(deps: CatchUpDeps, {
  of
}: OwnedCheckpoints, moved: Checkpoints, hasReplayed: boolean): Promise<void> {
  if (stryMutAct_9fa48("5933")) {
    {}
  } else {
    stryCov_9fa48("5933");
    const all = stryMutAct_9fa48("5934") ? [] : (stryCov_9fa48("5934"), [...of]);
    const isFirst = stryMutAct_9fa48("5935") ? () => undefined : (stryCov_9fa48("5935"), (() => {
      const isFirst = ([{
        projection
      }]: (typeof all)[number]) => stryMutAct_9fa48("5938") ? projection.replays === undefined : stryMutAct_9fa48("5937") ? false : stryMutAct_9fa48("5936") ? true : (stryCov_9fa48("5936", "5937", "5938"), projection.replays !== undefined);
      return isFirst;
    })());
    const taken = stryMutAct_9fa48("5939") ? () => undefined : (stryCov_9fa48("5939"), (() => {
      const taken = (some: typeof all) => some.map(stryMutAct_9fa48("5940") ? () => undefined : (stryCov_9fa48("5940"), ([applier, own]) => applier.take(ahead(own, moved))));
      return taken;
    })());
    if (stryMutAct_9fa48("5942") ? false : stryMutAct_9fa48("5941") ? true : (stryCov_9fa48("5941", "5942"), hasReplayed)) await write(deps, ...taken(stryMutAct_9fa48("5943") ? all : (stryCov_9fa48("5943"), all.filter(isFirst))));
    await write(deps, ...taken(hasReplayed ? stryMutAct_9fa48("5944") ? all : (stryCov_9fa48("5944"), all.filter(stryMutAct_9fa48("5945") ? () => undefined : (stryCov_9fa48("5945"), one => stryMutAct_9fa48("5946") ? isFirst(one) : (stryCov_9fa48("5946"), !isFirst(one))))) : all));
    for (const own of of.values()) move(own, moved);
    for (const [partition, checkpoint] of moved) deps.progress.advance(partition, checkpoint.position);
  }
}