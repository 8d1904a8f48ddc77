// Folds the history of a unique board in memory under the rules of a generation, so that the projection writes each
// entry once and not for every submission that improved it. Names and bans are not part of the fold: they are read when
// an entry is written.
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
import { BoardFold } from '../board-fold/board-fold.ts';
import type { FoldedEvent, LastEvent } from '../board-fold/folded-event.ts';
import { streamsFrom } from '../board-fold/streams.ts';
import type { Rules } from '../domain/board-rules.ts';
import type { Position, StoredEvent } from '../domain/event.ts';
import { playerOf } from '../domain/score.ts';
import { yieldToEventLoop } from '../scheduling/yield-to-event-loop.ts';
import type { BriefEvent, History } from '../stores/contract/history.ts';
import type { Log } from '../stores/contract/log.ts';
import { historyPages } from '../stores/support/history-pages.ts';
import { FoldedHistory, type Page, pageOf } from './folded-history.ts';

/** `isTaken`: whether a past event counts, which is false if its stream was parked by then. */
interface ToFold {
  readonly board: string;
  readonly rules: Rules;
  /** Null: the end of the history when it is read. */
  readonly upTo: Position | null;
  isTaken(past: Pick<StoredEvent, 'stream' | 'position'>): boolean;
}
export interface FoldDeps {
  readonly log: Pick<Log, 'readStream'>;
  readonly history: History;
}

/**
 * Events per read: a few milliseconds, after which the event loop gets a turn. The ranges of a build end at page ends,
 * so this number must never change.
 */
const PAGE = 500;
/** Pages of players' streams, and players, between two yields to the event loop. */
const SETTLED_PER_YIELD = 10;
/** Pages between two progress reports: some tenths of a second. */
const REPORT_EVERY = 100;
export interface FoldOptions {
  readonly signal?: AbortSignal;
  /** Called periodically with the number of folded events, and awaited. */
  readonly told?: (events: number) => Promise<void>;
}

/** Returns null if the fold needs more than `maxBytes`. Rejects with the signal's reason. O(history). */
export async function foldHistory({
  log,
  history
}: FoldDeps, {
  board,
  rules,
  upTo,
  isTaken
}: ToFold, maxBytes: number, {
  signal,
  told
}: FoldOptions = {}): Promise<FoldedHistory | null> {
  if (stryMutAct_9fa48("6843")) {
    {}
  } else {
    stryCov_9fa48("6843");
    const pages: Page[] = stryMutAct_9fa48("6844") ? ["Stryker was here"] : (stryCov_9fa48("6844"), []);
    const fold = new BoardFold(rules, stryMutAct_9fa48("6845") ? {} : (stryCov_9fa48("6845"), {
      pageOf: stryMutAct_9fa48("6846") ? () => undefined : (stryCov_9fa48("6846"), position => pageOf(pages, position))
    }));
    let broken: FoldedHistory['broken'] = null;
    const failed = ({
      type,
      revision,
      stream
    }: LastEvent, error: unknown) => {
      if (stryMutAct_9fa48("6847")) {
        {}
      } else {
        stryCov_9fa48("6847");
        const reason = error instanceof Error ? error.message : String(error);
        stryMutAct_9fa48("6848") ? broken &&= {
          past: `${type} ${revision} of ${stream}`,
          reason
        } : (stryCov_9fa48("6848"), broken ??= stryMutAct_9fa48("6849") ? {} : (stryCov_9fa48("6849"), {
          past: stryMutAct_9fa48("6850") ? `` : (stryCov_9fa48("6850"), `${type} ${revision} of ${stream}`),
          reason
        }));
      }
    };
    const isIn = stryMutAct_9fa48("6851") ? () => undefined : (stryCov_9fa48("6851"), (() => {
      const isIn = ({
        position
      }: FoldedEvent) => stryMutAct_9fa48("6854") ? upTo === null && position <= upTo : stryMutAct_9fa48("6853") ? false : stryMutAct_9fa48("6852") ? true : (stryCov_9fa48("6852", "6853", "6854"), (stryMutAct_9fa48("6856") ? upTo !== null : stryMutAct_9fa48("6855") ? false : (stryCov_9fa48("6855", "6856"), upTo === null)) || (stryMutAct_9fa48("6859") ? position > upTo : stryMutAct_9fa48("6858") ? position < upTo : stryMutAct_9fa48("6857") ? false : (stryCov_9fa48("6857", "6858", "6859"), position <= upTo)));
      return isIn;
    })());
    const part = stryMutAct_9fa48("6860") ? history.brief && history.part : (stryCov_9fa48("6860"), history.brief ?? history.part);
    for await (const page of historyPages<BriefEvent | StoredEvent>(part, stryMutAct_9fa48("6861") ? {} : (stryCov_9fa48("6861"), {
      board
    }), stryMutAct_9fa48("6862") ? {} : (stryCov_9fa48("6862"), {
      isIn,
      limit: PAGE,
      isAhead: stryMutAct_9fa48("6863") ? false : (stryCov_9fa48("6863"), true)
    }))) {
      if (stryMutAct_9fa48("6864")) {
        {}
      } else {
        stryCov_9fa48("6864");
        for (const past of page) {
          if (stryMutAct_9fa48("6865")) {
            {}
          } else {
            stryCov_9fa48("6865");
            if (stryMutAct_9fa48("6868") ? past.type !== 'ScoreSubmitted' && past.type !== 'ScoreDeleted' && !isTaken(past) : stryMutAct_9fa48("6867") ? false : stryMutAct_9fa48("6866") ? true : (stryCov_9fa48("6866", "6867", "6868"), (stryMutAct_9fa48("6870") ? past.type !== 'ScoreSubmitted' || past.type !== 'ScoreDeleted' : stryMutAct_9fa48("6869") ? false : (stryCov_9fa48("6869", "6870"), (stryMutAct_9fa48("6872") ? past.type === 'ScoreSubmitted' : stryMutAct_9fa48("6871") ? true : (stryCov_9fa48("6871", "6872"), past.type !== (stryMutAct_9fa48("6873") ? "" : (stryCov_9fa48("6873"), 'ScoreSubmitted')))) && (stryMutAct_9fa48("6875") ? past.type === 'ScoreDeleted' : stryMutAct_9fa48("6874") ? true : (stryCov_9fa48("6874", "6875"), past.type !== (stryMutAct_9fa48("6876") ? "" : (stryCov_9fa48("6876"), 'ScoreDeleted')))))) || (stryMutAct_9fa48("6877") ? isTaken(past) : (stryCov_9fa48("6877"), !isTaken(past))))) continue;
            try {
              if (stryMutAct_9fa48("6878")) {
                {}
              } else {
                stryCov_9fa48("6878");
                fold.take(past, playerOf(past.stream, board));
              }
            } catch (error) {
              if (stryMutAct_9fa48("6879")) {
                {}
              } else {
                stryCov_9fa48("6879");
                failed(past, error);
              }
            }
          }
        }
        const {
          stream,
          revision,
          position
        } = page.at(-1) as FoldedEvent;
        pages.push(stryMutAct_9fa48("6880") ? {} : (stryCov_9fa48("6880"), {
          end: stryMutAct_9fa48("6881") ? {} : (stryCov_9fa48("6881"), {
            stream,
            revision
          }),
          endAt: position,
          events: page.length
        }));
        if (stryMutAct_9fa48("6885") ? fold.bytes <= maxBytes : stryMutAct_9fa48("6884") ? fold.bytes >= maxBytes : stryMutAct_9fa48("6883") ? false : stryMutAct_9fa48("6882") ? true : (stryCov_9fa48("6882", "6883", "6884", "6885"), fold.bytes > maxBytes)) return null;
        stryMutAct_9fa48("6886") ? signal.throwIfAborted() : (stryCov_9fa48("6886"), signal?.throwIfAborted());
        if (stryMutAct_9fa48("6889") ? page.length === PAGE || pages.length % REPORT_EVERY === 0 : stryMutAct_9fa48("6888") ? false : stryMutAct_9fa48("6887") ? true : (stryCov_9fa48("6887", "6888", "6889"), (stryMutAct_9fa48("6891") ? page.length !== PAGE : stryMutAct_9fa48("6890") ? true : (stryCov_9fa48("6890", "6891"), page.length === PAGE)) && (stryMutAct_9fa48("6893") ? pages.length % REPORT_EVERY !== 0 : stryMutAct_9fa48("6892") ? true : (stryCov_9fa48("6892", "6893"), (stryMutAct_9fa48("6894") ? pages.length * REPORT_EVERY : (stryCov_9fa48("6894"), pages.length % REPORT_EVERY)) === 0)))) await (stryMutAct_9fa48("6895") ? told(pages.length * PAGE) : (stryCov_9fa48("6895"), told?.(stryMutAct_9fa48("6896") ? pages.length / PAGE : (stryCov_9fa48("6896"), pages.length * PAGE))));
      }
    }
    let steps = 0;
    for await (const _ of fold.settle(streamsFrom(log), failed)) {
      if (stryMutAct_9fa48("6897")) {
        {}
      } else {
        stryCov_9fa48("6897");
        if (stryMutAct_9fa48("6900") ? ++steps % SETTLED_PER_YIELD !== 0 : stryMutAct_9fa48("6899") ? false : stryMutAct_9fa48("6898") ? true : (stryCov_9fa48("6898", "6899", "6900"), (stryMutAct_9fa48("6901") ? ++steps * SETTLED_PER_YIELD : (stryCov_9fa48("6901"), (stryMutAct_9fa48("6902") ? --steps : (stryCov_9fa48("6902"), ++steps)) % SETTLED_PER_YIELD)) === 0)) await yieldToEventLoop();
        stryMutAct_9fa48("6903") ? signal.throwIfAborted() : (stryCov_9fa48("6903"), signal?.throwIfAborted());
      }
    }
    return FoldedHistory.of(stryMutAct_9fa48("6904") ? {} : (stryCov_9fa48("6904"), {
      log,
      part: history.part,
      board,
      pages,
      fold,
      broken
    }));
  }
}