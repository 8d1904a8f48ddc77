// Recent changes to a frozen window that are not sorted yet and are scanned one by one: only a few.
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
import type { Point } from './points.ts';

/**
 * An entry that is not in the frozen part. It ranks before the frozen member at index `at`, and after the one before
 * that.
 */
export interface AddedEntry extends Point {
  readonly at: number;
  readonly member: string;
  isPresent: boolean;
  /** It was removed before sorting began, and is left out of the result. */
  isLeftOut: boolean;
}

/** A frozen entry that was removed. */
export interface RemovedEntry extends Point {
  readonly at: number;
}

/** The position of a member: a frozen index, and its order among added entries of that index. */
export interface Place {
  readonly at: number;
  readonly member: string;
}
export class UnsortedChanges {
  added: AddedEntry[] = stryMutAct_9fa48("9891") ? ["Stryker was here"] : (stryCov_9fa48("9891"), []);
  /** Sorted added entries, or ones being sorted, that were removed since. */
  removedAdded: AddedEntry[] = stryMutAct_9fa48("9892") ? ["Stryker was here"] : (stryCov_9fa48("9892"), []);
  taken: RemovedEntry[] = stryMutAct_9fa48("9893") ? ["Stryker was here"] : (stryCov_9fa48("9893"), []);
  get length(): number {
    if (stryMutAct_9fa48("9894")) {
      {}
    } else {
      stryCov_9fa48("9894");
      return stryMutAct_9fa48("9895") ? this.added.length + this.removedAdded.length - this.taken.length : (stryCov_9fa48("9895"), (stryMutAct_9fa48("9896") ? this.added.length - this.removedAdded.length : (stryCov_9fa48("9896"), this.added.length + this.removedAdded.length)) + this.taken.length);
    }
  }

  /** The change, by these entries, of the number of entries of a window that rank before a position. */
  before(at: number, member: string, since: number, until: number): number {
    if (stryMutAct_9fa48("9897")) {
      {}
    } else {
      stryCov_9fa48("9897");
      const {
        added,
        removedAdded,
        taken
      } = this;
      let count = 0;
      for (const fresh of added) {
        if (stryMutAct_9fa48("9898")) {
          {}
        } else {
          stryCov_9fa48("9898");
          if (stryMutAct_9fa48("9901") ? (fresh.at > at || fresh.time < since) && fresh.time >= until : stryMutAct_9fa48("9900") ? false : stryMutAct_9fa48("9899") ? true : (stryCov_9fa48("9899", "9900", "9901"), (stryMutAct_9fa48("9903") ? fresh.at > at && fresh.time < since : stryMutAct_9fa48("9902") ? false : (stryCov_9fa48("9902", "9903"), (stryMutAct_9fa48("9906") ? fresh.at <= at : stryMutAct_9fa48("9905") ? fresh.at >= at : stryMutAct_9fa48("9904") ? false : (stryCov_9fa48("9904", "9905", "9906"), fresh.at > at)) || (stryMutAct_9fa48("9909") ? fresh.time >= since : stryMutAct_9fa48("9908") ? fresh.time <= since : stryMutAct_9fa48("9907") ? false : (stryCov_9fa48("9907", "9908", "9909"), fresh.time < since)))) || (stryMutAct_9fa48("9912") ? fresh.time < until : stryMutAct_9fa48("9911") ? fresh.time > until : stryMutAct_9fa48("9910") ? false : (stryCov_9fa48("9910", "9911", "9912"), fresh.time >= until)))) continue;
          if (stryMutAct_9fa48("9915") ? fresh.at < at && fresh.member < member : stryMutAct_9fa48("9914") ? false : stryMutAct_9fa48("9913") ? true : (stryCov_9fa48("9913", "9914", "9915"), (stryMutAct_9fa48("9918") ? fresh.at >= at : stryMutAct_9fa48("9917") ? fresh.at <= at : stryMutAct_9fa48("9916") ? false : (stryCov_9fa48("9916", "9917", "9918"), fresh.at < at)) || (stryMutAct_9fa48("9921") ? fresh.member >= member : stryMutAct_9fa48("9920") ? fresh.member <= member : stryMutAct_9fa48("9919") ? false : (stryCov_9fa48("9919", "9920", "9921"), fresh.member < member)))) stryMutAct_9fa48("9922") ? count-- : (stryCov_9fa48("9922"), count++);
        }
      }
      for (const fresh of removedAdded) {
        if (stryMutAct_9fa48("9923")) {
          {}
        } else {
          stryCov_9fa48("9923");
          if (stryMutAct_9fa48("9926") ? (fresh.at > at || fresh.time < since) && fresh.time >= until : stryMutAct_9fa48("9925") ? false : stryMutAct_9fa48("9924") ? true : (stryCov_9fa48("9924", "9925", "9926"), (stryMutAct_9fa48("9928") ? fresh.at > at && fresh.time < since : stryMutAct_9fa48("9927") ? false : (stryCov_9fa48("9927", "9928"), (stryMutAct_9fa48("9931") ? fresh.at <= at : stryMutAct_9fa48("9930") ? fresh.at >= at : stryMutAct_9fa48("9929") ? false : (stryCov_9fa48("9929", "9930", "9931"), fresh.at > at)) || (stryMutAct_9fa48("9934") ? fresh.time >= since : stryMutAct_9fa48("9933") ? fresh.time <= since : stryMutAct_9fa48("9932") ? false : (stryCov_9fa48("9932", "9933", "9934"), fresh.time < since)))) || (stryMutAct_9fa48("9937") ? fresh.time < until : stryMutAct_9fa48("9936") ? fresh.time > until : stryMutAct_9fa48("9935") ? false : (stryCov_9fa48("9935", "9936", "9937"), fresh.time >= until)))) continue;
          if (stryMutAct_9fa48("9940") ? fresh.at < at && fresh.member < member : stryMutAct_9fa48("9939") ? false : stryMutAct_9fa48("9938") ? true : (stryCov_9fa48("9938", "9939", "9940"), (stryMutAct_9fa48("9943") ? fresh.at >= at : stryMutAct_9fa48("9942") ? fresh.at <= at : stryMutAct_9fa48("9941") ? false : (stryCov_9fa48("9941", "9942", "9943"), fresh.at < at)) || (stryMutAct_9fa48("9946") ? fresh.member >= member : stryMutAct_9fa48("9945") ? fresh.member <= member : stryMutAct_9fa48("9944") ? false : (stryCov_9fa48("9944", "9945", "9946"), fresh.member < member)))) stryMutAct_9fa48("9947") ? count++ : (stryCov_9fa48("9947"), count--);
        }
      }
      for (const point of taken) if (stryMutAct_9fa48("9950") ? point.at < at && point.time >= since || point.time < until : stryMutAct_9fa48("9949") ? false : stryMutAct_9fa48("9948") ? true : (stryCov_9fa48("9948", "9949", "9950"), (stryMutAct_9fa48("9952") ? point.at < at || point.time >= since : stryMutAct_9fa48("9951") ? true : (stryCov_9fa48("9951", "9952"), (stryMutAct_9fa48("9955") ? point.at >= at : stryMutAct_9fa48("9954") ? point.at <= at : stryMutAct_9fa48("9953") ? true : (stryCov_9fa48("9953", "9954", "9955"), point.at < at)) && (stryMutAct_9fa48("9958") ? point.time < since : stryMutAct_9fa48("9957") ? point.time > since : stryMutAct_9fa48("9956") ? true : (stryCov_9fa48("9956", "9957", "9958"), point.time >= since)))) && (stryMutAct_9fa48("9961") ? point.time >= until : stryMutAct_9fa48("9960") ? point.time <= until : stryMutAct_9fa48("9959") ? true : (stryCov_9fa48("9959", "9960", "9961"), point.time < until)))) stryMutAct_9fa48("9962") ? count++ : (stryCov_9fa48("9962"), count--);
      return count;
    }
  }
}