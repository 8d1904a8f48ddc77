// An ordered set of ASCII strings that knows the rank of each: a B+ tree whose leaves are blocks of packed bytes and
// whose branches count the strings below each child. Reads and changes are O(log n), with no pause as it grows.
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
import { Block, MAX_BLOCK_BYTES, seek } from './block.ts';

/** The set. Its methods throw RangeError for a member that is not ASCII or is longer than 512 characters. */
export class SortedBlocks {
  #root = new Block(stryMutAct_9fa48("9700") ? true : (stryCov_9fa48("9700"), false));
  #size = 0;
  get size(): number {
    if (stryMutAct_9fa48("9701")) {
      {}
    } else {
      stryCov_9fa48("9701");
      return this.#size;
    }
  }

  /** Returns false if it was there already. Members added in ascending order fill their blocks almost completely. */
  add(member: string): boolean {
    if (stryMutAct_9fa48("9702")) {
      {}
    } else {
      stryCov_9fa48("9702");
      seek(member);
      if (stryMutAct_9fa48("9705") ? false : stryMutAct_9fa48("9704") ? true : stryMutAct_9fa48("9703") ? this.#root.add() : (stryCov_9fa48("9703", "9704", "9705"), !this.#root.add())) return stryMutAct_9fa48("9706") ? true : (stryCov_9fa48("9706"), false);
      this.#added();
      return stryMutAct_9fa48("9707") ? false : (stryCov_9fa48("9707"), true);
    }
  }

  /** Appends ascending members that come after all existing ones, without searching. */
  addLast(members: readonly string[]): void {
    if (stryMutAct_9fa48("9708")) {
      {}
    } else {
      stryCov_9fa48("9708");
      for (const member of members) {
        if (stryMutAct_9fa48("9709")) {
          {}
        } else {
          stryCov_9fa48("9709");
          seek(member);
          this.#root.addLast();
          this.#added();
        }
      }
    }
  }
  #added(): void {
    if (stryMutAct_9fa48("9710")) {
      {}
    } else {
      stryCov_9fa48("9710");
      stryMutAct_9fa48("9711") ? this.#size-- : (stryCov_9fa48("9711"), this.#size++);
      if (stryMutAct_9fa48("9715") ? this.#root.length > MAX_BLOCK_BYTES : stryMutAct_9fa48("9714") ? this.#root.length < MAX_BLOCK_BYTES : stryMutAct_9fa48("9713") ? false : stryMutAct_9fa48("9712") ? true : (stryCov_9fa48("9712", "9713", "9714", "9715"), this.#root.length <= MAX_BLOCK_BYTES)) return;
      const root = new Block(stryMutAct_9fa48("9716") ? false : (stryCov_9fa48("9716"), true));
      root.adopt(0, this.#root);
      root.splitChild(0);
      this.#root = root;
    }
  }

  /** Returns false if it was not there. */
  remove(member: string): boolean {
    if (stryMutAct_9fa48("9717")) {
      {}
    } else {
      stryCov_9fa48("9717");
      seek(member);
      if (stryMutAct_9fa48("9720") ? false : stryMutAct_9fa48("9719") ? true : stryMutAct_9fa48("9718") ? this.#root.remove() : (stryCov_9fa48("9718", "9719", "9720"), !this.#root.remove())) return stryMutAct_9fa48("9721") ? true : (stryCov_9fa48("9721"), false);
      stryMutAct_9fa48("9722") ? this.#size++ : (stryCov_9fa48("9722"), this.#size--);
      if (stryMutAct_9fa48("9725") ? this.#root.children.length !== 1 : stryMutAct_9fa48("9724") ? false : stryMutAct_9fa48("9723") ? true : (stryCov_9fa48("9723", "9724", "9725"), this.#root.children.length === 1)) this.#root = this.#root.child(0);
      return stryMutAct_9fa48("9726") ? false : (stryCov_9fa48("9726"), true);
    }
  }

  /** The number of members that sort before this one, whether or not it is in the set. */
  before(member: string): number {
    if (stryMutAct_9fa48("9727")) {
      {}
    } else {
      stryCov_9fa48("9727");
      seek(member);
      const place = this.#root.rank();
      return (stryMutAct_9fa48("9731") ? place >= 0 : stryMutAct_9fa48("9730") ? place <= 0 : stryMutAct_9fa48("9729") ? false : stryMutAct_9fa48("9728") ? true : (stryCov_9fa48("9728", "9729", "9730", "9731"), place < 0)) ? stryMutAct_9fa48("9732") ? place : (stryCov_9fa48("9732"), ~place) : place;
    }
  }

  /** A member's rank from 0, or null if it is not in the set. */
  rank(member: string): number | null {
    if (stryMutAct_9fa48("9733")) {
      {}
    } else {
      stryCov_9fa48("9733");
      seek(member);
      const place = this.#root.rank();
      return (stryMutAct_9fa48("9737") ? place >= 0 : stryMutAct_9fa48("9736") ? place <= 0 : stryMutAct_9fa48("9735") ? false : stryMutAct_9fa48("9734") ? true : (stryCov_9fa48("9734", "9735", "9736", "9737"), place < 0)) ? null : place;
    }
  }

  /** At most `limit` members, from rank `offset` on. */
  range(offset: number, limit: number): string[] {
    if (stryMutAct_9fa48("9738")) {
      {}
    } else {
      stryCov_9fa48("9738");
      const members: string[] = stryMutAct_9fa48("9739") ? ["Stryker was here"] : (stryCov_9fa48("9739"), []);
      const end = stryMutAct_9fa48("9740") ? Math.max(offset + limit, this.#size) : (stryCov_9fa48("9740"), Math.min(stryMutAct_9fa48("9741") ? offset - limit : (stryCov_9fa48("9741"), offset + limit), this.#size));
      if (stryMutAct_9fa48("9745") ? offset >= end : stryMutAct_9fa48("9744") ? offset <= end : stryMutAct_9fa48("9743") ? false : stryMutAct_9fa48("9742") ? true : (stryCov_9fa48("9742", "9743", "9744", "9745"), offset < end)) this.#root.read(offset, end, members);
      return members;
    }
  }
}