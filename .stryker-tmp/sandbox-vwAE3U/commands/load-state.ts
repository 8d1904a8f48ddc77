// The state of a stream as it stands, for commands over several streams: what it says
// now, whatever the views have seen.
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
import type { CommandDeps } from './command-deps.ts';

/** One read of the log, also where the stream is known here. */
export async function loadState<State, Event extends DomainEvent>(deps: CommandDeps, aggregate: Aggregate<State, Event>, stream: string): Promise<State> {
  if (stryMutAct_9fa48("907")) {
    {}
  } else {
    stryCov_9fa48("907");
    const {
      after
    } = await deps.handler.handle(aggregate, stryMutAct_9fa48("908") ? {} : (stryCov_9fa48("908"), {
      stream,
      game: null
    }), LOOKING, stryMutAct_9fa48("909") ? () => undefined : (stryCov_9fa48("909"), () => stryMutAct_9fa48("910") ? ["Stryker was here"] : (stryCov_9fa48("910"), [])));
    return after;
  }
}

/** The game that a stream's events belong to; null where there is no such stream. */
export async function gameOf(deps: CommandDeps, stream: string): Promise<string | null> {
  if (stryMutAct_9fa48("911")) {
    {}
  } else {
    stryCov_9fa48("911");
    const [first] = await deps.log.readStream(stream, 0, 1);
    return stryMutAct_9fa48("912") ? first?.meta.game && null : (stryCov_9fa48("912"), (stryMutAct_9fa48("913") ? first.meta.game : (stryCov_9fa48("913"), first?.meta.game)) ?? null);
  }
}

/** Nothing is recorded for it. */
const LOOKING = stryMutAct_9fa48("914") ? {} : (stryCov_9fa48("914"), {
  command: stryMutAct_9fa48("915") ? "Stryker was here!" : (stryCov_9fa48("915"), ''),
  call: null,
  repeated: stryMutAct_9fa48("916") ? true : (stryCov_9fa48("916"), false),
  actor: null,
  request: null,
  nowMs: 0,
  generator: stryMutAct_9fa48("917") ? {} : (stryCov_9fa48("917"), {
    id: nothing,
    secret: nothing
  })
});
function nothing(): never {
  if (stryMutAct_9fa48("918")) {
    {}
  } else {
    stryCov_9fa48("918");
    throw new Error(stryMutAct_9fa48("919") ? "" : (stryCov_9fa48("919"), 'looking makes nothing'));
  }
}