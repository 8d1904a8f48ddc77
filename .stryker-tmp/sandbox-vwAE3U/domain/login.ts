// What a player signs in by: a login or an e-mail address, each claimed on a stream of its own, so that of all who want
// it one gets it. The log shows neither: only keyed hashes of them.
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
export type LoginKind = 'login' | 'email';

/** `digest` is a keyed hash of the login. */
export const loginStream = stryMutAct_9fa48("3344") ? () => undefined : (stryCov_9fa48("3344"), (() => {
  const loginStream = (game: string, digest: string): string => streamName(stryMutAct_9fa48("3345") ? "" : (stryCov_9fa48("3345"), 'login-'), game, digest);
  return loginStream;
})());

/** `digest` is a keyed hash of the address. */
export const mailStream = stryMutAct_9fa48("3346") ? () => undefined : (stryCov_9fa48("3346"), (() => {
  const mailStream = (game: string, digest: string): string => streamName(stryMutAct_9fa48("3347") ? "" : (stryCov_9fa48("3347"), 'mail-'), game, digest);
  return mailStream;
})());
export interface LoginClaimedData {
  readonly kind: LoginKind;
  readonly player: string;
  /** Under this id the vault keeps what belongs to it: a password's hash, the address. */
  readonly secret: string;
  /** Whether the player is made by the claim, or was there before. */
  readonly makes: boolean;
  /** What a player is made with, or renamed to; null: as they are. Sealed in the log. */
  readonly name: string | null;
  /** A login's: hash of the address that was given with it. */
  readonly email: string | null;
}

/** Its owner releases it. */
interface LoginReleasedData {
  readonly player: string;
}

/**
 * Before the vault is given anything for a claim: what it is given under this id is nothing's where no claim follows.
 */
export interface LoginBegunData {
  readonly secret: string;
}
export type LoginEvent = {
  readonly type: 'LoginBegun';
  readonly data: LoginBegunData;
} | {
  readonly type: 'LoginClaimed';
  readonly data: LoginClaimedData;
} | {
  readonly type: 'LoginReleased';
  readonly data: LoginReleasedData;
} | {
  readonly type: 'LoginContested';
  readonly data: LoginReleasedData;
};

/** Who holds a login or an address of a game; null while nobody does. */
export const login: Aggregate<LoginClaimedData | null, LoginEvent> = stryMutAct_9fa48("3348") ? {} : (stryCov_9fa48("3348"), {
  name: stryMutAct_9fa48("3349") ? "" : (stryCov_9fa48("3349"), 'login'),
  initial: null,
  evolve(state, event) {
    if (stryMutAct_9fa48("3350")) {
      {}
    } else {
      stryCov_9fa48("3350");
      if (stryMutAct_9fa48("3353") ? event.type !== 'LoginClaimed' : stryMutAct_9fa48("3352") ? false : stryMutAct_9fa48("3351") ? true : (stryCov_9fa48("3351", "3352", "3353"), event.type === (stryMutAct_9fa48("3354") ? "" : (stryCov_9fa48("3354"), 'LoginClaimed')))) return event.data;
      return (stryMutAct_9fa48("3357") ? event.type !== 'LoginReleased' : stryMutAct_9fa48("3356") ? false : stryMutAct_9fa48("3355") ? true : (stryCov_9fa48("3355", "3356", "3357"), event.type === (stryMutAct_9fa48("3358") ? "" : (stryCov_9fa48("3358"), 'LoginReleased')))) ? null : state;
    }
  }
});

/** Recorded each time that a claim is begun. 409 `login_taken` where it is somebody's under another secret. */
export function beginClaim(secret: string): Decision<LoginClaimedData | null, LoginEvent> {
  if (stryMutAct_9fa48("3359")) {
    {}
  } else {
    stryCov_9fa48("3359");
    return state => {
      if (stryMutAct_9fa48("3360")) {
        {}
      } else {
        stryCov_9fa48("3360");
        if (stryMutAct_9fa48("3363") ? state !== null : stryMutAct_9fa48("3362") ? false : stryMutAct_9fa48("3361") ? true : (stryCov_9fa48("3361", "3362", "3363"), state === null)) return stryMutAct_9fa48("3364") ? [] : (stryCov_9fa48("3364"), [stryMutAct_9fa48("3365") ? {} : (stryCov_9fa48("3365"), {
          type: stryMutAct_9fa48("3366") ? "" : (stryCov_9fa48("3366"), 'LoginBegun'),
          data: stryMutAct_9fa48("3367") ? {} : (stryCov_9fa48("3367"), {
            secret
          })
        })]);
        if (stryMutAct_9fa48("3370") ? state.secret !== secret : stryMutAct_9fa48("3369") ? false : stryMutAct_9fa48("3368") ? true : (stryCov_9fa48("3368", "3369", "3370"), state.secret === secret)) return stryMutAct_9fa48("3371") ? ["Stryker was here"] : (stryCov_9fa48("3371"), []);
        throw loginTaken();
      }
    };
  }
}

/** 409 `login_taken` where it is somebody's. */
export function claimLogin(data: LoginClaimedData): Decision<LoginClaimedData | null, LoginEvent> {
  if (stryMutAct_9fa48("3372")) {
    {}
  } else {
    stryCov_9fa48("3372");
    return state => {
      if (stryMutAct_9fa48("3373")) {
        {}
      } else {
        stryCov_9fa48("3373");
        if (stryMutAct_9fa48("3376") ? state !== null : stryMutAct_9fa48("3375") ? false : stryMutAct_9fa48("3374") ? true : (stryCov_9fa48("3374", "3375", "3376"), state === null)) return stryMutAct_9fa48("3377") ? [] : (stryCov_9fa48("3377"), [stryMutAct_9fa48("3378") ? {} : (stryCov_9fa48("3378"), {
          type: stryMutAct_9fa48("3379") ? "" : (stryCov_9fa48("3379"), 'LoginClaimed'),
          data
        })]);
        if (stryMutAct_9fa48("3382") ? state.secret !== data.secret : stryMutAct_9fa48("3381") ? false : stryMutAct_9fa48("3380") ? true : (stryCov_9fa48("3380", "3381", "3382"), state.secret === data.secret)) return stryMutAct_9fa48("3383") ? ["Stryker was here"] : (stryCov_9fa48("3383"), []);
        throw loginTaken();
      }
    };
  }
}
export function loginTaken(): Refusal {
  if (stryMutAct_9fa48("3384")) {
    {}
  } else {
    stryCov_9fa48("3384");
    const detail = stryMutAct_9fa48("3385") ? "" : (stryCov_9fa48("3385"), 'A player of this game already has this login. Choose another one.');
    return new Refusal(stryMutAct_9fa48("3386") ? "" : (stryCov_9fa48("3386"), 'conflict'), stryMutAct_9fa48("3387") ? "" : (stryCov_9fa48("3387"), 'login_taken'), detail);
  }
}

/**
 * Claims an address if it is free, and for a caller who waits records as much if it is taken: someone who registers must
 * not learn, by the answer or by its time, whose address is known.
 */
export function claimEmail(data: LoginClaimedData, isWaitedFor: boolean): Decision<LoginClaimedData | null, LoginEvent> {
  if (stryMutAct_9fa48("3388")) {
    {}
  } else {
    stryCov_9fa48("3388");
    return state => {
      if (stryMutAct_9fa48("3389")) {
        {}
      } else {
        stryCov_9fa48("3389");
        if (stryMutAct_9fa48("3392") ? state !== null : stryMutAct_9fa48("3391") ? false : stryMutAct_9fa48("3390") ? true : (stryCov_9fa48("3390", "3391", "3392"), state === null)) return stryMutAct_9fa48("3393") ? [] : (stryCov_9fa48("3393"), [stryMutAct_9fa48("3394") ? {} : (stryCov_9fa48("3394"), {
          type: stryMutAct_9fa48("3395") ? "" : (stryCov_9fa48("3395"), 'LoginClaimed'),
          data
        })]);
        if (stryMutAct_9fa48("3398") ? state.secret === data.secret && !isWaitedFor : stryMutAct_9fa48("3397") ? false : stryMutAct_9fa48("3396") ? true : (stryCov_9fa48("3396", "3397", "3398"), (stryMutAct_9fa48("3400") ? state.secret !== data.secret : stryMutAct_9fa48("3399") ? false : (stryCov_9fa48("3399", "3400"), state.secret === data.secret)) || (stryMutAct_9fa48("3401") ? isWaitedFor : (stryCov_9fa48("3401"), !isWaitedFor)))) return stryMutAct_9fa48("3402") ? ["Stryker was here"] : (stryCov_9fa48("3402"), []);
        return stryMutAct_9fa48("3403") ? [] : (stryCov_9fa48("3403"), [stryMutAct_9fa48("3404") ? {} : (stryCov_9fa48("3404"), {
          type: stryMutAct_9fa48("3405") ? "" : (stryCov_9fa48("3405"), 'LoginContested'),
          data: stryMutAct_9fa48("3406") ? {} : (stryCov_9fa48("3406"), {
            player: data.player
          })
        })]);
      }
    };
  }
}

/** Frees what was claimed under this secret; anybody else's stays. */
export function releaseLogin(secret: string): Decision<LoginClaimedData | null, LoginEvent> {
  if (stryMutAct_9fa48("3407")) {
    {}
  } else {
    stryCov_9fa48("3407");
    return stryMutAct_9fa48("3408") ? () => undefined : (stryCov_9fa48("3408"), state => (stryMutAct_9fa48("3411") ? state?.secret !== secret : stryMutAct_9fa48("3410") ? false : stryMutAct_9fa48("3409") ? true : (stryCov_9fa48("3409", "3410", "3411"), (stryMutAct_9fa48("3412") ? state.secret : (stryCov_9fa48("3412"), state?.secret)) === secret)) ? stryMutAct_9fa48("3413") ? [] : (stryCov_9fa48("3413"), [stryMutAct_9fa48("3414") ? {} : (stryCov_9fa48("3414"), {
      type: stryMutAct_9fa48("3415") ? "" : (stryCov_9fa48("3415"), 'LoginReleased'),
      data: stryMutAct_9fa48("3416") ? {} : (stryCov_9fa48("3416"), {
        player: state.player
      })
    })]) : stryMutAct_9fa48("3417") ? ["Stryker was here"] : (stryCov_9fa48("3417"), []));
  }
}