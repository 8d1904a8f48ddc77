// Taking and releasing the slots of what a game may have so many of. Where a call ends between the two steps, a process
// releases the slot of what was not made, or is no more.
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
import { type Bucket, bucket, bucketStream } from '../domain/bucket.ts';
import { type Key, key, keyStream } from '../domain/key.ts';
import { boardStream, type Leaderboard, leaderboard } from '../domain/leaderboard.ts';
import { isCounted, releaseSlot, type Slot, slots, slotsStream, takeSlot } from '../domain/slots.ts';
import type { Handled } from './command-batch.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { loadState } from './load-state.ts';
import { partOf } from './part-of.ts';

/** Not part of the game's history: the created item has its own event. */
const about = stryMutAct_9fa48("1944") ? () => undefined : (stryCov_9fa48("1944"), (() => {
  const about = (game: string) => stryMutAct_9fa48("1945") ? {} : (stryCov_9fa48("1945"), {
    stream: slotsStream(game),
    game: null
  });
  return about;
})());

/**
 * Before what it is for is made. Throws 422 `too_many_…`. A repeated call whose first one made it takes no other slot.
 */
export async function take(deps: CommandDeps, game: string, slot: Slot, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("1946")) {
    {}
  } else {
    stryCov_9fa48("1946");
    if (stryMutAct_9fa48("1949") ? context.call !== null || (await isThere(deps, slot)) !== null : stryMutAct_9fa48("1948") ? false : stryMutAct_9fa48("1947") ? true : (stryCov_9fa48("1947", "1948", "1949"), (stryMutAct_9fa48("1951") ? context.call === null : stryMutAct_9fa48("1950") ? true : (stryCov_9fa48("1950", "1951"), context.call !== null)) && (stryMutAct_9fa48("1953") ? (await isThere(deps, slot)) === null : stryMutAct_9fa48("1952") ? true : (stryCov_9fa48("1952", "1953"), (await isThere(deps, slot)) !== null)))) return;
    const state = await loadState(deps, slots, slotsStream(game));
    const existing = isCounted(state, slot.kind) ? 0 : stryMutAct_9fa48("1954") ? (await deps.countExisting?.(slot.kind, game)) && 0 : (stryCov_9fa48("1954"), (await (stryMutAct_9fa48("1955") ? deps.countExisting(slot.kind, game) : (stryCov_9fa48("1955"), deps.countExisting?.(slot.kind, game)))) ?? 0);
    await deps.handler.handle(slots, about(game), partOf(context, stryMutAct_9fa48("1956") ? "" : (stryCov_9fa48("1956"), 'slot')), takeSlot(slot, existing));
  }
}

/** Whether this very call ended something: not one that met it ended, or that repeats another one. */
export const isEnding = stryMutAct_9fa48("1957") ? () => undefined : (stryCov_9fa48("1957"), (() => {
  const isEnding = ({
    events,
    replayed
  }: Pick<Handled<unknown, unknown>, 'events' | 'replayed'>): boolean => stryMutAct_9fa48("1960") ? events.length > 0 || !replayed : stryMutAct_9fa48("1959") ? false : stryMutAct_9fa48("1958") ? true : (stryCov_9fa48("1958", "1959", "1960"), (stryMutAct_9fa48("1963") ? events.length <= 0 : stryMutAct_9fa48("1962") ? events.length >= 0 : stryMutAct_9fa48("1961") ? true : (stryCov_9fa48("1961", "1962", "1963"), events.length > 0)) && (stryMutAct_9fa48("1964") ? replayed : (stryCov_9fa48("1964"), !replayed)));
  return isEnding;
})());

/** After what it was for is gone, where `isGone` says that this very call ended it. */
export async function release(deps: CommandDeps, game: string, {
  isGone,
  ...slot
}: Slot & {
  readonly isGone: boolean;
}, context: CommandContext) {
  if (stryMutAct_9fa48("1965")) {
    {}
  } else {
    stryCov_9fa48("1965");
    if (stryMutAct_9fa48("1968") ? false : stryMutAct_9fa48("1967") ? true : stryMutAct_9fa48("1966") ? isGone : (stryCov_9fa48("1966", "1967", "1968"), !isGone)) return;
    await deps.handler.handle(slots, about(game), partOf(context, stryMutAct_9fa48("1969") ? "" : (stryCov_9fa48("1969"), 'slot')), releaseSlot(slot, stryMutAct_9fa48("1970") ? false : (stryCov_9fa48("1970"), true)));
  }
}

/** Releases the slot of what was never made, or is no more. For a process, once the call has had its time. */
export async function settle(deps: CommandDeps, game: string, slot: Slot, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("1971")) {
    {}
  } else {
    stryCov_9fa48("1971");
    if (stryMutAct_9fa48("1974") ? (await isThere(deps, slot)) !== true : stryMutAct_9fa48("1973") ? false : stryMutAct_9fa48("1972") ? true : (stryCov_9fa48("1972", "1973", "1974"), (await isThere(deps, slot)) === (stryMutAct_9fa48("1975") ? false : (stryCov_9fa48("1975"), true)))) return;
    await deps.handler.handle(slots, about(game), partOf(context, stryMutAct_9fa48("1976") ? "" : (stryCov_9fa48("1976"), 'slot')), releaseSlot(slot, stryMutAct_9fa48("1977") ? true : (stryCov_9fa48("1977"), false)));
  }
}

/** Null: it was never made. False: it is archived, revoked or deleted. */
async function isThere(deps: CommandDeps, {
  kind,
  id
}: Slot): Promise<boolean | null> {
  if (stryMutAct_9fa48("1978")) {
    {}
  } else {
    stryCov_9fa48("1978");
    switch (kind) {
      case stryMutAct_9fa48("1980") ? "" : (stryCov_9fa48("1980"), 'leaderboards'):
        if (stryMutAct_9fa48("1979")) {} else {
          stryCov_9fa48("1979");
          {
            if (stryMutAct_9fa48("1981")) {
              {}
            } else {
              stryCov_9fa48("1981");
              const state: Leaderboard | null = await loadState(deps, leaderboard, boardStream(id));
              return stryMutAct_9fa48("1984") ? state || !state.archived : stryMutAct_9fa48("1983") ? false : stryMutAct_9fa48("1982") ? true : (stryCov_9fa48("1982", "1983", "1984"), state && (stryMutAct_9fa48("1985") ? state.archived : (stryCov_9fa48("1985"), !state.archived)));
            }
          }
        }
      case stryMutAct_9fa48("1987") ? "" : (stryCov_9fa48("1987"), 'keys'):
        if (stryMutAct_9fa48("1986")) {} else {
          stryCov_9fa48("1986");
          {
            if (stryMutAct_9fa48("1988")) {
              {}
            } else {
              stryCov_9fa48("1988");
              const state: Key | null = await loadState(deps, key, keyStream(id));
              return stryMutAct_9fa48("1991") ? state || !state.revoked : stryMutAct_9fa48("1990") ? false : stryMutAct_9fa48("1989") ? true : (stryCov_9fa48("1989", "1990", "1991"), state && (stryMutAct_9fa48("1992") ? state.revoked : (stryCov_9fa48("1992"), !state.revoked)));
            }
          }
        }
      case stryMutAct_9fa48("1994") ? "" : (stryCov_9fa48("1994"), 'buckets'):
        if (stryMutAct_9fa48("1993")) {} else {
          stryCov_9fa48("1993");
          {
            if (stryMutAct_9fa48("1995")) {
              {}
            } else {
              stryCov_9fa48("1995");
              const state: Bucket | null = await loadState(deps, bucket, bucketStream(id));
              return stryMutAct_9fa48("1998") ? state || !state.deleted : stryMutAct_9fa48("1997") ? false : stryMutAct_9fa48("1996") ? true : (stryCov_9fa48("1996", "1997", "1998"), state && (stryMutAct_9fa48("1999") ? state.deleted : (stryCov_9fa48("1999"), !state.deleted)));
            }
          }
        }
    }
  }
}