// The folded histories that a node keeps while boards are rebuilt. The process that drives a rebuild makes a fold
// before the first range, outside the projector; the projector finds it here. A fold can be lost at any time: it is
// then made again from the history.
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
import { type FoldDeps, type FoldOptions, foldHistory } from './fold-history.ts';
import type { FoldedHistory } from './folded-history.ts';
import { DEFAULT_VIEWS_MEMORY } from './memory-budget.ts';
import { isParked, type Parked } from './parked.ts';
import type { BoardGeneration } from './projection.ts';

/** Folds kept at once per instance. A node that also builds views in the background has a second instance. */
const MAX_FOLDS = 2;

/** A fold: of this generation, up to this position (null: the end of the history), without parked streams. */
interface Wanted {
  readonly of: BoardGeneration;
  readonly upTo: Position | null;
  readonly parked: Parked;
}
interface Held {
  readonly key: string;
  readonly folded: Promise<FoldedHistory | null>;
  /** Made by `prepare`, and dropped by the same caller. */
  readonly isPrepared: boolean;
}
export class Folds {
  readonly #deps: FoldDeps;
  readonly #maxBytes: number;
  /** Least recently used first. */
  #held: Held[] = stryMutAct_9fa48("7128") ? ["Stryker was here"] : (stryCov_9fa48("7128"), []);

  /** `bytes`: limit for all folds of a process. A board that needs more than its share is built event by event. */
  constructor(deps: FoldDeps, bytes: number = DEFAULT_VIEWS_MEMORY.ruleFolds) {
    if (stryMutAct_9fa48("7129")) {
      {}
    } else {
      stryCov_9fa48("7129");
      this.#deps = deps;
      this.#maxBytes = stryMutAct_9fa48("7130") ? bytes * (2 * MAX_FOLDS) : (stryCov_9fa48("7130"), bytes / (stryMutAct_9fa48("7131") ? 2 / MAX_FOLDS : (stryCov_9fa48("7131"), 2 * MAX_FOLDS)));
    }
  }

  /**
   * With `upTo` null, folds to the end of the history; returns null if the history is empty or the fold would take too
   * much memory. With a position, the build was already begun with a fold, so it is folded again without a memory
   * limit.
   */
  async prepare(of: BoardGeneration, upTo: Position | null, parked: Parked, by: FoldOptions) {
    if (stryMutAct_9fa48("7132")) {
      {}
    } else {
      stryCov_9fa48("7132");
      if (stryMutAct_9fa48("7135") ? upTo === null : stryMutAct_9fa48("7134") ? false : stryMutAct_9fa48("7133") ? true : (stryCov_9fa48("7133", "7134", "7135"), upTo !== null)) return this.#get(stryMutAct_9fa48("7136") ? {} : (stryCov_9fa48("7136"), {
        of,
        upTo,
        parked
      }), stryMutAct_9fa48("7137") ? false : (stryCov_9fa48("7137"), true), by);
      const folded = await this.#fold(stryMutAct_9fa48("7138") ? {} : (stryCov_9fa48("7138"), {
        of,
        upTo,
        parked
      }), this.#maxBytes, by);
      if (stryMutAct_9fa48("7141") ? folded === null && folded.end === null : stryMutAct_9fa48("7140") ? false : stryMutAct_9fa48("7139") ? true : (stryCov_9fa48("7139", "7140", "7141"), (stryMutAct_9fa48("7143") ? folded !== null : stryMutAct_9fa48("7142") ? false : (stryCov_9fa48("7142", "7143"), folded === null)) || (stryMutAct_9fa48("7145") ? folded.end !== null : stryMutAct_9fa48("7144") ? false : (stryCov_9fa48("7144", "7145"), folded.end === null)))) return null;
      this.#hold(stryMutAct_9fa48("7146") ? {} : (stryCov_9fa48("7146"), {
        key: keyOf(of, folded.end.position, parked),
        folded: Promise.resolve(folded),
        isPrepared: stryMutAct_9fa48("7147") ? false : (stryCov_9fa48("7147"), true)
      }));
      return folded;
    }
  }

  /**
   * The fold that a range of this generation was cut from; it ends at the range's `asOf`. `isLast`: no other range of
   * it follows.
   */
  async get(of: BoardGeneration, upTo: Position, parked: Parked, isLast: boolean): Promise<FoldedHistory> {
    if (stryMutAct_9fa48("7148")) {
      {}
    } else {
      stryCov_9fa48("7148");
      const folded = await this.#get(stryMutAct_9fa48("7149") ? {} : (stryCov_9fa48("7149"), {
        of,
        upTo,
        parked
      }), stryMutAct_9fa48("7150") ? true : (stryCov_9fa48("7150"), false));
      const held = this.#held.find(stryMutAct_9fa48("7151") ? () => undefined : (stryCov_9fa48("7151"), ({
        key
      }) => stryMutAct_9fa48("7154") ? key !== keyOf(of, upTo, parked) : stryMutAct_9fa48("7153") ? false : stryMutAct_9fa48("7152") ? true : (stryCov_9fa48("7152", "7153", "7154"), key === keyOf(of, upTo, parked))));
      if (stryMutAct_9fa48("7157") ? isLast || held?.isPrepared === false : stryMutAct_9fa48("7156") ? false : stryMutAct_9fa48("7155") ? true : (stryCov_9fa48("7155", "7156", "7157"), isLast && (stryMutAct_9fa48("7159") ? held?.isPrepared !== false : stryMutAct_9fa48("7158") ? true : (stryCov_9fa48("7158", "7159"), (stryMutAct_9fa48("7160") ? held.isPrepared : (stryCov_9fa48("7160"), held?.isPrepared)) === (stryMutAct_9fa48("7161") ? true : (stryCov_9fa48("7161"), false)))))) this.#held = stryMutAct_9fa48("7162") ? this.#held : (stryCov_9fa48("7162"), this.#held.filter(stryMutAct_9fa48("7163") ? () => undefined : (stryCov_9fa48("7163"), one => stryMutAct_9fa48("7166") ? one === held : stryMutAct_9fa48("7165") ? false : stryMutAct_9fa48("7164") ? true : (stryCov_9fa48("7164", "7165", "7166"), one !== held))));
      return folded;
    }
  }
  drop(board: string): void {
    if (stryMutAct_9fa48("7167")) {
      {}
    } else {
      stryCov_9fa48("7167");
      this.#held = stryMutAct_9fa48("7168") ? this.#held : (stryCov_9fa48("7168"), this.#held.filter(stryMutAct_9fa48("7169") ? () => undefined : (stryCov_9fa48("7169"), ({
        key
      }) => stryMutAct_9fa48("7170") ? key.startsWith(`${board} `) : (stryCov_9fa48("7170"), !(stryMutAct_9fa48("7171") ? key.endsWith(`${board} `) : (stryCov_9fa48("7171"), key.startsWith(stryMutAct_9fa48("7172") ? `` : (stryCov_9fa48("7172"), `${board} `))))))));
    }
  }
  async #get(wanted: Wanted & {
    readonly upTo: Position;
  }, isPrepared: boolean, by?: FoldOptions): Promise<FoldedHistory> {
    if (stryMutAct_9fa48("7173")) {
      {}
    } else {
      stryCov_9fa48("7173");
      const key = keyOf(wanted.of, wanted.upTo, wanted.parked);
      let held = this.#held.find(stryMutAct_9fa48("7174") ? () => undefined : (stryCov_9fa48("7174"), one => stryMutAct_9fa48("7177") ? one.key !== key : stryMutAct_9fa48("7176") ? false : stryMutAct_9fa48("7175") ? true : (stryCov_9fa48("7175", "7176", "7177"), one.key === key)));
      stryMutAct_9fa48("7178") ? held &&= {
        key,
        folded: this.#fold(wanted, Number.POSITIVE_INFINITY, by),
        isPrepared
      } : (stryCov_9fa48("7178"), held ??= stryMutAct_9fa48("7179") ? {} : (stryCov_9fa48("7179"), {
        key,
        folded: this.#fold(wanted, Number.POSITIVE_INFINITY, by),
        isPrepared
      }));
      this.#hold(held);
      try {
        if (stryMutAct_9fa48("7180")) {
          {}
        } else {
          stryCov_9fa48("7180");
          return (await held.folded) as FoldedHistory;
        }
      } catch (error) {
        if (stryMutAct_9fa48("7181")) {
          {}
        } else {
          stryCov_9fa48("7181");
          this.#held = stryMutAct_9fa48("7182") ? this.#held : (stryCov_9fa48("7182"), this.#held.filter(stryMutAct_9fa48("7183") ? () => undefined : (stryCov_9fa48("7183"), one => stryMutAct_9fa48("7186") ? one === held : stryMutAct_9fa48("7185") ? false : stryMutAct_9fa48("7184") ? true : (stryCov_9fa48("7184", "7185", "7186"), one !== held))));
          throw error;
        }
      }
    }
  }
  #hold(held: Held): void {
    if (stryMutAct_9fa48("7187")) {
      {}
    } else {
      stryCov_9fa48("7187");
      this.#held = stryMutAct_9fa48("7188") ? [...this.#held.filter(({
        key
      }) => key !== held.key), held] : (stryCov_9fa48("7188"), (stryMutAct_9fa48("7189") ? [] : (stryCov_9fa48("7189"), [...(stryMutAct_9fa48("7190") ? this.#held : (stryCov_9fa48("7190"), this.#held.filter(stryMutAct_9fa48("7191") ? () => undefined : (stryCov_9fa48("7191"), ({
        key
      }) => stryMutAct_9fa48("7194") ? key === held.key : stryMutAct_9fa48("7193") ? false : stryMutAct_9fa48("7192") ? true : (stryCov_9fa48("7192", "7193", "7194"), key !== held.key))))), held])).slice(stryMutAct_9fa48("7195") ? +MAX_FOLDS : (stryCov_9fa48("7195"), -MAX_FOLDS)));
    }
  }
  #fold({
    of: {
      board,
      rules
    },
    upTo,
    parked
  }: Wanted, maxBytes: number, by?: FoldOptions) {
    if (stryMutAct_9fa48("7196")) {
      {}
    } else {
      stryCov_9fa48("7196");
      const isTaken = stryMutAct_9fa48("7197") ? () => undefined : (stryCov_9fa48("7197"), (() => {
        const isTaken = (past: Pick<StoredEvent, 'stream' | 'position'>) => stryMutAct_9fa48("7198") ? isParked(parked, past) : (stryCov_9fa48("7198"), !isParked(parked, past));
        return isTaken;
      })());
      return foldHistory(this.#deps, stryMutAct_9fa48("7199") ? {} : (stryCov_9fa48("7199"), {
        board,
        rules,
        upTo,
        isTaken
      }), maxBytes, by);
    }
  }
}

/** Streams that were parked after the end of the fold do not matter. */
function keyOf({
  board,
  generation
}: BoardGeneration, upTo: Position, parked: Parked): string {
  if (stryMutAct_9fa48("7200")) {
    {}
  } else {
    stryCov_9fa48("7200");
    const counts = stryMutAct_9fa48("7201") ? [...parked] : (stryCov_9fa48("7201"), (stryMutAct_9fa48("7202") ? [] : (stryCov_9fa48("7202"), [...parked])).filter(stryMutAct_9fa48("7203") ? () => undefined : (stryCov_9fa48("7203"), ([, position]) => stryMutAct_9fa48("7207") ? position > upTo : stryMutAct_9fa48("7206") ? position < upTo : stryMutAct_9fa48("7205") ? false : stryMutAct_9fa48("7204") ? true : (stryCov_9fa48("7204", "7205", "7206", "7207"), position <= upTo))));
    return (stryMutAct_9fa48("7208") ? [] : (stryCov_9fa48("7208"), [board, generation, upTo, JSON.stringify(stryMutAct_9fa48("7209") ? counts : (stryCov_9fa48("7209"), counts.sort(stryMutAct_9fa48("7210") ? () => undefined : (stryCov_9fa48("7210"), ([a], [b]) => (stryMutAct_9fa48("7214") ? a >= b : stryMutAct_9fa48("7213") ? a <= b : stryMutAct_9fa48("7212") ? false : stryMutAct_9fa48("7211") ? true : (stryCov_9fa48("7211", "7212", "7213", "7214"), a < b)) ? stryMutAct_9fa48("7215") ? +1 : (stryCov_9fa48("7215"), -1) : 1))))])).join(stryMutAct_9fa48("7216") ? "" : (stryCov_9fa48("7216"), ' '));
  }
}