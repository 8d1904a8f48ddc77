// How the ways to sign in hang on a player: a login and an address, and what they make of the player's state.
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
import type { LoginKind } from './login.ts';

/** A login or an address of a player. */
export interface Link {
  readonly kind: LoginKind;
  /** The keyed hash that its claim's stream is named by. */
  readonly digest: string;
  /** Under this id the vault keeps what belongs to it. */
  readonly secret: string;
  /** Whether the owner of the address has proven it; a login is confirmed from the start. */
  readonly confirmed: boolean;
}
export interface EmailConfirmedData {
  readonly digest: string;
  /**
   * True if the person who confirmed it was not signed in as this player: then all that was set before is void, and so
   * is every session but this one.
   */
  readonly takesOver: boolean;
  /** The login that was void from then on. */
  readonly login: Pick<Link, 'digest' | 'secret'> | null;
  /** The session that the code began. */
  readonly session: string;
}
export type LinkEvent = {
  readonly type: 'PlayerLinked';
  readonly data: Link;
} | {
  readonly type: 'PlayerEmailConfirmed';
  readonly data: EmailConfirmedData;
};
export interface TakenOver {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The session that the owner of the address then began. */
  readonly session: string;
}

/** The part of a player's state that links make. */
export interface Linked {
  readonly guest: boolean;
  /** What they sign in by, beside a guest token and the tenant's tickets. */
  readonly links: readonly Link[];
  /** When the owner of their address took them over, which voids what was set before; null: never. */
  readonly takenOver: TakenOver | null;
}

/** The player's link of a kind. */
export const linkOf = stryMutAct_9fa48("3306") ? () => undefined : (stryCov_9fa48("3306"), (() => {
  const linkOf = (state: Pick<Linked, 'links'>, kind: LoginKind): Link | null => stryMutAct_9fa48("3307") ? state.links.find(link => link.kind === kind) && null : (stryCov_9fa48("3307"), state.links.find(stryMutAct_9fa48("3308") ? () => undefined : (stryCov_9fa48("3308"), link => stryMutAct_9fa48("3311") ? link.kind !== kind : stryMutAct_9fa48("3310") ? false : stryMutAct_9fa48("3309") ? true : (stryCov_9fa48("3309", "3310", "3311"), link.kind === kind))) ?? null);
  return linkOf;
})());
export function linked<State extends Linked>(state: State, link: Link): State {
  if (stryMutAct_9fa48("3312")) {
    {}
  } else {
    stryCov_9fa48("3312");
    return stryMutAct_9fa48("3313") ? {} : (stryCov_9fa48("3313"), {
      ...state,
      guest: stryMutAct_9fa48("3314") ? true : (stryCov_9fa48("3314"), false),
      links: stryMutAct_9fa48("3315") ? [] : (stryCov_9fa48("3315"), [...(stryMutAct_9fa48("3316") ? state.links : (stryCov_9fa48("3316"), state.links.filter(stryMutAct_9fa48("3317") ? () => undefined : (stryCov_9fa48("3317"), ({
        kind
      }) => stryMutAct_9fa48("3320") ? kind === link.kind : stryMutAct_9fa48("3319") ? false : stryMutAct_9fa48("3318") ? true : (stryCov_9fa48("3318", "3319", "3320"), kind !== link.kind))))), link])
    });
  }
}

/** Whoever owns the address owns the player: the password set before goes, and with it whatever a guest had. */
export function confirmed<State extends Linked>(state: State, {
  digest,
  takesOver,
  session
}: EmailConfirmedData, time: string): State {
  if (stryMutAct_9fa48("3321")) {
    {}
  } else {
    stryCov_9fa48("3321");
    const links = stryMutAct_9fa48("3322") ? state.links.map(link => link.kind === 'email' && link.digest === digest ? {
      ...link,
      confirmed: true
    } : link) : (stryCov_9fa48("3322"), state.links.filter(stryMutAct_9fa48("3323") ? () => undefined : (stryCov_9fa48("3323"), ({
      kind
    }) => stryMutAct_9fa48("3324") ? takesOver && kind === 'login' : (stryCov_9fa48("3324"), !(stryMutAct_9fa48("3327") ? takesOver || kind === 'login' : stryMutAct_9fa48("3326") ? false : stryMutAct_9fa48("3325") ? true : (stryCov_9fa48("3325", "3326", "3327"), takesOver && (stryMutAct_9fa48("3329") ? kind !== 'login' : stryMutAct_9fa48("3328") ? true : (stryCov_9fa48("3328", "3329"), kind === (stryMutAct_9fa48("3330") ? "" : (stryCov_9fa48("3330"), 'login'))))))))).map(stryMutAct_9fa48("3331") ? () => undefined : (stryCov_9fa48("3331"), link => (stryMutAct_9fa48("3334") ? link.kind === 'email' || link.digest === digest : stryMutAct_9fa48("3333") ? false : stryMutAct_9fa48("3332") ? true : (stryCov_9fa48("3332", "3333", "3334"), (stryMutAct_9fa48("3336") ? link.kind !== 'email' : stryMutAct_9fa48("3335") ? true : (stryCov_9fa48("3335", "3336"), link.kind === (stryMutAct_9fa48("3337") ? "" : (stryCov_9fa48("3337"), 'email')))) && (stryMutAct_9fa48("3339") ? link.digest !== digest : stryMutAct_9fa48("3338") ? true : (stryCov_9fa48("3338", "3339"), link.digest === digest)))) ? stryMutAct_9fa48("3340") ? {} : (stryCov_9fa48("3340"), {
      ...link,
      confirmed: stryMutAct_9fa48("3341") ? false : (stryCov_9fa48("3341"), true)
    }) : link)));
    return stryMutAct_9fa48("3342") ? {} : (stryCov_9fa48("3342"), {
      ...state,
      links,
      takenOver: takesOver ? stryMutAct_9fa48("3343") ? {} : (stryCov_9fa48("3343"), {
        time,
        session
      }) : state.takenOver
    });
  }
}