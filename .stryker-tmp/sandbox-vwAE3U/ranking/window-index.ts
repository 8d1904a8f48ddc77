// Counts the entries of a board that rank before a given one among those set within any time window: exactly, in some
// microseconds, however many entries there are. Recent changes are kept beside a frozen snapshot; when there are many,
// a new snapshot is built in steps, while reads and changes go on.
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
import { type FrozenWindow, freeze } from './frozen-window.ts';
import { MemberPacker } from './packed-members.ts';
import { WindowState } from './window-state.ts';

/** Changes that make a new snapshot due: one per this many entries, within a minimum and a maximum. */
const ENTRIES_PER_CHANGE = 32;
const CHANGES_MIN = 4_096;
const CHANGES_MAX = 16_384;
const SLICE = 64;
/** Missed changes that are applied per step. */
const MISSED_PER_STEP = 8;

/** The new member of the entry with this id; null if it was removed. */
export type IndexChange = readonly [id: string, member: string | null];

/** Times are Unix milliseconds; a window is `[since, until)`, unbounded if these are infinite. */
export class WindowIndex {
  #state: WindowState;
  /** Changes since the snapshot being built began; null if none is being built. */
  #missed: IndexChange[] | null = null;
  #isMoving = stryMutAct_9fa48("10152") ? true : (stryCov_9fa48("10152"), false);
  constructor(frozen: FrozenWindow) {
    if (stryMutAct_9fa48("10153")) {
      {}
    } else {
      stryCov_9fa48("10153");
      this.#state = new WindowState(frozen);
    }
  }

  /** Estimated bytes; about twice that while a snapshot is built. */
  get bytes(): number {
    if (stryMutAct_9fa48("10154")) {
      {}
    } else {
      stryCov_9fa48("10154");
      return this.#state.bytes;
    }
  }

  /** Whether there are enough changes for `refreeze`, and none is running. */
  get isDue(): boolean {
    if (stryMutAct_9fa48("10155")) {
      {}
    } else {
      stryCov_9fa48("10155");
      const {
        changes,
        frozen
      } = this.#state;
      const part = stryMutAct_9fa48("10156") ? frozen.members.length * ENTRIES_PER_CHANGE : (stryCov_9fa48("10156"), frozen.members.length / ENTRIES_PER_CHANGE);
      return stryMutAct_9fa48("10159") ? this.#missed === null || changes > Math.min(CHANGES_MAX, Math.max(CHANGES_MIN, part)) : stryMutAct_9fa48("10158") ? false : stryMutAct_9fa48("10157") ? true : (stryCov_9fa48("10157", "10158", "10159"), (stryMutAct_9fa48("10161") ? this.#missed !== null : stryMutAct_9fa48("10160") ? true : (stryCov_9fa48("10160", "10161"), this.#missed === null)) && (stryMutAct_9fa48("10164") ? changes <= Math.min(CHANGES_MAX, Math.max(CHANGES_MIN, part)) : stryMutAct_9fa48("10163") ? changes >= Math.min(CHANGES_MAX, Math.max(CHANGES_MIN, part)) : stryMutAct_9fa48("10162") ? true : (stryCov_9fa48("10162", "10163", "10164"), changes > (stryMutAct_9fa48("10165") ? Math.max(CHANGES_MAX, Math.max(CHANGES_MIN, part)) : (stryCov_9fa48("10165"), Math.min(CHANGES_MAX, stryMutAct_9fa48("10166") ? Math.min(CHANGES_MIN, part) : (stryCov_9fa48("10166"), Math.max(CHANGES_MIN, part))))))));
    }
  }

  /** Sets the member of the entry with this id; null if it was removed. */
  set(id: string, member: string | null): void {
    if (stryMutAct_9fa48("10167")) {
      {}
    } else {
      stryCov_9fa48("10167");
      stryMutAct_9fa48("10168") ? this.#missed.push([id, member]) : (stryCov_9fa48("10168"), this.#missed?.push(stryMutAct_9fa48("10169") ? [] : (stryCov_9fa48("10169"), [id, member])));
      this.#state.set(id, member);
    }
  }

  /** Whether `setAll` is between two of its steps: ranks and counts then mix two states. */
  get isMoving(): boolean {
    if (stryMutAct_9fa48("10170")) {
      {}
    } else {
      stryCov_9fa48("10170");
      return this.#isMoving;
    }
  }

  /**
   * Sets all of them. Run it in steps, one at a time. If it ends early, `isMoving` stays true until another one
   * completes.
   */
  *setAll(changes: readonly IndexChange[]): Generator<void, void> {
    if (stryMutAct_9fa48("10171")) {
      {}
    } else {
      stryCov_9fa48("10171");
      for (const [at, [id, member]] of changes.entries()) {
        if (stryMutAct_9fa48("10172")) {
          {}
        } else {
          stryCov_9fa48("10172");
          this.#isMoving = stryMutAct_9fa48("10173") ? false : (stryCov_9fa48("10173"), true);
          this.set(id, member);
          if (stryMutAct_9fa48("10176") ? (at + 1) % SLICE !== 0 : stryMutAct_9fa48("10175") ? false : stryMutAct_9fa48("10174") ? true : (stryCov_9fa48("10174", "10175", "10176"), (stryMutAct_9fa48("10177") ? (at + 1) * SLICE : (stryCov_9fa48("10177"), (stryMutAct_9fa48("10178") ? at - 1 : (stryCov_9fa48("10178"), at + 1)) % SLICE)) === 0)) yield;
        }
      }
      this.#isMoving = stryMutAct_9fa48("10179") ? true : (stryCov_9fa48("10179"), false);
    }
  }
  memberOf(id: string): string | null {
    if (stryMutAct_9fa48("10180")) {
      {}
    } else {
      stryCov_9fa48("10180");
      return this.#state.memberOf(id);
    }
  }

  /** The number of entries of the window that rank before this member, whether or not it is in the index. O(log n). */
  before(member: string, since: number, until: number): number {
    if (stryMutAct_9fa48("10181")) {
      {}
    } else {
      stryCov_9fa48("10181");
      return this.#state.before(this.#state.placeOf(member), since, until);
    }
  }
  size(since: number, until: number): number {
    if (stryMutAct_9fa48("10182")) {
      {}
    } else {
      stryCov_9fa48("10182");
      return this.#state.size(since, until);
    }
  }

  /** At most `limit` members of the window in rank order, from rank `offset` on. O(log² n + limit · log n). */
  range(offset: number, limit: number, since: number, until: number): string[] {
    if (stryMutAct_9fa48("10183")) {
      {}
    } else {
      stryCov_9fa48("10183");
      return this.#state.range(offset, limit, since, until);
    }
  }

  /** Builds a new snapshot. Run it in steps, one at a time; reads and changes may come between. O(n log n). */
  *refreeze(): Generator<void, void> {
    if (stryMutAct_9fa48("10184")) {
      {}
    } else {
      stryCov_9fa48("10184");
      const missed: IndexChange[] = stryMutAct_9fa48("10185") ? ["Stryker was here"] : (stryCov_9fa48("10185"), []);
      const state = this.#state;
      this.#missed = missed;
      const made = new WindowState(yield* freeze(yield* packed(state)));
      for (let next = 0; stryMutAct_9fa48("10188") ? next >= missed.length : stryMutAct_9fa48("10187") ? next <= missed.length : stryMutAct_9fa48("10186") ? false : (stryCov_9fa48("10186", "10187", "10188"), next < missed.length);) {
        if (stryMutAct_9fa48("10189")) {
          {}
        } else {
          stryCov_9fa48("10189");
          const end = stryMutAct_9fa48("10190") ? Math.max(missed.length, next + MISSED_PER_STEP) : (stryCov_9fa48("10190"), Math.min(missed.length, stryMutAct_9fa48("10191") ? next - MISSED_PER_STEP : (stryCov_9fa48("10191"), next + MISSED_PER_STEP)));
          for (const [id, member] of stryMutAct_9fa48("10192") ? missed : (stryCov_9fa48("10192"), missed.slice(next, end))) made.set(id, member);
          next = end;
          yield;
        }
      }
      // No change can come between the last check of missed changes and this.
      this.#state = made;
      this.#missed = null;
    }
  }
}

/** Packs the current members in order. */
function* packed(state: WindowState): Generator<void, MemberPacker> {
  if (stryMutAct_9fa48("10193")) {
    {}
  } else {
    stryCov_9fa48("10193");
    const {
      added,
      taken
    } = yield* state.settle();
    const packer = new MemberPacker();
    const {
      members
    } = state.frozen;
    let nextAdded = 0;
    let nextTaken = 0;
    for (let place = 0; stryMutAct_9fa48("10196") ? place > members.length : stryMutAct_9fa48("10195") ? place < members.length : stryMutAct_9fa48("10194") ? false : (stryCov_9fa48("10194", "10195", "10196"), place <= members.length); stryMutAct_9fa48("10197") ? place-- : (stryCov_9fa48("10197"), place++)) {
      if (stryMutAct_9fa48("10198")) {
        {}
      } else {
        stryCov_9fa48("10198");
        for (; stryMutAct_9fa48("10200") ? added[nextAdded]?.at !== place : stryMutAct_9fa48("10199") ? false : (stryCov_9fa48("10199", "10200"), (stryMutAct_9fa48("10201") ? added[nextAdded].at : (stryCov_9fa48("10201"), added[nextAdded]?.at)) === place); stryMutAct_9fa48("10202") ? nextAdded-- : (stryCov_9fa48("10202"), nextAdded++)) packer.addText((added[nextAdded] as {
          member: string;
        }).member);
        if (stryMutAct_9fa48("10205") ? taken[nextTaken]?.at !== place : stryMutAct_9fa48("10204") ? false : stryMutAct_9fa48("10203") ? true : (stryCov_9fa48("10203", "10204", "10205"), (stryMutAct_9fa48("10206") ? taken[nextTaken].at : (stryCov_9fa48("10206"), taken[nextTaken]?.at)) === place)) stryMutAct_9fa48("10207") ? nextTaken-- : (stryCov_9fa48("10207"), nextTaken++);else if (stryMutAct_9fa48("10211") ? place >= members.length : stryMutAct_9fa48("10210") ? place <= members.length : stryMutAct_9fa48("10209") ? false : stryMutAct_9fa48("10208") ? true : (stryCov_9fa48("10208", "10209", "10210", "10211"), place < members.length)) members.copy(place, packer);
        if (stryMutAct_9fa48("10214") ? place % SLICE !== 0 : stryMutAct_9fa48("10213") ? false : stryMutAct_9fa48("10212") ? true : (stryCov_9fa48("10212", "10213", "10214"), (stryMutAct_9fa48("10215") ? place * SLICE : (stryCov_9fa48("10215"), place % SLICE)) === 0)) yield;
      }
    }
    return packer;
  }
}