// A game: its name, who may call from a browser, which sign-in methods are on, and how its rooms are set.
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
import { Refusal } from './decider.ts';
import { streamName } from './streams.ts';
export const gameStream = stryMutAct_9fa48("3009") ? () => undefined : (stryCov_9fa48("3009"), (() => {
  const gameStream = (game: string): string => streamName(stryMutAct_9fa48("3010") ? "" : (stryCov_9fa48("3010"), 'game-'), game);
  return gameStream;
})());
export interface SignIn {
  readonly guest: boolean;
  readonly password: boolean;
  readonly code: boolean;
  readonly ticket: boolean;
}
export interface Realtime {
  readonly enabled: boolean;
  readonly require_player: boolean;
  readonly allow_search: boolean;
  readonly allow_create: boolean;
  readonly max_room_size: number;
  readonly max_rooms: number;
  readonly max_message_bytes: number;
  readonly messages_per_second: number;
}
export interface FixedRoom {
  readonly id: string;
  readonly name: string;
  readonly max_members: number;
  readonly listed: boolean;
}
export interface GameSettings {
  readonly corsOrigins: readonly string[];
  readonly signIn: SignIn;
  readonly realtime: Realtime;
}

/** What the operator allows a game; its tenant does not see it. */
export interface GameLimits {
  /** Bytes that a day's calls may record; null: as many as they like. */
  readonly recordedBytesPerDay: number | null;
  /** Codes mailed in 15 minutes, those to confirmed addresses aside. */
  readonly mailsPerQuarterHour: number;
}

/** Where the operator has set nothing else. */
export const NO_LIMITS: GameLimits = stryMutAct_9fa48("3011") ? {} : (stryCov_9fa48("3011"), {
  recordedBytesPerDay: null,
  mailsPerQuarterHour: 3_000
});
export type GameEvent = {
  readonly type: 'GameLimitsSet';
  readonly data: Partial<GameLimits>;
} | {
  readonly type: 'GameCreated';
  readonly data: {
    readonly name: string;
  };
} | {
  readonly type: 'GameRenamed';
  readonly data: {
    readonly name: string;
  };
} | {
  readonly type: 'GameConfigured';
  readonly data: GameSettings;
} | {
  readonly type: 'FixedRoomsSet';
  readonly data: {
    readonly rooms: readonly FixedRoom[];
  };
} | {
  readonly type: 'GameDeleted';
  readonly data: Readonly<Record<string, never>>;
}
/** No event of the game comes after it; those before it are removed from then on. */ | {
  readonly type: 'GameErasureBegun';
  readonly data: Readonly<Record<string, never>>;
};

/** What is left of a deleted game's events: every reader passes over the others. */
export const LEFT_OF_DELETED: ReadonlySet<string> = new Set<GameEvent['type']>(stryMutAct_9fa48("3012") ? [] : (stryCov_9fa48("3012"), [stryMutAct_9fa48("3013") ? "" : (stryCov_9fa48("3013"), 'GameDeleted'), stryMutAct_9fa48("3014") ? "" : (stryCov_9fa48("3014"), 'GameErasureBegun')]));
export interface Game extends GameSettings {
  readonly name: string;
  readonly created: string;
  readonly fixedRooms: readonly FixedRoom[];
  /** Absent while the operator has set none; only in the stream, no view has them. */
  readonly limits?: GameLimits;
}
export const NEW_GAME: GameSettings = stryMutAct_9fa48("3015") ? {} : (stryCov_9fa48("3015"), {
  corsOrigins: stryMutAct_9fa48("3016") ? ["Stryker was here"] : (stryCov_9fa48("3016"), []),
  signIn: stryMutAct_9fa48("3017") ? {} : (stryCov_9fa48("3017"), {
    guest: stryMutAct_9fa48("3018") ? false : (stryCov_9fa48("3018"), true),
    password: stryMutAct_9fa48("3019") ? false : (stryCov_9fa48("3019"), true),
    code: stryMutAct_9fa48("3020") ? false : (stryCov_9fa48("3020"), true),
    ticket: stryMutAct_9fa48("3021") ? false : (stryCov_9fa48("3021"), true)
  }),
  realtime: stryMutAct_9fa48("3022") ? {} : (stryCov_9fa48("3022"), {
    enabled: stryMutAct_9fa48("3023") ? true : (stryCov_9fa48("3023"), false),
    require_player: stryMutAct_9fa48("3024") ? false : (stryCov_9fa48("3024"), true),
    allow_search: stryMutAct_9fa48("3025") ? false : (stryCov_9fa48("3025"), true),
    allow_create: stryMutAct_9fa48("3026") ? false : (stryCov_9fa48("3026"), true),
    max_room_size: 32,
    max_rooms: 100,
    max_message_bytes: 4096,
    messages_per_second: 20
  })
});
export const game: Aggregate<Game | null, GameEvent> = stryMutAct_9fa48("3027") ? {} : (stryCov_9fa48("3027"), {
  name: stryMutAct_9fa48("3028") ? "" : (stryCov_9fa48("3028"), 'game'),
  initial: null,
  evolve(state, event, moment) {
    if (stryMutAct_9fa48("3029")) {
      {}
    } else {
      stryCov_9fa48("3029");
      if (stryMutAct_9fa48("3032") ? event.type !== 'GameCreated' : stryMutAct_9fa48("3031") ? false : stryMutAct_9fa48("3030") ? true : (stryCov_9fa48("3030", "3031", "3032"), event.type === (stryMutAct_9fa48("3033") ? "" : (stryCov_9fa48("3033"), 'GameCreated')))) {
        if (stryMutAct_9fa48("3034")) {
          {}
        } else {
          stryCov_9fa48("3034");
          return stryMutAct_9fa48("3035") ? {} : (stryCov_9fa48("3035"), {
            ...NEW_GAME,
            name: event.data.name,
            created: moment.time,
            fixedRooms: stryMutAct_9fa48("3036") ? ["Stryker was here"] : (stryCov_9fa48("3036"), [])
          });
        }
      }
      if (stryMutAct_9fa48("3039") ? state !== null : stryMutAct_9fa48("3038") ? false : stryMutAct_9fa48("3037") ? true : (stryCov_9fa48("3037", "3038", "3039"), state === null)) return null;
      switch (event.type) {
        case stryMutAct_9fa48("3041") ? "" : (stryCov_9fa48("3041"), 'GameLimitsSet'):
          if (stryMutAct_9fa48("3040")) {} else {
            stryCov_9fa48("3040");
            return stryMutAct_9fa48("3042") ? {} : (stryCov_9fa48("3042"), {
              ...state,
              limits: stryMutAct_9fa48("3043") ? {} : (stryCov_9fa48("3043"), {
                ...NO_LIMITS,
                ...event.data
              })
            });
          }
        case stryMutAct_9fa48("3045") ? "" : (stryCov_9fa48("3045"), 'GameRenamed'):
          if (stryMutAct_9fa48("3044")) {} else {
            stryCov_9fa48("3044");
            return stryMutAct_9fa48("3046") ? {} : (stryCov_9fa48("3046"), {
              ...state,
              name: event.data.name
            });
          }
        case stryMutAct_9fa48("3048") ? "" : (stryCov_9fa48("3048"), 'GameConfigured'):
          if (stryMutAct_9fa48("3047")) {} else {
            stryCov_9fa48("3047");
            return stryMutAct_9fa48("3049") ? {} : (stryCov_9fa48("3049"), {
              ...state,
              ...event.data
            });
          }
        case stryMutAct_9fa48("3051") ? "" : (stryCov_9fa48("3051"), 'FixedRoomsSet'):
          if (stryMutAct_9fa48("3050")) {} else {
            stryCov_9fa48("3050");
            return stryMutAct_9fa48("3052") ? {} : (stryCov_9fa48("3052"), {
              ...state,
              fixedRooms: event.data.rooms
            });
          }
        case stryMutAct_9fa48("3054") ? "" : (stryCov_9fa48("3054"), 'GameDeleted'):
          if (stryMutAct_9fa48("3053")) {} else {
            stryCov_9fa48("3053");
            return null;
          }
        default:
          if (stryMutAct_9fa48("3055")) {} else {
            stryCov_9fa48("3055");
            return state;
          }
      }
    }
  }
});
export function createGame(name: string): Decision<Game | null, GameEvent> {
  if (stryMutAct_9fa48("3056")) {
    {}
  } else {
    stryCov_9fa48("3056");
    return stryMutAct_9fa48("3057") ? () => undefined : (stryCov_9fa48("3057"), state => (stryMutAct_9fa48("3060") ? state !== null : stryMutAct_9fa48("3059") ? false : stryMutAct_9fa48("3058") ? true : (stryCov_9fa48("3058", "3059", "3060"), state === null)) ? stryMutAct_9fa48("3061") ? [] : (stryCov_9fa48("3061"), [stryMutAct_9fa48("3062") ? {} : (stryCov_9fa48("3062"), {
      type: stryMutAct_9fa48("3063") ? "" : (stryCov_9fa48("3063"), 'GameCreated'),
      data: stryMutAct_9fa48("3064") ? {} : (stryCov_9fa48("3064"), {
        name
      })
    })]) : stryMutAct_9fa48("3065") ? ["Stryker was here"] : (stryCov_9fa48("3065"), []));
  }
}
export interface GameChange {
  readonly name?: string | undefined;
  readonly corsOrigins?: readonly string[] | undefined;
  readonly signIn?: Partial<{ [K in keyof SignIn]: boolean | undefined }> | undefined;
  readonly realtime?: Partial<{ [K in keyof Realtime]: Realtime[K] | undefined }> | undefined;
  readonly fixedRooms?: readonly FixedRoom[] | undefined;
}

/** Changes what is named and leaves the rest; nothing follows from a change to what already stands. */
export function changeGame(change: GameChange, expect: (state: Game) => void): Decision<Game | null, GameEvent> {
  if (stryMutAct_9fa48("3066")) {
    {}
  } else {
    stryCov_9fa48("3066");
    return state => {
      if (stryMutAct_9fa48("3067")) {
        {}
      } else {
        stryCov_9fa48("3067");
        if (stryMutAct_9fa48("3070") ? state !== null : stryMutAct_9fa48("3069") ? false : stryMutAct_9fa48("3068") ? true : (stryCov_9fa48("3068", "3069", "3070"), state === null)) throw noSuchGame();
        expect(state);
        const settings: GameSettings = stryMutAct_9fa48("3071") ? {} : (stryCov_9fa48("3071"), {
          corsOrigins: stryMutAct_9fa48("3072") ? change.corsOrigins && state.corsOrigins : (stryCov_9fa48("3072"), change.corsOrigins ?? state.corsOrigins),
          signIn: laidOver(state.signIn, change.signIn),
          realtime: laidOver(state.realtime, change.realtime)
        });
        const before: GameSettings = stryMutAct_9fa48("3073") ? {} : (stryCov_9fa48("3073"), {
          corsOrigins: state.corsOrigins,
          signIn: state.signIn,
          realtime: state.realtime
        });
        const events: GameEvent[] = stryMutAct_9fa48("3074") ? ["Stryker was here"] : (stryCov_9fa48("3074"), []);
        if (stryMutAct_9fa48("3077") ? change.name !== undefined || change.name !== state.name : stryMutAct_9fa48("3076") ? false : stryMutAct_9fa48("3075") ? true : (stryCov_9fa48("3075", "3076", "3077"), (stryMutAct_9fa48("3079") ? change.name === undefined : stryMutAct_9fa48("3078") ? true : (stryCov_9fa48("3078", "3079"), change.name !== undefined)) && (stryMutAct_9fa48("3081") ? change.name === state.name : stryMutAct_9fa48("3080") ? true : (stryCov_9fa48("3080", "3081"), change.name !== state.name)))) {
          if (stryMutAct_9fa48("3082")) {
            {}
          } else {
            stryCov_9fa48("3082");
            events.push(stryMutAct_9fa48("3083") ? {} : (stryCov_9fa48("3083"), {
              type: stryMutAct_9fa48("3084") ? "" : (stryCov_9fa48("3084"), 'GameRenamed'),
              data: stryMutAct_9fa48("3085") ? {} : (stryCov_9fa48("3085"), {
                name: change.name
              })
            }));
          }
        }
        if (stryMutAct_9fa48("3087") ? false : stryMutAct_9fa48("3086") ? true : (stryCov_9fa48("3086", "3087"), differ(settings, before))) events.push(stryMutAct_9fa48("3088") ? {} : (stryCov_9fa48("3088"), {
          type: stryMutAct_9fa48("3089") ? "" : (stryCov_9fa48("3089"), 'GameConfigured'),
          data: settings
        }));
        if (stryMutAct_9fa48("3092") ? change.fixedRooms !== undefined || differ(change.fixedRooms, state.fixedRooms) : stryMutAct_9fa48("3091") ? false : stryMutAct_9fa48("3090") ? true : (stryCov_9fa48("3090", "3091", "3092"), (stryMutAct_9fa48("3094") ? change.fixedRooms === undefined : stryMutAct_9fa48("3093") ? true : (stryCov_9fa48("3093", "3094"), change.fixedRooms !== undefined)) && differ(change.fixedRooms, state.fixedRooms))) {
          if (stryMutAct_9fa48("3095")) {
            {}
          } else {
            stryCov_9fa48("3095");
            events.push(stryMutAct_9fa48("3096") ? {} : (stryCov_9fa48("3096"), {
              type: stryMutAct_9fa48("3097") ? "" : (stryCov_9fa48("3097"), 'FixedRoomsSet'),
              data: stryMutAct_9fa48("3098") ? {} : (stryCov_9fa48("3098"), {
                rooms: change.fixedRooms
              })
            }));
          }
        }
        return events;
      }
    };
  }
}

/** Changes what is named and leaves the rest. */
export function setLimits(change: { [K in keyof GameLimits]?: GameLimits[K] | undefined }): Decision<Game | null, GameEvent> {
  if (stryMutAct_9fa48("3099")) {
    {}
  } else {
    stryCov_9fa48("3099");
    return state => {
      if (stryMutAct_9fa48("3100")) {
        {}
      } else {
        stryCov_9fa48("3100");
        if (stryMutAct_9fa48("3103") ? state !== null : stryMutAct_9fa48("3102") ? false : stryMutAct_9fa48("3101") ? true : (stryCov_9fa48("3101", "3102", "3103"), state === null)) throw new Refusal(stryMutAct_9fa48("3104") ? "" : (stryCov_9fa48("3104"), 'not_found'), stryMutAct_9fa48("3105") ? "" : (stryCov_9fa48("3105"), 'game_not_found'), stryMutAct_9fa48("3106") ? "" : (stryCov_9fa48("3106"), 'There is no such game.'));
        const before = stryMutAct_9fa48("3107") ? {} : (stryCov_9fa48("3107"), {
          ...NO_LIMITS,
          ...state.limits
        });
        const limits = laidOver(before, change);
        return differ(limits, before) ? stryMutAct_9fa48("3108") ? [] : (stryCov_9fa48("3108"), [stryMutAct_9fa48("3109") ? {} : (stryCov_9fa48("3109"), {
          type: stryMutAct_9fa48("3110") ? "" : (stryCov_9fa48("3110"), 'GameLimitsSet'),
          data: limits
        })]) : stryMutAct_9fa48("3111") ? ["Stryker was here"] : (stryCov_9fa48("3111"), []);
      }
    };
  }
}
function laidOver<T extends object>(base: T, over: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  if (stryMutAct_9fa48("3112")) {
    {}
  } else {
    stryCov_9fa48("3112");
    const result = stryMutAct_9fa48("3113") ? {} : (stryCov_9fa48("3113"), {
      ...base
    });
    if (stryMutAct_9fa48("3116") ? over !== undefined : stryMutAct_9fa48("3115") ? false : stryMutAct_9fa48("3114") ? true : (stryCov_9fa48("3114", "3115", "3116"), over === undefined)) return result;
    for (const key of Object.keys(base) as (keyof T)[]) {
      if (stryMutAct_9fa48("3117")) {
        {}
      } else {
        stryCov_9fa48("3117");
        const value = over[key];
        if (stryMutAct_9fa48("3120") ? value === undefined : stryMutAct_9fa48("3119") ? false : stryMutAct_9fa48("3118") ? true : (stryCov_9fa48("3118", "3119", "3120"), value !== undefined)) result[key] = value;
      }
    }
    return result;
  }
}

/** Values built with the same keys in the same order: their JSON tells them apart. */
function differ(a: unknown, b: unknown): boolean {
  if (stryMutAct_9fa48("3121")) {
    {}
  } else {
    stryCov_9fa48("3121");
    return stryMutAct_9fa48("3124") ? JSON.stringify(a) === JSON.stringify(b) : stryMutAct_9fa48("3123") ? false : stryMutAct_9fa48("3122") ? true : (stryCov_9fa48("3122", "3123", "3124"), JSON.stringify(a) !== JSON.stringify(b));
  }
}

/** 409 `name_mismatch` unless `name` is the game's; 404 where it is deleted already. */
export function deleteGame(name: string): Decision<Game | null, GameEvent> {
  if (stryMutAct_9fa48("3125")) {
    {}
  } else {
    stryCov_9fa48("3125");
    return state => {
      if (stryMutAct_9fa48("3126")) {
        {}
      } else {
        stryCov_9fa48("3126");
        if (stryMutAct_9fa48("3129") ? state !== null : stryMutAct_9fa48("3128") ? false : stryMutAct_9fa48("3127") ? true : (stryCov_9fa48("3127", "3128", "3129"), state === null)) throw noSuchGame();
        if (stryMutAct_9fa48("3132") ? state.name === name : stryMutAct_9fa48("3131") ? false : stryMutAct_9fa48("3130") ? true : (stryCov_9fa48("3130", "3131", "3132"), state.name !== name)) {
          if (stryMutAct_9fa48("3133")) {
            {}
          } else {
            stryCov_9fa48("3133");
            const detail = stryMutAct_9fa48("3134") ? "" : (stryCov_9fa48("3134"), 'The name sent is not this game’s. Nothing was deleted. Send the name exactly as GET /api/gm/ lists it.');
            throw new Refusal(stryMutAct_9fa48("3135") ? "" : (stryCov_9fa48("3135"), 'conflict'), stryMutAct_9fa48("3136") ? "" : (stryCov_9fa48("3136"), 'name_mismatch'), detail);
          }
        }
        return stryMutAct_9fa48("3137") ? [] : (stryCov_9fa48("3137"), [stryMutAct_9fa48("3138") ? {} : (stryCov_9fa48("3138"), {
          type: stryMutAct_9fa48("3139") ? "" : (stryCov_9fa48("3139"), 'GameDeleted'),
          data: {}
        })]);
      }
    };
  }
}

/** Of a deleted game: recorded once, by the process that removes what it had. */
export const beginErasure: Decision<Game | null, GameEvent> = stryMutAct_9fa48("3140") ? () => undefined : (stryCov_9fa48("3140"), (() => {
  const beginErasure: Decision<Game | null, GameEvent> = state => (stryMutAct_9fa48("3143") ? state !== null : stryMutAct_9fa48("3142") ? false : stryMutAct_9fa48("3141") ? true : (stryCov_9fa48("3141", "3142", "3143"), state === null)) ? stryMutAct_9fa48("3144") ? [] : (stryCov_9fa48("3144"), [stryMutAct_9fa48("3145") ? {} : (stryCov_9fa48("3145"), {
    type: stryMutAct_9fa48("3146") ? "" : (stryCov_9fa48("3146"), 'GameErasureBegun'),
    data: {}
  })]) : stryMutAct_9fa48("3147") ? ["Stryker was here"] : (stryCov_9fa48("3147"), []);
  return beginErasure;
})());
export const noSuchGame = stryMutAct_9fa48("3148") ? () => undefined : (stryCov_9fa48("3148"), (() => {
  const noSuchGame = (): Refusal => new Refusal(stryMutAct_9fa48("3149") ? "" : (stryCov_9fa48("3149"), 'not_found'), stryMutAct_9fa48("3150") ? "" : (stryCov_9fa48("3150"), 'game_not_found'), stryMutAct_9fa48("3151") ? "" : (stryCov_9fa48("3151"), 'There is no such game.'));
  return noSuchGame;
})());