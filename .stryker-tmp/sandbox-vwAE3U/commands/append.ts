// One append, made sure of. Any failure that is not a conflict leaves the outcome unknown, so the same events are sent
// again at the same revision until the log says what became of them.
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
import { Refusal } from '../domain/decider.ts';
import type { NewEvent } from '../domain/event.ts';
import { noSuchGame } from '../domain/game.ts';
import { StoreUnavailable } from '../stores/contract/faults.ts';
import { AppendDenied, type AppendResult, type Expected, type Log, NotSent, OfDeletedGame } from '../stores/contract/log.ts';
import { MAX_TRIES, pauseBeforeRetry } from './retries.ts';
interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
}

/**
 * Retries for about 3 s, and begins no further try once `isOver`: a silent log takes long to fail. Throws 503
 * `log_unavailable` when the log gives no answer: the outcome stays unknown, repeating the call is safe. The same code
 * where the log denies the append: nothing was recorded, and no further try is made. 404 `game_not_found` where the removal of
 * the game has begun.
 */
export async function appendSurely(log: Log, {
  stream,
  expected,
  events
}: Append, isOver: () => boolean): Promise<AppendResult> {
  if (stryMutAct_9fa48("35")) {
    {}
  } else {
    stryCov_9fa48("35");
    let cause: unknown;
    for (let attempt = 0; stryMutAct_9fa48("37") ? attempt === 0 && attempt < MAX_TRIES && !isOver() : stryMutAct_9fa48("36") ? false : (stryCov_9fa48("36", "37"), (stryMutAct_9fa48("39") ? attempt !== 0 : stryMutAct_9fa48("38") ? false : (stryCov_9fa48("38", "39"), attempt === 0)) || (stryMutAct_9fa48("41") ? attempt < MAX_TRIES || !isOver() : stryMutAct_9fa48("40") ? false : (stryCov_9fa48("40", "41"), (stryMutAct_9fa48("44") ? attempt >= MAX_TRIES : stryMutAct_9fa48("43") ? attempt <= MAX_TRIES : stryMutAct_9fa48("42") ? true : (stryCov_9fa48("42", "43", "44"), attempt < MAX_TRIES)) && (stryMutAct_9fa48("45") ? isOver() : (stryCov_9fa48("45"), !isOver()))))); stryMutAct_9fa48("46") ? attempt-- : (stryCov_9fa48("46"), attempt++)) {
      if (stryMutAct_9fa48("47")) {
        {}
      } else {
        stryCov_9fa48("47");
        if (stryMutAct_9fa48("51") ? attempt <= 0 : stryMutAct_9fa48("50") ? attempt >= 0 : stryMutAct_9fa48("49") ? false : stryMutAct_9fa48("48") ? true : (stryCov_9fa48("48", "49", "50", "51"), attempt > 0)) await pauseBeforeRetry(attempt);
        try {
          if (stryMutAct_9fa48("52")) {
            {}
          } else {
            stryCov_9fa48("52");
            return await log.append(stream, expected, events);
          }
        } catch (failure) {
          if (stryMutAct_9fa48("53")) {
            {}
          } else {
            stryCov_9fa48("53");
            if (stryMutAct_9fa48("55") ? false : stryMutAct_9fa48("54") ? true : (stryCov_9fa48("54", "55"), failure instanceof OfDeletedGame)) throw noSuchGame();
            if (stryMutAct_9fa48("57") ? false : stryMutAct_9fa48("56") ? true : (stryCov_9fa48("56", "57"), failure instanceof NotSent)) throw failure;
            if (stryMutAct_9fa48("60") ? failure instanceof AppendDenied || cause === undefined : stryMutAct_9fa48("59") ? false : stryMutAct_9fa48("58") ? true : (stryCov_9fa48("58", "59", "60"), failure instanceof AppendDenied && (stryMutAct_9fa48("62") ? cause !== undefined : stryMutAct_9fa48("61") ? true : (stryCov_9fa48("61", "62"), cause === undefined)))) throw denied(failure);
            cause = failure;
          }
        }
      }
    }
    const detail = stryMutAct_9fa48("63") ? "" : (stryCov_9fa48("63"), 'The log does not answer. Whether this was recorded is not known; repeating it is safe.');
    throw Object.assign(new Refusal(stryMutAct_9fa48("64") ? "" : (stryCov_9fa48("64"), 'unavailable'), stryMutAct_9fa48("65") ? "" : (stryCov_9fa48("65"), 'log_unavailable'), detail), stryMutAct_9fa48("66") ? {} : (stryCov_9fa48("66"), {
      cause
    }));
  }
}

/** The log refuses until an operator acts: another try would be refused too. */
function denied(denial: AppendDenied): Refusal {
  if (stryMutAct_9fa48("67")) {
    {}
  } else {
    stryCov_9fa48("67");
    const cause = denial.cause instanceof StoreUnavailable ? denial.cause : denial;
    const detail = stryMutAct_9fa48("68") ? "" : (stryCov_9fa48("68"), 'The log accepts no writes now. Nothing was recorded; repeat it later.');
    return Object.assign(new Refusal(stryMutAct_9fa48("69") ? "" : (stryCov_9fa48("69"), 'unavailable'), stryMutAct_9fa48("70") ? "" : (stryCov_9fa48("70"), 'log_unavailable'), detail), stryMutAct_9fa48("71") ? {} : (stryCov_9fa48("71"), {
      cause
    }));
  }
}