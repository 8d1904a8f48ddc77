// How a player comes by the ways to sign in: linked when they register, an address confirmed by
// the first code that reaches it.
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
import type { Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import { type EmailConfirmedData, type Link, linkOf, type TakenOver } from './links.ts';
import type { Player, PlayerEvent } from './player.ts';
interface Registration {
  /** Whether the player is made by it; else they are there already. */
  readonly makes: boolean;
  /** Of a player that is made, or the new one of a player that is there; null: as they are. */
  readonly name: string | null;
  readonly links: readonly Link[];
  /** The session of a player who is there; null where it is not known, as to a process that finishes a call. */
  readonly session: OwnSession | null;
}

/** Which one it is, and when it began (ISO 8601, UTC). */
export interface OwnSession {
  readonly id: string;
  readonly begun: string;
}

/**
 * 409 `already_registered` where the player has another link of the first one's kind; 401 `sign_in_rejected` where they
 * are not there.
 */
export function register({
  makes,
  name,
  links,
  session
}: Registration): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("4096")) {
    {}
  } else {
    stryCov_9fa48("4096");
    return state => {
      if (stryMutAct_9fa48("4097")) {
        {}
      } else {
        stryCov_9fa48("4097");
        const [first] = links;
        if (stryMutAct_9fa48("4100") ? first !== undefined : stryMutAct_9fa48("4099") ? false : stryMutAct_9fa48("4098") ? true : (stryCov_9fa48("4098", "4099", "4100"), first === undefined)) return stryMutAct_9fa48("4101") ? ["Stryker was here"] : (stryCov_9fa48("4101"), []);
        const added = links.map(stryMutAct_9fa48("4102") ? () => undefined : (stryCov_9fa48("4102"), (data): PlayerEvent => stryMutAct_9fa48("4103") ? {} : (stryCov_9fa48("4103"), {
          type: stryMutAct_9fa48("4104") ? "" : (stryCov_9fa48("4104"), 'PlayerLinked'),
          data
        })));
        const isGone = (stryMutAct_9fa48("4107") ? state !== null : stryMutAct_9fa48("4106") ? false : stryMutAct_9fa48("4105") ? true : (stryCov_9fa48("4105", "4106", "4107"), state === null)) ? stryMutAct_9fa48("4108") ? makes : (stryCov_9fa48("4108"), !makes) : state.deleted;
        if (stryMutAct_9fa48("4110") ? false : stryMutAct_9fa48("4109") ? true : (stryCov_9fa48("4109", "4110"), isGone)) throw new Refusal(stryMutAct_9fa48("4111") ? "" : (stryCov_9fa48("4111"), 'unauthenticated'), stryMutAct_9fa48("4112") ? "" : (stryCov_9fa48("4112"), 'sign_in_rejected'), stryMutAct_9fa48("4113") ? "" : (stryCov_9fa48("4113"), 'This player no longer exists. Sign in again.'));
        if (stryMutAct_9fa48("4116") ? state !== null : stryMutAct_9fa48("4115") ? false : stryMutAct_9fa48("4114") ? true : (stryCov_9fa48("4114", "4115", "4116"), state === null)) {
          if (stryMutAct_9fa48("4117")) {
            {}
          } else {
            stryCov_9fa48("4117");
            return stryMutAct_9fa48("4118") ? [] : (stryCov_9fa48("4118"), [stryMutAct_9fa48("4119") ? {} : (stryCov_9fa48("4119"), {
              type: stryMutAct_9fa48("4120") ? "" : (stryCov_9fa48("4120"), 'PlayerCreated'),
              data: stryMutAct_9fa48("4121") ? {} : (stryCov_9fa48("4121"), {
                name,
                guest: stryMutAct_9fa48("4122") ? true : (stryCov_9fa48("4122"), false),
                externalId: null
              })
            }), ...added]);
          }
        }
        const present = linkOf(state, first.kind);
        if (stryMutAct_9fa48("4125") ? present?.secret !== first.secret : stryMutAct_9fa48("4124") ? false : stryMutAct_9fa48("4123") ? true : (stryCov_9fa48("4123", "4124", "4125"), (stryMutAct_9fa48("4126") ? present.secret : (stryCov_9fa48("4126"), present?.secret)) === first.secret)) return stryMutAct_9fa48("4127") ? ["Stryker was here"] : (stryCov_9fa48("4127"), []);
        if (stryMutAct_9fa48("4130") ? present !== null && makes && state.takenOver !== null : stryMutAct_9fa48("4129") ? false : stryMutAct_9fa48("4128") ? true : (stryCov_9fa48("4128", "4129", "4130"), (stryMutAct_9fa48("4132") ? present === null : stryMutAct_9fa48("4131") ? false : (stryCov_9fa48("4131", "4132"), present !== null)) || (stryMutAct_9fa48("4134") ? makes || state.takenOver !== null : stryMutAct_9fa48("4133") ? false : (stryCov_9fa48("4133", "4134"), makes && (stryMutAct_9fa48("4136") ? state.takenOver === null : stryMutAct_9fa48("4135") ? true : (stryCov_9fa48("4135", "4136"), state.takenOver !== null)))))) throw alreadyRegistered();
        if (stryMutAct_9fa48("4139") ? !makes || !isOwners(state.takenOver, session) : stryMutAct_9fa48("4138") ? false : stryMutAct_9fa48("4137") ? true : (stryCov_9fa48("4137", "4138", "4139"), (stryMutAct_9fa48("4140") ? makes : (stryCov_9fa48("4140"), !makes)) && (stryMutAct_9fa48("4141") ? isOwners(state.takenOver, session) : (stryCov_9fa48("4141"), !isOwners(state.takenOver, session))))) throw takenOverSince();
        const isNew = stryMutAct_9fa48("4142") ? () => undefined : (stryCov_9fa48("4142"), (() => {
          const isNew = (event: PlayerEvent) => stryMutAct_9fa48("4145") ? event.type !== 'PlayerLinked' && linkOf(state, event.data.kind) === null : stryMutAct_9fa48("4144") ? false : stryMutAct_9fa48("4143") ? true : (stryCov_9fa48("4143", "4144", "4145"), (stryMutAct_9fa48("4147") ? event.type === 'PlayerLinked' : stryMutAct_9fa48("4146") ? false : (stryCov_9fa48("4146", "4147"), event.type !== (stryMutAct_9fa48("4148") ? "" : (stryCov_9fa48("4148"), 'PlayerLinked')))) || (stryMutAct_9fa48("4150") ? linkOf(state, event.data.kind) !== null : stryMutAct_9fa48("4149") ? false : (stryCov_9fa48("4149", "4150"), linkOf(state, event.data.kind) === null)));
          return isNew;
        })());
        const named: PlayerEvent[] = (stryMutAct_9fa48("4153") ? name === null && name === state.name : stryMutAct_9fa48("4152") ? false : stryMutAct_9fa48("4151") ? true : (stryCov_9fa48("4151", "4152", "4153"), (stryMutAct_9fa48("4155") ? name !== null : stryMutAct_9fa48("4154") ? false : (stryCov_9fa48("4154", "4155"), name === null)) || (stryMutAct_9fa48("4157") ? name !== state.name : stryMutAct_9fa48("4156") ? false : (stryCov_9fa48("4156", "4157"), name === state.name)))) ? stryMutAct_9fa48("4158") ? ["Stryker was here"] : (stryCov_9fa48("4158"), []) : stryMutAct_9fa48("4159") ? [] : (stryCov_9fa48("4159"), [stryMutAct_9fa48("4160") ? {} : (stryCov_9fa48("4160"), {
          type: stryMutAct_9fa48("4161") ? "" : (stryCov_9fa48("4161"), 'PlayerNamed'),
          data: stryMutAct_9fa48("4162") ? {} : (stryCov_9fa48("4162"), {
            name
          })
        })]);
        return stryMutAct_9fa48("4163") ? [] : (stryCov_9fa48("4163"), [...(makes ? stryMutAct_9fa48("4164") ? ["Stryker was here"] : (stryCov_9fa48("4164"), []) : named), ...(stryMutAct_9fa48("4165") ? added : (stryCov_9fa48("4165"), added.filter(isNew)))]);
      }
    };
  }
}

/** Whoever was signed in before the owner of the address came adds nothing to the player any more. */
function isOwners(takenOver: TakenOver | null, session: OwnSession | null): boolean {
  if (stryMutAct_9fa48("4166")) {
    {}
  } else {
    stryCov_9fa48("4166");
    if (stryMutAct_9fa48("4169") ? takenOver !== null : stryMutAct_9fa48("4168") ? false : stryMutAct_9fa48("4167") ? true : (stryCov_9fa48("4167", "4168", "4169"), takenOver === null)) return stryMutAct_9fa48("4170") ? false : (stryCov_9fa48("4170"), true);
    return stryMutAct_9fa48("4173") ? session !== null || session.id === takenOver.session || session.begun > takenOver.time : stryMutAct_9fa48("4172") ? false : stryMutAct_9fa48("4171") ? true : (stryCov_9fa48("4171", "4172", "4173"), (stryMutAct_9fa48("4175") ? session === null : stryMutAct_9fa48("4174") ? true : (stryCov_9fa48("4174", "4175"), session !== null)) && (stryMutAct_9fa48("4177") ? session.id === takenOver.session && session.begun > takenOver.time : stryMutAct_9fa48("4176") ? true : (stryCov_9fa48("4176", "4177"), (stryMutAct_9fa48("4179") ? session.id !== takenOver.session : stryMutAct_9fa48("4178") ? false : (stryCov_9fa48("4178", "4179"), session.id === takenOver.session)) || (stryMutAct_9fa48("4182") ? session.begun <= takenOver.time : stryMutAct_9fa48("4181") ? session.begun >= takenOver.time : stryMutAct_9fa48("4180") ? false : (stryCov_9fa48("4180", "4181", "4182"), session.begun > takenOver.time)))));
  }
}
function takenOverSince(): Refusal {
  if (stryMutAct_9fa48("4183")) {
    {}
  } else {
    stryCov_9fa48("4183");
    const detail = stryMutAct_9fa48("4184") ? "" : (stryCov_9fa48("4184"), 'The owner of this player’s address has signed in since. Sign in again.');
    return new Refusal(stryMutAct_9fa48("4185") ? "" : (stryCov_9fa48("4185"), 'unauthenticated'), stryMutAct_9fa48("4186") ? "" : (stryCov_9fa48("4186"), 'sign_in_rejected'), detail);
  }
}
export function alreadyRegistered(): Refusal {
  if (stryMutAct_9fa48("4187")) {
    {}
  } else {
    stryCov_9fa48("4187");
    const detail = stryMutAct_9fa48("4188") ? "" : (stryCov_9fa48("4188"), 'This player has a login already. Sign in with that one, or register without this player’s token.');
    return new Refusal(stryMutAct_9fa48("4189") ? "" : (stryCov_9fa48("4189"), 'conflict'), stryMutAct_9fa48("4190") ? "" : (stryCov_9fa48("4190"), 'already_registered'), detail);
  }
}

/**
 * A code reached the address. Nothing where the address is confirmed already; 401 `sign_in_rejected` where it is not
 * the player's.
 */
export function confirmEmail(data: Omit<EmailConfirmedData, 'login'>): Decision<Player | null, PlayerEvent> {
  if (stryMutAct_9fa48("4191")) {
    {}
  } else {
    stryCov_9fa48("4191");
    return state => {
      if (stryMutAct_9fa48("4192")) {
        {}
      } else {
        stryCov_9fa48("4192");
        const link = (stryMutAct_9fa48("4195") ? state !== null : stryMutAct_9fa48("4194") ? false : stryMutAct_9fa48("4193") ? true : (stryCov_9fa48("4193", "4194", "4195"), state === null)) ? null : linkOf(state, stryMutAct_9fa48("4196") ? "" : (stryCov_9fa48("4196"), 'email'));
        if (stryMutAct_9fa48("4199") ? link === null && link.digest !== data.digest : stryMutAct_9fa48("4198") ? false : stryMutAct_9fa48("4197") ? true : (stryCov_9fa48("4197", "4198", "4199"), (stryMutAct_9fa48("4201") ? link !== null : stryMutAct_9fa48("4200") ? false : (stryCov_9fa48("4200", "4201"), link === null)) || (stryMutAct_9fa48("4203") ? link.digest === data.digest : stryMutAct_9fa48("4202") ? false : (stryCov_9fa48("4202", "4203"), link.digest !== data.digest)))) {
          if (stryMutAct_9fa48("4204")) {
            {}
          } else {
            stryCov_9fa48("4204");
            throw new Refusal(stryMutAct_9fa48("4205") ? "" : (stryCov_9fa48("4205"), 'unauthenticated'), stryMutAct_9fa48("4206") ? "" : (stryCov_9fa48("4206"), 'sign_in_rejected'), stryMutAct_9fa48("4207") ? "" : (stryCov_9fa48("4207"), 'This address is no longer the player’s. Ask for a new code.'));
          }
        }
        if (stryMutAct_9fa48("4210") ? state === null && link.confirmed : stryMutAct_9fa48("4209") ? false : stryMutAct_9fa48("4208") ? true : (stryCov_9fa48("4208", "4209", "4210"), (stryMutAct_9fa48("4212") ? state !== null : stryMutAct_9fa48("4211") ? false : (stryCov_9fa48("4211", "4212"), state === null)) || link.confirmed)) return stryMutAct_9fa48("4213") ? ["Stryker was here"] : (stryCov_9fa48("4213"), []);
        const voided = data.takesOver ? linkOf(state, stryMutAct_9fa48("4214") ? "" : (stryCov_9fa48("4214"), 'login')) : null;
        const login = (stryMutAct_9fa48("4217") ? voided !== null : stryMutAct_9fa48("4216") ? false : stryMutAct_9fa48("4215") ? true : (stryCov_9fa48("4215", "4216", "4217"), voided === null)) ? null : stryMutAct_9fa48("4218") ? {} : (stryCov_9fa48("4218"), {
          digest: voided.digest,
          secret: voided.secret
        });
        return stryMutAct_9fa48("4219") ? [] : (stryCov_9fa48("4219"), [stryMutAct_9fa48("4220") ? {} : (stryCov_9fa48("4220"), {
          type: stryMutAct_9fa48("4221") ? "" : (stryCov_9fa48("4221"), 'PlayerEmailConfirmed'),
          data: stryMutAct_9fa48("4222") ? {} : (stryCov_9fa48("4222"), {
            ...data,
            login
          })
        })]);
      }
    };
  }
}