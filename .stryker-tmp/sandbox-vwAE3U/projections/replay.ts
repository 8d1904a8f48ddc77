// Replays past events for an event that triggers it: a range of a board's history, page by page. Also reads the stream
// of one event as it was at that event. Both come from the log, so the result does not depend on when they are read.
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
import { streamsFrom } from '../board-fold/streams.ts';
import type { StoredEvent } from '../domain/event.ts';
import type { EventReference } from '../domain/event-reference.ts';
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts';
import type { History } from '../stores/contract/history.ts';
import type { Log } from '../stores/contract/log.ts';
import { positionOf } from '../stores/support/event-position.ts';
import { historyPages } from '../stores/support/history-pages.ts';
import type { Folds } from './folds.ts';
import { attempt, lacking, prefetch } from './needed.ts';
import { isParked, type Parked } from './parked.ts';
import type { DocRef, Folding, HistoryRange, Replays } from './projection.ts';
import type { WorkingSet } from './working-set.ts';
const PAGE = 500;

/** Standings handled between two yields to the event loop. */
const AT_ONCE = 250;
export interface ReplayDeps {
  readonly log: Pick<Log, 'readStream'>;
  /** Contains at least everything before the event that triggers the replay. */
  readonly history: History;
  /** If the history is a view that another applier maintains: resolves once it contains everything up to this event. */
  readonly historyUpTo?: (event: StoredEvent) => Promise<void>;
  /** Folds shared with the process that drives rebuilds; if left out, the applier makes its own. */
  readonly folds?: Folds;
}
const NONE: readonly never[] = stryMutAct_9fa48("7650") ? ["Stryker was here"] : (stryCov_9fa48("7650"), []);

/** The context of a replay. */
export interface ReplayContext {
  readonly deps: ReplayDeps & {
    readonly folds: Folds;
  };
  readonly replays: Replays;
  readonly docs: WorkingSet;
  readonly parked: Parked;
}

/**
 * Replays the range that `event` names; throws NoSuchPlace if the log does not have an event that the range refers to.
 */
export async function replay(context: ReplayContext, event: StoredEvent): Promise<void> {
  if (stryMutAct_9fa48("7651")) {
    {}
  } else {
    stryCov_9fa48("7651");
    const {
      deps,
      replays
    } = context;
    const range = replays.range(event);
    if (stryMutAct_9fa48("7654") ? range !== null : stryMutAct_9fa48("7653") ? false : stryMutAct_9fa48("7652") ? true : (stryCov_9fa48("7652", "7653", "7654"), range === null)) return;
    await (stryMutAct_9fa48("7655") ? deps.historyUpTo(event) : (stryCov_9fa48("7655"), deps.historyUpTo?.(event)));
    const {
      folding
    } = replays;
    const asOf = stryMutAct_9fa48("7656") ? folding?.asOf(event) && null : (stryCov_9fa48("7656"), (stryMutAct_9fa48("7657") ? folding.asOf(event) : (stryCov_9fa48("7657"), folding?.asOf(event))) ?? null);
    if (stryMutAct_9fa48("7660") ? folding !== undefined && asOf !== null || range.upTo !== null : stryMutAct_9fa48("7659") ? false : stryMutAct_9fa48("7658") ? true : (stryCov_9fa48("7658", "7659", "7660"), (stryMutAct_9fa48("7662") ? folding !== undefined || asOf !== null : stryMutAct_9fa48("7661") ? true : (stryCov_9fa48("7661", "7662"), (stryMutAct_9fa48("7664") ? folding === undefined : stryMutAct_9fa48("7663") ? true : (stryCov_9fa48("7663", "7664"), folding !== undefined)) && (stryMutAct_9fa48("7666") ? asOf === null : stryMutAct_9fa48("7665") ? true : (stryCov_9fa48("7665", "7666"), asOf !== null)))) && (stryMutAct_9fa48("7668") ? range.upTo === null : stryMutAct_9fa48("7667") ? true : (stryCov_9fa48("7667", "7668"), range.upTo !== null)))) {
      if (stryMutAct_9fa48("7669")) {
        {}
      } else {
        stryCov_9fa48("7669");
        await replayFolded(context, stryMutAct_9fa48("7670") ? {} : (stryCov_9fa48("7670"), {
          folding,
          after: range.after,
          upTo: range.upTo,
          asOf
        }), event);
      }
    } else await replayEvents(context, range, event);
  }
}
async function replayEvents(context: ReplayContext, range: HistoryRange, event: StoredEvent): Promise<void> {
  if (stryMutAct_9fa48("7671")) {
    {}
  } else {
    stryCov_9fa48("7671");
    const {
      deps,
      replays,
      docs,
      parked
    } = context;
    const missing = stryMutAct_9fa48("7672") ? () => undefined : (stryCov_9fa48("7672"), (() => {
      const missing = (past: StoredEvent, stream: readonly StoredEvent[] = NONE) => lacking(docs, attempt(stryMutAct_9fa48("7673") ? () => undefined : (stryCov_9fa48("7673"), () => replays.needs(past, event, docs.peek, stream))));
      return missing;
    })());
    for await (const page of pagesOf(deps, range, event)) {
      if (stryMutAct_9fa48("7674")) {
        {}
      } else {
        stryCov_9fa48("7674");
        const taken = stryMutAct_9fa48("7675") ? page : (stryCov_9fa48("7675"), page.filter(stryMutAct_9fa48("7676") ? () => undefined : (stryCov_9fa48("7676"), past => stryMutAct_9fa48("7679") ? replays.takes.has(past.type) || !isParked(parked, past) : stryMutAct_9fa48("7678") ? false : stryMutAct_9fa48("7677") ? true : (stryCov_9fa48("7677", "7678", "7679"), replays.takes.has(past.type) && (stryMutAct_9fa48("7680") ? isParked(parked, past) : (stryCov_9fa48("7680"), !isParked(parked, past)))))));
        await prefetch(taken, missing, docs);
        for (const past of taken) {
          if (stryMutAct_9fa48("7681")) {
            {}
          } else {
            stryCov_9fa48("7681");
            const stream = await streamIfNeeded(context, past, event, missing);
            while (stryMutAct_9fa48("7683") ? false : stryMutAct_9fa48("7682") ? handled(past, stream) : (stryCov_9fa48("7682", "7683"), !handled(past, stream))) await docs.load(missing(past, stream));
          }
        }
      }
    }
    function handled(past: StoredEvent, stream: readonly StoredEvent[]): boolean {
      if (stryMutAct_9fa48("7684")) {
        {}
      } else {
        stryCov_9fa48("7684");
        try {
          if (stryMutAct_9fa48("7685")) {
            {}
          } else {
            stryCov_9fa48("7685");
            replays.handle(past, event, docs, stream);
          }
        } catch (error) {
          if (stryMutAct_9fa48("7686")) {
            {}
          } else {
            stryCov_9fa48("7686");
            docs.reject();
            if (stryMutAct_9fa48("7690") ? missing(past, stream).length <= 0 : stryMutAct_9fa48("7689") ? missing(past, stream).length >= 0 : stryMutAct_9fa48("7688") ? false : stryMutAct_9fa48("7687") ? true : (stryCov_9fa48("7687", "7688", "7689", "7690"), missing(past, stream).length > 0)) return stryMutAct_9fa48("7691") ? true : (stryCov_9fa48("7691"), false);
            replays.failed(stryMutAct_9fa48("7692") ? `` : (stryCov_9fa48("7692"), `${past.type} ${past.revision} of ${past.stream}`), event, docs, messageOf(error));
          }
        }
        docs.accept(event);
        return stryMutAct_9fa48("7693") ? false : (stryCov_9fa48("7693"), true);
      }
    }
  }
}
const messageOf = stryMutAct_9fa48("7694") ? () => undefined : (stryCov_9fa48("7694"), (() => {
  const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error);
  return messageOf;
})());
interface FoldedRange {
  readonly folding: Folding;
  readonly after: EventReference | null;
  readonly upTo: EventReference;
  readonly asOf: EventReference;
}

/** Handles each standing of a range once. The result is the same whether the fold was made before or is made now. */
async function replayFolded({
  deps,
  replays,
  docs,
  parked
}: ReplayContext, {
  folding,
  after,
  upTo,
  asOf
}: FoldedRange, event: StoredEvent): Promise<void> {
  if (stryMutAct_9fa48("7695")) {
    {}
  } else {
    stryCov_9fa48("7695");
    await docs.load(folding.needs(event));
    const generation = folding.generation(event, docs);
    if (stryMutAct_9fa48("7698") ? generation !== null : stryMutAct_9fa48("7697") ? false : stryMutAct_9fa48("7696") ? true : (stryCov_9fa48("7696", "7697", "7698"), generation === null)) return;
    const [from, to, end] = await Promise.all(stryMutAct_9fa48("7699") ? [] : (stryCov_9fa48("7699"), [(stryMutAct_9fa48("7702") ? after !== null : stryMutAct_9fa48("7701") ? false : stryMutAct_9fa48("7700") ? true : (stryCov_9fa48("7700", "7701", "7702"), after === null)) ? null : positionOf(deps.log, after), positionOf(deps.log, upTo), positionOf(deps.log, asOf)]));
    const folded = await deps.folds.get(generation, end, parked, stryMutAct_9fa48("7705") ? to !== end : stryMutAct_9fa48("7704") ? false : stryMutAct_9fa48("7703") ? true : (stryCov_9fa48("7703", "7704", "7705"), to === end));
    if (stryMutAct_9fa48("7708") ? folded.broken === null : stryMutAct_9fa48("7707") ? false : stryMutAct_9fa48("7706") ? true : (stryCov_9fa48("7706", "7707", "7708"), folded.broken !== null)) {
      if (stryMutAct_9fa48("7709")) {
        {}
      } else {
        stryCov_9fa48("7709");
        replays.failed(folded.broken.past, event, docs, folded.broken.reason);
        docs.accept(event);
      }
    }
    const standings = await folded.standings(from, to);
    for (let at = 0; stryMutAct_9fa48("7712") ? at >= standings.length : stryMutAct_9fa48("7711") ? at <= standings.length : stryMutAct_9fa48("7710") ? false : (stryCov_9fa48("7710", "7711", "7712"), at < standings.length); stryMutAct_9fa48("7713") ? at -= AT_ONCE : (stryCov_9fa48("7713"), at += AT_ONCE)) {
      if (stryMutAct_9fa48("7714")) {
        {}
      } else {
        stryCov_9fa48("7714");
        if (stryMutAct_9fa48("7718") ? at <= 0 : stryMutAct_9fa48("7717") ? at >= 0 : stryMutAct_9fa48("7716") ? false : stryMutAct_9fa48("7715") ? true : (stryCov_9fa48("7715", "7716", "7717", "7718"), at > 0)) await yieldToEventLoop();
        const some = stryMutAct_9fa48("7719") ? standings : (stryCov_9fa48("7719"), standings.slice(at, stryMutAct_9fa48("7720") ? at - AT_ONCE : (stryCov_9fa48("7720"), at + AT_ONCE)));
        await docs.load(some.flatMap(stryMutAct_9fa48("7721") ? () => undefined : (stryCov_9fa48("7721"), one => folding.reads(one))));
        for (const standing of some) {
          if (stryMutAct_9fa48("7722")) {
            {}
          } else {
            stryCov_9fa48("7722");
            docs.holdAbsent(...folding.makes(standing, generation));
            try {
              if (stryMutAct_9fa48("7723")) {
                {}
              } else {
                stryCov_9fa48("7723");
                folding.handle(standing, generation, docs);
              }
            } catch (error) {
              if (stryMutAct_9fa48("7724")) {
                {}
              } else {
                stryCov_9fa48("7724");
                docs.reject();
                const {
                  player,
                  revision
                } = standing;
                replays.failed(stryMutAct_9fa48("7725") ? `` : (stryCov_9fa48("7725"), `submission ${revision} of ${player}`), event, docs, messageOf(error));
              }
            }
            docs.accept(event);
          }
        }
      }
    }
  }
}

/** The stream of an event up to and including it if its handler needs that; else empty. */
export async function streamIfNeeded({
  deps,
  replays,
  docs
}: Pick<ReplayContext, 'deps' | 'replays' | 'docs'>, past: StoredEvent, event: StoredEvent | null, missing: (past: StoredEvent) => readonly DocRef[]): Promise<readonly StoredEvent[]> {
  if (stryMutAct_9fa48("7726")) {
    {}
  } else {
    stryCov_9fa48("7726");
    if (stryMutAct_9fa48("7729") ? false : stryMutAct_9fa48("7728") ? true : stryMutAct_9fa48("7727") ? replays.needsStreamFor.has(past.type) : (stryCov_9fa48("7727", "7728", "7729"), !replays.needsStreamFor.has(past.type))) return NONE;
    for (let refs = missing(past); stryMutAct_9fa48("7732") ? refs.length <= 0 : stryMutAct_9fa48("7731") ? refs.length >= 0 : stryMutAct_9fa48("7730") ? false : (stryCov_9fa48("7730", "7731", "7732"), refs.length > 0); refs = missing(past)) await docs.load(refs);
    const isNeeded = stryMutAct_9fa48("7736") ? attempt(() => replays.needsStream(past, event, docs.peek) ? [true] : NONE).length <= 0 : stryMutAct_9fa48("7735") ? attempt(() => replays.needsStream(past, event, docs.peek) ? [true] : NONE).length >= 0 : stryMutAct_9fa48("7734") ? false : stryMutAct_9fa48("7733") ? true : (stryCov_9fa48("7733", "7734", "7735", "7736"), attempt(stryMutAct_9fa48("7737") ? () => undefined : (stryCov_9fa48("7737"), () => replays.needsStream(past, event, docs.peek) ? stryMutAct_9fa48("7738") ? [] : (stryCov_9fa48("7738"), [stryMutAct_9fa48("7739") ? false : (stryCov_9fa48("7739"), true)]) : NONE)).length > 0);
    return isNeeded ? streamUpTo(deps.log, past) : NONE;
  }
}
async function streamUpTo(log: Pick<Log, 'readStream'>, event: StoredEvent): Promise<readonly StoredEvent[]> {
  if (stryMutAct_9fa48("7740")) {
    {}
  } else {
    stryCov_9fa48("7740");
    const all: StoredEvent[] = stryMutAct_9fa48("7741") ? ["Stryker was here"] : (stryCov_9fa48("7741"), []);
    for await (const page of streamsFrom(log)(event)) {
      if (stryMutAct_9fa48("7742")) {
        {}
      } else {
        stryCov_9fa48("7742");
        if (stryMutAct_9fa48("7746") ? all.length <= 0 : stryMutAct_9fa48("7745") ? all.length >= 0 : stryMutAct_9fa48("7744") ? false : stryMutAct_9fa48("7743") ? true : (stryCov_9fa48("7743", "7744", "7745", "7746"), all.length > 0)) await yieldToEventLoop();
        all.push(...page);
      }
    }
    return all;
  }
}
async function* pagesOf(deps: ReplayDeps, {
  board,
  after,
  upTo
}: HistoryRange, event: StoredEvent) {
  if (stryMutAct_9fa48("7747")) {
    {}
  } else {
    stryCov_9fa48("7747");
    const last = (stryMutAct_9fa48("7750") ? upTo !== null : stryMutAct_9fa48("7749") ? false : stryMutAct_9fa48("7748") ? true : (stryCov_9fa48("7748", "7749", "7750"), upTo === null)) ? null : await positionOf(deps.log, upTo);
    const isIn = stryMutAct_9fa48("7751") ? () => undefined : (stryCov_9fa48("7751"), (() => {
      const isIn = ({
        position
      }: StoredEvent) => stryMutAct_9fa48("7754") ? position < event.position || last === null || position <= last : stryMutAct_9fa48("7753") ? false : stryMutAct_9fa48("7752") ? true : (stryCov_9fa48("7752", "7753", "7754"), (stryMutAct_9fa48("7757") ? position >= event.position : stryMutAct_9fa48("7756") ? position <= event.position : stryMutAct_9fa48("7755") ? true : (stryCov_9fa48("7755", "7756", "7757"), position < event.position)) && (stryMutAct_9fa48("7759") ? last === null && position <= last : stryMutAct_9fa48("7758") ? true : (stryCov_9fa48("7758", "7759"), (stryMutAct_9fa48("7761") ? last !== null : stryMutAct_9fa48("7760") ? false : (stryCov_9fa48("7760", "7761"), last === null)) || (stryMutAct_9fa48("7764") ? position > last : stryMutAct_9fa48("7763") ? position < last : stryMutAct_9fa48("7762") ? false : (stryCov_9fa48("7762", "7763", "7764"), position <= last)))));
      return isIn;
    })());
    const from = (stryMutAct_9fa48("7767") ? after !== null : stryMutAct_9fa48("7766") ? false : stryMutAct_9fa48("7765") ? true : (stryCov_9fa48("7765", "7766", "7767"), after === null)) ? null : await positionOf(deps.log, after);
    yield* historyPages(deps.history.part, stryMutAct_9fa48("7768") ? {} : (stryCov_9fa48("7768"), {
      board
    }), stryMutAct_9fa48("7769") ? {} : (stryCov_9fa48("7769"), {
      after: from,
      isIn,
      limit: PAGE
    }));
  }
}