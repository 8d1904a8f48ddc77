// Which games were deleted, in one stream of the installation: it holds their ids alone, and says of a game that it is gone
// when its own events are no longer there to say so. One more stream for each such game names the secrets that it had.
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
import type { Aggregate, Decision } from './decider.ts';
import { streamName } from './streams.ts';
export const deletionsStream = stryMutAct_9fa48("2479") ? () => undefined : (stryCov_9fa48("2479"), (() => {
  const deletionsStream = (list: string): string => streamName(stryMutAct_9fa48("2480") ? "" : (stryCov_9fa48("2480"), 'deletions-'), list);
  return deletionsStream;
})());
export const DELETED_GAMES_STREAM = deletionsStream(stryMutAct_9fa48("2481") ? "" : (stryCov_9fa48("2481"), 'games'));
export type DeletedGamesEvent = {
  readonly type: 'GameDeletionListed';
  readonly data: {
    readonly game: string;
  };
}
/** Everything of the game is removed. `events`: how many it had. */ | {
  readonly type: 'GameErased';
  readonly data: {
    readonly game: string;
    readonly events: number;
  };
};

/** Game -> whether everything of it is removed. */
export type DeletedGamesState = Readonly<Record<string, boolean>>;
export const deletedGames: Aggregate<DeletedGamesState, DeletedGamesEvent> = stryMutAct_9fa48("2482") ? {} : (stryCov_9fa48("2482"), {
  name: stryMutAct_9fa48("2483") ? "" : (stryCov_9fa48("2483"), 'deleted games'),
  initial: {},
  evolve(state, event) {
    if (stryMutAct_9fa48("2484")) {
      {}
    } else {
      stryCov_9fa48("2484");
      switch (event.type) {
        case stryMutAct_9fa48("2486") ? "" : (stryCov_9fa48("2486"), 'GameDeletionListed'):
          if (stryMutAct_9fa48("2485")) {} else {
            stryCov_9fa48("2485");
            return stryMutAct_9fa48("2487") ? {} : (stryCov_9fa48("2487"), {
              ...state,
              [event.data.game]: stryMutAct_9fa48("2488") ? state[event.data.game] && false : (stryCov_9fa48("2488"), state[event.data.game] ?? (stryMutAct_9fa48("2489") ? true : (stryCov_9fa48("2489"), false)))
            });
          }
        case stryMutAct_9fa48("2491") ? "" : (stryCov_9fa48("2491"), 'GameErased'):
          if (stryMutAct_9fa48("2490")) {} else {
            stryCov_9fa48("2490");
            return stryMutAct_9fa48("2492") ? {} : (stryCov_9fa48("2492"), {
              ...state,
              [event.data.game]: stryMutAct_9fa48("2493") ? false : (stryCov_9fa48("2493"), true)
            });
          }
        default:
          if (stryMutAct_9fa48("2494")) {} else {
            stryCov_9fa48("2494");
            return state;
          }
      }
    }
  }
});
export function listDeletion(game: string): Decision<DeletedGamesState, DeletedGamesEvent> {
  if (stryMutAct_9fa48("2495")) {
    {}
  } else {
    stryCov_9fa48("2495");
    return stryMutAct_9fa48("2496") ? () => undefined : (stryCov_9fa48("2496"), state => game in state ? stryMutAct_9fa48("2497") ? ["Stryker was here"] : (stryCov_9fa48("2497"), []) : stryMutAct_9fa48("2498") ? [] : (stryCov_9fa48("2498"), [stryMutAct_9fa48("2499") ? {} : (stryCov_9fa48("2499"), {
      type: stryMutAct_9fa48("2500") ? "" : (stryCov_9fa48("2500"), 'GameDeletionListed'),
      data: stryMutAct_9fa48("2501") ? {} : (stryCov_9fa48("2501"), {
        game
      })
    })]));
  }
}
export function recordErased(game: string, events: number): Decision<DeletedGamesState, DeletedGamesEvent> {
  if (stryMutAct_9fa48("2502")) {
    {}
  } else {
    stryCov_9fa48("2502");
    return stryMutAct_9fa48("2503") ? () => undefined : (stryCov_9fa48("2503"), state => (stryMutAct_9fa48("2506") ? state[game] !== true : stryMutAct_9fa48("2505") ? false : stryMutAct_9fa48("2504") ? true : (stryCov_9fa48("2504", "2505", "2506"), state[game] === (stryMutAct_9fa48("2507") ? false : (stryCov_9fa48("2507"), true)))) ? stryMutAct_9fa48("2508") ? ["Stryker was here"] : (stryCov_9fa48("2508"), []) : stryMutAct_9fa48("2509") ? [] : (stryCov_9fa48("2509"), [stryMutAct_9fa48("2510") ? {} : (stryCov_9fa48("2510"), {
      type: stryMutAct_9fa48("2511") ? "" : (stryCov_9fa48("2511"), 'GameErased'),
      data: stryMutAct_9fa48("2512") ? {} : (stryCov_9fa48("2512"), {
        game,
        events
      })
    })]));
  }
}

/** Kinds of secrets that a game has in the vault. */
export type GameSecretKind = 'key-secret' | 'refresh-token' | 'guest-token' | 'password' | 'login' | 'email' | 'player-key';

/** Kind -> ids. */
export type GameSecrets = { readonly [K in GameSecretKind]?: readonly string[] };

/**
 * In the stream `deletions-<game>`, before the events that name these secrets are removed: a vault that is restored from an older
 * copy holds the secrets again, and nothing else names them.
 */
export interface GameSecretsListed {
  readonly type: 'GameSecretsListed';
  readonly data: {
    readonly secrets: GameSecrets;
  };
}

/** The latest list. */
export const gameSecrets: Aggregate<GameSecrets | null, GameSecretsListed> = stryMutAct_9fa48("2513") ? {} : (stryCov_9fa48("2513"), {
  name: stryMutAct_9fa48("2514") ? "" : (stryCov_9fa48("2514"), 'secrets of a deleted game'),
  initial: null,
  evolve: stryMutAct_9fa48("2515") ? () => undefined : (stryCov_9fa48("2515"), (state, event) => (stryMutAct_9fa48("2518") ? event.type !== 'GameSecretsListed' : stryMutAct_9fa48("2517") ? false : stryMutAct_9fa48("2516") ? true : (stryCov_9fa48("2516", "2517", "2518"), event.type === (stryMutAct_9fa48("2519") ? "" : (stryCov_9fa48("2519"), 'GameSecretsListed')))) ? event.data.secrets : state)
});

/** Nothing where the latest list is the same: a removal that was interrupted reads the same events again. */
export function listSecrets(secrets: GameSecrets): Decision<GameSecrets | null, GameSecretsListed> {
  if (stryMutAct_9fa48("2520")) {
    {}
  } else {
    stryCov_9fa48("2520");
    return stryMutAct_9fa48("2521") ? () => undefined : (stryCov_9fa48("2521"), latest => (stryMutAct_9fa48("2524") ? Object.keys(secrets).length === 0 && JSON.stringify(latest) === JSON.stringify(secrets) : stryMutAct_9fa48("2523") ? false : stryMutAct_9fa48("2522") ? true : (stryCov_9fa48("2522", "2523", "2524"), (stryMutAct_9fa48("2526") ? Object.keys(secrets).length !== 0 : stryMutAct_9fa48("2525") ? false : (stryCov_9fa48("2525", "2526"), Object.keys(secrets).length === 0)) || (stryMutAct_9fa48("2528") ? JSON.stringify(latest) !== JSON.stringify(secrets) : stryMutAct_9fa48("2527") ? false : (stryCov_9fa48("2527", "2528"), JSON.stringify(latest) === JSON.stringify(secrets))))) ? stryMutAct_9fa48("2529") ? ["Stryker was here"] : (stryCov_9fa48("2529"), []) : stryMutAct_9fa48("2530") ? [] : (stryCov_9fa48("2530"), [stryMutAct_9fa48("2531") ? {} : (stryCov_9fa48("2531"), {
      type: stryMutAct_9fa48("2532") ? "" : (stryCov_9fa48("2532"), 'GameSecretsListed'),
      data: stryMutAct_9fa48("2533") ? {} : (stryCov_9fa48("2533"), {
        secrets
      })
    })]));
  }
}