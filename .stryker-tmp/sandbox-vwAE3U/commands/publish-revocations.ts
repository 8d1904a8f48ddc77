// Telling every node what a token may do no longer, before the caller hears that it is so. Told is how the stream then
// stood, whether or not this call changed it: so a call whose telling failed can be sent again.
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
import type { Position } from '../domain/event.ts';
import type { Key } from '../domain/key.ts';
import type { Session } from '../domain/session.ts';
import type { KeyStatus, Noted, PlayerStatus, Subject, SubjectStatus } from '../stores/contract/revocations.ts';
import type { Handled } from './command-batch.ts';

/** Throws StoreUnavailable if the nodes could not be notified: 503, and the call can be repeated safely. */
export type PublishRevocations = (changes: readonly Noted[]) => Promise<void>;
export interface RevocationDeps {
  readonly publish: PublishRevocations;
}

/** The result of `handle`, reduced to the whole stream: events of one append have one commit position. */
type Answered<State> = Pick<Handled<State, unknown>, 'current'>;
export function publishKey({
  publish
}: RevocationDeps, prefix: string, handled: Answered<Key | null>): Promise<void> {
  if (stryMutAct_9fa48("920")) {
    {}
  } else {
    stryCov_9fa48("920");
    return publish(noted(stryMutAct_9fa48("921") ? `` : (stryCov_9fa48("921"), `key:${prefix}`), handled, stryMutAct_9fa48("922") ? () => undefined : (stryCov_9fa48("922"), key => stryMutAct_9fa48("925") ? key || {
      revoked: key.revoked,
      permissions: key.permissions
    } : stryMutAct_9fa48("924") ? false : stryMutAct_9fa48("923") ? true : (stryCov_9fa48("923", "924", "925"), key && (stryMutAct_9fa48("926") ? {} : (stryCov_9fa48("926"), {
      revoked: key.revoked,
      permissions: key.permissions
    }))))));
  }
}
interface EndedSession {
  readonly session: string;
  readonly handled: Answered<Session | null>;
}

/** All of them in one exchange. */
export function publishSessions({
  publish
}: RevocationDeps, ended: readonly EndedSession[]): Promise<void> {
  if (stryMutAct_9fa48("927")) {
    {}
  } else {
    stryCov_9fa48("927");
    return publish(ended.flatMap(stryMutAct_9fa48("928") ? () => undefined : (stryCov_9fa48("928"), ({
      session,
      handled
    }) => noted(stryMutAct_9fa48("929") ? `` : (stryCov_9fa48("929"), `session:${session}`), handled, stryMutAct_9fa48("930") ? () => undefined : (stryCov_9fa48("930"), state => stryMutAct_9fa48("933") ? state || {
      ended: state.ended
    } : stryMutAct_9fa48("932") ? false : stryMutAct_9fa48("931") ? true : (stryCov_9fa48("931", "932", "933"), state && (stryMutAct_9fa48("934") ? {} : (stryCov_9fa48("934"), {
      ended: state.ended
    }))))))));
  }
}

/**
 * Banned, unbanned or deleted. `statusOf` is given the player's state as the stream stands, null where there is none.
 */
export function publishPlayer<State>({
  publish
}: RevocationDeps, player: string, handled: Answered<State>, statusOf: (state: State) => PlayerStatus | null): Promise<void> {
  if (stryMutAct_9fa48("935")) {
    {}
  } else {
    stryCov_9fa48("935");
    return publish(noted(stryMutAct_9fa48("936") ? `` : (stryCov_9fa48("936"), `player:${player}`), handled, statusOf));
  }
}
function noted<State>(subject: Subject, {
  current
}: Answered<State>, statusOf: (state: State) => SubjectStatus | null): Noted[] {
  if (stryMutAct_9fa48("937")) {
    {}
  } else {
    stryCov_9fa48("937");
    const status = (stryMutAct_9fa48("940") ? current !== null : stryMutAct_9fa48("939") ? false : stryMutAct_9fa48("938") ? true : (stryCov_9fa48("938", "939", "940"), current === null)) ? null : statusOf(current.state);
    return (stryMutAct_9fa48("943") ? current === null && status === null : stryMutAct_9fa48("942") ? false : stryMutAct_9fa48("941") ? true : (stryCov_9fa48("941", "942", "943"), (stryMutAct_9fa48("945") ? current !== null : stryMutAct_9fa48("944") ? false : (stryCov_9fa48("944", "945"), current === null)) || (stryMutAct_9fa48("947") ? status !== null : stryMutAct_9fa48("946") ? false : (stryCov_9fa48("946", "947"), status === null)))) ? stryMutAct_9fa48("948") ? ["Stryker was here"] : (stryCov_9fa48("948"), []) : stryMutAct_9fa48("949") ? [] : (stryCov_9fa48("949"), [stryMutAct_9fa48("950") ? {} : (stryCov_9fa48("950"), {
      subject,
      pos: current.at.position,
      status
    })]);
  }
}

/**
 * A game is deleted, with some of its keys: each by itself too, for nodes that must ask the store of every key. One exchange with
 * the store.
 */
export function publishDeletedGame({
  publish
}: RevocationDeps, game: string, keys: readonly string[], pos: Position): Promise<void> {
  if (stryMutAct_9fa48("951")) {
    {}
  } else {
    stryCov_9fa48("951");
    const revoked: KeyStatus = stryMutAct_9fa48("952") ? {} : (stryCov_9fa48("952"), {
      revoked: stryMutAct_9fa48("953") ? false : (stryCov_9fa48("953"), true),
      permissions: stryMutAct_9fa48("954") ? ["Stryker was here"] : (stryCov_9fa48("954"), [])
    });
    const ofKeys = keys.map(stryMutAct_9fa48("955") ? () => undefined : (stryCov_9fa48("955"), (prefix): Noted => stryMutAct_9fa48("956") ? {} : (stryCov_9fa48("956"), {
      subject: stryMutAct_9fa48("957") ? `` : (stryCov_9fa48("957"), `key:${prefix}`),
      pos,
      status: revoked
    })));
    return publish(stryMutAct_9fa48("958") ? [] : (stryCov_9fa48("958"), [stryMutAct_9fa48("959") ? {} : (stryCov_9fa48("959"), {
      subject: stryMutAct_9fa48("960") ? `` : (stryCov_9fa48("960"), `game:${game}`),
      pos,
      status: stryMutAct_9fa48("961") ? {} : (stryCov_9fa48("961"), {
        deleted: stryMutAct_9fa48("962") ? false : (stryCov_9fa48("962"), true)
      })
    }), ...ofKeys]));
  }
}