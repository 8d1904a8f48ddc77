// A player of a game: made, named, banned for a time or for good, deleted for ever; and the claim that makes an
// external id belong to one player only.
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
import { confirmed, type Link, type LinkEvent, type Linked, linked } from './links.ts';
import { streamName } from './streams.ts';
export const playerStream = stryMutAct_9fa48("3482") ? () => undefined : (stryCov_9fa48("3482"), (() => {
  const playerStream = (player: string): string => streamName(stryMutAct_9fa48("3483") ? "" : (stryCov_9fa48("3483"), 'player-'), player);
  return playerStream;
})());

/** `digest` is a keyed hash of the external id, so that the log does not show it. */
export const externalStream = stryMutAct_9fa48("3484") ? () => undefined : (stryCov_9fa48("3484"), (() => {
  const externalStream = (game: string, digest: string): string => streamName(stryMutAct_9fa48("3485") ? "" : (stryCov_9fa48("3485"), 'external-'), game, digest);
  return externalStream;
})());
export interface PlayerCreatedData {
  /** Sealed in the log; null once the player is deleted. */
  readonly name: string | null;
  readonly guest: boolean;
  /** Sealed in the log. */
  readonly externalId: string | null;
}
export interface PlayerBannedData {
  /** When a process ends it (ISO 8601, UTC, milliseconds); null: not by itself. */
  readonly until: string | null;
  /** The tenant's own words, for people. */
  readonly reason: string | null;
}
export interface PlayerDeletedData {
  /** Digest in the name of the stream where the player's external id is claimed, so that it can be released unread. */
  readonly external: string | null;
  /** Likewise their logins and addresses, with what the vault keeps for them. */
  readonly links: readonly Pick<Link, 'kind' | 'digest' | 'secret'>[];
}
export interface PlayerSignedOutData {
  /** How often that was, with this time: every session that began after fewer is over. */
  readonly times: number;
  /**
   * How many were open that it ended: what the call is answered, however often. Absent from
   * those before this was counted.
   */
  readonly sessions?: number;
}
export type PlayerEvent = {
  readonly type: 'PlayerCreated';
  readonly data: PlayerCreatedData;
} | {
  readonly type: 'PlayerNamed';
  readonly data: {
    readonly name: string | null;
  };
} | {
  readonly type: 'PlayerBanned';
  readonly data: PlayerBannedData;
} | {
  readonly type: 'PlayerUnbanned';
  readonly data: Readonly<Record<string, never>>;
} | {
  readonly type: 'PlayerDeleted';
  readonly data: PlayerDeletedData;
} | {
  readonly type: 'PlayerSignedOut';
  readonly data: PlayerSignedOutData;
} | LinkEvent;
interface Ban extends PlayerBannedData {
  /** When the player was banned, however often its end and reason were changed since. */
  readonly since: string;
}
export interface Player extends PlayerCreatedData, Linked {
  readonly created: string;
  /** Stands until the event that ends it, also where its end has passed. */
  readonly banned: Ban | null;
  readonly deleted: boolean;
  /** How often they were signed out everywhere. A count, as clocks of nodes differ and the views lag. */
  readonly signOuts: number;
}

/** What of a player's state decides whether they may act: nothing that they wrote. */
export function statusOf({
  banned,
  deleted,
  signOuts
}: Player) {
  if (stryMutAct_9fa48("3486")) {
    {}
  } else {
    stryCov_9fa48("3486");
    return stryMutAct_9fa48("3487") ? {} : (stryCov_9fa48("3487"), {
      banned: (stryMutAct_9fa48("3490") ? banned !== null : stryMutAct_9fa48("3489") ? false : stryMutAct_9fa48("3488") ? true : (stryCov_9fa48("3488", "3489", "3490"), banned === null)) ? null : stryMutAct_9fa48("3491") ? {} : (stryCov_9fa48("3491"), {
        until: banned.until,
        reason: banned.reason
      }),
      deleted,
      signOuts
    });
  }
}
const NEW = stryMutAct_9fa48("3492") ? {} : (stryCov_9fa48("3492"), {
  banned: null,
  deleted: stryMutAct_9fa48("3493") ? true : (stryCov_9fa48("3493"), false),
  links: stryMutAct_9fa48("3494") ? ["Stryker was here"] : (stryCov_9fa48("3494"), []),
  takenOver: null,
  signOuts: 0
});
export const player: Aggregate<Player | null, PlayerEvent> = stryMutAct_9fa48("3495") ? {} : (stryCov_9fa48("3495"), {
  name: stryMutAct_9fa48("3496") ? "" : (stryCov_9fa48("3496"), 'player'),
  initial: null,
  evolve(state, event, moment) {
    if (stryMutAct_9fa48("3497")) {
      {}
    } else {
      stryCov_9fa48("3497");
      if (stryMutAct_9fa48("3500") ? event.type !== 'PlayerCreated' : stryMutAct_9fa48("3499") ? false : stryMutAct_9fa48("3498") ? true : (stryCov_9fa48("3498", "3499", "3500"), event.type === (stryMutAct_9fa48("3501") ? "" : (stryCov_9fa48("3501"), 'PlayerCreated')))) return stryMutAct_9fa48("3502") ? {} : (stryCov_9fa48("3502"), {
        ...event.data,
        created: moment.time,
        ...NEW
      });
      if (stryMutAct_9fa48("3505") ? state !== null : stryMutAct_9fa48("3504") ? false : stryMutAct_9fa48("3503") ? true : (stryCov_9fa48("3503", "3504", "3505"), state === null)) return null;
      switch (event.type) {
        case stryMutAct_9fa48("3507") ? "" : (stryCov_9fa48("3507"), 'PlayerNamed'):
          if (stryMutAct_9fa48("3506")) {} else {
            stryCov_9fa48("3506");
            return stryMutAct_9fa48("3508") ? {} : (stryCov_9fa48("3508"), {
              ...state,
              name: event.data.name
            });
          }
        case stryMutAct_9fa48("3510") ? "" : (stryCov_9fa48("3510"), 'PlayerBanned'):
          if (stryMutAct_9fa48("3509")) {} else {
            stryCov_9fa48("3509");
            return stryMutAct_9fa48("3511") ? {} : (stryCov_9fa48("3511"), {
              ...state,
              banned: stryMutAct_9fa48("3512") ? {} : (stryCov_9fa48("3512"), {
                since: stryMutAct_9fa48("3513") ? state.banned?.since && moment.time : (stryCov_9fa48("3513"), (stryMutAct_9fa48("3514") ? state.banned.since : (stryCov_9fa48("3514"), state.banned?.since)) ?? moment.time),
                ...event.data
              })
            });
          }
        case stryMutAct_9fa48("3516") ? "" : (stryCov_9fa48("3516"), 'PlayerUnbanned'):
          if (stryMutAct_9fa48("3515")) {} else {
            stryCov_9fa48("3515");
            return stryMutAct_9fa48("3517") ? {} : (stryCov_9fa48("3517"), {
              ...state,
              banned: null
            });
          }
        case stryMutAct_9fa48("3519") ? "" : (stryCov_9fa48("3519"), 'PlayerDeleted'):
          if (stryMutAct_9fa48("3518")) {} else {
            stryCov_9fa48("3518");
            return stryMutAct_9fa48("3520") ? {} : (stryCov_9fa48("3520"), {
              ...state,
              name: null,
              externalId: null,
              banned: null,
              deleted: stryMutAct_9fa48("3521") ? false : (stryCov_9fa48("3521"), true),
              links: stryMutAct_9fa48("3522") ? ["Stryker was here"] : (stryCov_9fa48("3522"), [])
            });
          }
        case stryMutAct_9fa48("3524") ? "" : (stryCov_9fa48("3524"), 'PlayerSignedOut'):
          if (stryMutAct_9fa48("3523")) {} else {
            stryCov_9fa48("3523");
            return stryMutAct_9fa48("3525") ? {} : (stryCov_9fa48("3525"), {
              ...state,
              signOuts: event.data.times
            });
          }
        case stryMutAct_9fa48("3527") ? "" : (stryCov_9fa48("3527"), 'PlayerLinked'):
          if (stryMutAct_9fa48("3526")) {} else {
            stryCov_9fa48("3526");
            return linked(state, event.data);
          }
        case stryMutAct_9fa48("3529") ? "" : (stryCov_9fa48("3529"), 'PlayerEmailConfirmed'):
          if (stryMutAct_9fa48("3528")) {} else {
            stryCov_9fa48("3528");
            return confirmed(state, event.data, moment.time);
          }
        default:
          if (stryMutAct_9fa48("3530")) {} else {
            stryCov_9fa48("3530");
            return state;
          }
      }
    }
  }
});
export function createPlayer(data: PlayerCreatedData): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("3531")) {
    {}
  } else {
    stryCov_9fa48("3531");
    return stryMutAct_9fa48("3532") ? () => undefined : (stryCov_9fa48("3532"), state => (stryMutAct_9fa48("3535") ? state !== null : stryMutAct_9fa48("3534") ? false : stryMutAct_9fa48("3533") ? true : (stryCov_9fa48("3533", "3534", "3535"), state === null)) ? stryMutAct_9fa48("3536") ? [] : (stryCov_9fa48("3536"), [stryMutAct_9fa48("3537") ? {} : (stryCov_9fa48("3537"), {
      type: stryMutAct_9fa48("3538") ? "" : (stryCov_9fa48("3538"), 'PlayerCreated'),
      data
    })]) : stryMutAct_9fa48("3539") ? ["Stryker was here"] : (stryCov_9fa48("3539"), []));
  }
}
export function namePlayer(name: string): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("3540")) {
    {}
  } else {
    stryCov_9fa48("3540");
    return state => {
      if (stryMutAct_9fa48("3541")) {
        {}
      } else {
        stryCov_9fa48("3541");
        return (stryMutAct_9fa48("3544") ? present(state).name !== name : stryMutAct_9fa48("3543") ? false : stryMutAct_9fa48("3542") ? true : (stryCov_9fa48("3542", "3543", "3544"), present(state).name === name)) ? stryMutAct_9fa48("3545") ? ["Stryker was here"] : (stryCov_9fa48("3545"), []) : stryMutAct_9fa48("3546") ? [] : (stryCov_9fa48("3546"), [stryMutAct_9fa48("3547") ? {} : (stryCov_9fa48("3547"), {
          type: stryMutAct_9fa48("3548") ? "" : (stryCov_9fa48("3548"), 'PlayerNamed'),
          data: stryMutAct_9fa48("3549") ? {} : (stryCov_9fa48("3549"), {
            name
          })
        })]);
      }
    };
  }
}

/**
 * Bans, or gives a ban another end and reason. 422 `ban_end_passed` for an end that is not
 * after `nowMs` (Unix milliseconds).
 */
export function banPlayer({
  until,
  reason
}: PlayerBannedData, nowMs: number): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("3550")) {
    {}
  } else {
    stryCov_9fa48("3550");
    return state => {
      if (stryMutAct_9fa48("3551")) {
        {}
      } else {
        stryCov_9fa48("3551");
        const {
          banned
        } = present(state);
        if (stryMutAct_9fa48("3554") ? until !== null || Date.parse(until) <= nowMs : stryMutAct_9fa48("3553") ? false : stryMutAct_9fa48("3552") ? true : (stryCov_9fa48("3552", "3553", "3554"), (stryMutAct_9fa48("3556") ? until === null : stryMutAct_9fa48("3555") ? true : (stryCov_9fa48("3555", "3556"), until !== null)) && (stryMutAct_9fa48("3559") ? Date.parse(until) > nowMs : stryMutAct_9fa48("3558") ? Date.parse(until) < nowMs : stryMutAct_9fa48("3557") ? true : (stryCov_9fa48("3557", "3558", "3559"), Date.parse(until) <= nowMs)))) {
          if (stryMutAct_9fa48("3560")) {
            {}
          } else {
            stryCov_9fa48("3560");
            throw new Refusal(stryMutAct_9fa48("3561") ? "" : (stryCov_9fa48("3561"), 'unprocessable'), stryMutAct_9fa48("3562") ? "" : (stryCov_9fa48("3562"), 'ban_end_passed'), stryMutAct_9fa48("3563") ? "" : (stryCov_9fa48("3563"), 'The ban would be over already: give an end that is to come.'));
          }
        }
        const isSame = stryMutAct_9fa48("3566") ? banned !== null && banned.until === until || banned.reason === reason : stryMutAct_9fa48("3565") ? false : stryMutAct_9fa48("3564") ? true : (stryCov_9fa48("3564", "3565", "3566"), (stryMutAct_9fa48("3568") ? banned !== null || banned.until === until : stryMutAct_9fa48("3567") ? true : (stryCov_9fa48("3567", "3568"), (stryMutAct_9fa48("3570") ? banned === null : stryMutAct_9fa48("3569") ? true : (stryCov_9fa48("3569", "3570"), banned !== null)) && (stryMutAct_9fa48("3572") ? banned.until !== until : stryMutAct_9fa48("3571") ? true : (stryCov_9fa48("3571", "3572"), banned.until === until)))) && (stryMutAct_9fa48("3574") ? banned.reason !== reason : stryMutAct_9fa48("3573") ? true : (stryCov_9fa48("3573", "3574"), banned.reason === reason)));
        return isSame ? stryMutAct_9fa48("3575") ? ["Stryker was here"] : (stryCov_9fa48("3575"), []) : stryMutAct_9fa48("3576") ? [] : (stryCov_9fa48("3576"), [stryMutAct_9fa48("3577") ? {} : (stryCov_9fa48("3577"), {
          type: stryMutAct_9fa48("3578") ? "" : (stryCov_9fa48("3578"), 'PlayerBanned'),
          data: stryMutAct_9fa48("3579") ? {} : (stryCov_9fa48("3579"), {
            until,
            reason
          })
        })]);
      }
    };
  }
}
export const unbanPlayer: Decision<Player | null, PlayerEvent> = stryMutAct_9fa48("3580") ? () => undefined : (stryCov_9fa48("3580"), (() => {
  const unbanPlayer: Decision<Player | null, PlayerEvent> = state => (stryMutAct_9fa48("3583") ? present(state).banned !== null : stryMutAct_9fa48("3582") ? false : stryMutAct_9fa48("3581") ? true : (stryCov_9fa48("3581", "3582", "3583"), present(state).banned === null)) ? stryMutAct_9fa48("3584") ? ["Stryker was here"] : (stryCov_9fa48("3584"), []) : stryMutAct_9fa48("3585") ? [] : (stryCov_9fa48("3585"), [stryMutAct_9fa48("3586") ? {} : (stryCov_9fa48("3586"), {
    type: stryMutAct_9fa48("3587") ? "" : (stryCov_9fa48("3587"), 'PlayerUnbanned'),
    data: {}
  })]);
  return unbanPlayer;
})());

/**
 * Ends every session that began after as many sign-outs or fewer; nothing if they are ended
 * already. `sessions`: how many of them are known to be open.
 */
export function signOutPlayer(after: number, sessions: number): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("3588")) {
    {}
  } else {
    stryCov_9fa48("3588");
    return state => {
      if (stryMutAct_9fa48("3589")) {
        {}
      } else {
        stryCov_9fa48("3589");
        const {
          signOuts
        } = present(state);
        return (stryMutAct_9fa48("3593") ? signOuts <= after : stryMutAct_9fa48("3592") ? signOuts >= after : stryMutAct_9fa48("3591") ? false : stryMutAct_9fa48("3590") ? true : (stryCov_9fa48("3590", "3591", "3592", "3593"), signOuts > after)) ? stryMutAct_9fa48("3594") ? ["Stryker was here"] : (stryCov_9fa48("3594"), []) : stryMutAct_9fa48("3595") ? [] : (stryCov_9fa48("3595"), [stryMutAct_9fa48("3596") ? {} : (stryCov_9fa48("3596"), {
          type: stryMutAct_9fa48("3597") ? "" : (stryCov_9fa48("3597"), 'PlayerSignedOut'),
          data: stryMutAct_9fa48("3598") ? {} : (stryCov_9fa48("3598"), {
            times: stryMutAct_9fa48("3599") ? signOuts - 1 : (stryCov_9fa48("3599"), signOuts + 1),
            sessions
          })
        })]);
      }
    };
  }
}

/** Ends a ban whose end has come; nothing follows where it was ended, moved or made endless meanwhile. */
export function endDueBan(nowMs: number): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("3600")) {
    {}
  } else {
    stryCov_9fa48("3600");
    return state => {
      if (stryMutAct_9fa48("3601")) {
        {}
      } else {
        stryCov_9fa48("3601");
        const until = stryMutAct_9fa48("3602") ? state?.banned?.until && null : (stryCov_9fa48("3602"), (stryMutAct_9fa48("3604") ? state.banned?.until : stryMutAct_9fa48("3603") ? state?.banned.until : (stryCov_9fa48("3603", "3604"), state?.banned?.until)) ?? null);
        return (stryMutAct_9fa48("3607") ? until === null && Date.parse(until) > nowMs : stryMutAct_9fa48("3606") ? false : stryMutAct_9fa48("3605") ? true : (stryCov_9fa48("3605", "3606", "3607"), (stryMutAct_9fa48("3609") ? until !== null : stryMutAct_9fa48("3608") ? false : (stryCov_9fa48("3608", "3609"), until === null)) || (stryMutAct_9fa48("3612") ? Date.parse(until) <= nowMs : stryMutAct_9fa48("3611") ? Date.parse(until) >= nowMs : stryMutAct_9fa48("3610") ? false : (stryCov_9fa48("3610", "3611", "3612"), Date.parse(until) > nowMs)))) ? stryMutAct_9fa48("3613") ? ["Stryker was here"] : (stryCov_9fa48("3613"), []) : stryMutAct_9fa48("3614") ? [] : (stryCov_9fa48("3614"), [stryMutAct_9fa48("3615") ? {} : (stryCov_9fa48("3615"), {
          type: stryMutAct_9fa48("3616") ? "" : (stryCov_9fa48("3616"), 'PlayerUnbanned'),
          data: {}
        })]);
      }
    };
  }
}

/** `digestOf` gives the digest that names an external id's stream. */
export function deletePlayer(digestOf: (externalId: string) => string): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("3617")) {
    {}
  } else {
    stryCov_9fa48("3617");
    return state => {
      if (stryMutAct_9fa48("3618")) {
        {}
      } else {
        stryCov_9fa48("3618");
        const {
          externalId: id,
          links
        } = present(state);
        const claimed = links.map(stryMutAct_9fa48("3619") ? () => undefined : (stryCov_9fa48("3619"), ({
          kind,
          digest,
          secret
        }) => stryMutAct_9fa48("3620") ? {} : (stryCov_9fa48("3620"), {
          kind,
          digest,
          secret
        })));
        return stryMutAct_9fa48("3621") ? [] : (stryCov_9fa48("3621"), [stryMutAct_9fa48("3622") ? {} : (stryCov_9fa48("3622"), {
          type: stryMutAct_9fa48("3623") ? "" : (stryCov_9fa48("3623"), 'PlayerDeleted'),
          data: stryMutAct_9fa48("3624") ? {} : (stryCov_9fa48("3624"), {
            external: (stryMutAct_9fa48("3627") ? id !== null : stryMutAct_9fa48("3626") ? false : stryMutAct_9fa48("3625") ? true : (stryCov_9fa48("3625", "3626", "3627"), id === null)) ? null : digestOf(id),
            links: claimed
          })
        })]);
      }
    };
  }
}

/** 404 `player_not_found` for one who is not there, or no more. */
function present(state: Player | null): Player {
  if (stryMutAct_9fa48("3628")) {
    {}
  } else {
    stryCov_9fa48("3628");
    if (stryMutAct_9fa48("3631") ? state !== null || !state.deleted : stryMutAct_9fa48("3630") ? false : stryMutAct_9fa48("3629") ? true : (stryCov_9fa48("3629", "3630", "3631"), (stryMutAct_9fa48("3633") ? state === null : stryMutAct_9fa48("3632") ? true : (stryCov_9fa48("3632", "3633"), state !== null)) && (stryMutAct_9fa48("3634") ? state.deleted : (stryCov_9fa48("3634"), !state.deleted)))) return state;
    throw new Refusal(stryMutAct_9fa48("3635") ? "" : (stryCov_9fa48("3635"), 'not_found'), stryMutAct_9fa48("3636") ? "" : (stryCov_9fa48("3636"), 'player_not_found'), stryMutAct_9fa48("3637") ? "" : (stryCov_9fa48("3637"), 'There is no such player in this game.'));
  }
}

/** A ban that is over by its own end counts no more, though the event that ends it is yet to come. */
export function isBanned<Banned extends PlayerBannedData>(ban: Banned | null, nowMs: number): ban is Banned {
  if (stryMutAct_9fa48("3638")) {
    {}
  } else {
    stryCov_9fa48("3638");
    return stryMutAct_9fa48("3641") ? ban !== null || ban.until === null || Date.parse(ban.until) > nowMs : stryMutAct_9fa48("3640") ? false : stryMutAct_9fa48("3639") ? true : (stryCov_9fa48("3639", "3640", "3641"), (stryMutAct_9fa48("3643") ? ban === null : stryMutAct_9fa48("3642") ? true : (stryCov_9fa48("3642", "3643"), ban !== null)) && (stryMutAct_9fa48("3645") ? ban.until === null && Date.parse(ban.until) > nowMs : stryMutAct_9fa48("3644") ? true : (stryCov_9fa48("3644", "3645"), (stryMutAct_9fa48("3647") ? ban.until !== null : stryMutAct_9fa48("3646") ? false : (stryCov_9fa48("3646", "3647"), ban.until === null)) || (stryMutAct_9fa48("3650") ? Date.parse(ban.until) <= nowMs : stryMutAct_9fa48("3649") ? Date.parse(ban.until) >= nowMs : stryMutAct_9fa48("3648") ? false : (stryCov_9fa48("3648", "3649", "3650"), Date.parse(ban.until) > nowMs)))));
  }
}

/** What a banned player is refused with: 403 `player_banned`, with the ban's end and reason where it has them. */
export function bannedRefusal({
  until,
  reason
}: PlayerBannedData): Refusal {
  if (stryMutAct_9fa48("3651")) {
    {}
  } else {
    stryCov_9fa48("3651");
    const fields = stryMutAct_9fa48("3652") ? {} : (stryCov_9fa48("3652"), {
      ...((stryMutAct_9fa48("3655") ? until !== null : stryMutAct_9fa48("3654") ? false : stryMutAct_9fa48("3653") ? true : (stryCov_9fa48("3653", "3654", "3655"), until === null)) ? {} : stryMutAct_9fa48("3656") ? {} : (stryCov_9fa48("3656"), {
        until
      })),
      ...((stryMutAct_9fa48("3659") ? reason !== null : stryMutAct_9fa48("3658") ? false : stryMutAct_9fa48("3657") ? true : (stryCov_9fa48("3657", "3658", "3659"), reason === null)) ? {} : stryMutAct_9fa48("3660") ? {} : (stryCov_9fa48("3660"), {
        reason
      }))
    });
    return new Refusal(stryMutAct_9fa48("3661") ? "" : (stryCov_9fa48("3661"), 'forbidden'), stryMutAct_9fa48("3662") ? "" : (stryCov_9fa48("3662"), 'player_banned'), stryMutAct_9fa48("3663") ? "" : (stryCov_9fa48("3663"), 'This player is banned from the game.'), fields);
  }
}
export interface ExternalClaimedData {
  readonly player: string;
  /** What the player is made from, so that any node can finish an interrupted registration. Encrypted in the log. */
  readonly name: string | null;
  readonly externalId: string | null;
}
export type ExternalEvent = {
  readonly type: 'ExternalClaimed';
  readonly data: ExternalClaimedData;
} | {
  readonly type: 'ExternalReleased';
  readonly data: {
    readonly player: string;
  };
};

/** Who holds an external id of a game; null while nobody does. */
export const externalId: Aggregate<ExternalClaimedData | null, ExternalEvent> = stryMutAct_9fa48("3664") ? {} : (stryCov_9fa48("3664"), {
  name: stryMutAct_9fa48("3665") ? "" : (stryCov_9fa48("3665"), 'external'),
  initial: null,
  evolve(state, event) {
    if (stryMutAct_9fa48("3666")) {
      {}
    } else {
      stryCov_9fa48("3666");
      switch (event.type) {
        case stryMutAct_9fa48("3668") ? "" : (stryCov_9fa48("3668"), 'ExternalClaimed'):
          if (stryMutAct_9fa48("3667")) {} else {
            stryCov_9fa48("3667");
            return event.data;
          }
        case stryMutAct_9fa48("3670") ? "" : (stryCov_9fa48("3670"), 'ExternalReleased'):
          if (stryMutAct_9fa48("3669")) {} else {
            stryCov_9fa48("3669");
            return null;
          }
        default:
          if (stryMutAct_9fa48("3671")) {} else {
            stryCov_9fa48("3671");
            return state;
          }
      }
    }
  }
});

/** 409 `external_id_taken` where another player has it. */
export function claimExternalId(data: ExternalClaimedData): Decision<ExternalClaimedData | null, ExternalEvent> {
  if (stryMutAct_9fa48("3672")) {
    {}
  } else {
    stryCov_9fa48("3672");
    return state => {
      if (stryMutAct_9fa48("3673")) {
        {}
      } else {
        stryCov_9fa48("3673");
        if (stryMutAct_9fa48("3676") ? state !== null : stryMutAct_9fa48("3675") ? false : stryMutAct_9fa48("3674") ? true : (stryCov_9fa48("3674", "3675", "3676"), state === null)) return stryMutAct_9fa48("3677") ? [] : (stryCov_9fa48("3677"), [stryMutAct_9fa48("3678") ? {} : (stryCov_9fa48("3678"), {
          type: stryMutAct_9fa48("3679") ? "" : (stryCov_9fa48("3679"), 'ExternalClaimed'),
          data
        })]);
        throw new Refusal(stryMutAct_9fa48("3680") ? "" : (stryCov_9fa48("3680"), 'conflict'), stryMutAct_9fa48("3681") ? "" : (stryCov_9fa48("3681"), 'external_id_taken'), stryMutAct_9fa48("3682") ? "" : (stryCov_9fa48("3682"), 'A player of this game already has this external id.'), stryMutAct_9fa48("3683") ? {} : (stryCov_9fa48("3683"), {
          player: state.player
        }));
      }
    };
  }
}

/** Gives up what a deleted player held; nothing follows where another has it by now. */
export function releaseExternalId(holder: string): Decision<ExternalClaimedData | null, ExternalEvent> {
  if (stryMutAct_9fa48("3684")) {
    {}
  } else {
    stryCov_9fa48("3684");
    return stryMutAct_9fa48("3685") ? () => undefined : (stryCov_9fa48("3685"), state => (stryMutAct_9fa48("3688") ? state?.player !== holder : stryMutAct_9fa48("3687") ? false : stryMutAct_9fa48("3686") ? true : (stryCov_9fa48("3686", "3687", "3688"), (stryMutAct_9fa48("3689") ? state.player : (stryCov_9fa48("3689"), state?.player)) === holder)) ? stryMutAct_9fa48("3690") ? [] : (stryCov_9fa48("3690"), [stryMutAct_9fa48("3691") ? {} : (stryCov_9fa48("3691"), {
      type: stryMutAct_9fa48("3692") ? "" : (stryCov_9fa48("3692"), 'ExternalReleased'),
      data: stryMutAct_9fa48("3693") ? {} : (stryCov_9fa48("3693"), {
        player: holder
      })
    })]) : stryMutAct_9fa48("3694") ? ["Stryker was here"] : (stryCov_9fa48("3694"), []));
  }
}