// A leaderboard: its name and the rules by which submissions are judged and entries are ordered. Other rules are asked
// for, its entries are recomputed under them beside the present ones (domain/rebuild.ts), and only then are they in
// force.
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
import { checkBounds, type Rules, type RulesChange, rulesAfter, sameRules } from './board-rules.ts';
import type { Aggregate, Decision } from './decider.ts';
import { endRebuild, evolveRebuild, existing, type Generations, type RebuildEvent, requestRebuild, running } from './rebuild.ts';
import { streamName } from './streams.ts';
export const boardStream = stryMutAct_9fa48("3244") ? () => undefined : (stryCov_9fa48("3244"), (() => {
  const boardStream = (board: string): string => streamName(stryMutAct_9fa48("3245") ? "" : (stryCov_9fa48("3245"), 'board-'), board);
  return boardStream;
})());
export type { Rules };
export type LeaderboardEvent = {
  readonly type: 'LeaderboardCreated';
  readonly data: {
    readonly name: string;
    readonly description: string;
    readonly rules: Rules;
  };
} | {
  readonly type: 'LeaderboardDescribed';
  readonly data: {
    readonly name: string;
    readonly description: string;
  };
} | {
  readonly type: 'LeaderboardArchived';
  readonly data: Readonly<Record<string, never>>;
} | RebuildEvent;
export interface Leaderboard extends Generations {
  readonly name: string;
  readonly description: string;
  readonly created: string;
}
export const leaderboard: Aggregate<Leaderboard | null, LeaderboardEvent> = stryMutAct_9fa48("3246") ? {} : (stryCov_9fa48("3246"), {
  name: stryMutAct_9fa48("3247") ? "" : (stryCov_9fa48("3247"), 'leaderboard'),
  initial: null,
  evolve(state, event, moment) {
    if (stryMutAct_9fa48("3248")) {
      {}
    } else {
      stryCov_9fa48("3248");
      if (stryMutAct_9fa48("3251") ? event.type !== 'LeaderboardCreated' : stryMutAct_9fa48("3250") ? false : stryMutAct_9fa48("3249") ? true : (stryCov_9fa48("3249", "3250", "3251"), event.type === (stryMutAct_9fa48("3252") ? "" : (stryCov_9fa48("3252"), 'LeaderboardCreated')))) return stryMutAct_9fa48("3253") ? {} : (stryCov_9fa48("3253"), {
        ...event.data,
        ...ASIDE,
        created: moment.time
      });
      if (stryMutAct_9fa48("3256") ? state !== null : stryMutAct_9fa48("3255") ? false : stryMutAct_9fa48("3254") ? true : (stryCov_9fa48("3254", "3255", "3256"), state === null)) return null;
      switch (event.type) {
        case stryMutAct_9fa48("3258") ? "" : (stryCov_9fa48("3258"), 'LeaderboardDescribed'):
          if (stryMutAct_9fa48("3257")) {} else {
            stryCov_9fa48("3257");
            return stryMutAct_9fa48("3259") ? {} : (stryCov_9fa48("3259"), {
              ...state,
              ...event.data
            });
          }
        case stryMutAct_9fa48("3261") ? "" : (stryCov_9fa48("3261"), 'LeaderboardArchived'):
          if (stryMutAct_9fa48("3260")) {} else {
            stryCov_9fa48("3260");
            return stryMutAct_9fa48("3262") ? {} : (stryCov_9fa48("3262"), {
              ...state,
              archived: stryMutAct_9fa48("3263") ? false : (stryCov_9fa48("3263"), true)
            });
          }
        default:
          if (stryMutAct_9fa48("3264")) {} else {
            stryCov_9fa48("3264");
            return evolveRebuild(state, event, moment);
          }
      }
    }
  }
});
const ASIDE = {
  archived: false,
  generation: 1,
  lastGeneration: 1,
  rebuild: null,
  superseded: []
} as const;
export interface NewLeaderboard {
  readonly name: string;
  readonly description: string;
  readonly rules: Rules;
}
export function createLeaderboard(data: NewLeaderboard): Decision<Leaderboard | null, LeaderboardEvent> {
  if (stryMutAct_9fa48("3265")) {
    {}
  } else {
    stryCov_9fa48("3265");
    checkBounds(data.rules);
    return stryMutAct_9fa48("3266") ? () => undefined : (stryCov_9fa48("3266"), state => (stryMutAct_9fa48("3269") ? state !== null : stryMutAct_9fa48("3268") ? false : stryMutAct_9fa48("3267") ? true : (stryCov_9fa48("3267", "3268", "3269"), state === null)) ? stryMutAct_9fa48("3270") ? [] : (stryCov_9fa48("3270"), [stryMutAct_9fa48("3271") ? {} : (stryCov_9fa48("3271"), {
      type: stryMutAct_9fa48("3272") ? "" : (stryCov_9fa48("3272"), 'LeaderboardCreated'),
      data
    })]) : stryMutAct_9fa48("3273") ? ["Stryker was here"] : (stryCov_9fa48("3273"), []));
  }
}
export interface LeaderboardChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly rules?: RulesChange | undefined;
}

/**
 * Changes name and description; for other rules than those in force a rebuild under `id` is asked for. Those that a
 * running rebuild brings already change nothing more; any others while one runs: 409 `rebuild_running`.
 */
export function changeLeaderboard(change: LeaderboardChange, id: string, expect: (state: Leaderboard) => void): Decision<Leaderboard | null, LeaderboardEvent> {
  if (stryMutAct_9fa48("3274")) {
    {}
  } else {
    stryCov_9fa48("3274");
    return state => {
      if (stryMutAct_9fa48("3275")) {
        {}
      } else {
        stryCov_9fa48("3275");
        const present = existing(state);
        expect(present);
        const events: LeaderboardEvent[] = stryMutAct_9fa48("3276") ? ["Stryker was here"] : (stryCov_9fa48("3276"), []);
        const name = stryMutAct_9fa48("3277") ? change.name && present.name : (stryCov_9fa48("3277"), change.name ?? present.name);
        const description = stryMutAct_9fa48("3278") ? change.description && present.description : (stryCov_9fa48("3278"), change.description ?? present.description);
        if (stryMutAct_9fa48("3281") ? name !== present.name && description !== present.description : stryMutAct_9fa48("3280") ? false : stryMutAct_9fa48("3279") ? true : (stryCov_9fa48("3279", "3280", "3281"), (stryMutAct_9fa48("3283") ? name === present.name : stryMutAct_9fa48("3282") ? false : (stryCov_9fa48("3282", "3283"), name !== present.name)) || (stryMutAct_9fa48("3285") ? description === present.description : stryMutAct_9fa48("3284") ? false : (stryCov_9fa48("3284", "3285"), description !== present.description)))) {
          if (stryMutAct_9fa48("3286")) {
            {}
          } else {
            stryCov_9fa48("3286");
            events.push(stryMutAct_9fa48("3287") ? {} : (stryCov_9fa48("3287"), {
              type: stryMutAct_9fa48("3288") ? "" : (stryCov_9fa48("3288"), 'LeaderboardDescribed'),
              data: stryMutAct_9fa48("3289") ? {} : (stryCov_9fa48("3289"), {
                name,
                description
              })
            }));
          }
        }
        const wanted = stryMutAct_9fa48("3290") ? change.rules && {} : (stryCov_9fa48("3290"), change.rules ?? {});
        const rules = rulesAfter(present.rules, wanted);
        if (stryMutAct_9fa48("3293") ? Object.values(wanted).every(rule => rule !== undefined) : stryMutAct_9fa48("3292") ? false : stryMutAct_9fa48("3291") ? true : (stryCov_9fa48("3291", "3292", "3293"), Object.values(wanted).some(stryMutAct_9fa48("3294") ? () => undefined : (stryCov_9fa48("3294"), rule => stryMutAct_9fa48("3297") ? rule === undefined : stryMutAct_9fa48("3296") ? false : stryMutAct_9fa48("3295") ? true : (stryCov_9fa48("3295", "3296", "3297"), rule !== undefined))))) events.push(...requestRules(present, rules, id));
        return events;
      }
    };
  }
}
function requestRules(present: Leaderboard, rules: Rules, id: string): readonly RebuildEvent[] {
  if (stryMutAct_9fa48("3298")) {
    {}
  } else {
    stryCov_9fa48("3298");
    const coming = stryMutAct_9fa48("3299") ? running(present)?.rules && present.rules : (stryCov_9fa48("3299"), (stryMutAct_9fa48("3300") ? running(present).rules : (stryCov_9fa48("3300"), running(present)?.rules)) ?? present.rules);
    return sameRules(rules, coming) ? stryMutAct_9fa48("3301") ? ["Stryker was here"] : (stryCov_9fa48("3301"), []) : requestRebuild(present, rules, id);
  }
}

/** A rebuild that runs is cancelled by it, so that what is built of it is removed. */
export const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = stryMutAct_9fa48("3302") ? () => undefined : (stryCov_9fa48("3302"), (() => {
  const archiveLeaderboard: Decision<Leaderboard | null, LeaderboardEvent> = state => stryMutAct_9fa48("3303") ? [] : (stryCov_9fa48("3303"), [...endRebuild(existing(state)), stryMutAct_9fa48("3304") ? {} : (stryCov_9fa48("3304"), {
    type: stryMutAct_9fa48("3305") ? "" : (stryCov_9fa48("3305"), 'LeaderboardArchived'),
    data: {}
  })]);
  return archiveLeaderboard;
})());