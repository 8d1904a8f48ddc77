// The entry that a player's submissions make under a board's rules. Everything that computes entries calls `reduceEntry` for each event
// and, where one event is not enough to decide, `entryOfStream`.
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
import type { Ordering, Rules } from './board-rules.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
import type { StoredEvent } from './event.ts';
import { type Placed, placedOf, type ScoreEvent, type Submission } from './score.ts';

/** What a submission or a deletion is decided by: the player's entry on a unique board, else the submission's own. */
export interface PresentEntry {
  /** Id of the submission that the entry began with. */
  readonly id: string;
  /** Id of the submission that it shows; undefined where that is unknown. */
  readonly shownId?: string | undefined;
  /** What it shows; null for a unique board's entry while all of its player's submissions are outside the bounds. */
  readonly shown: Pick<Submission, 'score' | 'secondary'> | null;
}

/**
 * `show`: the entry shows this submission, and begins with it where there was none. `outside`: the entry begins with this submission,
 * which is outside the bounds, so that nothing is shown. `remove all`: all of the player's entries. `read the stream`: a deletion takes
 * one of several submissions behind the entry, so `entryOfStream` of the stream up to and with the event is the entry.
 */
type EntryChange = 'unchanged' | 'show' | 'outside' | 'remove' | 'remove all' | 'read the stream';

/** What an event does to an entry; `present` is null where there is none. O(1). */
export function reduceEntry(rules: Rules, present: PresentEntry | null, event: ScoreEvent): EntryChange {
  if (stryMutAct_9fa48("2534")) {
    {}
  } else {
    stryCov_9fa48("2534");
    if (stryMutAct_9fa48("2537") ? event.type !== 'ScoreSubmitted' : stryMutAct_9fa48("2536") ? false : stryMutAct_9fa48("2535") ? true : (stryCov_9fa48("2535", "2536", "2537"), event.type === (stryMutAct_9fa48("2538") ? "" : (stryCov_9fa48("2538"), 'ScoreSubmitted')))) {
      if (stryMutAct_9fa48("2539")) {
        {}
      } else {
        stryCov_9fa48("2539");
        const sent = event.data;
        if (stryMutAct_9fa48("2542") ? false : stryMutAct_9fa48("2541") ? true : stryMutAct_9fa48("2540") ? within(rules, sent.score) : (stryCov_9fa48("2540", "2541", "2542"), !within(rules, sent.score))) return (stryMutAct_9fa48("2545") ? rules.unique || present === null : stryMutAct_9fa48("2544") ? false : stryMutAct_9fa48("2543") ? true : (stryCov_9fa48("2543", "2544", "2545"), rules.unique && (stryMutAct_9fa48("2547") ? present !== null : stryMutAct_9fa48("2546") ? true : (stryCov_9fa48("2546", "2547"), present === null)))) ? stryMutAct_9fa48("2548") ? "" : (stryCov_9fa48("2548"), 'outside') : stryMutAct_9fa48("2549") ? "" : (stryCov_9fa48("2549"), 'unchanged');
        const shown = stryMutAct_9fa48("2550") ? present?.shown && null : (stryCov_9fa48("2550"), (stryMutAct_9fa48("2551") ? present.shown : (stryCov_9fa48("2551"), present?.shown)) ?? null);
        return (stryMutAct_9fa48("2554") ? shown === null && beats(rules, sent, shown) : stryMutAct_9fa48("2553") ? false : stryMutAct_9fa48("2552") ? true : (stryCov_9fa48("2552", "2553", "2554"), (stryMutAct_9fa48("2556") ? shown !== null : stryMutAct_9fa48("2555") ? false : (stryCov_9fa48("2555", "2556"), shown === null)) || beats(rules, sent, shown))) ? stryMutAct_9fa48("2557") ? "" : (stryCov_9fa48("2557"), 'show') : stryMutAct_9fa48("2558") ? "" : (stryCov_9fa48("2558"), 'unchanged');
      }
    }
    const {
      id,
      upTo
    } = event.data;
    if (stryMutAct_9fa48("2561") ? !rules.unique || upTo !== null : stryMutAct_9fa48("2560") ? false : stryMutAct_9fa48("2559") ? true : (stryCov_9fa48("2559", "2560", "2561"), (stryMutAct_9fa48("2562") ? rules.unique : (stryCov_9fa48("2562"), !rules.unique)) && (stryMutAct_9fa48("2564") ? upTo === null : stryMutAct_9fa48("2563") ? true : (stryCov_9fa48("2563", "2564"), upTo !== null)))) return stryMutAct_9fa48("2565") ? "" : (stryCov_9fa48("2565"), 'remove all');
    if (stryMutAct_9fa48("2568") ? present !== null : stryMutAct_9fa48("2567") ? false : stryMutAct_9fa48("2566") ? true : (stryCov_9fa48("2566", "2567", "2568"), present === null)) return stryMutAct_9fa48("2569") ? "" : (stryCov_9fa48("2569"), 'unchanged');
    if (stryMutAct_9fa48("2572") ? !rules.unique && upTo !== null : stryMutAct_9fa48("2571") ? false : stryMutAct_9fa48("2570") ? true : (stryCov_9fa48("2570", "2571", "2572"), (stryMutAct_9fa48("2573") ? rules.unique : (stryCov_9fa48("2573"), !rules.unique)) || (stryMutAct_9fa48("2575") ? upTo === null : stryMutAct_9fa48("2574") ? false : (stryCov_9fa48("2574", "2575"), upTo !== null)))) return stryMutAct_9fa48("2576") ? "" : (stryCov_9fa48("2576"), 'remove');
    const isBehind = stryMutAct_9fa48("2579") ? (present.shownId === undefined || present.shownId === id) && present.id === id : stryMutAct_9fa48("2578") ? false : stryMutAct_9fa48("2577") ? true : (stryCov_9fa48("2577", "2578", "2579"), (stryMutAct_9fa48("2581") ? present.shownId === undefined && present.shownId === id : stryMutAct_9fa48("2580") ? false : (stryCov_9fa48("2580", "2581"), (stryMutAct_9fa48("2583") ? present.shownId !== undefined : stryMutAct_9fa48("2582") ? false : (stryCov_9fa48("2582", "2583"), present.shownId === undefined)) || (stryMutAct_9fa48("2585") ? present.shownId !== id : stryMutAct_9fa48("2584") ? false : (stryCov_9fa48("2584", "2585"), present.shownId === id)))) || (stryMutAct_9fa48("2587") ? present.id !== id : stryMutAct_9fa48("2586") ? false : (stryCov_9fa48("2586", "2587"), present.id === id)));
    return isBehind ? stryMutAct_9fa48("2588") ? "" : (stryCov_9fa48("2588"), 'read the stream') : stryMutAct_9fa48("2589") ? "" : (stryCov_9fa48("2589"), 'unchanged');
  }
}

/**
 * An entry by its player's stream: the submission it began with and the one it shows, of those that no deletion took; null where there
 * is none. `id`: which entry, where each submission is one. O(the stream).
 */
export function entryOfStream(rules: Rules, stream: readonly StoredEvent[], id?: string) {
  if (stryMutAct_9fa48("2590")) {
    {}
  } else {
    stryCov_9fa48("2590");
    const all = submissionsLeft(stream);
    const own = rules.unique ? all : stryMutAct_9fa48("2591") ? all : (stryCov_9fa48("2591"), all.filter(stryMutAct_9fa48("2592") ? () => undefined : (stryCov_9fa48("2592"), ({
      data
    }) => stryMutAct_9fa48("2595") ? data.id !== id : stryMutAct_9fa48("2594") ? false : stryMutAct_9fa48("2593") ? true : (stryCov_9fa48("2593", "2594", "2595"), data.id === id))));
    return stryMutAct_9fa48("2596") ? {} : (stryCov_9fa48("2596"), {
      first: stryMutAct_9fa48("2597") ? own[0] && null : (stryCov_9fa48("2597"), own[0] ?? null),
      best: stryMutAct_9fa48("2598") ? bestOf(rules, own.map(placedOf))?.event && null : (stryCov_9fa48("2598"), (stryMutAct_9fa48("2599") ? bestOf(rules, own.map(placedOf)).event : (stryCov_9fa48("2599"), bestOf(rules, own.map(placedOf))?.event)) ?? null)
    });
  }
}

/** The best within bounds of a player's submissions, which are in the order of their revisions. */
export function bestOf<One extends Placed>(rules: Rules, submissions: readonly One[]): One | null {
  if (stryMutAct_9fa48("2600")) {
    {}
  } else {
    stryCov_9fa48("2600");
    let best: One | null = null;
    for (const one of submissions) {
      if (stryMutAct_9fa48("2601")) {
        {}
      } else {
        stryCov_9fa48("2601");
        if (stryMutAct_9fa48("2604") ? within(rules, one.score) || best === null || outranks(rules, one, best) : stryMutAct_9fa48("2603") ? false : stryMutAct_9fa48("2602") ? true : (stryCov_9fa48("2602", "2603", "2604"), within(rules, one.score) && (stryMutAct_9fa48("2606") ? best === null && outranks(rules, one, best) : stryMutAct_9fa48("2605") ? true : (stryCov_9fa48("2605", "2606"), (stryMutAct_9fa48("2608") ? best !== null : stryMutAct_9fa48("2607") ? false : (stryCov_9fa48("2607", "2608"), best === null)) || outranks(rules, one, best))))) best = one;
      }
    }
    return best;
  }
}

/** The submissions of a player's stream that no deletion in it took, in their order. O(the stream). */
export function submissionsLeft<Event extends {
  readonly type: string;
  readonly revision: number;
  readonly data: object;
}>(stream: readonly Event[]): Event[] {
  if (stryMutAct_9fa48("2609")) {
    {}
  } else {
    stryCov_9fa48("2609");
    let from = 0;
    const gone = new Set<string>();
    for (const {
      type,
      revision,
      data
    } of stream) {
      if (stryMutAct_9fa48("2610")) {
        {}
      } else {
        stryCov_9fa48("2610");
        if (stryMutAct_9fa48("2613") ? type === 'ScoreDeleted' : stryMutAct_9fa48("2612") ? false : stryMutAct_9fa48("2611") ? true : (stryCov_9fa48("2611", "2612", "2613"), type !== (stryMutAct_9fa48("2614") ? "" : (stryCov_9fa48("2614"), 'ScoreDeleted')))) continue;
        const {
          id,
          upTo
        } = data as {
          readonly id: string;
          readonly upTo: number | null;
        };
        if (stryMutAct_9fa48("2617") ? upTo !== null : stryMutAct_9fa48("2616") ? false : stryMutAct_9fa48("2615") ? true : (stryCov_9fa48("2615", "2616", "2617"), upTo === null)) gone.add(id);else from = revision;
      }
    }
    return stryMutAct_9fa48("2618") ? stream : (stryCov_9fa48("2618"), stream.filter(({
      type,
      revision,
      data
    }) => {
      if (stryMutAct_9fa48("2619")) {
        {}
      } else {
        stryCov_9fa48("2619");
        return stryMutAct_9fa48("2622") ? type === 'ScoreSubmitted' && revision >= from || !gone.has((data as {
          readonly id: string;
        }).id) : stryMutAct_9fa48("2621") ? false : stryMutAct_9fa48("2620") ? true : (stryCov_9fa48("2620", "2621", "2622"), (stryMutAct_9fa48("2624") ? type === 'ScoreSubmitted' || revision >= from : stryMutAct_9fa48("2623") ? true : (stryCov_9fa48("2623", "2624"), (stryMutAct_9fa48("2626") ? type !== 'ScoreSubmitted' : stryMutAct_9fa48("2625") ? true : (stryCov_9fa48("2625", "2626"), type === (stryMutAct_9fa48("2627") ? "" : (stryCov_9fa48("2627"), 'ScoreSubmitted')))) && (stryMutAct_9fa48("2630") ? revision < from : stryMutAct_9fa48("2629") ? revision > from : stryMutAct_9fa48("2628") ? true : (stryCov_9fa48("2628", "2629", "2630"), revision >= from)))) && (stryMutAct_9fa48("2631") ? gone.has((data as {
          readonly id: string;
        }).id) : (stryCov_9fa48("2631"), !gone.has((data as {
          readonly id: string;
        }).id))));
      }
    }));
  }
}

/** For `SubmissionsLeft` of a player's submissions. */
export const orderUnder = stryMutAct_9fa48("2632") ? () => undefined : (stryCov_9fa48("2632"), (() => {
  const orderUnder = (rules: Rules) => stryMutAct_9fa48("2633") ? {} : (stryCov_9fa48("2633"), {
    counts: stryMutAct_9fa48("2634") ? () => undefined : (stryCov_9fa48("2634"), ({
      score
    }: Placed) => within(rules, score)),
    isBetter: stryMutAct_9fa48("2635") ? () => undefined : (stryCov_9fa48("2635"), (a: Placed, b: Placed) => (stryMutAct_9fa48("2639") ? a.revision <= b.revision : stryMutAct_9fa48("2638") ? a.revision >= b.revision : stryMutAct_9fa48("2637") ? false : stryMutAct_9fa48("2636") ? true : (stryCov_9fa48("2636", "2637", "2638", "2639"), a.revision > b.revision)) ? outranks(rules, a, b) : stryMutAct_9fa48("2640") ? outranks(rules, b, a) : (stryCov_9fa48("2640"), !outranks(rules, b, a)))
  });
  return orderUnder;
})());

/**
 * Whether a submission replaces an earlier one as the player's best: where it beats it, and where each is an entry also where it
 * ranks before it, which between equals of one millisecond the id decides.
 */
function outranks(rules: Rules, later: Placed, earlier: Placed): boolean {
  if (stryMutAct_9fa48("2641")) {
    {}
  } else {
    stryCov_9fa48("2641");
    if (stryMutAct_9fa48("2643") ? false : stryMutAct_9fa48("2642") ? true : (stryCov_9fa48("2642", "2643"), beats(rules, later, earlier))) return stryMutAct_9fa48("2644") ? false : (stryCov_9fa48("2644"), true);
    if (stryMutAct_9fa48("2647") ? rules.unique && beats(rules, earlier, later) : stryMutAct_9fa48("2646") ? false : stryMutAct_9fa48("2645") ? true : (stryCov_9fa48("2645", "2646", "2647"), rules.unique || beats(rules, earlier, later))) return stryMutAct_9fa48("2648") ? true : (stryCov_9fa48("2648"), false);
    return stryMutAct_9fa48("2651") ? later.time === earlier.time || later.id < earlier.id : stryMutAct_9fa48("2650") ? false : stryMutAct_9fa48("2649") ? true : (stryCov_9fa48("2649", "2650", "2651"), (stryMutAct_9fa48("2653") ? later.time !== earlier.time : stryMutAct_9fa48("2652") ? true : (stryCov_9fa48("2652", "2653"), later.time === earlier.time)) && (stryMutAct_9fa48("2656") ? later.id >= earlier.id : stryMutAct_9fa48("2655") ? later.id <= earlier.id : stryMutAct_9fa48("2654") ? true : (stryCov_9fa48("2654", "2655", "2656"), later.id < earlier.id)));
  }
}
type Scores = Pick<Submission, 'score' | 'secondary'>;

/** Strictly better by score, then by secondary score; having a secondary score is better than having none. */
function beats(rules: Rules, a: Scores, b: Scores): boolean {
  if (stryMutAct_9fa48("2657")) {
    {}
  } else {
    stryCov_9fa48("2657");
    const byScore = inOrder(rules.ordering, a.score, b.score);
    if (stryMutAct_9fa48("2660") ? byScore === 0 : stryMutAct_9fa48("2659") ? false : stryMutAct_9fa48("2658") ? true : (stryCov_9fa48("2658", "2659", "2660"), byScore !== 0)) return stryMutAct_9fa48("2664") ? byScore >= 0 : stryMutAct_9fa48("2663") ? byScore <= 0 : stryMutAct_9fa48("2662") ? false : stryMutAct_9fa48("2661") ? true : (stryCov_9fa48("2661", "2662", "2663", "2664"), byScore < 0);
    if (stryMutAct_9fa48("2667") ? a.secondary !== null : stryMutAct_9fa48("2666") ? false : stryMutAct_9fa48("2665") ? true : (stryCov_9fa48("2665", "2666", "2667"), a.secondary === null)) return stryMutAct_9fa48("2668") ? true : (stryCov_9fa48("2668"), false);
    if (stryMutAct_9fa48("2671") ? b.secondary !== null : stryMutAct_9fa48("2670") ? false : stryMutAct_9fa48("2669") ? true : (stryCov_9fa48("2669", "2670", "2671"), b.secondary === null)) return stryMutAct_9fa48("2672") ? false : (stryCov_9fa48("2672"), true);
    return stryMutAct_9fa48("2676") ? inOrder(rules.secondaryOrdering, a.secondary, b.secondary) >= 0 : stryMutAct_9fa48("2675") ? inOrder(rules.secondaryOrdering, a.secondary, b.secondary) <= 0 : stryMutAct_9fa48("2674") ? false : stryMutAct_9fa48("2673") ? true : (stryCov_9fa48("2673", "2674", "2675", "2676"), inOrder(rules.secondaryOrdering, a.secondary, b.secondary) < 0);
  }
}
function inOrder(ordering: Ordering, a: Decimal, b: Decimal): number {
  if (stryMutAct_9fa48("2677")) {
    {}
  } else {
    stryCov_9fa48("2677");
    return (stryMutAct_9fa48("2680") ? ordering !== 'asc' : stryMutAct_9fa48("2679") ? false : stryMutAct_9fa48("2678") ? true : (stryCov_9fa48("2678", "2679", "2680"), ordering === (stryMutAct_9fa48("2681") ? "" : (stryCov_9fa48("2681"), 'asc')))) ? compareDecimals(a, b) : compareDecimals(b, a);
  }
}

/** Whether a score is inside the board's bounds, both inclusive. */
export function within(rules: Rules, score: Decimal): boolean {
  if (stryMutAct_9fa48("2682")) {
    {}
  } else {
    stryCov_9fa48("2682");
    if (stryMutAct_9fa48("2685") ? rules.minScore !== null || compareDecimals(score, rules.minScore) < 0 : stryMutAct_9fa48("2684") ? false : stryMutAct_9fa48("2683") ? true : (stryCov_9fa48("2683", "2684", "2685"), (stryMutAct_9fa48("2687") ? rules.minScore === null : stryMutAct_9fa48("2686") ? true : (stryCov_9fa48("2686", "2687"), rules.minScore !== null)) && (stryMutAct_9fa48("2690") ? compareDecimals(score, rules.minScore) >= 0 : stryMutAct_9fa48("2689") ? compareDecimals(score, rules.minScore) <= 0 : stryMutAct_9fa48("2688") ? true : (stryCov_9fa48("2688", "2689", "2690"), compareDecimals(score, rules.minScore) < 0)))) return stryMutAct_9fa48("2691") ? true : (stryCov_9fa48("2691"), false);
    return stryMutAct_9fa48("2694") ? rules.maxScore === null && compareDecimals(score, rules.maxScore) <= 0 : stryMutAct_9fa48("2693") ? false : stryMutAct_9fa48("2692") ? true : (stryCov_9fa48("2692", "2693", "2694"), (stryMutAct_9fa48("2696") ? rules.maxScore !== null : stryMutAct_9fa48("2695") ? false : (stryCov_9fa48("2695", "2696"), rules.maxScore === null)) || (stryMutAct_9fa48("2699") ? compareDecimals(score, rules.maxScore) > 0 : stryMutAct_9fa48("2698") ? compareDecimals(score, rules.maxScore) < 0 : stryMutAct_9fa48("2697") ? false : (stryCov_9fa48("2697", "2698", "2699"), compareDecimals(score, rules.maxScore) <= 0)));
  }
}