// Answering a repeated call as its first one was: what a remembered command decided, read
// off its stream as it then was.
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
import { momentOf, unsafeCast } from '../domain/event.ts';
import type { Log } from '../stores/contract/log.ts';
import { eventsFrom } from '../stores/support/events-from.ts';
import { CALL_ANSWERED, type Command, type Handled, type Recorded } from './command-batch.ts';
import { fold, unfolded } from './fold.ts';

/** O(length of the stream up to the command). */
export async function answerAgain<State, Event extends DomainEvent>(log: Log, aggregate: Aggregate<State, Event>, {
  about,
  context
}: Command<State, Event>): Promise<Handled<State, Event>> {
  if (stryMutAct_9fa48("0")) {
    {}
  } else {
    stryCov_9fa48("0");
    let folded = unfolded(aggregate);
    let before = folded.state;
    const events: Recorded<Event>[] = stryMutAct_9fa48("1") ? ["Stryker was here"] : (stryCov_9fa48("1"), []);
    let position: string | null = null;
    for await (const stored of eventsFrom(log, about.stream)) {
      if (stryMutAct_9fa48("2")) {
        {}
      } else {
        stryCov_9fa48("2");
        const own = stryMutAct_9fa48("5") ? stored.meta.command !== context.command : stryMutAct_9fa48("4") ? false : stryMutAct_9fa48("3") ? true : (stryCov_9fa48("3", "4", "5"), stored.meta.command === context.command);
        if (stryMutAct_9fa48("8") ? position !== null || !own : stryMutAct_9fa48("7") ? false : stryMutAct_9fa48("6") ? true : (stryCov_9fa48("6", "7", "8"), (stryMutAct_9fa48("10") ? position === null : stryMutAct_9fa48("9") ? true : (stryCov_9fa48("9", "10"), position !== null)) && (stryMutAct_9fa48("11") ? own : (stryCov_9fa48("11"), !own)))) break;
        if (stryMutAct_9fa48("14") ? own || position === null : stryMutAct_9fa48("13") ? false : stryMutAct_9fa48("12") ? true : (stryCov_9fa48("12", "13", "14"), own && (stryMutAct_9fa48("16") ? position !== null : stryMutAct_9fa48("15") ? true : (stryCov_9fa48("15", "16"), position === null)))) before = folded.state;
        folded = fold(aggregate, folded, stored);
        if (stryMutAct_9fa48("19") ? false : stryMutAct_9fa48("18") ? true : stryMutAct_9fa48("17") ? own : (stryCov_9fa48("17", "18", "19"), !own)) continue;
        position = stored.position;
        if (stryMutAct_9fa48("22") ? stored.type !== CALL_ANSWERED : stryMutAct_9fa48("21") ? false : stryMutAct_9fa48("20") ? true : (stryCov_9fa48("20", "21", "22"), stored.type === CALL_ANSWERED)) continue;
        const event = unsafeCast<Event>(stryMutAct_9fa48("23") ? {} : (stryCov_9fa48("23"), {
          type: stored.type,
          data: stored.data
        }));
        events.push(stryMutAct_9fa48("24") ? {} : (stryCov_9fa48("24"), {
          ...event,
          ...momentOf(stored)
        }));
      }
    }
    const written = (stryMutAct_9fa48("27") ? position !== null : stryMutAct_9fa48("26") ? false : stryMutAct_9fa48("25") ? true : (stryCov_9fa48("25", "26", "27"), position === null)) ? null : stryMutAct_9fa48("28") ? {} : (stryCov_9fa48("28"), {
      game: about.game,
      position
    });
    const current = (stryMutAct_9fa48("31") ? written !== null : stryMutAct_9fa48("30") ? false : stryMutAct_9fa48("29") ? true : (stryCov_9fa48("29", "30", "31"), written === null)) ? null : stryMutAct_9fa48("32") ? {} : (stryCov_9fa48("32"), {
      state: folded.state,
      at: written
    });
    return stryMutAct_9fa48("33") ? {} : (stryCov_9fa48("33"), {
      before,
      after: folded.state,
      events,
      written,
      replayed: stryMutAct_9fa48("34") ? false : (stryCov_9fa48("34"), true),
      current
    });
  }
}