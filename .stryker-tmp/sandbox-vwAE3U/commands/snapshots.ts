// States of long streams, kept beside the views so that a stream need not be folded from its beginning.
// Disposable: a snapshot that is lost, of another form, or not of this log is as none, and costs the reading of the
// stream.
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
import { LRUCache } from 'lru-cache';
import type { Aggregate, DomainEvent } from '../domain/decider.ts';
import { type JsonObject, type Position, unsafeCast } from '../domain/event.ts';
import type { Log } from '../stores/contract/log.ts';
import type { Views } from '../stores/contract/views.ts';
import { type StreamState, unfolded } from './fold.ts';

/**
 * Events from one snapshot of a stream to the next, at least; more where it is larger, so that each event pays alike.
 */
const EVERY = 1_000;
/** Larger ones are not kept: documents of some stores end at 16 MiB. */
const MAX_ENTRIES = 250_000;
const MAX_CHARACTERS = stryMutAct_9fa48("2000") ? 8 * 1024 / 1024 : (stryCov_9fa48("2000"), (stryMutAct_9fa48("2001") ? 8 / 1024 : (stryCov_9fa48("2001"), 8 * 1024)) * 1024);
const STREAMS_NOTED = 20_000;
const COLLECTION = stryMutAct_9fa48("2002") ? "" : (stryCov_9fa48("2002"), 'snapshots');
const VIEW = stryMutAct_9fa48("2003") ? {} : (stryCov_9fa48("2003"), {
  key: stryMutAct_9fa48("2004") ? "" : (stryCov_9fa48("2004"), 'snapshots@1'),
  collections: stryMutAct_9fa48("2005") ? [] : (stryCov_9fa48("2005"), [stryMutAct_9fa48("2006") ? {} : (stryCov_9fa48("2006"), {
    name: COLLECTION,
    indexes: {}
  })])
});
/** Position of the write that removes a snapshot: no later one counts. */
const REMOVED_POS = (stryMutAct_9fa48("2007") ? "" : (stryCov_9fa48("2007"), '9')).repeat(16);
export interface Snapshots {
  /** Where to fold on from: the last snapshot, else the beginning. */
  latest<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, stream: string): Promise<StreamState<State>>;
  /** Told of each state that is recorded; keeps one once in a while. Never throws, and nobody waits for it. */
  note<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, stream: string, at: StreamState<State>): void;
}

/** For handlers whose streams are all short. */
export const NO_SNAPSHOTS: Snapshots = stryMutAct_9fa48("2008") ? {} : (stryCov_9fa48("2008"), {
  latest: stryMutAct_9fa48("2009") ? () => undefined : (stryCov_9fa48("2009"), async aggregate => unfolded(aggregate)),
  note: () => {}
});
interface Kept {
  readonly form: number;
  readonly revision: number;
  readonly time: string;
  readonly position: Position | null;
  /** Id of the event at that revision: the snapshot is of the log that has it there. */
  readonly event: string;
  readonly state: JsonObject;
}
export function createSnapshots(log: Log, views: Views, failed: (why: unknown) => void): Snapshots {
  if (stryMutAct_9fa48("2010")) {
    {}
  } else {
    stryCov_9fa48("2010");
    const keptAt = new LRUCache<string, number>(stryMutAct_9fa48("2011") ? {} : (stryCov_9fa48("2011"), {
      max: STREAMS_NOTED
    }));
    const store = createSnapshotStore(views);
    const forget = (error: unknown): null => {
      if (stryMutAct_9fa48("2012")) {
        {}
      } else {
        stryCov_9fa48("2012");
        store.forget();
        failed(error);
        return null;
      }
    };
    async function eventAt(stream: string, revision: number): Promise<string | null> {
      if (stryMutAct_9fa48("2013")) {
        {}
      } else {
        stryCov_9fa48("2013");
        return stryMutAct_9fa48("2014") ? (await log.readStream(stream, revision, 1))[0]?.id && null : (stryCov_9fa48("2014"), (stryMutAct_9fa48("2015") ? (await log.readStream(stream, revision, 1))[0].id : (stryCov_9fa48("2015"), (await log.readStream(stream, revision, 1))[0]?.id)) ?? null);
      }
    }
    async function write(stream: string, at: StreamState<unknown>, form: number, state: JsonObject): Promise<void> {
      if (stryMutAct_9fa48("2016")) {
        {}
      } else {
        stryCov_9fa48("2016");
        const {
          revision,
          time,
          position
        } = at;
        const event = await eventAt(stream, revision);
        if (stryMutAct_9fa48("2019") ? event === null && JSON.stringify(state).length > MAX_CHARACTERS : stryMutAct_9fa48("2018") ? false : stryMutAct_9fa48("2017") ? true : (stryCov_9fa48("2017", "2018", "2019"), (stryMutAct_9fa48("2021") ? event !== null : stryMutAct_9fa48("2020") ? false : (stryCov_9fa48("2020", "2021"), event === null)) || (stryMutAct_9fa48("2024") ? JSON.stringify(state).length <= MAX_CHARACTERS : stryMutAct_9fa48("2023") ? JSON.stringify(state).length >= MAX_CHARACTERS : stryMutAct_9fa48("2022") ? false : (stryCov_9fa48("2022", "2023", "2024"), JSON.stringify(state).length > MAX_CHARACTERS)))) return;
        await store.write(stream, stryMutAct_9fa48("2025") ? {} : (stryCov_9fa48("2025"), {
          form,
          revision,
          time,
          position,
          event,
          state
        }));
      }
    }
    return stryMutAct_9fa48("2026") ? {} : (stryCov_9fa48("2026"), {
      async latest(aggregate, stream) {
        if (stryMutAct_9fa48("2027")) {
          {}
        } else {
          stryCov_9fa48("2027");
          const {
            snapshot
          } = aggregate;
          if (stryMutAct_9fa48("2030") ? snapshot !== undefined : stryMutAct_9fa48("2029") ? false : stryMutAct_9fa48("2028") ? true : (stryCov_9fa48("2028", "2029", "2030"), snapshot === undefined)) return unfolded(aggregate);
          const kept = await store.read(stream).catch(forget);
          if (stryMutAct_9fa48("2033") ? kept === null && kept.form !== snapshot.form : stryMutAct_9fa48("2032") ? false : stryMutAct_9fa48("2031") ? true : (stryCov_9fa48("2031", "2032", "2033"), (stryMutAct_9fa48("2035") ? kept !== null : stryMutAct_9fa48("2034") ? false : (stryCov_9fa48("2034", "2035"), kept === null)) || (stryMutAct_9fa48("2037") ? kept.form === snapshot.form : stryMutAct_9fa48("2036") ? false : (stryCov_9fa48("2036", "2037"), kept.form !== snapshot.form)))) return unfolded(aggregate);
          const {
            revision,
            time,
            position,
            event,
            state
          } = kept;
          if (stryMutAct_9fa48("2040") ? (await eventAt(stream, revision)) === event : stryMutAct_9fa48("2039") ? false : stryMutAct_9fa48("2038") ? true : (stryCov_9fa48("2038", "2039", "2040"), (await eventAt(stream, revision)) !== event)) return unfolded(aggregate);
          keptAt.set(stream, revision);
          return stryMutAct_9fa48("2041") ? {} : (stryCov_9fa48("2041"), {
            state: snapshot.read(state),
            revision,
            time,
            position
          });
        }
      },
      note(aggregate, stream, folded) {
        if (stryMutAct_9fa48("2042")) {
          {}
        } else {
          stryCov_9fa48("2042");
          const {
            snapshot
          } = aggregate;
          if (stryMutAct_9fa48("2045") ? snapshot !== undefined : stryMutAct_9fa48("2044") ? false : stryMutAct_9fa48("2043") ? true : (stryCov_9fa48("2043", "2044", "2045"), snapshot === undefined)) return;
          const since = stryMutAct_9fa48("2046") ? folded.revision + (keptAt.get(stream) ?? -1) : (stryCov_9fa48("2046"), folded.revision - (stryMutAct_9fa48("2047") ? keptAt.get(stream) && -1 : (stryCov_9fa48("2047"), keptAt.get(stream) ?? (stryMutAct_9fa48("2048") ? +1 : (stryCov_9fa48("2048"), -1)))));
          if (stryMutAct_9fa48("2051") ? since < EVERY && since < snapshot.size(folded.state) : stryMutAct_9fa48("2050") ? false : stryMutAct_9fa48("2049") ? true : (stryCov_9fa48("2049", "2050", "2051"), (stryMutAct_9fa48("2054") ? since >= EVERY : stryMutAct_9fa48("2053") ? since <= EVERY : stryMutAct_9fa48("2052") ? false : (stryCov_9fa48("2052", "2053", "2054"), since < EVERY)) || (stryMutAct_9fa48("2057") ? since >= snapshot.size(folded.state) : stryMutAct_9fa48("2056") ? since <= snapshot.size(folded.state) : stryMutAct_9fa48("2055") ? false : (stryCov_9fa48("2055", "2056", "2057"), since < snapshot.size(folded.state))))) return;
          keptAt.set(stream, folded.revision);
          if (stryMutAct_9fa48("2061") ? snapshot.size(folded.state) <= MAX_ENTRIES : stryMutAct_9fa48("2060") ? snapshot.size(folded.state) >= MAX_ENTRIES : stryMutAct_9fa48("2059") ? false : stryMutAct_9fa48("2058") ? true : (stryCov_9fa48("2058", "2059", "2060", "2061"), snapshot.size(folded.state) > MAX_ENTRIES)) return;
          write(stream, folded, snapshot.form, snapshot.write(folded.state)).catch(forget);
        }
      }
    });
  }
}

/** Removes the snapshots of these streams, for ever. */
export async function removeSnapshots(views: Pick<Views, 'commit' | 'list'>, streams: readonly string[]): Promise<void> {
  if (stryMutAct_9fa48("2062")) {
    {}
  } else {
    stryCov_9fa48("2062");
    if (stryMutAct_9fa48("2065") ? false : stryMutAct_9fa48("2064") ? true : stryMutAct_9fa48("2063") ? (await views.list()).includes(VIEW.key) : (stryCov_9fa48("2063", "2064", "2065"), !(await views.list()).includes(VIEW.key))) return;
    const writes = streams.map(stryMutAct_9fa48("2066") ? () => undefined : (stryCov_9fa48("2066"), id => stryMutAct_9fa48("2067") ? {} : (stryCov_9fa48("2067"), {
      collection: COLLECTION,
      id,
      pos: REMOVED_POS,
      body: null
    })));
    await views.commit(stryMutAct_9fa48("2068") ? [] : (stryCov_9fa48("2068"), [stryMutAct_9fa48("2069") ? {} : (stryCov_9fa48("2069"), {
      view: VIEW.key,
      writes,
      checkpoints: new Map()
    })]));
  }
}
interface SnapshotStore {
  read(stream: string): Promise<Kept | null>;
  write(stream: string, snapshot: Kept): Promise<void>;
  /** After a failure: the view is prepared again by the next call. */
  forget(): void;
}
function createSnapshotStore(views: Views): SnapshotStore {
  if (stryMutAct_9fa48("2070")) {
    {}
  } else {
    stryCov_9fa48("2070");
    let prepared: Promise<void> | null = null;
    const prepare = (): Promise<void> => {
      if (stryMutAct_9fa48("2071")) {
        {}
      } else {
        stryCov_9fa48("2071");
        stryMutAct_9fa48("2072") ? prepared &&= views.prepare(VIEW) : (stryCov_9fa48("2072"), prepared ??= views.prepare(VIEW));
        return prepared;
      }
    };
    return stryMutAct_9fa48("2073") ? {} : (stryCov_9fa48("2073"), {
      async read(stream) {
        if (stryMutAct_9fa48("2074")) {
          {}
        } else {
          stryCov_9fa48("2074");
          await prepare();
          const [document] = await views.get(VIEW.key, COLLECTION, stryMutAct_9fa48("2075") ? [] : (stryCov_9fa48("2075"), [stream]));
          return unsafeCast<Kept | null>(stryMutAct_9fa48("2076") ? document?.body && null : (stryCov_9fa48("2076"), (stryMutAct_9fa48("2077") ? document.body : (stryCov_9fa48("2077"), document?.body)) ?? null));
        }
      },
      async write(stream, {
        form,
        revision,
        time,
        position,
        event,
        state
      }) {
        if (stryMutAct_9fa48("2078")) {
          {}
        } else {
          stryCov_9fa48("2078");
          await prepare();
          const body = stryMutAct_9fa48("2079") ? {} : (stryCov_9fa48("2079"), {
            form,
            revision,
            time,
            position,
            event,
            state
          });
          const write = stryMutAct_9fa48("2080") ? {} : (stryCov_9fa48("2080"), {
            collection: COLLECTION,
            id: stream,
            pos: String(revision).padStart(16, stryMutAct_9fa48("2081") ? "" : (stryCov_9fa48("2081"), '0')),
            body
          });
          await views.commit(stryMutAct_9fa48("2082") ? [] : (stryCov_9fa48("2082"), [stryMutAct_9fa48("2083") ? {} : (stryCov_9fa48("2083"), {
            view: VIEW.key,
            writes: stryMutAct_9fa48("2084") ? [] : (stryCov_9fa48("2084"), [write]),
            checkpoints: new Map()
          })]));
        }
      },
      forget: () => {
        if (stryMutAct_9fa48("2085")) {
          {}
        } else {
          stryCov_9fa48("2085");
          prepared = null;
        }
      }
    });
  }
}