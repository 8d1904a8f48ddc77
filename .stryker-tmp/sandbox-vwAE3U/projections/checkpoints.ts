// The positions that the views of this process have reached in the partitions it owns: read at the start of a run, and
// moved forward with each written batch.
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
import { leastPosition, type Position, type StoredEvent } from '../domain/event.ts';
import { PARTITIONS, partitionOf } from '../domain/partition.ts';
import type { Checkpoint, Views } from '../stores/contract/views.ts';
import type { Applier } from './apply.ts';
import { viewKey } from './projection.ts';

/** Of one view: partition -> checkpoint. */
export type Checkpoints = Map<number, Checkpoint>;
export interface OwnedCheckpoints {
  readonly owned: ReadonlySet<number>;
  readonly of: ReadonlyMap<Applier, Checkpoints>;
}

/** Reads the stored checkpoints. Makes the appliers discard their documents. */
export async function readCheckpoints(views: Views, appliers: readonly Applier[], owned: ReadonlySet<number>): Promise<OwnedCheckpoints> {
  if (stryMutAct_9fa48("5947")) {
    {}
  } else {
    stryCov_9fa48("5947");
    // The loaded documents may not match these checkpoints: another node may have written both since.
    for (const applier of appliers) applier.forget();
    const of = new Map<Applier, Checkpoints>();
    for (const applier of appliers) {
      if (stryMutAct_9fa48("5948")) {
        {}
      } else {
        stryCov_9fa48("5948");
        const checkpoints = await views.checkpoints(viewKey(applier.projection));
        of.set(applier, new Map(stryMutAct_9fa48("5949") ? [...checkpoints] : (stryCov_9fa48("5949"), (stryMutAct_9fa48("5950") ? [] : (stryCov_9fa48("5950"), [...checkpoints])).filter(stryMutAct_9fa48("5951") ? () => undefined : (stryCov_9fa48("5951"), ([partition]) => owned.has(partition))))));
      }
    }
    return stryMutAct_9fa48("5952") ? {} : (stryCov_9fa48("5952"), {
      owned,
      of
    });
  }
}

/** The least position over all owned partitions and views; null if one of them has no checkpoint. */
export function earliest(checkpoints: OwnedCheckpoints): Position | null {
  if (stryMutAct_9fa48("5953")) {
    {}
  } else {
    stryCov_9fa48("5953");
    return leastPosition(reached(checkpoints).map(stryMutAct_9fa48("5954") ? () => undefined : (stryCov_9fa48("5954"), ([, position]) => position)));
  }
}

/** The position that all views have reached, per owned partition; null if one of them has not started. */
export function reached({
  owned,
  of
}: OwnedCheckpoints): [partition: number, position: Position | null][] {
  if (stryMutAct_9fa48("5955")) {
    {}
  } else {
    stryCov_9fa48("5955");
    const all = stryMutAct_9fa48("5956") ? [] : (stryCov_9fa48("5956"), [...of.values()]);
    return (stryMutAct_9fa48("5957") ? [] : (stryCov_9fa48("5957"), [...owned])).map(stryMutAct_9fa48("5958") ? () => undefined : (stryCov_9fa48("5958"), partition => stryMutAct_9fa48("5959") ? [] : (stryCov_9fa48("5959"), [partition, leastReached(all, partition)])));
  }
}

/** The position that all these views have reached in a partition; null if one has not started or there are none. */
export function leastReached(views: readonly ReadonlyMap<number, Checkpoint>[], partition: number): Position | null {
  if (stryMutAct_9fa48("5960")) {
    {}
  } else {
    stryCov_9fa48("5960");
    return leastPosition(views.map(stryMutAct_9fa48("5961") ? () => undefined : (stryCov_9fa48("5961"), checkpoints => stryMutAct_9fa48("5962") ? checkpoints.get(partition)?.position && null : (stryCov_9fa48("5962"), (stryMutAct_9fa48("5963") ? checkpoints.get(partition).position : (stryCov_9fa48("5963"), checkpoints.get(partition)?.position)) ?? null))));
  }
}

/** The events in owned partitions that the view has not applied yet. */
export function beyond(events: readonly StoredEvent[], checkpoints: Checkpoints, owned: ReadonlySet<number>) {
  if (stryMutAct_9fa48("5964")) {
    {}
  } else {
    stryCov_9fa48("5964");
    if (stryMutAct_9fa48("5967") ? checkpoints.size === 0 || owned.size === PARTITIONS : stryMutAct_9fa48("5966") ? false : stryMutAct_9fa48("5965") ? true : (stryCov_9fa48("5965", "5966", "5967"), (stryMutAct_9fa48("5969") ? checkpoints.size !== 0 : stryMutAct_9fa48("5968") ? true : (stryCov_9fa48("5968", "5969"), checkpoints.size === 0)) && (stryMutAct_9fa48("5971") ? owned.size !== PARTITIONS : stryMutAct_9fa48("5970") ? true : (stryCov_9fa48("5970", "5971"), owned.size === PARTITIONS)))) return events;
    const isDue = ({
      position,
      meta
    }: StoredEvent) => {
      if (stryMutAct_9fa48("5972")) {
        {}
      } else {
        stryCov_9fa48("5972");
        const partition = partitionOf(meta.game);
        return stryMutAct_9fa48("5975") ? owned.has(partition) || position > (checkpoints.get(partition)?.position ?? '') : stryMutAct_9fa48("5974") ? false : stryMutAct_9fa48("5973") ? true : (stryCov_9fa48("5973", "5974", "5975"), owned.has(partition) && (stryMutAct_9fa48("5978") ? position <= (checkpoints.get(partition)?.position ?? '') : stryMutAct_9fa48("5977") ? position >= (checkpoints.get(partition)?.position ?? '') : stryMutAct_9fa48("5976") ? true : (stryCov_9fa48("5976", "5977", "5978"), position > (stryMutAct_9fa48("5979") ? checkpoints.get(partition)?.position && '' : (stryCov_9fa48("5979"), (stryMutAct_9fa48("5980") ? checkpoints.get(partition).position : (stryCov_9fa48("5980"), checkpoints.get(partition)?.position)) ?? (stryMutAct_9fa48("5981") ? "Stryker was here!" : (stryCov_9fa48("5981"), '')))))));
      }
    };
    return (stryMutAct_9fa48("5982") ? events.some(isDue) : (stryCov_9fa48("5982"), events.every(isDue))) ? events : stryMutAct_9fa48("5983") ? events : (stryCov_9fa48("5983"), events.filter(isDue));
  }
}
const at = stryMutAct_9fa48("5984") ? () => undefined : (stryCov_9fa48("5984"), (() => {
  const at = (event: StoredEvent): Checkpoint => stryMutAct_9fa48("5985") ? {} : (stryCov_9fa48("5985"), {
    position: event.position,
    eventId: event.id
  });
  return at;
})());

/**
 * The checkpoints of all owned partitions once every event up to this one is applied, including partitions without any
 * of the events.
 */
export function everywhere(last: StoredEvent, owned: ReadonlySet<number>): Checkpoints {
  if (stryMutAct_9fa48("5986")) {
    {}
  } else {
    stryCov_9fa48("5986");
    return new Map((stryMutAct_9fa48("5987") ? [] : (stryCov_9fa48("5987"), [...owned])).map(stryMutAct_9fa48("5988") ? () => undefined : (stryCov_9fa48("5988"), partition => stryMutAct_9fa48("5989") ? [] : (stryCov_9fa48("5989"), [partition, at(last)]))));
  }
}

/** The checkpoints of the owned partitions that these events belong to. */
export function lastPerPartition(events: readonly StoredEvent[], owned: ReadonlySet<number>): Checkpoints {
  if (stryMutAct_9fa48("5990")) {
    {}
  } else {
    stryCov_9fa48("5990");
    const last = new Map<number, Checkpoint>();
    for (const event of events) {
      if (stryMutAct_9fa48("5991")) {
        {}
      } else {
        stryCov_9fa48("5991");
        const partition = partitionOf(event.meta.game);
        if (stryMutAct_9fa48("5993") ? false : stryMutAct_9fa48("5992") ? true : (stryCov_9fa48("5992", "5993"), owned.has(partition))) last.set(partition, at(event));
      }
    }
    return last;
  }
}

/** The checkpoints that are ahead of the view's own: events that are read again move nothing back. */
export function ahead(checkpoints: Checkpoints, moved: Checkpoints): Checkpoints {
  if (stryMutAct_9fa48("5994")) {
    {}
  } else {
    stryCov_9fa48("5994");
    return new Map(stryMutAct_9fa48("5995") ? [...moved] : (stryCov_9fa48("5995"), (stryMutAct_9fa48("5996") ? [] : (stryCov_9fa48("5996"), [...moved])).filter(stryMutAct_9fa48("5997") ? () => undefined : (stryCov_9fa48("5997"), ([partition, {
      position
    }]) => stryMutAct_9fa48("6001") ? position <= (checkpoints.get(partition)?.position ?? '') : stryMutAct_9fa48("6000") ? position >= (checkpoints.get(partition)?.position ?? '') : stryMutAct_9fa48("5999") ? false : stryMutAct_9fa48("5998") ? true : (stryCov_9fa48("5998", "5999", "6000", "6001"), position > (stryMutAct_9fa48("6002") ? checkpoints.get(partition)?.position && '' : (stryCov_9fa48("6002"), (stryMutAct_9fa48("6003") ? checkpoints.get(partition).position : (stryCov_9fa48("6003"), checkpoints.get(partition)?.position)) ?? (stryMutAct_9fa48("6004") ? "Stryker was here!" : (stryCov_9fa48("6004"), '')))))))));
  }
}

/** Records that these checkpoints were written. */
export function move(checkpoints: Checkpoints, moved: Checkpoints): void {
  if (stryMutAct_9fa48("6005")) {
    {}
  } else {
    stryCov_9fa48("6005");
    for (const [partition, checkpoint] of ahead(checkpoints, moved)) checkpoints.set(partition, checkpoint);
  }
}

/**
 * Whether these events end the removal of a game. The log server may then drop the game's events, so no checkpoint may
 * name one of them: all checkpoints are moved to the end of this batch.
 */
export const endsGame = stryMutAct_9fa48("6006") ? () => undefined : (stryCov_9fa48("6006"), (() => {
  const endsGame = (events: readonly StoredEvent[]): boolean => stryMutAct_9fa48("6007") ? events.every(({
    type
  }) => type === 'GameErased') : (stryCov_9fa48("6007"), events.some(stryMutAct_9fa48("6008") ? () => undefined : (stryCov_9fa48("6008"), ({
    type
  }) => stryMutAct_9fa48("6011") ? type !== 'GameErased' : stryMutAct_9fa48("6010") ? false : stryMutAct_9fa48("6009") ? true : (stryCov_9fa48("6009", "6010", "6011"), type === (stryMutAct_9fa48("6012") ? "" : (stryCov_9fa48("6012"), 'GameErased'))))));
  return endsGame;
})());