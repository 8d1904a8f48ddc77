// Applies events to one view: loads the documents that they need, runs the handlers in log order, and collects the
// writes. The live projector and rebuilds use the same code. An event that cannot be applied parks its stream; all
// other streams continue.
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
import type { AllRankings } from '../stores/contract/rankings.ts';
import type { Checkpoint, Document, Find, Views } from '../stores/contract/views.ts';
import { EventNotFound } from '../stores/support/event-position.ts';
import { Folds } from './folds.ts';
import { DEFAULT_VIEWS_MEMORY, MemoryBudget } from './memory-budget.ts';
import { attempt, lacking, prefetch } from './needed.ts';
import { isParked, parkedStreams } from './parked.ts';
import { type DocRef, type DocumentQuery, indexCursorOf, PARKED, type Projection, type Replays, viewKey } from './projection.ts';
import { type ReplayDeps, replay, streamIfNeeded } from './replay.ts';
import { isFindable, isNamable } from './storable.ts';
import { WorkingSet } from './working-set.ts';
import { type ViewChanges, viewChangesOf, write } from './write.ts';

/** Queried documents that are updated and written between two yields: about 10 ms with the embedded store. */
const QUERIED_AT_ONCE = 250;
export interface Applier {
  readonly projection: Projection;
  /**
   * Applies events in order. Rejects with the signal's reason, also inside an event, which must then be applied again.
   */
  apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void>;
  /** Number of unwritten changes: documents, and members that leave rankings. */
  changed(): number;
  /** Updates the bytes that this applier holds in the shared budget. Returns true if the budget requires a flush. */
  needsFlush(): boolean;
  /** The writes to commit with these checkpoints. Afterwards the changes count as written. */
  take(checkpoints: ReadonlyMap<number, Checkpoint>): ViewChanges;
  /** Discards all unwritten changes. Call it after a failed write, before the same events are applied again. */
  forget(): void;
}
export interface ApplyDeps extends ReplayDeps {
  readonly views: Views;
  readonly rankings: AllRankings;
  /** Overrides the number of documents of one query that are written together. */
  readonly foundAtOnce?: number;
  /** Called for every event that was parked. */
  parked(view: string, event: StoredEvent, error: unknown): void;
}

/** `held`: the budget for loaded documents, shared by appliers that run together. Beyond it they are read again. */
export function createApplier(projection: Projection, deps: ApplyDeps, held: MemoryBudget = new MemoryBudget(DEFAULT_VIEWS_MEMORY.documents)): Applier {
  if (stryMutAct_9fa48("5120")) {
    {}
  } else {
    stryCov_9fa48("5120");
    return new ViewApplier(projection, deps, held);
  }
}
const NONE: readonly never[] = stryMutAct_9fa48("5121") ? ["Stryker was here"] : (stryCov_9fa48("5121"), []);
class ViewApplier implements Applier {
  readonly projection: Projection;
  readonly #deps: ApplyDeps & {
    readonly folds: Folds;
  };
  readonly #held: MemoryBudget;
  /** Null: all types. */
  readonly #types: ReadonlySet<string> | null;
  #docs: WorkingSet;
  /** Whether the unwritten changes are a part of one large change. */
  #isOfMany = stryMutAct_9fa48("5122") ? true : (stryCov_9fa48("5122"), false);
  /** Null until loaded from the store. */
  #parked: Map<string, Position> | null = null;
  constructor(projection: Projection, deps: ApplyDeps, held: MemoryBudget) {
    if (stryMutAct_9fa48("5123")) {
      {}
    } else {
      stryCov_9fa48("5123");
      this.projection = projection;
      this.#deps = stryMutAct_9fa48("5124") ? {} : (stryCov_9fa48("5124"), {
        ...deps,
        folds: stryMutAct_9fa48("5125") ? deps.folds && new Folds(deps) : (stryCov_9fa48("5125"), deps.folds ?? new Folds(deps))
      });
      this.#held = held;
      this.#types = (stryMutAct_9fa48("5128") ? projection.takes !== 'every event' : stryMutAct_9fa48("5127") ? false : stryMutAct_9fa48("5126") ? true : (stryCov_9fa48("5126", "5127", "5128"), projection.takes === (stryMutAct_9fa48("5129") ? "" : (stryCov_9fa48("5129"), 'every event')))) ? null : new Set(projection.takes);
      this.#docs = this.#fresh();
    }
  }
  get #view(): string {
    if (stryMutAct_9fa48("5130")) {
      {}
    } else {
      stryCov_9fa48("5130");
      return viewKey(this.projection);
    }
  }
  changed(): number {
    if (stryMutAct_9fa48("5131")) {
      {}
    } else {
      stryCov_9fa48("5131");
      return this.#docs.changed;
    }
  }
  needsFlush(): boolean {
    if (stryMutAct_9fa48("5132")) {
      {}
    } else {
      stryCov_9fa48("5132");
      return this.#held.requiresFlush(this, this.#docs.bytes);
    }
  }
  forget(): void {
    if (stryMutAct_9fa48("5133")) {
      {}
    } else {
      stryCov_9fa48("5133");
      this.#docs = this.#fresh();
      this.#parked = null;
      this.#isOfMany = stryMutAct_9fa48("5134") ? true : (stryCov_9fa48("5134"), false);
    }
  }
  take(checkpoints: ReadonlyMap<number, Checkpoint>): ViewChanges {
    if (stryMutAct_9fa48("5135")) {
      {}
    } else {
      stryCov_9fa48("5135");
      const changes = this.#docs.takeChanges();
      // Releases written documents only: the map of parked streams stays.
      if (stryMutAct_9fa48("5137") ? false : stryMutAct_9fa48("5136") ? true : (stryCov_9fa48("5136", "5137"), this.needsFlush())) this.#docs = this.#fresh();
      const taken = viewChangesOf(this.projection, changes, checkpoints, this.#isOfMany);
      this.#isOfMany = stryMutAct_9fa48("5138") ? true : (stryCov_9fa48("5138"), false);
      return taken;
    }
  }
  async apply(events: readonly StoredEvent[], signal?: AbortSignal): Promise<void> {
    if (stryMutAct_9fa48("5139")) {
      {}
    } else {
      stryCov_9fa48("5139");
      stryMutAct_9fa48("5140") ? this.#parked &&= await parkedStreams(this.#deps.views, this.#view) : (stryCov_9fa48("5140"), this.#parked ??= await parkedStreams(this.#deps.views, this.#view));
      const parked = this.#parked;
      const types = this.#types;
      const taken = (stryMutAct_9fa48("5143") ? types !== null : stryMutAct_9fa48("5142") ? false : stryMutAct_9fa48("5141") ? true : (stryCov_9fa48("5141", "5142", "5143"), types === null)) ? events : stryMutAct_9fa48("5144") ? events : (stryCov_9fa48("5144"), events.filter(stryMutAct_9fa48("5145") ? () => undefined : (stryCov_9fa48("5145"), event => types.has(event.type))));
      await prefetch(taken, this.#missing, this.#docs);
      for (const event of taken) if (stryMutAct_9fa48("5148") ? false : stryMutAct_9fa48("5147") ? true : stryMutAct_9fa48("5146") ? isParked(parked, event) : (stryCov_9fa48("5146", "5147", "5148"), !isParked(parked, event))) await this.#applyEvent(event, parked, signal);
    }
  }
  #fresh(): WorkingSet {
    if (stryMutAct_9fa48("5149")) {
      {}
    } else {
      stryCov_9fa48("5149");
      return new WorkingSet(this.#deps.views, this.#view, this.projection.ranked, this.projection.collections);
    }
  }
  async #applyEvent(event: StoredEvent, parked: Map<string, Position>, signal?: AbortSignal): Promise<void> {
    if (stryMutAct_9fa48("5150")) {
      {}
    } else {
      stryCov_9fa48("5150");
      const {
        replays
      } = this.projection;
      const queries = this.#queriesOf(event);
      // Write earlier events first: after a crash they must not be replayed onto documents that already have this event.
      if (stryMutAct_9fa48("5154") ? queries.length <= 0 : stryMutAct_9fa48("5153") ? queries.length >= 0 : stryMutAct_9fa48("5152") ? false : stryMutAct_9fa48("5151") ? true : (stryCov_9fa48("5151", "5152", "5153", "5154"), queries.length > 0)) await write(this.#deps, this.take(new Map()));
      if (stryMutAct_9fa48("5157") ? replays?.triggers.has(event.type) || !(await this.#replay(replays, event, parked)) : stryMutAct_9fa48("5156") ? false : stryMutAct_9fa48("5155") ? true : (stryCov_9fa48("5155", "5156", "5157"), (stryMutAct_9fa48("5158") ? replays.triggers.has(event.type) : (stryCov_9fa48("5158"), replays?.triggers.has(event.type))) && (stryMutAct_9fa48("5159") ? await this.#replay(replays, event, parked) : (stryCov_9fa48("5159"), !(await this.#replay(replays, event, parked)))))) return;
      const recalling = (stryMutAct_9fa48("5160") ? replays.needsStreamFor.has(event.type) : (stryCov_9fa48("5160"), replays?.needsStreamFor.has(event.type))) ? stryMutAct_9fa48("5161") ? {} : (stryCov_9fa48("5161"), {
        deps: this.#deps,
        replays,
        docs: this.#docs
      }) : null;
      const stream = (stryMutAct_9fa48("5164") ? recalling !== null : stryMutAct_9fa48("5163") ? false : stryMutAct_9fa48("5162") ? true : (stryCov_9fa48("5162", "5163", "5164"), recalling === null)) ? NONE : await streamIfNeeded(recalling, event, null, this.#missing);
      // Earlier events of the batch may determine what this event needs. Running the handler and retrying is cheaper than
      // computing `needs` again for each event. If the handler fails, the event must change nothing, so it runs as a
      // trial before the queried documents are updated.
      const isTrial = stryMutAct_9fa48("5168") ? queries.length <= 0 : stryMutAct_9fa48("5167") ? queries.length >= 0 : stryMutAct_9fa48("5166") ? false : stryMutAct_9fa48("5165") ? true : (stryCov_9fa48("5165", "5166", "5167", "5168"), queries.length > 0);
      while (stryMutAct_9fa48("5170") ? false : stryMutAct_9fa48("5169") ? this.#applyOne(event, stream, parked, isTrial) : (stryCov_9fa48("5169", "5170"), !this.#applyOne(event, stream, parked, isTrial))) await this.#docs.load(this.#missing(event, stream));
      if (stryMutAct_9fa48("5173") ? !isTrial && isParked(parked, event) : stryMutAct_9fa48("5172") ? false : stryMutAct_9fa48("5171") ? true : (stryCov_9fa48("5171", "5172", "5173"), (stryMutAct_9fa48("5174") ? isTrial : (stryCov_9fa48("5174"), !isTrial)) || isParked(parked, event))) return;
      const failures = await this.#updateQueried(event, queries, signal);
      while (stryMutAct_9fa48("5176") ? false : stryMutAct_9fa48("5175") ? this.#applyOne(event, stream, parked, false) : (stryCov_9fa48("5175", "5176"), !this.#applyOne(event, stream, parked, stryMutAct_9fa48("5177") ? true : (stryCov_9fa48("5177"), false)))) await this.#docs.load(this.#missing(event, stream));
      // Park only after all other documents are written: a parked event is not applied again.
      if (stryMutAct_9fa48("5180") ? failures.length !== 0 : stryMutAct_9fa48("5179") ? false : stryMutAct_9fa48("5178") ? true : (stryCov_9fa48("5178", "5179", "5180"), failures.length === 0)) return;
      this.#park(event, failures[0], parked);
      this.#docs.accept(event);
    }
  }

  /** Returns false if the event was parked. */
  async #replay(replays: Replays, event: StoredEvent, parked: Map<string, Position>): Promise<boolean> {
    if (stryMutAct_9fa48("5181")) {
      {}
    } else {
      stryCov_9fa48("5181");
      this.#isOfMany = stryMutAct_9fa48("5182") ? false : (stryCov_9fa48("5182"), true);
      try {
        if (stryMutAct_9fa48("5183")) {
          {}
        } else {
          stryCov_9fa48("5183");
          await replay(stryMutAct_9fa48("5184") ? {} : (stryCov_9fa48("5184"), {
            deps: this.#deps,
            replays,
            docs: this.#docs,
            parked
          }), event);
          return stryMutAct_9fa48("5185") ? false : (stryCov_9fa48("5185"), true);
        }
      } catch (error) {
        if (stryMutAct_9fa48("5186")) {
          {}
        } else {
          stryCov_9fa48("5186");
          if (stryMutAct_9fa48("5189") ? false : stryMutAct_9fa48("5188") ? true : stryMutAct_9fa48("5187") ? error instanceof EventNotFound : (stryCov_9fa48("5187", "5188", "5189"), !(error instanceof EventNotFound))) throw error;
          this.#park(event, error, parked);
          this.#docs.accept(event);
          return stryMutAct_9fa48("5190") ? true : (stryCov_9fa48("5190"), false);
        }
      }
    }
  }

  /**
   * Updates the queried documents page by page: writes and releases each page before it reads the next, and yields in
   * between. The last page is written together with the event's own documents. Returns the errors of documents that
   * could not be updated.
   */
  async #updateQueried(event: StoredEvent, queries: readonly DocumentQuery[], signal?: AbortSignal): Promise<unknown[]> {
    if (stryMutAct_9fa48("5191")) {
      {}
    } else {
      stryCov_9fa48("5191");
      const {
        foundAtOnce: limit = QUERIED_AT_ONCE,
        views
      } = this.#deps;
      const failures: unknown[] = stryMutAct_9fa48("5192") ? ["Stryker was here"] : (stryCov_9fa48("5192"), []);
      for (const query of queries) {
        if (stryMutAct_9fa48("5193")) {
          {}
        } else {
          stryCov_9fa48("5193");
          if (stryMutAct_9fa48("5194")) {
            for (let from: Partial<Find> = {}; false;) {
              const found: Document[] = await views.find({
                ...query,
                ...from,
                view: this.#view,
                limit
              });
              for (const document of found) this.#updateOne(event, query, document, failures);
              const last = found.at(-1);
              if (last === undefined || found.length < limit) break;
              from = {
                behind: indexCursorOf(this.projection, query, last)
              };
              this.#isOfMany = true;
              await write(this.#deps, this.take(new Map()));
              this.#docs = this.#fresh();
              await yieldToEventLoop();
              signal?.throwIfAborted();
            }
          } else {
            stryCov_9fa48("5194");
            for (let from: Partial<Find> = {};;) {
              if (stryMutAct_9fa48("5195")) {
                {}
              } else {
                stryCov_9fa48("5195");
                const found: Document[] = await views.find(stryMutAct_9fa48("5196") ? {} : (stryCov_9fa48("5196"), {
                  ...query,
                  ...from,
                  view: this.#view,
                  limit
                }));
                for (const document of found) this.#updateOne(event, query, document, failures);
                const last = found.at(stryMutAct_9fa48("5197") ? +1 : (stryCov_9fa48("5197"), -1));
                if (stryMutAct_9fa48("5200") ? last === undefined && found.length < limit : stryMutAct_9fa48("5199") ? false : stryMutAct_9fa48("5198") ? true : (stryCov_9fa48("5198", "5199", "5200"), (stryMutAct_9fa48("5202") ? last !== undefined : stryMutAct_9fa48("5201") ? false : (stryCov_9fa48("5201", "5202"), last === undefined)) || (stryMutAct_9fa48("5205") ? found.length >= limit : stryMutAct_9fa48("5204") ? found.length <= limit : stryMutAct_9fa48("5203") ? false : (stryCov_9fa48("5203", "5204", "5205"), found.length < limit)))) break;
                from = stryMutAct_9fa48("5206") ? {} : (stryCov_9fa48("5206"), {
                  behind: indexCursorOf(this.projection, query, last)
                });
                this.#isOfMany = stryMutAct_9fa48("5207") ? false : (stryCov_9fa48("5207"), true);
                await write(this.#deps, this.take(new Map()));
                this.#docs = this.#fresh();
                await yieldToEventLoop();
                stryMutAct_9fa48("5208") ? signal.throwIfAborted() : (stryCov_9fa48("5208"), signal?.throwIfAborted());
              }
            }
          }
        }
      }
      return failures;
    }
  }

  /** Leaves the document unchanged if the handler throws, and adds the error to `failures`. */
  #updateOne(event: StoredEvent, {
    collection
  }: DocumentQuery, document: Document, failures: unknown[]): void {
    if (stryMutAct_9fa48("5209")) {
      {}
    } else {
      stryCov_9fa48("5209");
      this.#docs.holdFound(collection, document);
      try {
        if (stryMutAct_9fa48("5210")) {
          {}
        } else {
          stryCov_9fa48("5210");
          stryMutAct_9fa48("5211") ? this.projection.updateEach(event, this.#docs, document.id) : (stryCov_9fa48("5211"), this.projection.updateEach?.(event, this.#docs, document.id));
        }
      } catch (error) {
        if (stryMutAct_9fa48("5212")) {
          {}
        } else {
          stryCov_9fa48("5212");
          this.#docs.reject();
          failures.push(error);
        }
      }
      this.#docs.accept(event);
    }
  }

  /** Returns false if the handler failed because a document is not loaded yet. A trial discards its changes. */
  #applyOne(event: StoredEvent, stream: readonly StoredEvent[], parked: Map<string, Position>, isTrial: boolean): boolean {
    if (stryMutAct_9fa48("5213")) {
      {}
    } else {
      stryCov_9fa48("5213");
      try {
        if (stryMutAct_9fa48("5214")) {
          {}
        } else {
          stryCov_9fa48("5214");
          this.projection.handle(event, this.#docs, stream);
          if (stryMutAct_9fa48("5216") ? false : stryMutAct_9fa48("5215") ? true : (stryCov_9fa48("5215", "5216"), isTrial)) this.#docs.reject();
        }
      } catch (error) {
        if (stryMutAct_9fa48("5217")) {
          {}
        } else {
          stryCov_9fa48("5217");
          this.#docs.reject();
          if (stryMutAct_9fa48("5221") ? this.#missing(event, stream).length <= 0 : stryMutAct_9fa48("5220") ? this.#missing(event, stream).length >= 0 : stryMutAct_9fa48("5219") ? false : stryMutAct_9fa48("5218") ? true : (stryCov_9fa48("5218", "5219", "5220", "5221"), this.#missing(event, stream).length > 0)) return stryMutAct_9fa48("5222") ? true : (stryCov_9fa48("5222"), false);
          this.#park(event, error, parked);
        }
      }
      this.#docs.accept(event);
      return stryMutAct_9fa48("5223") ? false : (stryCov_9fa48("5223"), true);
    }
  }
  #park(event: StoredEvent, error: unknown, parked: Map<string, Position>): void {
    if (stryMutAct_9fa48("5224")) {
      {}
    } else {
      stryCov_9fa48("5224");
      const {
        stream,
        position,
        revision,
        type
      } = event;
      const reason = error instanceof Error ? error.message : String(error);
      parked.set(stream, position);
      this.#docs.holdAbsent(PARKED, stream);
      this.#docs.put(PARKED, stream, stryMutAct_9fa48("5225") ? {} : (stryCov_9fa48("5225"), {
        position,
        revision,
        type,
        reason
      }));
      this.#deps.parked(this.#view, event, error);
    }
  }

  /** Returns no query for an event that the projection cannot read: its handler fails too, and the event is parked. */
  #queriesOf(event: StoredEvent): readonly DocumentQuery[] {
    if (stryMutAct_9fa48("5226")) {
      {}
    } else {
      stryCov_9fa48("5226");
      const queries = attempt(stryMutAct_9fa48("5227") ? () => undefined : (stryCov_9fa48("5227"), () => stryMutAct_9fa48("5228") ? this.projection.query?.(event) && NONE : (stryCov_9fa48("5228"), (stryMutAct_9fa48("5229") ? this.projection.query(event) : (stryCov_9fa48("5229"), this.projection.query?.(event))) ?? NONE)));
      return (stryMutAct_9fa48("5232") ? queries.length !== 0 : stryMutAct_9fa48("5231") ? false : stryMutAct_9fa48("5230") ? true : (stryCov_9fa48("5230", "5231", "5232"), queries.length === 0)) ? queries : stryMutAct_9fa48("5233") ? queries : (stryCov_9fa48("5233"), queries.filter(stryMutAct_9fa48("5234") ? () => undefined : (stryCov_9fa48("5234"), ({
        equal
      }) => stryMutAct_9fa48("5235") ? equal.some(isFindable) : (stryCov_9fa48("5235"), equal.every(isFindable)))));
    }
  }

  /** The documents that the event needs and that are not loaded. */
  #missing = (event: StoredEvent, stream: readonly StoredEvent[] = NONE): readonly DocRef[] => {
    if (stryMutAct_9fa48("5236")) {
      {}
    } else {
      stryCov_9fa48("5236");
      const docs = this.#docs;
      const lacked = lacking(docs, attempt(stryMutAct_9fa48("5237") ? () => undefined : (stryCov_9fa48("5237"), () => this.projection.needs(event, docs.peek, stream))));
      // An invalid id cannot be loaded: the handler fails on it.
      return (stryMutAct_9fa48("5240") ? lacked.length === 0 && lacked.every(isNamable) : stryMutAct_9fa48("5239") ? false : stryMutAct_9fa48("5238") ? true : (stryCov_9fa48("5238", "5239", "5240"), (stryMutAct_9fa48("5242") ? lacked.length !== 0 : stryMutAct_9fa48("5241") ? false : (stryCov_9fa48("5241", "5242"), lacked.length === 0)) || (stryMutAct_9fa48("5243") ? lacked.some(isNamable) : (stryCov_9fa48("5243"), lacked.every(isNamable))))) ? lacked : stryMutAct_9fa48("5244") ? lacked : (stryCov_9fa48("5244"), lacked.filter(isNamable));
    }
  };
}