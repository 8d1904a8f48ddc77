// A view with one document per stream of an aggregate: the state folded by the aggregate's `evolve`, with its id and
// its game. Most views are made by this function.
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
import type { Aggregate, DomainEvent } from '../domain/decider.ts';
import { type JsonObject, momentOf, unsafeCast } from '../domain/event.ts';
import { idIn } from '../domain/streams.ts';
import type { Projection } from './projection.ts';
interface AggregateView<State, Event extends DomainEvent> {
  /** Also the name of its one collection. */
  readonly name: string;
  readonly version: number;
  readonly aggregate: Aggregate<State | null, Event>;
  readonly takes: readonly Event['type'][];
  /**
   * Indexed fields besides those of the state; `time` is that of the last event applied. A document whose first indexed
   * field is null or absent is not in that index.
   */
  readonly fields?: (state: State, id: string, game: string | null, time: string) => JsonObject;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
}

/** Documents are `{id, game, state, ...fields}`. */
export function aggregateView<State extends object, Event extends DomainEvent>(spec: AggregateView<State, Event>): Projection {
  if (stryMutAct_9fa48("5095")) {
    {}
  } else {
    stryCov_9fa48("5095");
    const {
      name,
      version,
      aggregate,
      takes,
      indexes
    } = spec;
    return stryMutAct_9fa48("5096") ? {} : (stryCov_9fa48("5096"), {
      name,
      version,
      collections: stryMutAct_9fa48("5097") ? [] : (stryCov_9fa48("5097"), [stryMutAct_9fa48("5098") ? {} : (stryCov_9fa48("5098"), {
        name,
        indexes
      })]),
      takes,
      needs: stryMutAct_9fa48("5099") ? () => undefined : (stryCov_9fa48("5099"), event => stryMutAct_9fa48("5100") ? [] : (stryCov_9fa48("5100"), [stryMutAct_9fa48("5101") ? [] : (stryCov_9fa48("5101"), [name, idIn(event.stream)])])),
      handle(event, docs) {
        if (stryMutAct_9fa48("5102")) {
          {}
        } else {
          stryCov_9fa48("5102");
          const id = idIn(event.stream);
          const before = docs.get(name, id);
          const moment = momentOf(event);
          const folded = unsafeCast<State | null>(stryMutAct_9fa48("5103") ? before?.state && null : (stryCov_9fa48("5103"), (stryMutAct_9fa48("5104") ? before.state : (stryCov_9fa48("5104"), before?.state)) ?? null));
          const state = aggregate.evolve(folded, unsafeCast<Event>(event), moment);
          if (stryMutAct_9fa48("5107") ? state !== null : stryMutAct_9fa48("5106") ? false : stryMutAct_9fa48("5105") ? true : (stryCov_9fa48("5105", "5106", "5107"), state === null)) {
            if (stryMutAct_9fa48("5108")) {
              {}
            } else {
              stryCov_9fa48("5108");
              if (stryMutAct_9fa48("5111") ? before === null : stryMutAct_9fa48("5110") ? false : stryMutAct_9fa48("5109") ? true : (stryCov_9fa48("5109", "5110", "5111"), before !== null)) docs.remove(name, id);
              return;
            }
          }
          const {
            game
          } = event.meta;
          docs.put(name, id, stryMutAct_9fa48("5112") ? {} : (stryCov_9fa48("5112"), {
            id,
            game,
            state: unsafeCast<JsonObject>(state),
            ...(stryMutAct_9fa48("5113") ? spec.fields(state, id, game, moment.time) : (stryCov_9fa48("5113"), spec.fields?.(state, id, game, moment.time)))
          }));
        }
      }
    });
  }
}