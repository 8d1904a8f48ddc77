// A player's session: from sign-in until it ends by itself, by sign-out, or with the player.
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
export const sessionStream = stryMutAct_9fa48("4463") ? () => undefined : (stryCov_9fa48("4463"), (() => {
  const sessionStream = (session: string): string => streamName(stryMutAct_9fa48("4464") ? "" : (stryCov_9fa48("4464"), 'session-'), session);
  return sessionStream;
})());
export const SESSION_LIFETIME_MS = stryMutAct_9fa48("4465") ? 30 * 24 * 60 * 60 / 1000 : (stryCov_9fa48("4465"), (stryMutAct_9fa48("4466") ? 30 * 24 * 60 / 60 : (stryCov_9fa48("4466"), (stryMutAct_9fa48("4467") ? 30 * 24 / 60 : (stryCov_9fa48("4467"), (stryMutAct_9fa48("4468") ? 30 / 24 : (stryCov_9fa48("4468"), 30 * 24)) * 60)) * 60)) * 1000);

/** A player's live sessions; with another one the oldest ends. */
export const SESSIONS_MOST = 100;
export interface SessionStartedData {
  readonly player: string;
  /** The key it was started with, and what the token of that call carried: a renewed token carries no more. */
  readonly key: string;
  readonly permissions: readonly string[];
  /** ISO 8601, UTC. */
  readonly expires: string;
  /**
   * How often the player had been signed out everywhere when it began; absent from
   * sessions older than that count: never.
   */
  readonly signOuts?: number;
}
export type SessionEvent = {
  readonly type: 'SessionStarted';
  readonly data: SessionStartedData;
} | {
  readonly type: 'SessionEnded';
  readonly data: Readonly<Record<string, never>>;
};

/** Whether the player was signed out everywhere since a session began. */
export const isSignedOut = stryMutAct_9fa48("4469") ? () => undefined : (stryCov_9fa48("4469"), (() => {
  const isSignedOut = ({
    signOuts = 0
  }: Pick<SessionStartedData, 'signOuts'>, ofPlayer = 0): boolean => stryMutAct_9fa48("4473") ? signOuts >= ofPlayer : stryMutAct_9fa48("4472") ? signOuts <= ofPlayer : stryMutAct_9fa48("4471") ? false : stryMutAct_9fa48("4470") ? true : (stryCov_9fa48("4470", "4471", "4472", "4473"), signOuts < ofPlayer);
  return isSignedOut;
})());
export interface Session extends SessionStartedData {
  readonly ended: boolean;
}
export const session: Aggregate<Session | null, SessionEvent> = stryMutAct_9fa48("4474") ? {} : (stryCov_9fa48("4474"), {
  name: stryMutAct_9fa48("4475") ? "" : (stryCov_9fa48("4475"), 'session'),
  initial: null,
  evolve(state, event) {
    if (stryMutAct_9fa48("4476")) {
      {}
    } else {
      stryCov_9fa48("4476");
      if (stryMutAct_9fa48("4479") ? event.type !== 'SessionStarted' : stryMutAct_9fa48("4478") ? false : stryMutAct_9fa48("4477") ? true : (stryCov_9fa48("4477", "4478", "4479"), event.type === (stryMutAct_9fa48("4480") ? "" : (stryCov_9fa48("4480"), 'SessionStarted')))) return stryMutAct_9fa48("4481") ? {} : (stryCov_9fa48("4481"), {
        ...event.data,
        ended: stryMutAct_9fa48("4482") ? true : (stryCov_9fa48("4482"), false)
      });
      if (stryMutAct_9fa48("4485") ? state !== null : stryMutAct_9fa48("4484") ? false : stryMutAct_9fa48("4483") ? true : (stryCov_9fa48("4483", "4484", "4485"), state === null)) return null;
      return (stryMutAct_9fa48("4488") ? event.type !== 'SessionEnded' : stryMutAct_9fa48("4487") ? false : stryMutAct_9fa48("4486") ? true : (stryCov_9fa48("4486", "4487", "4488"), event.type === (stryMutAct_9fa48("4489") ? "" : (stryCov_9fa48("4489"), 'SessionEnded')))) ? stryMutAct_9fa48("4490") ? {} : (stryCov_9fa48("4490"), {
        ...state,
        ended: stryMutAct_9fa48("4491") ? false : (stryCov_9fa48("4491"), true)
      }) : state;
    }
  }
});
export function startSession(data: SessionStartedData): Decision<Session | null, SessionEvent> {
  if (stryMutAct_9fa48("4492")) {
    {}
  } else {
    stryCov_9fa48("4492");
    return stryMutAct_9fa48("4493") ? () => undefined : (stryCov_9fa48("4493"), state => (stryMutAct_9fa48("4496") ? state !== null : stryMutAct_9fa48("4495") ? false : stryMutAct_9fa48("4494") ? true : (stryCov_9fa48("4494", "4495", "4496"), state === null)) ? stryMutAct_9fa48("4497") ? [] : (stryCov_9fa48("4497"), [stryMutAct_9fa48("4498") ? {} : (stryCov_9fa48("4498"), {
      type: stryMutAct_9fa48("4499") ? "" : (stryCov_9fa48("4499"), 'SessionStarted'),
      data
    })]) : stryMutAct_9fa48("4500") ? ["Stryker was here"] : (stryCov_9fa48("4500"), []));
  }
}
export const endSession: Decision<Session | null, SessionEvent> = stryMutAct_9fa48("4501") ? () => undefined : (stryCov_9fa48("4501"), (() => {
  const endSession: Decision<Session | null, SessionEvent> = state => (stryMutAct_9fa48("4504") ? state === null && state.ended : stryMutAct_9fa48("4503") ? false : stryMutAct_9fa48("4502") ? true : (stryCov_9fa48("4502", "4503", "4504"), (stryMutAct_9fa48("4506") ? state !== null : stryMutAct_9fa48("4505") ? false : (stryCov_9fa48("4505", "4506"), state === null)) || state.ended)) ? stryMutAct_9fa48("4507") ? ["Stryker was here"] : (stryCov_9fa48("4507"), []) : stryMutAct_9fa48("4508") ? [] : (stryCov_9fa48("4508"), [stryMutAct_9fa48("4509") ? {} : (stryCov_9fa48("4509"), {
    type: stryMutAct_9fa48("4510") ? "" : (stryCov_9fa48("4510"), 'SessionEnded'),
    data: {}
  })]);
  return endSession;
})());

/** 401 `sign_in_rejected`: one answer to every kind of proof that is none. */
export function signInRejected(): Refusal {
  if (stryMutAct_9fa48("4511")) {
    {}
  } else {
    stryCov_9fa48("4511");
    const detail = stryMutAct_9fa48("4512") ? "" : (stryCov_9fa48("4512"), 'Sign-in was refused: what was sent does not prove who the player is, or no longer does. Sign in again.');
    return new Refusal(stryMutAct_9fa48("4513") ? "" : (stryCov_9fa48("4513"), 'unauthenticated'), stryMutAct_9fa48("4514") ? "" : (stryCov_9fa48("4514"), 'sign_in_rejected'), detail);
  }
}