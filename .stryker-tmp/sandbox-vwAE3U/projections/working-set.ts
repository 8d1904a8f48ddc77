// The documents of one view while a batch of events is applied: those loaded, those changed by earlier events of the
// batch, and the changes of the current event, which count only if its handler succeeds.
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
import { type JsonObject, type Position, type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { CollectionSpec, Document, Views, Write } from '../stores/contract/views.ts';
import type { DocRef, Docs, Ranked } from './projection.ts';
import { storableIn } from './storable.ts';

/** Estimated bytes of a document besides its texts: the fields, and the bookkeeping here. */
const DOCUMENT_BYTES = 400;
const VALUE_BYTES = 24;
interface Held {
  readonly collection: string;
  readonly id: string;
  /** The stored body, and the position of the last event in it ('' if there is no document). */
  stored: JsonObject | null;
  storedPos: Position;
  body: JsonObject | null;
  /** Position of the last unwritten event that changed it; null if none did. */
  pos: Position | null;
  /** The game of that event. */
  game: string | null;
  /** Its ranking, and the members that it had since the last write and no longer has; null if none. */
  left: LeftMembers | null;
  /** Estimated bytes of the body. */
  bytes: number;
  /** The new body of the current event; undefined if the event leaves it unchanged. */
  pending: JsonObject | null | undefined;
}
export interface LeftMembers {
  readonly key: string;
  readonly members: string[];
}
export interface Change {
  readonly collection: string;
  readonly id: string;
  readonly pos: Position;
  /** The game of the event that changed it. */
  readonly game: string | null;
  readonly before: JsonObject | null;
  /** The members it had, originally or in between, and no longer has; null if none. */
  readonly left: LeftMembers | null;
  readonly after: JsonObject | null;
}
export class WorkingSet implements Docs {
  readonly #of: {
    readonly views: Views;
    readonly view: string;
    readonly ranked: Ranked | undefined;
  };
  readonly #checkStorable: ReturnType<typeof storableIn>;
  readonly #held = new Map<string, Map<string, Held>>();
  #pending: Held[] = stryMutAct_9fa48("8497") ? ["Stryker was here"] : (stryCov_9fa48("8497"), []);
  #changed: Held[] = stryMutAct_9fa48("8498") ? ["Stryker was here"] : (stryCov_9fa48("8498"), []);
  #bytes = 0;
  #left = 0;
  constructor(views: Views, view: string, ranked?: Ranked, collections: readonly CollectionSpec[] = stryMutAct_9fa48("8499") ? ["Stryker was here"] : (stryCov_9fa48("8499"), [])) {
    if (stryMutAct_9fa48("8500")) {
      {}
    } else {
      stryCov_9fa48("8500");
      this.#of = stryMutAct_9fa48("8501") ? {} : (stryCov_9fa48("8501"), {
        views,
        view,
        ranked
      });
      this.#checkStorable = storableIn(collections);
    }
  }

  /** Number of documents changed since the last `takeChanges`, plus members that left rankings. */
  get changed(): number {
    if (stryMutAct_9fa48("8502")) {
      {}
    } else {
      stryCov_9fa48("8502");
      return stryMutAct_9fa48("8503") ? this.#changed.length - this.#left : (stryCov_9fa48("8503"), this.#changed.length + this.#left);
    }
  }

  /** Estimated bytes of all held documents, changed or not. */
  get bytes(): number {
    if (stryMutAct_9fa48("8504")) {
      {}
    } else {
      stryCov_9fa48("8504");
      return this.#bytes;
    }
  }
  has([collection, id]: DocRef): boolean {
    if (stryMutAct_9fa48("8505")) {
      {}
    } else {
      stryCov_9fa48("8505");
      return stryMutAct_9fa48("8508") ? this.#find(collection, id) === undefined : stryMutAct_9fa48("8507") ? false : stryMutAct_9fa48("8506") ? true : (stryCov_9fa48("8506", "8507", "8508"), this.#find(collection, id) !== undefined);
    }
  }

  /** Loads the documents that are not held yet. */
  async load(refs: readonly DocRef[]): Promise<void> {
    if (stryMutAct_9fa48("8509")) {
      {}
    } else {
      stryCov_9fa48("8509");
      const {
        views,
        view
      } = this.#of;
      const missing = new Map<string, Set<string>>();
      for (const ref of refs) {
        if (stryMutAct_9fa48("8510")) {
          {}
        } else {
          stryCov_9fa48("8510");
          if (stryMutAct_9fa48("8512") ? false : stryMutAct_9fa48("8511") ? true : (stryCov_9fa48("8511", "8512"), this.has(ref))) continue;
          const [collection, id] = ref;
          const ids = missing.get(collection);
          if (stryMutAct_9fa48("8514") ? false : stryMutAct_9fa48("8513") ? true : (stryCov_9fa48("8513", "8514"), ids)) ids.add(id);else missing.set(collection, new Set(stryMutAct_9fa48("8515") ? [] : (stryCov_9fa48("8515"), [id])));
        }
      }
      for (const [collection, ids] of missing) {
        if (stryMutAct_9fa48("8516")) {
          {}
        } else {
          stryCov_9fa48("8516");
          const wanted = stryMutAct_9fa48("8517") ? [] : (stryCov_9fa48("8517"), [...ids]);
          const documents = await views.get(view, collection, wanted);
          for (const [i, id] of wanted.entries()) this.#hold(collection, id, stryMutAct_9fa48("8518") ? documents[i]?.body && null : (stryCov_9fa48("8518"), (stryMutAct_9fa48("8519") ? documents[i].body : (stryCov_9fa48("8519"), documents[i]?.body)) ?? null), stryMutAct_9fa48("8520") ? documents[i].pos : (stryCov_9fa48("8520"), documents[i]?.pos));
        }
      }
    }
  }

  /** Holds a document that is known not to exist. */
  holdAbsent(collection: string, id: string): void {
    if (stryMutAct_9fa48("8521")) {
      {}
    } else {
      stryCov_9fa48("8521");
      if (stryMutAct_9fa48("8524") ? false : stryMutAct_9fa48("8523") ? true : stryMutAct_9fa48("8522") ? this.has([collection, id]) : (stryCov_9fa48("8522", "8523", "8524"), !this.has(stryMutAct_9fa48("8525") ? [] : (stryCov_9fa48("8525"), [collection, id])))) this.#hold(collection, id, null);
    }
  }

  /** Holds a document that was just read from the store. */
  holdFound(collection: string, {
    id,
    body,
    pos
  }: Document): void {
    if (stryMutAct_9fa48("8526")) {
      {}
    } else {
      stryCov_9fa48("8526");
      if (stryMutAct_9fa48("8529") ? false : stryMutAct_9fa48("8528") ? true : stryMutAct_9fa48("8527") ? this.has([collection, id]) : (stryCov_9fa48("8527", "8528", "8529"), !this.has(stryMutAct_9fa48("8530") ? [] : (stryCov_9fa48("8530"), [collection, id])))) this.#hold(collection, id, body, pos);
    }
  }
  get(collection: string, id: string): JsonObject | null {
    if (stryMutAct_9fa48("8531")) {
      {}
    } else {
      stryCov_9fa48("8531");
      const held = this.#named(collection, id);
      return (stryMutAct_9fa48("8534") ? held.pending !== undefined : stryMutAct_9fa48("8533") ? false : stryMutAct_9fa48("8532") ? true : (stryCov_9fa48("8532", "8533", "8534"), held.pending === undefined)) ? held.body : held.pending;
    }
  }
  peek = stryMutAct_9fa48("8535") ? () => undefined : (stryCov_9fa48("8535"), (collection: string, id: string): JsonObject | null => stryMutAct_9fa48("8536") ? this.#find(collection, id)?.body && null : (stryCov_9fa48("8536"), (stryMutAct_9fa48("8537") ? this.#find(collection, id).body : (stryCov_9fa48("8537"), this.#find(collection, id)?.body)) ?? null));

  /** Throws a TypeError for a document that no store accepts: the event is then parked. */
  put(collection: string, id: string, body: JsonObject): void {
    if (stryMutAct_9fa48("8538")) {
      {}
    } else {
      stryCov_9fa48("8538");
      this.#checkStorable(collection, id, body);
      this.#change(this.#named(collection, id), body);
    }
  }
  remove(collection: string, id: string): void {
    if (stryMutAct_9fa48("8539")) {
      {}
    } else {
      stryCov_9fa48("8539");
      this.#change(this.#named(collection, id), null);
    }
  }

  /** Accepts the current event's changes, except for documents that already have this event from before a crash. */
  accept({
    position: pos,
    meta
  }: StoredEvent): void {
    if (stryMutAct_9fa48("8540")) {
      {}
    } else {
      stryCov_9fa48("8540");
      const {
        ranked
      } = this.#of;
      for (const held of this.#pending) {
        if (stryMutAct_9fa48("8541")) {
          {}
        } else {
          stryCov_9fa48("8541");
          const {
            pending
          } = held;
          held.pending = undefined;
          if (stryMutAct_9fa48("8544") ? pending === undefined && held.storedPos >= pos : stryMutAct_9fa48("8543") ? false : stryMutAct_9fa48("8542") ? true : (stryCov_9fa48("8542", "8543", "8544"), (stryMutAct_9fa48("8546") ? pending !== undefined : stryMutAct_9fa48("8545") ? false : (stryCov_9fa48("8545", "8546"), pending === undefined)) || (stryMutAct_9fa48("8549") ? held.storedPos < pos : stryMutAct_9fa48("8548") ? held.storedPos > pos : stryMutAct_9fa48("8547") ? false : (stryCov_9fa48("8547", "8548", "8549"), held.storedPos >= pos)))) continue;
          if (stryMutAct_9fa48("8552") ? held.pos !== null : stryMutAct_9fa48("8551") ? false : stryMutAct_9fa48("8550") ? true : (stryCov_9fa48("8550", "8551", "8552"), held.pos === null)) this.#changed.push(held);
          if (stryMutAct_9fa48("8555") ? held.collection === ranked?.collection || noteLeft(held, pending, ranked) : stryMutAct_9fa48("8554") ? false : stryMutAct_9fa48("8553") ? true : (stryCov_9fa48("8553", "8554", "8555"), (stryMutAct_9fa48("8557") ? held.collection !== ranked?.collection : stryMutAct_9fa48("8556") ? true : (stryCov_9fa48("8556", "8557"), held.collection === (stryMutAct_9fa48("8558") ? ranked.collection : (stryCov_9fa48("8558"), ranked?.collection)))) && noteLeft(held, pending, ranked))) stryMutAct_9fa48("8559") ? this.#left-- : (stryCov_9fa48("8559"), this.#left++);
          held.body = pending;
          this.#weigh(held);
          held.pos = pos;
          held.game = meta.game;
        }
      }
      if (stryMutAct_9fa48("8563") ? this.#pending.length <= 0 : stryMutAct_9fa48("8562") ? this.#pending.length >= 0 : stryMutAct_9fa48("8561") ? false : stryMutAct_9fa48("8560") ? true : (stryCov_9fa48("8560", "8561", "8562", "8563"), this.#pending.length > 0)) this.#pending = stryMutAct_9fa48("8564") ? ["Stryker was here"] : (stryCov_9fa48("8564"), []);
    }
  }

  /** Discards the current event's changes. */
  reject(): void {
    if (stryMutAct_9fa48("8565")) {
      {}
    } else {
      stryCov_9fa48("8565");
      for (const held of this.#pending) held.pending = undefined;
      this.#pending = stryMutAct_9fa48("8566") ? ["Stryker was here"] : (stryCov_9fa48("8566"), []);
    }
  }

  /** Returns all changes since the last call and treats them as stored from now on. */
  takeChanges(): Change[] {
    if (stryMutAct_9fa48("8567")) {
      {}
    } else {
      stryCov_9fa48("8567");
      const changes: Change[] = stryMutAct_9fa48("8568") ? ["Stryker was here"] : (stryCov_9fa48("8568"), []);
      for (const held of this.#changed) {
        if (stryMutAct_9fa48("8569")) {
          {}
        } else {
          stryCov_9fa48("8569");
          const {
            collection,
            id,
            pos,
            game,
            stored,
            left,
            body
          } = held;
          if (stryMutAct_9fa48("8572") ? pos !== null : stryMutAct_9fa48("8571") ? false : stryMutAct_9fa48("8570") ? true : (stryCov_9fa48("8570", "8571", "8572"), pos === null)) continue;
          changes.push(stryMutAct_9fa48("8573") ? {} : (stryCov_9fa48("8573"), {
            collection,
            id,
            pos,
            game,
            before: stored,
            left,
            after: body
          }));
          held.left = null;
          held.stored = body;
          held.storedPos = pos;
          held.pos = null;
        }
      }
      this.#changed = stryMutAct_9fa48("8574") ? ["Stryker was here"] : (stryCov_9fa48("8574"), []);
      this.#left = 0;
      return changes;
    }
  }
  #change(held: Held, body: JsonObject | null): void {
    if (stryMutAct_9fa48("8575")) {
      {}
    } else {
      stryCov_9fa48("8575");
      if (stryMutAct_9fa48("8578") ? held.pending !== undefined : stryMutAct_9fa48("8577") ? false : stryMutAct_9fa48("8576") ? true : (stryCov_9fa48("8576", "8577", "8578"), held.pending === undefined)) this.#pending.push(held);
      held.pending = body;
    }
  }
  #weigh(held: Held): void {
    if (stryMutAct_9fa48("8579")) {
      {}
    } else {
      stryCov_9fa48("8579");
      const bytes = bytesOf(held.body);
      stryMutAct_9fa48("8580") ? this.#bytes -= bytes - held.bytes : (stryCov_9fa48("8580"), this.#bytes += stryMutAct_9fa48("8581") ? bytes + held.bytes : (stryCov_9fa48("8581"), bytes - held.bytes));
      held.bytes = bytes;
    }
  }
  #find(collection: string, id: string): Held | undefined {
    if (stryMutAct_9fa48("8582")) {
      {}
    } else {
      stryCov_9fa48("8582");
      return stryMutAct_9fa48("8583") ? this.#held.get(collection).get(id) : (stryCov_9fa48("8583"), this.#held.get(collection)?.get(id));
    }
  }
  #named(collection: string, id: string): Held {
    if (stryMutAct_9fa48("8584")) {
      {}
    } else {
      stryCov_9fa48("8584");
      const held = this.#find(collection, id);
      if (stryMutAct_9fa48("8587") ? held !== undefined : stryMutAct_9fa48("8586") ? false : stryMutAct_9fa48("8585") ? true : (stryCov_9fa48("8585", "8586", "8587"), held === undefined)) throw new Error(stryMutAct_9fa48("8588") ? `` : (stryCov_9fa48("8588"), `${this.#of.view}: ${collection}/${id} was used but not named in needs`));
      return held;
    }
  }
  #hold(collection: string, id: string, stored: JsonObject | null, storedPos: Position = stryMutAct_9fa48("8589") ? "Stryker was here!" : (stryCov_9fa48("8589"), '')): void {
    if (stryMutAct_9fa48("8590")) {
      {}
    } else {
      stryCov_9fa48("8590");
      let documents = this.#held.get(collection);
      if (stryMutAct_9fa48("8593") ? documents !== undefined : stryMutAct_9fa48("8592") ? false : stryMutAct_9fa48("8591") ? true : (stryCov_9fa48("8591", "8592", "8593"), documents === undefined)) {
        if (stryMutAct_9fa48("8594")) {
          {}
        } else {
          stryCov_9fa48("8594");
          documents = new Map();
          this.#held.set(collection, documents);
        }
      }
      const unchanged = stryMutAct_9fa48("8595") ? {} : (stryCov_9fa48("8595"), {
        pos: null,
        game: null,
        left: null,
        bytes: 0,
        pending: undefined
      });
      const held = stryMutAct_9fa48("8596") ? {} : (stryCov_9fa48("8596"), {
        collection,
        id,
        stored,
        storedPos,
        body: stored,
        ...unchanged
      });
      documents.set(id, held);
      this.#weigh(held);
    }
  }
}
function bytesOf(body: JsonObject | null): number {
  if (stryMutAct_9fa48("8597")) {
    {}
  } else {
    stryCov_9fa48("8597");
    let bytes = DOCUMENT_BYTES;
    for (const name in body) {
      if (stryMutAct_9fa48("8598")) {
        {}
      } else {
        stryCov_9fa48("8598");
        const value = body[name];
        stryMutAct_9fa48("8599") ? bytes -= VALUE_BYTES : (stryCov_9fa48("8599"), bytes += VALUE_BYTES);
        if (stryMutAct_9fa48("8602") ? typeof value !== 'string' : stryMutAct_9fa48("8601") ? false : stryMutAct_9fa48("8600") ? true : (stryCov_9fa48("8600", "8601", "8602"), typeof value === (stryMutAct_9fa48("8603") ? "" : (stryCov_9fa48("8603"), 'string')))) stryMutAct_9fa48("8604") ? bytes -= value.length : (stryCov_9fa48("8604"), bytes += value.length);else if (stryMutAct_9fa48("8607") ? typeof value === 'object' || value !== null : stryMutAct_9fa48("8606") ? false : stryMutAct_9fa48("8605") ? true : (stryCov_9fa48("8605", "8606", "8607"), (stryMutAct_9fa48("8609") ? typeof value !== 'object' : stryMutAct_9fa48("8608") ? true : (stryCov_9fa48("8608", "8609"), typeof value === (stryMutAct_9fa48("8610") ? "" : (stryCov_9fa48("8610"), 'object')))) && (stryMutAct_9fa48("8612") ? value === null : stryMutAct_9fa48("8611") ? true : (stryCov_9fa48("8611", "8612"), value !== null)))) stryMutAct_9fa48("8613") ? bytes -= 2 * JSON.stringify(value).length : (stryCov_9fa48("8613"), bytes += stryMutAct_9fa48("8614") ? 2 / JSON.stringify(value).length : (stryCov_9fa48("8614"), 2 * JSON.stringify(value).length));
      }
    }
    return bytes;
  }
}

/**
 * Records the member that a document loses; returns whether it lost one. A hidden document also names its ranking, so
 * that the ranking records the position as last applied.
 */
function noteLeft(held: Held, next: JsonObject | null, ranked: Ranked): boolean {
  if (stryMutAct_9fa48("8615")) {
    {}
  } else {
    stryCov_9fa48("8615");
    const {
      key,
      member
    } = ranked;
    const was = stryMutAct_9fa48("8616") ? held.body?.[member] && null : (stryCov_9fa48("8616"), (stryMutAct_9fa48("8617") ? held.body[member] : (stryCov_9fa48("8617"), held.body?.[member])) ?? null);
    const hiddenIn = hiddenKeyOf(held.body, ranked);
    if (stryMutAct_9fa48("8620") ? hiddenIn === null : stryMutAct_9fa48("8619") ? false : stryMutAct_9fa48("8618") ? true : (stryCov_9fa48("8618", "8619", "8620"), hiddenIn !== null)) stryMutAct_9fa48("8621") ? held.left &&= {
      key: hiddenIn,
      members: []
    } : (stryCov_9fa48("8621"), held.left ??= stryMutAct_9fa48("8622") ? {} : (stryCov_9fa48("8622"), {
      key: hiddenIn,
      members: stryMutAct_9fa48("8623") ? ["Stryker was here"] : (stryCov_9fa48("8623"), [])
    }));
    if (stryMutAct_9fa48("8626") ? was === null && was === next?.[member] : stryMutAct_9fa48("8625") ? false : stryMutAct_9fa48("8624") ? true : (stryCov_9fa48("8624", "8625", "8626"), (stryMutAct_9fa48("8628") ? was !== null : stryMutAct_9fa48("8627") ? false : (stryCov_9fa48("8627", "8628"), was === null)) || (stryMutAct_9fa48("8630") ? was !== next?.[member] : stryMutAct_9fa48("8629") ? false : (stryCov_9fa48("8629", "8630"), was === (stryMutAct_9fa48("8631") ? next[member] : (stryCov_9fa48("8631"), next?.[member])))))) return stryMutAct_9fa48("8632") ? true : (stryCov_9fa48("8632"), false);
    stryMutAct_9fa48("8633") ? held.left &&= {
      key: held.body?.[key] as string,
      members: []
    } : (stryCov_9fa48("8633"), held.left ??= stryMutAct_9fa48("8634") ? {} : (stryCov_9fa48("8634"), {
      key: held.body?.[key] as string,
      members: stryMutAct_9fa48("8635") ? ["Stryker was here"] : (stryCov_9fa48("8635"), [])
    }));
    held.left.members.push(was as string);
    return stryMutAct_9fa48("8636") ? false : (stryCov_9fa48("8636"), true);
  }
}

/** The key of the ranking that a hidden document returns to; null for any other document. */
export function hiddenKeyOf(body: JsonObject | null, {
  key,
  aside
}: Ranked): string | null {
  if (stryMutAct_9fa48("8637")) {
    {}
  } else {
    stryCov_9fa48("8637");
    const hidden = (stryMutAct_9fa48("8640") ? body === null && aside === undefined : stryMutAct_9fa48("8639") ? false : stryMutAct_9fa48("8638") ? true : (stryCov_9fa48("8638", "8639", "8640"), (stryMutAct_9fa48("8642") ? body !== null : stryMutAct_9fa48("8641") ? false : (stryCov_9fa48("8641", "8642"), body === null)) || (stryMutAct_9fa48("8644") ? aside !== undefined : stryMutAct_9fa48("8643") ? false : (stryCov_9fa48("8643", "8644"), aside === undefined)))) ? undefined : body[aside];
    return (stryMutAct_9fa48("8647") ? hidden !== undefined : stryMutAct_9fa48("8646") ? false : stryMutAct_9fa48("8645") ? true : (stryCov_9fa48("8645", "8646", "8647"), hidden === undefined)) ? null : stryMutAct_9fa48("8648") ? unsafeCast<Readonly<Record<string, string | null>>>(hidden)[key] && null : (stryCov_9fa48("8648"), unsafeCast<Readonly<Record<string, string | null>>>(hidden)[key] ?? null);
  }
}
export function asWrite({
  collection,
  id,
  pos,
  before,
  after
}: Change): Write {
  if (stryMutAct_9fa48("8649")) {
    {}
  } else {
    stryCov_9fa48("8649");
    const write = stryMutAct_9fa48("8650") ? {} : (stryCov_9fa48("8650"), {
      collection,
      id,
      pos,
      body: after
    });
    return (stryMutAct_9fa48("8653") ? before === null || after !== null : stryMutAct_9fa48("8652") ? false : stryMutAct_9fa48("8651") ? true : (stryCov_9fa48("8651", "8652", "8653"), (stryMutAct_9fa48("8655") ? before !== null : stryMutAct_9fa48("8654") ? true : (stryCov_9fa48("8654", "8655"), before === null)) && (stryMutAct_9fa48("8657") ? after === null : stryMutAct_9fa48("8656") ? true : (stryCov_9fa48("8656", "8657"), after !== null)))) ? stryMutAct_9fa48("8658") ? {} : (stryCov_9fa48("8658"), {
      ...write,
      isNew: stryMutAct_9fa48("8659") ? false : (stryCov_9fa48("8659"), true)
    }) : write;
  }
}