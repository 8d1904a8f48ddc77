// The contract of a projection: a name, a version, the event types it handles, the documents each event needs, and a
// pure handler. The projector owns order, batching, checkpoints and retries.
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
import type { Rules } from '../domain/board-rules.ts';
import type { JsonObject, StoredEvent } from '../domain/event.ts';
import type { EventReference } from '../domain/event-reference.ts';
import type { CollectionSpec, Document, Find, IndexCursor, ViewSpec } from '../stores/contract/views.ts';
import type { Standing } from './standing.ts';

/** A document of the view: its collection and id. */
export type DocRef = readonly [collection: string, id: string];

/** The view's documents in their state before the event. */
export interface Docs {
  /**
   * Returns null if there is none. Never mutate the returned body: put a new one. Throws for a document that `needs`
   * did not name.
   */
  get(collection: string, id: string): JsonObject | null;
  put(collection: string, id: string, body: JsonObject): void;
  remove(collection: string, id: string): void;
}

/** Returns a document if it is loaded, else null. */
export type Peek = (collection: string, id: string) => JsonObject | null;
export interface Projection {
  readonly name: string;
  /** Raise it whenever the handlers or the documents change: the view is then rebuilt from the log. */
  readonly version: number;
  /** The build of that version (builds/state.ts); 0 if left out. */
  readonly build?: number;
  readonly collections: readonly CollectionSpec[];
  /** Types of the events that the handler receives. */
  readonly takes: readonly string[] | 'every event';
  /** The documents that the handler will read. Called again once they are loaded, until it names nothing new. */
  needs(event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[];
  /**
   * Queries for the documents that `updateEach` changes, by indexes without a descending field. Costly: everything before
   * the event is written first.
   */
  query?(event: StoredEvent): readonly DocumentQuery[];
  /**
   * Documents that an event created besides those that `needs` names with nothing loaded. Used to remove a deleted
   * game's documents.
   */
  removalQuery?(event: StoredEvent): readonly DocumentQuery[];
  /** `stream` is the event's stream up to and including it if `replays.needsStream` asked for it, else empty. */
  handle(event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void;
  /**
   * Updates one document found by `query`, by its id, after `handle`. The result may depend only on the document and
   * the event, and the document may move in that index only backwards, to where was read before. Large sets are written
   * in parts, any of which may be applied again (decision 0034).
   */
  updateEach?(event: StoredEvent, docs: Docs, id: string): void;
  readonly ranked?: Ranked;
  readonly replays?: Replays;
}

/** A query by index, for the few events that change many documents. */
export type DocumentQuery = Pick<Find, 'collection' | 'index' | 'equal' | 'reverse'>;

/** The index cursor of a document in the index that it was found by. */
export function indexCursorOf({
  collections
}: Projection, {
  collection,
  index,
  equal
}: DocumentQuery, found: Document): IndexCursor {
  if (stryMutAct_9fa48("7626")) {
    {}
  } else {
    stryCov_9fa48("7626");
    const fields = stryMutAct_9fa48("7627") ? collections.find(({
      name
    }) => name === collection)?.indexes[index]?.slice(equal.length) && [] : (stryCov_9fa48("7627"), (stryMutAct_9fa48("7630") ? collections.find(({
      name
    }) => name === collection).indexes[index]?.slice(equal.length) : stryMutAct_9fa48("7629") ? collections.find(({
      name
    }) => name === collection)?.indexes[index].slice(equal.length) : stryMutAct_9fa48("7628") ? collections.find(({
      name
    }) => name === collection)?.indexes[index] : (stryCov_9fa48("7628", "7629", "7630"), collections.find(stryMutAct_9fa48("7631") ? () => undefined : (stryCov_9fa48("7631"), ({
      name
    }) => stryMutAct_9fa48("7634") ? name !== collection : stryMutAct_9fa48("7633") ? false : stryMutAct_9fa48("7632") ? true : (stryCov_9fa48("7632", "7633", "7634"), name === collection)))?.indexes[index]?.slice(equal.length))) ?? (stryMutAct_9fa48("7635") ? ["Stryker was here"] : (stryCov_9fa48("7635"), [])));
    return stryMutAct_9fa48("7636") ? {} : (stryCov_9fa48("7636"), {
      fields: fields.map(stryMutAct_9fa48("7637") ? () => undefined : (stryCov_9fa48("7637"), field => (found.body[field] ?? null) as string | number | null)),
      id: found.id
    });
  }
}

/**
 * A range of a board's history: after one event (null: from the beginning), up to and including another (null: up to
 * but excluding the event that names the range).
 */
export interface HistoryRange {
  readonly board: string;
  readonly after: EventReference | null;
  readonly upTo: EventReference | null;
}

/**
 * How a view replays past events. Changes made by a replay carry the position of the event that triggered it, so names
 * and bans are taken as of that event.
 */
export interface Replays {
  /** Event types that trigger a replay. All views write earlier changes first. */
  readonly triggers: ReadonlySet<string>;
  /** Types of the past events that are replayed. */
  readonly takes: ReadonlySet<string>;
  /** The range that an event replays before its own handler is called; null for none. */
  range(event: StoredEvent): HistoryRange | null;
  /** Like a projection's `needs` and `handle`, for one past event. */
  needs(past: StoredEvent, event: StoredEvent, peek: Peek, stream: readonly StoredEvent[]): readonly DocRef[];
  handle(past: StoredEvent, event: StoredEvent, docs: Docs, stream: readonly StoredEvent[]): void;
  /** Called instead if a past event could not be handled: none of its changes count. `past` names the event. */
  failed(past: string, event: StoredEvent, docs: Docs, reason: string): void;
  /** If an event names the end of a fold, the range is handled as standings of players instead of single events. */
  readonly folding?: Folding;
  /** Types of events that may need the history of their stream. */
  readonly needsStreamFor: ReadonlySet<string>;
  /**
   * Whether this event needs it, once its known needs are loaded; `event` triggers the replay, and is null for a new
   * event.
   */
  needsStream(past: StoredEvent, event: StoredEvent | null, peek: Peek): boolean;
}

/** One generation of a board's entries. */
export interface BoardGeneration {
  readonly board: string;
  readonly generation: number;
  readonly rules: Rules;
}
export interface Folding {
  /** The event at which the fold ends; null if the range is replayed event by event. */
  asOf(event: StoredEvent): EventReference | null;
  /** The generation that is built, from the documents that `needs` names; null if it no longer exists. */
  needs(event: StoredEvent): readonly DocRef[];
  generation(event: StoredEvent, docs: Docs): BoardGeneration | null;
  /** The documents that a standing reads, and the one that it creates, which does not exist yet. */
  reads(standing: Standing): readonly DocRef[];
  makes(standing: Standing, of: BoardGeneration): DocRef;
  handle(standing: Standing, of: BoardGeneration, docs: Docs): void;
}

/** How the documents of a view are ranked. */
export interface Ranked {
  readonly collection: string;
  /** The index by ranking key and member. */
  readonly index: string;
  /** Fields with the ranking key and the member (sort key); a document without a member is not ranked. */
  readonly key: string;
  readonly member: string;
  /** Field in which a hidden document keeps both; its own two fields are null meanwhile. */
  readonly aside?: string;
  /**
   * The collection with one document per ranking, which names it in the same field, and that collection's index by
   * partition and key.
   */
  readonly keys: string;
  readonly byPartition: string;
}

/** `name@version`; with `+build` if the build is not 0. */
export const viewKey = stryMutAct_9fa48("7638") ? () => undefined : (stryCov_9fa48("7638"), (() => {
  const viewKey = ({
    name,
    version,
    build = 0
  }: Pick<Projection, 'name' | 'version' | 'build'>): string => stryMutAct_9fa48("7639") ? `` : (stryCov_9fa48("7639"), `${name}@${version}${(stryMutAct_9fa48("7642") ? build !== 0 : stryMutAct_9fa48("7641") ? false : stryMutAct_9fa48("7640") ? true : (stryCov_9fa48("7640", "7641", "7642"), build === 0)) ? stryMutAct_9fa48("7643") ? "Stryker was here!" : (stryCov_9fa48("7643"), '') : stryMutAct_9fa48("7644") ? `` : (stryCov_9fa48("7644"), `+${build}`)}`);
  return viewKey;
})());

/** A collection that every view has: its parked streams, each with the reason. */
export const PARKED = stryMutAct_9fa48("7645") ? "" : (stryCov_9fa48("7645"), 'parked');
export function viewSpec(projection: Projection): ViewSpec {
  if (stryMutAct_9fa48("7646")) {
    {}
  } else {
    stryCov_9fa48("7646");
    const collections = stryMutAct_9fa48("7647") ? [] : (stryCov_9fa48("7647"), [...projection.collections, stryMutAct_9fa48("7648") ? {} : (stryCov_9fa48("7648"), {
      name: PARKED,
      indexes: {}
    })]);
    return stryMutAct_9fa48("7649") ? {} : (stryCov_9fa48("7649"), {
      key: viewKey(projection),
      collections
    });
  }
}