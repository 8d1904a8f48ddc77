// A frozen window with the changes since: entries added and removed, as points that count +1 or -1. The last few are
// scanned one by one; earlier ones are sorted. Sorting advances by some steps with each change, so that no change
// causes a long pause.
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
import { bytesOf, type FrozenWindow } from './frozen-window.ts';
import { idOfMember, timeOfMember } from './member.ts';
import { countFirst, Points } from './points.ts';
import { runAll } from './times.ts';
import { type AddedEntry, type Place, type RemovedEntry, UnsortedChanges } from './unsorted-changes.ts';

/** Maximum number of changes scanned one by one; as many again can be in the process of being sorted. */
const MAX_UNSORTED = 128;
/** Sorting steps per change: enough to finish before as many changes wait again. */
const STEPS = 5;

/** All changes up to a moment, sorted. */
interface Settled {
  readonly added: Points<AddedEntry>;
  readonly taken: Points<RemovedEntry>;
}
/** Estimated maximum bytes of a change, including its place among the sorted ones. */
const CHANGE_BYTES = 320;
export class WindowState {
  readonly frozen: FrozenWindow;
  /** Ids of changed entries -> their new entry; null if removed. */
  readonly #changed = new Map<string, AddedEntry | null>();
  #settled: Settled = stryMutAct_9fa48("10216") ? {} : (stryCov_9fa48("10216"), {
    added: Points.none<AddedEntry>(),
    taken: Points.none<RemovedEntry>()
  });
  #unsorted = new UnsortedChanges();
  #settling: {
    readonly unsorted: UnsortedChanges;
    readonly work: Generator<void, Settled>;
  } | null = null;
  constructor(frozen: FrozenWindow) {
    if (stryMutAct_9fa48("10217")) {
      {}
    } else {
      stryCov_9fa48("10217");
      this.frozen = frozen;
      for (const [at, time] of frozen.doubles) this.#unsorted.taken.push(stryMutAct_9fa48("10218") ? {} : (stryCov_9fa48("10218"), {
        at,
        time,
        place: 0
      }));
      if (stryMutAct_9fa48("10222") ? this.#unsorted.length <= MAX_UNSORTED : stryMutAct_9fa48("10221") ? this.#unsorted.length >= MAX_UNSORTED : stryMutAct_9fa48("10220") ? false : stryMutAct_9fa48("10219") ? true : (stryCov_9fa48("10219", "10220", "10221", "10222"), this.#unsorted.length > MAX_UNSORTED)) runAll(this.settle());
    }
  }
  get bytes(): number {
    if (stryMutAct_9fa48("10223")) {
      {}
    } else {
      stryCov_9fa48("10223");
      return stryMutAct_9fa48("10224") ? bytesOf(this.frozen) + this.#settled.added.bytes + this.#settled.taken.bytes - this.changes * CHANGE_BYTES : (stryCov_9fa48("10224"), (stryMutAct_9fa48("10225") ? bytesOf(this.frozen) + this.#settled.added.bytes - this.#settled.taken.bytes : (stryCov_9fa48("10225"), (stryMutAct_9fa48("10226") ? bytesOf(this.frozen) - this.#settled.added.bytes : (stryCov_9fa48("10226"), bytesOf(this.frozen) + this.#settled.added.bytes)) + this.#settled.taken.bytes)) + (stryMutAct_9fa48("10227") ? this.changes / CHANGE_BYTES : (stryCov_9fa48("10227"), this.changes * CHANGE_BYTES)));
    }
  }
  get changes(): number {
    if (stryMutAct_9fa48("10228")) {
      {}
    } else {
      stryCov_9fa48("10228");
      return stryMutAct_9fa48("10229") ? this.#changed.size - this.frozen.doubles.size : (stryCov_9fa48("10229"), this.#changed.size + this.frozen.doubles.size);
    }
  }

  /** Sets the member of an entry; null removes it. */
  set(id: string, member: string | null): void {
    if (stryMutAct_9fa48("10230")) {
      {}
    } else {
      stryCov_9fa48("10230");
      const changed = this.#changed.get(id);
      const at = (stryMutAct_9fa48("10233") ? changed !== undefined : stryMutAct_9fa48("10232") ? false : stryMutAct_9fa48("10231") ? true : (stryCov_9fa48("10231", "10232", "10233"), changed === undefined)) ? this.frozen.members.placeOf(id) : stryMutAct_9fa48("10234") ? +1 : (stryCov_9fa48("10234"), -1);
      if (stryMutAct_9fa48("10237") ? changed === undefined && at < 0 || member === null : stryMutAct_9fa48("10236") ? false : stryMutAct_9fa48("10235") ? true : (stryCov_9fa48("10235", "10236", "10237"), (stryMutAct_9fa48("10239") ? changed === undefined || at < 0 : stryMutAct_9fa48("10238") ? true : (stryCov_9fa48("10238", "10239"), (stryMutAct_9fa48("10241") ? changed !== undefined : stryMutAct_9fa48("10240") ? true : (stryCov_9fa48("10240", "10241"), changed === undefined)) && (stryMutAct_9fa48("10244") ? at >= 0 : stryMutAct_9fa48("10243") ? at <= 0 : stryMutAct_9fa48("10242") ? true : (stryCov_9fa48("10242", "10243", "10244"), at < 0)))) && (stryMutAct_9fa48("10246") ? member !== null : stryMutAct_9fa48("10245") ? true : (stryCov_9fa48("10245", "10246"), member === null)))) return;
      if (stryMutAct_9fa48("10249") ? (changed?.member ?? (at < 0 ? null : this.frozen.members.text(at))) !== member : stryMutAct_9fa48("10248") ? false : stryMutAct_9fa48("10247") ? true : (stryCov_9fa48("10247", "10248", "10249"), (stryMutAct_9fa48("10250") ? changed?.member && (at < 0 ? null : this.frozen.members.text(at)) : (stryCov_9fa48("10250"), (stryMutAct_9fa48("10251") ? changed.member : (stryCov_9fa48("10251"), changed?.member)) ?? ((stryMutAct_9fa48("10255") ? at >= 0 : stryMutAct_9fa48("10254") ? at <= 0 : stryMutAct_9fa48("10253") ? false : stryMutAct_9fa48("10252") ? true : (stryCov_9fa48("10252", "10253", "10254", "10255"), at < 0)) ? null : this.frozen.members.text(at)))) === member)) return;
      if (stryMutAct_9fa48("10257") ? false : stryMutAct_9fa48("10256") ? true : (stryCov_9fa48("10256", "10257"), changed)) this.#drop(changed);else if (stryMutAct_9fa48("10261") ? at < 0 : stryMutAct_9fa48("10260") ? at > 0 : stryMutAct_9fa48("10259") ? false : stryMutAct_9fa48("10258") ? true : (stryCov_9fa48("10258", "10259", "10260", "10261"), at >= 0)) this.#unsorted.taken.push(stryMutAct_9fa48("10262") ? {} : (stryCov_9fa48("10262"), {
        at,
        time: timeOfMember(this.frozen.members.text(at)),
        place: 0
      }));
      const addedEntry = (stryMutAct_9fa48("10265") ? member !== null : stryMutAct_9fa48("10264") ? false : stryMutAct_9fa48("10263") ? true : (stryCov_9fa48("10263", "10264", "10265"), member === null)) ? null : this.#addedEntry(member);
      if (stryMutAct_9fa48("10268") ? addedEntry === null : stryMutAct_9fa48("10267") ? false : stryMutAct_9fa48("10266") ? true : (stryCov_9fa48("10266", "10267", "10268"), addedEntry !== null)) this.#unsorted.added.push(addedEntry);
      this.#changed.set(id, addedEntry);
      for (let step = 0; stryMutAct_9fa48("10270") ? step < STEPS || this.#settling !== null : stryMutAct_9fa48("10269") ? false : (stryCov_9fa48("10269", "10270"), (stryMutAct_9fa48("10273") ? step >= STEPS : stryMutAct_9fa48("10272") ? step <= STEPS : stryMutAct_9fa48("10271") ? true : (stryCov_9fa48("10271", "10272", "10273"), step < STEPS)) && (stryMutAct_9fa48("10275") ? this.#settling === null : stryMutAct_9fa48("10274") ? true : (stryCov_9fa48("10274", "10275"), this.#settling !== null))); stryMutAct_9fa48("10276") ? step-- : (stryCov_9fa48("10276"), step++)) this.#step();
      if (stryMutAct_9fa48("10280") ? this.#unsorted.length > MAX_UNSORTED : stryMutAct_9fa48("10279") ? this.#unsorted.length < MAX_UNSORTED : stryMutAct_9fa48("10278") ? false : stryMutAct_9fa48("10277") ? true : (stryCov_9fa48("10277", "10278", "10279", "10280"), this.#unsorted.length <= MAX_UNSORTED)) return;
      while (stryMutAct_9fa48("10282") ? this.#settling === null : stryMutAct_9fa48("10281") ? false : (stryCov_9fa48("10281", "10282"), this.#settling !== null)) this.#step();
      this.#begin();
    }
  }
  #addedEntry(member: string): AddedEntry {
    if (stryMutAct_9fa48("10283")) {
      {}
    } else {
      stryCov_9fa48("10283");
      return stryMutAct_9fa48("10284") ? {} : (stryCov_9fa48("10284"), {
        at: this.frozen.members.before(member),
        member,
        time: timeOfMember(member),
        ...UNPLACED
      });
    }
  }
  #drop(addedEntry: AddedEntry): void {
    if (stryMutAct_9fa48("10285")) {
      {}
    } else {
      stryCov_9fa48("10285");
      addedEntry.isPresent = stryMutAct_9fa48("10286") ? true : (stryCov_9fa48("10286"), false);
      const {
        added,
        removedAdded
      } = this.#unsorted;
      const at = added.indexOf(addedEntry);
      if (stryMutAct_9fa48("10290") ? at >= 0 : stryMutAct_9fa48("10289") ? at <= 0 : stryMutAct_9fa48("10288") ? false : stryMutAct_9fa48("10287") ? true : (stryCov_9fa48("10287", "10288", "10289", "10290"), at < 0)) removedAdded.push(addedEntry);else added.splice(at, 1);
    }
  }

  /**
   * Sorts all changes made before this call, and possibly some made during it. Returns the added entries and the
   * removed frozen ones. O(changes), in steps.
   */
  *settle(): Generator<void, {
    readonly added: readonly AddedEntry[];
    readonly taken: readonly RemovedEntry[];
  }> {
    if (stryMutAct_9fa48("10291")) {
      {}
    } else {
      stryCov_9fa48("10291");
      while (stryMutAct_9fa48("10293") ? this.#settling === null : stryMutAct_9fa48("10292") ? false : (stryCov_9fa48("10292", "10293"), this.#settling !== null)) {
        if (stryMutAct_9fa48("10294")) {
          {}
        } else {
          stryCov_9fa48("10294");
          this.#step();
          yield;
        }
      }
      this.#begin();
      for (const begun = this.#settling; stryMutAct_9fa48("10296") ? this.#settling !== begun : stryMutAct_9fa48("10295") ? false : (stryCov_9fa48("10295", "10296"), this.#settling === begun);) {
        if (stryMutAct_9fa48("10297")) {
          {}
        } else {
          stryCov_9fa48("10297");
          this.#step();
          yield;
        }
      }
      return stryMutAct_9fa48("10298") ? {} : (stryCov_9fa48("10298"), {
        added: this.#settled.added.all,
        taken: this.#settled.taken.all
      });
    }
  }
  #begin(): void {
    if (stryMutAct_9fa48("10299")) {
      {}
    } else {
      stryCov_9fa48("10299");
      const unsorted = this.#unsorted;
      this.#unsorted = new UnsortedChanges();
      for (const addedEntry of unsorted.removedAdded) addedEntry.isLeftOut = stryMutAct_9fa48("10300") ? false : (stryCov_9fa48("10300"), true);
      this.#settling = stryMutAct_9fa48("10301") ? {} : (stryCov_9fa48("10301"), {
        unsorted,
        work: inOrder(this.#settled, unsorted)
      });
    }
  }
  #step(): void {
    if (stryMutAct_9fa48("10302")) {
      {}
    } else {
      stryCov_9fa48("10302");
      const next = stryMutAct_9fa48("10303") ? this.#settling.work.next() : (stryCov_9fa48("10303"), this.#settling?.work.next());
      if (stryMutAct_9fa48("10306") ? false : stryMutAct_9fa48("10305") ? true : stryMutAct_9fa48("10304") ? next?.done : (stryCov_9fa48("10304", "10305", "10306"), !(stryMutAct_9fa48("10307") ? next.done : (stryCov_9fa48("10307"), next?.done)))) return;
      this.#settled = next.value;
      this.#settling = null;
    }
  }

  /** The member of an entry, or null. */
  memberOf(id: string): string | null {
    if (stryMutAct_9fa48("10308")) {
      {}
    } else {
      stryCov_9fa48("10308");
      const changed = this.#changed.get(id);
      if (stryMutAct_9fa48("10311") ? changed === undefined : stryMutAct_9fa48("10310") ? false : stryMutAct_9fa48("10309") ? true : (stryCov_9fa48("10309", "10310", "10311"), changed !== undefined)) return stryMutAct_9fa48("10312") ? changed?.member && null : (stryCov_9fa48("10312"), (stryMutAct_9fa48("10313") ? changed.member : (stryCov_9fa48("10313"), changed?.member)) ?? null);
      const at = this.frozen.members.placeOf(id);
      return (stryMutAct_9fa48("10317") ? at >= 0 : stryMutAct_9fa48("10316") ? at <= 0 : stryMutAct_9fa48("10315") ? false : stryMutAct_9fa48("10314") ? true : (stryCov_9fa48("10314", "10315", "10316", "10317"), at < 0)) ? null : this.frozen.members.text(at);
    }
  }

  /** The position of a member, whether or not it is in the window. */
  placeOf(member: string): Place {
    if (stryMutAct_9fa48("10318")) {
      {}
    } else {
      stryCov_9fa48("10318");
      const id = idOfMember(member);
      const changed = this.#changed.get(id);
      if (stryMutAct_9fa48("10321") ? changed?.member !== member : stryMutAct_9fa48("10320") ? false : stryMutAct_9fa48("10319") ? true : (stryCov_9fa48("10319", "10320", "10321"), (stryMutAct_9fa48("10322") ? changed.member : (stryCov_9fa48("10322"), changed?.member)) === member)) return changed;
      const at = (stryMutAct_9fa48("10325") ? changed !== undefined : stryMutAct_9fa48("10324") ? false : stryMutAct_9fa48("10323") ? true : (stryCov_9fa48("10323", "10324", "10325"), changed === undefined)) ? this.frozen.members.placeOf(id) : stryMutAct_9fa48("10326") ? +1 : (stryCov_9fa48("10326"), -1);
      const isFrozen = stryMutAct_9fa48("10329") ? at >= 0 || this.frozen.members.text(at) === member : stryMutAct_9fa48("10328") ? false : stryMutAct_9fa48("10327") ? true : (stryCov_9fa48("10327", "10328", "10329"), (stryMutAct_9fa48("10332") ? at < 0 : stryMutAct_9fa48("10331") ? at > 0 : stryMutAct_9fa48("10330") ? true : (stryCov_9fa48("10330", "10331", "10332"), at >= 0)) && (stryMutAct_9fa48("10334") ? this.frozen.members.text(at) !== member : stryMutAct_9fa48("10333") ? true : (stryCov_9fa48("10333", "10334"), this.frozen.members.text(at) === member)));
      return stryMutAct_9fa48("10335") ? {} : (stryCov_9fa48("10335"), {
        at: isFrozen ? at : this.frozen.members.before(member),
        member
      });
    }
  }

  /** The number of entries of the window that rank before a position. */
  before({
    at,
    member
  }: Place, since: number, until: number): number {
    if (stryMutAct_9fa48("10336")) {
      {}
    } else {
      stryCov_9fa48("10336");
      const {
        times,
        places
      } = this.frozen;
      const isBefore = stryMutAct_9fa48("10337") ? () => undefined : (stryCov_9fa48("10337"), (() => {
        const isBefore = (point: Place) => stryMutAct_9fa48("10340") ? point.at < at && point.at === at && point.member < member : stryMutAct_9fa48("10339") ? false : stryMutAct_9fa48("10338") ? true : (stryCov_9fa48("10338", "10339", "10340"), (stryMutAct_9fa48("10343") ? point.at >= at : stryMutAct_9fa48("10342") ? point.at <= at : stryMutAct_9fa48("10341") ? false : (stryCov_9fa48("10341", "10342", "10343"), point.at < at)) || (stryMutAct_9fa48("10345") ? point.at === at || point.member < member : stryMutAct_9fa48("10344") ? false : (stryCov_9fa48("10344", "10345"), (stryMutAct_9fa48("10347") ? point.at !== at : stryMutAct_9fa48("10346") ? true : (stryCov_9fa48("10346", "10347"), point.at === at)) && (stryMutAct_9fa48("10350") ? point.member >= member : stryMutAct_9fa48("10349") ? point.member <= member : stryMutAct_9fa48("10348") ? true : (stryCov_9fa48("10348", "10349", "10350"), point.member < member)))));
        return isBefore;
      })());
      let count = places.count(times.placeOf(since), times.placeOf(until), at);
      const {
        added,
        taken
      } = this.#settled;
      if (stryMutAct_9fa48("10354") ? added.all.length <= 0 : stryMutAct_9fa48("10353") ? added.all.length >= 0 : stryMutAct_9fa48("10352") ? false : stryMutAct_9fa48("10351") ? true : (stryCov_9fa48("10351", "10352", "10353", "10354"), added.all.length > 0)) stryMutAct_9fa48("10355") ? count -= added.count(since, until, added.countFirst(isBefore)) : (stryCov_9fa48("10355"), count += added.count(since, until, added.countFirst(isBefore)));
      if (stryMutAct_9fa48("10359") ? taken.all.length <= 0 : stryMutAct_9fa48("10358") ? taken.all.length >= 0 : stryMutAct_9fa48("10357") ? false : stryMutAct_9fa48("10356") ? true : (stryCov_9fa48("10356", "10357", "10358", "10359"), taken.all.length > 0)) {
        if (stryMutAct_9fa48("10360")) {
          {}
        } else {
          stryCov_9fa48("10360");
          const first = taken.countFirst(stryMutAct_9fa48("10361") ? () => undefined : (stryCov_9fa48("10361"), point => stryMutAct_9fa48("10365") ? point.at >= at : stryMutAct_9fa48("10364") ? point.at <= at : stryMutAct_9fa48("10363") ? false : stryMutAct_9fa48("10362") ? true : (stryCov_9fa48("10362", "10363", "10364", "10365"), point.at < at)));
          stryMutAct_9fa48("10366") ? count += taken.count(since, until, first) : (stryCov_9fa48("10366"), count -= taken.count(since, until, first));
        }
      }
      stryMutAct_9fa48("10367") ? count -= this.#unsorted.before(at, member, since, until) : (stryCov_9fa48("10367"), count += this.#unsorted.before(at, member, since, until));
      return (stryMutAct_9fa48("10370") ? this.#settling !== null : stryMutAct_9fa48("10369") ? false : stryMutAct_9fa48("10368") ? true : (stryCov_9fa48("10368", "10369", "10370"), this.#settling === null)) ? count : stryMutAct_9fa48("10371") ? count - this.#settling.unsorted.before(at, member, since, until) : (stryCov_9fa48("10371"), count + this.#settling.unsorted.before(at, member, since, until));
    }
  }

  /** The number of entries in the window. */
  size(since: number, until: number): number {
    if (stryMutAct_9fa48("10372")) {
      {}
    } else {
      stryCov_9fa48("10372");
      return this.before(stryMutAct_9fa48("10373") ? {} : (stryCov_9fa48("10373"), {
        at: stryMutAct_9fa48("10374") ? this.frozen.members.length - 1 : (stryCov_9fa48("10374"), this.frozen.members.length + 1),
        member: stryMutAct_9fa48("10375") ? "Stryker was here!" : (stryCov_9fa48("10375"), '')
      }), since, until);
    }
  }

  /** Members of the window in rank order, from rank `offset` on. O(log² n), plus O(log n) for each. */
  range(offset: number, limit: number, since: number, until: number): string[] {
    if (stryMutAct_9fa48("10376")) {
      {}
    } else {
      stryCov_9fa48("10376");
      const members: string[] = stryMutAct_9fa48("10377") ? ["Stryker was here"] : (stryCov_9fa48("10377"), []);
      if (stryMutAct_9fa48("10381") ? offset < this.size(since, until) : stryMutAct_9fa48("10380") ? offset > this.size(since, until) : stryMutAct_9fa48("10379") ? false : stryMutAct_9fa48("10378") ? true : (stryCov_9fa48("10378", "10379", "10380", "10381"), offset >= this.size(since, until))) return members;
      const unsorted = stryMutAct_9fa48("10383") ? [...this.#unsorted.added, ...(this.#settling?.unsorted.added ?? [])].sort(inRankOrder) : stryMutAct_9fa48("10382") ? [...this.#unsorted.added, ...(this.#settling?.unsorted.added ?? [])].filter(({
        time,
        isPresent
      }) => isPresent && time >= since && time < until) : (stryCov_9fa48("10382", "10383"), (stryMutAct_9fa48("10384") ? [] : (stryCov_9fa48("10384"), [...this.#unsorted.added, ...(stryMutAct_9fa48("10385") ? this.#settling?.unsorted.added && [] : (stryCov_9fa48("10385"), (stryMutAct_9fa48("10386") ? this.#settling.unsorted.added : (stryCov_9fa48("10386"), this.#settling?.unsorted.added)) ?? (stryMutAct_9fa48("10387") ? ["Stryker was here"] : (stryCov_9fa48("10387"), []))))])).filter(stryMutAct_9fa48("10388") ? () => undefined : (stryCov_9fa48("10388"), ({
        time,
        isPresent
      }) => stryMutAct_9fa48("10391") ? isPresent && time >= since || time < until : stryMutAct_9fa48("10390") ? false : stryMutAct_9fa48("10389") ? true : (stryCov_9fa48("10389", "10390", "10391"), (stryMutAct_9fa48("10393") ? isPresent || time >= since : stryMutAct_9fa48("10392") ? true : (stryCov_9fa48("10392", "10393"), isPresent && (stryMutAct_9fa48("10396") ? time < since : stryMutAct_9fa48("10395") ? time > since : stryMutAct_9fa48("10394") ? true : (stryCov_9fa48("10394", "10395", "10396"), time >= since)))) && (stryMutAct_9fa48("10399") ? time >= until : stryMutAct_9fa48("10398") ? time <= until : stryMutAct_9fa48("10397") ? true : (stryCov_9fa48("10397", "10398", "10399"), time < until))))).sort(inRankOrder));
      const first = this.#lastWithin(offset, unsorted, since, until);
      const heads = (stryMutAct_9fa48("10400") ? [] : (stryCov_9fa48("10400"), [this.#frozenFrom(first, since, until), this.#addedFrom(first, since, until), stryMutAct_9fa48("10401") ? unsorted.values() : (stryCov_9fa48("10401"), unsorted.filter(stryMutAct_9fa48("10402") ? () => undefined : (stryCov_9fa48("10402"), one => stryMutAct_9fa48("10406") ? inRankOrder(one, first) < 0 : stryMutAct_9fa48("10405") ? inRankOrder(one, first) > 0 : stryMutAct_9fa48("10404") ? false : stryMutAct_9fa48("10403") ? true : (stryCov_9fa48("10403", "10404", "10405", "10406"), inRankOrder(one, first) >= 0))).values())])).map(stryMutAct_9fa48("10407") ? () => undefined : (stryCov_9fa48("10407"), (rest: Iterator<Place, undefined>) => stryMutAct_9fa48("10408") ? {} : (stryCov_9fa48("10408"), {
        rest,
        next: rest.next().value
      })));
      while (stryMutAct_9fa48("10411") ? members.length >= limit : stryMutAct_9fa48("10410") ? members.length <= limit : stryMutAct_9fa48("10409") ? false : (stryCov_9fa48("10409", "10410", "10411"), members.length < limit)) {
        if (stryMutAct_9fa48("10412")) {
          {}
        } else {
          stryCov_9fa48("10412");
          let least: {
            rest: Iterator<Place, undefined>;
            next: Place;
          } | null = null;
          for (const {
            rest,
            next
          } of heads) {
            if (stryMutAct_9fa48("10413")) {
              {}
            } else {
              stryCov_9fa48("10413");
              if (stryMutAct_9fa48("10416") ? next !== undefined || least === null || isBelow(next, least.next) : stryMutAct_9fa48("10415") ? false : stryMutAct_9fa48("10414") ? true : (stryCov_9fa48("10414", "10415", "10416"), (stryMutAct_9fa48("10418") ? next === undefined : stryMutAct_9fa48("10417") ? true : (stryCov_9fa48("10417", "10418"), next !== undefined)) && (stryMutAct_9fa48("10420") ? least === null && isBelow(next, least.next) : stryMutAct_9fa48("10419") ? true : (stryCov_9fa48("10419", "10420"), (stryMutAct_9fa48("10422") ? least !== null : stryMutAct_9fa48("10421") ? false : (stryCov_9fa48("10421", "10422"), least === null)) || isBelow(next, least.next))))) least = stryMutAct_9fa48("10423") ? {} : (stryCov_9fa48("10423"), {
                rest,
                next
              });
            }
          }
          if (stryMutAct_9fa48("10426") ? least !== null : stryMutAct_9fa48("10425") ? false : stryMutAct_9fa48("10424") ? true : (stryCov_9fa48("10424", "10425", "10426"), least === null)) break;
          members.push(least.next.member);
          for (const head of heads) if (stryMutAct_9fa48("10429") ? head.rest !== least.rest : stryMutAct_9fa48("10428") ? false : stryMutAct_9fa48("10427") ? true : (stryCov_9fa48("10427", "10428", "10429"), head.rest === least.rest)) head.next = head.rest.next().value;
        }
      }
      return members;
    }
  }

  /** The last of all points, present or not, that has at most this many entries of the window before it. */
  #lastWithin(most: number, unsorted: readonly AddedEntry[], since: number, until: number): Place {
    if (stryMutAct_9fa48("10430")) {
      {}
    } else {
      stryCov_9fa48("10430");
      const isWithin = stryMutAct_9fa48("10431") ? () => undefined : (stryCov_9fa48("10431"), (() => {
        const isWithin = (place: Place) => stryMutAct_9fa48("10435") ? this.before(place, since, until) > most : stryMutAct_9fa48("10434") ? this.before(place, since, until) < most : stryMutAct_9fa48("10433") ? false : stryMutAct_9fa48("10432") ? true : (stryCov_9fa48("10432", "10433", "10434", "10435"), this.before(place, since, until) <= most);
        return isWithin;
      })());
      const {
        members
      } = this.frozen;
      let low = 0;
      let high = members.length;
      while (stryMutAct_9fa48("10438") ? low >= high : stryMutAct_9fa48("10437") ? low <= high : stryMutAct_9fa48("10436") ? false : (stryCov_9fa48("10436", "10437", "10438"), low < high)) {
        if (stryMutAct_9fa48("10439")) {
          {}
        } else {
          stryCov_9fa48("10439");
          const middle = (stryMutAct_9fa48("10440") ? low - high : (stryCov_9fa48("10440"), low + high)) >>> 1;
          if (stryMutAct_9fa48("10442") ? false : stryMutAct_9fa48("10441") ? true : (stryCov_9fa48("10441", "10442"), isWithin(stryMutAct_9fa48("10443") ? {} : (stryCov_9fa48("10443"), {
            at: middle,
            member: members.text(middle)
          })))) low = stryMutAct_9fa48("10444") ? middle - 1 : (stryCov_9fa48("10444"), middle + 1);else high = middle;
        }
      }
      let last: Place = (stryMutAct_9fa48("10447") ? low !== 0 : stryMutAct_9fa48("10446") ? false : stryMutAct_9fa48("10445") ? true : (stryCov_9fa48("10445", "10446", "10447"), low === 0)) ? stryMutAct_9fa48("10448") ? {} : (stryCov_9fa48("10448"), {
        at: 0,
        member: stryMutAct_9fa48("10449") ? "Stryker was here!" : (stryCov_9fa48("10449"), '')
      }) : stryMutAct_9fa48("10450") ? {} : (stryCov_9fa48("10450"), {
        at: stryMutAct_9fa48("10451") ? low + 1 : (stryCov_9fa48("10451"), low - 1),
        member: members.text(stryMutAct_9fa48("10452") ? low + 1 : (stryCov_9fa48("10452"), low - 1))
      });
      for (const addedEntry of stryMutAct_9fa48("10453") ? [] : (stryCov_9fa48("10453"), [this.#settled.added.all, unsorted])) {
        if (stryMutAct_9fa48("10454")) {
          {}
        } else {
          stryCov_9fa48("10454");
          const within = addedEntry[stryMutAct_9fa48("10455") ? countFirst(addedEntry, isWithin) + 1 : (stryCov_9fa48("10455"), countFirst(addedEntry, isWithin) - 1)];
          if (stryMutAct_9fa48("10458") ? within !== undefined || isBelow(last, within) : stryMutAct_9fa48("10457") ? false : stryMutAct_9fa48("10456") ? true : (stryCov_9fa48("10456", "10457", "10458"), (stryMutAct_9fa48("10460") ? within === undefined : stryMutAct_9fa48("10459") ? true : (stryCov_9fa48("10459", "10460"), within !== undefined)) && isBelow(last, within))) last = within;
        }
      }
      return last;
    }
  }
  *#frozenFrom({
    at,
    member
  }: Place, since: number, until: number): Generator<Place, undefined> {
    if (stryMutAct_9fa48("10461")) {
      {}
    } else {
      stryCov_9fa48("10461");
      const {
        members,
        times,
        places
      } = this.frozen;
      const [from, to] = stryMutAct_9fa48("10462") ? [] : (stryCov_9fa48("10462"), [times.placeOf(since), times.placeOf(until)]);
      for (let next = places.atLeast(from, to, at); stryMutAct_9fa48("10465") ? next < 0 : stryMutAct_9fa48("10464") ? next > 0 : stryMutAct_9fa48("10463") ? false : (stryCov_9fa48("10463", "10464", "10465"), next >= 0); next = places.atLeast(from, to, stryMutAct_9fa48("10466") ? next - 1 : (stryCov_9fa48("10466"), next + 1))) {
        if (stryMutAct_9fa48("10467")) {
          {}
        } else {
          stryCov_9fa48("10467");
          const text = members.text(next);
          if (stryMutAct_9fa48("10470") ? text >= member || this.#isFrozenStill(next, text) : stryMutAct_9fa48("10469") ? false : stryMutAct_9fa48("10468") ? true : (stryCov_9fa48("10468", "10469", "10470"), (stryMutAct_9fa48("10473") ? text < member : stryMutAct_9fa48("10472") ? text > member : stryMutAct_9fa48("10471") ? true : (stryCov_9fa48("10471", "10472", "10473"), text >= member)) && this.#isFrozenStill(next, text))) yield stryMutAct_9fa48("10474") ? {} : (stryCov_9fa48("10474"), {
            at: next,
            member: text
          });
        }
      }
    }
  }
  #isFrozenStill(place: number, member: string): boolean {
    if (stryMutAct_9fa48("10475")) {
      {}
    } else {
      stryCov_9fa48("10475");
      return stryMutAct_9fa48("10478") ? !this.#changed.has(idOfMember(member)) || !this.frozen.doubles.has(place) : stryMutAct_9fa48("10477") ? false : stryMutAct_9fa48("10476") ? true : (stryCov_9fa48("10476", "10477", "10478"), (stryMutAct_9fa48("10479") ? this.#changed.has(idOfMember(member)) : (stryCov_9fa48("10479"), !this.#changed.has(idOfMember(member)))) && (stryMutAct_9fa48("10480") ? this.frozen.doubles.has(place) : (stryCov_9fa48("10480"), !this.frozen.doubles.has(place))));
    }
  }
  *#addedFrom(first: Place, since: number, until: number): Generator<Place, undefined> {
    if (stryMutAct_9fa48("10481")) {
      {}
    } else {
      stryCov_9fa48("10481");
      const {
        added
      } = this.#settled;
      const from = added.countFirst(stryMutAct_9fa48("10482") ? () => undefined : (stryCov_9fa48("10482"), addedEntry => stryMutAct_9fa48("10486") ? inRankOrder(addedEntry, first) >= 0 : stryMutAct_9fa48("10485") ? inRankOrder(addedEntry, first) <= 0 : stryMutAct_9fa48("10484") ? false : stryMutAct_9fa48("10483") ? true : (stryCov_9fa48("10483", "10484", "10485", "10486"), inRankOrder(addedEntry, first) < 0)));
      for (let next = added.next(since, until, from); stryMutAct_9fa48("10489") ? next < 0 : stryMutAct_9fa48("10488") ? next > 0 : stryMutAct_9fa48("10487") ? false : (stryCov_9fa48("10487", "10488", "10489"), next >= 0); next = added.next(since, until, stryMutAct_9fa48("10490") ? next - 1 : (stryCov_9fa48("10490"), next + 1))) {
        if (stryMutAct_9fa48("10491")) {
          {}
        } else {
          stryCov_9fa48("10491");
          const addedEntry = added.all[next] as AddedEntry;
          if (stryMutAct_9fa48("10493") ? false : stryMutAct_9fa48("10492") ? true : (stryCov_9fa48("10492", "10493"), addedEntry.isPresent)) yield addedEntry;
        }
      }
    }
  }
}
const UNPLACED = stryMutAct_9fa48("10494") ? {} : (stryCov_9fa48("10494"), {
  place: 0,
  isPresent: stryMutAct_9fa48("10495") ? false : (stryCov_9fa48("10495"), true),
  isLeftOut: stryMutAct_9fa48("10496") ? true : (stryCov_9fa48("10496"), false)
});
function* inOrder({
  added,
  taken
}: Settled, unsorted: UnsortedChanges): Generator<void, Settled> {
  if (stryMutAct_9fa48("10497")) {
    {}
  } else {
    stryCov_9fa48("10497");
    const isAddedToo = stryMutAct_9fa48("10501") ? unsorted.added.length + unsorted.removedAdded.length <= 0 : stryMutAct_9fa48("10500") ? unsorted.added.length + unsorted.removedAdded.length >= 0 : stryMutAct_9fa48("10499") ? false : stryMutAct_9fa48("10498") ? true : (stryCov_9fa48("10498", "10499", "10500", "10501"), (stryMutAct_9fa48("10502") ? unsorted.added.length - unsorted.removedAdded.length : (stryCov_9fa48("10502"), unsorted.added.length + unsorted.removedAdded.length)) > 0);
    return stryMutAct_9fa48("10503") ? {} : (stryCov_9fa48("10503"), {
      added: isAddedToo ? yield* added.with(unsorted.added, inRankOrder, stryMutAct_9fa48("10504") ? () => undefined : (stryCov_9fa48("10504"), ({
        isLeftOut
      }) => stryMutAct_9fa48("10505") ? isLeftOut : (stryCov_9fa48("10505"), !isLeftOut))) : added,
      taken: (stryMutAct_9fa48("10509") ? unsorted.taken.length <= 0 : stryMutAct_9fa48("10508") ? unsorted.taken.length >= 0 : stryMutAct_9fa48("10507") ? false : stryMutAct_9fa48("10506") ? true : (stryCov_9fa48("10506", "10507", "10508", "10509"), unsorted.taken.length > 0)) ? yield* taken.with(unsorted.taken, byPlace, stryMutAct_9fa48("10510") ? () => undefined : (stryCov_9fa48("10510"), () => stryMutAct_9fa48("10511") ? false : (stryCov_9fa48("10511"), true))) : taken
    });
  }
}
const byPlace = stryMutAct_9fa48("10512") ? () => undefined : (stryCov_9fa48("10512"), (() => {
  const byPlace = (a: RemovedEntry, b: RemovedEntry): number => stryMutAct_9fa48("10513") ? a.at + b.at : (stryCov_9fa48("10513"), a.at - b.at);
  return byPlace;
})());
const isBelow = stryMutAct_9fa48("10514") ? () => undefined : (stryCov_9fa48("10514"), (() => {
  const isBelow = (one: Place, other: Place): boolean => stryMutAct_9fa48("10518") ? one.member >= other.member : stryMutAct_9fa48("10517") ? one.member <= other.member : stryMutAct_9fa48("10516") ? false : stryMutAct_9fa48("10515") ? true : (stryCov_9fa48("10515", "10516", "10517", "10518"), one.member < other.member);
  return isBelow;
})());
function inRankOrder(a: Place, b: Place): number {
  if (stryMutAct_9fa48("10519")) {
    {}
  } else {
    stryCov_9fa48("10519");
    return (stryMutAct_9fa48("10522") ? a.at !== b.at : stryMutAct_9fa48("10521") ? false : stryMutAct_9fa48("10520") ? true : (stryCov_9fa48("10520", "10521", "10522"), a.at === b.at)) ? (stryMutAct_9fa48("10526") ? a.member >= b.member : stryMutAct_9fa48("10525") ? a.member <= b.member : stryMutAct_9fa48("10524") ? false : stryMutAct_9fa48("10523") ? true : (stryCov_9fa48("10523", "10524", "10525", "10526"), a.member < b.member)) ? stryMutAct_9fa48("10527") ? +1 : (stryCov_9fa48("10527"), -1) : (stryMutAct_9fa48("10531") ? a.member <= b.member : stryMutAct_9fa48("10530") ? a.member >= b.member : stryMutAct_9fa48("10529") ? false : stryMutAct_9fa48("10528") ? true : (stryCov_9fa48("10528", "10529", "10530", "10531"), a.member > b.member)) ? 1 : 0 : stryMutAct_9fa48("10532") ? a.at + b.at : (stryCov_9fa48("10532"), a.at - b.at);
  }
}