// Room tickets: a secret that lets its holder connect to the rooms once, within half a minute. Only its hash is kept.
// Rooms that run apart redeem it over HTTP, whose answer names the game and the player alone: what else they must know
// of whom they let in is left for them beside it.
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
import { createHash } from 'node:crypto';
import { fromBase64url, toBase64url } from '../credentials/text.ts';
import type { Share, Transient } from '../stores/contract/transient.ts';
import type { CommandContext } from './command-context.ts';
import { keepShortly } from './keep.ts';
export const ROOM_TICKET_LIFETIME_S = 30;
const TICKET_BYTES = 32;

/** By what right a ticket's holder is in the rooms. */
export interface RoomHolder {
  readonly game: string;
  readonly player: string | null;
  /** Prefix of the API key. */
  readonly key: string;
  readonly session: string | null;
  /** What the token carried when the ticket was made. */
  readonly permissions: readonly string[];
}

/** Tickets made from one network address that wait to be used: more than it may have connections. */
export const ROOM_TICKETS_PER_NETWORK = 4_096;

/** `network`: null where networks are not counted. 429 `rate_limited`; 503 `store_away` where there is no room for it. */
export async function makeRoomTicket(transient: Transient, holder: RoomHolder, network: string | null, context: CommandContext): Promise<string> {
  if (stryMutAct_9fa48("963")) {
    {}
  } else {
    stryCov_9fa48("963");
    const secret = context.generator.secret(stryMutAct_9fa48("964") ? "" : (stryCov_9fa48("964"), 'room ticket'));
    const share = (stryMutAct_9fa48("967") ? network !== null : stryMutAct_9fa48("966") ? false : stryMutAct_9fa48("965") ? true : (stryCov_9fa48("965", "966", "967"), network === null)) ? undefined : stryMutAct_9fa48("968") ? {} : (stryCov_9fa48("968"), {
      owner: network,
      most: ROOM_TICKETS_PER_NETWORK
    });
    await keepHolder(transient, keyOf(stryMutAct_9fa48("969") ? "" : (stryCov_9fa48("969"), 'rt-ticket'), secret), holder, context.nowMs, share);
    return toBase64url(secret);
  }
}

/** Whether it has the form of a ticket; all else that is given for one was never made. */
export const isRoomTicket = stryMutAct_9fa48("970") ? () => undefined : (stryCov_9fa48("970"), (() => {
  const isRoomTicket = (ticket: string): boolean => stryMutAct_9fa48("973") ? fromBase64url(ticket, TICKET_BYTES) === null : stryMutAct_9fa48("972") ? false : stryMutAct_9fa48("971") ? true : (stryCov_9fa48("971", "972", "973"), fromBase64url(ticket, TICKET_BYTES) !== null);
  return isRoomTicket;
})());

/** Of any number of racers one gets it; null where it is used, expired, or never was. */
export function takeRoomTicket(transient: Transient, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  if (stryMutAct_9fa48("974")) {
    {}
  } else {
    stryCov_9fa48("974");
    return take(transient, stryMutAct_9fa48("975") ? "" : (stryCov_9fa48("975"), 'rt-ticket'), ticket, nowMs);
  }
}

/** Leaves the holder of a ticket that was taken for the rooms that had it taken. */
export function leaveHolder(transient: Transient, ticket: string, holder: RoomHolder, nowMs: number): Promise<void> {
  if (stryMutAct_9fa48("976")) {
    {}
  } else {
    stryCov_9fa48("976");
    return keepHolder(transient, keyOf(stryMutAct_9fa48("977") ? "" : (stryCov_9fa48("977"), 'rt-holder'), Buffer.from(ticket, stryMutAct_9fa48("978") ? "" : (stryCov_9fa48("978"), 'base64url'))), holder, nowMs);
  }
}

/** The holder that was left with a ticket, once; null where there is none. */
export function takeHolder(transient: Transient, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  if (stryMutAct_9fa48("979")) {
    {}
  } else {
    stryCov_9fa48("979");
    return take(transient, stryMutAct_9fa48("980") ? "" : (stryCov_9fa48("980"), 'rt-holder'), ticket, nowMs);
  }
}
type Kind = 'rt-ticket' | 'rt-holder';
const keyOf = stryMutAct_9fa48("981") ? () => undefined : (stryCov_9fa48("981"), (() => {
  const keyOf = (kind: Kind, secret: Uint8Array): string => stryMutAct_9fa48("982") ? `` : (stryCov_9fa48("982"), `${kind}:${createHash(stryMutAct_9fa48("983") ? "" : (stryCov_9fa48("983"), 'sha256')).update(secret).digest(stryMutAct_9fa48("984") ? "" : (stryCov_9fa48("984"), 'base64url'))}`);
  return keyOf;
})());
function keepHolder(transient: Transient, key: string, holder: RoomHolder, nowMs: number, share?: Share): Promise<void> {
  if (stryMutAct_9fa48("985")) {
    {}
  } else {
    stryCov_9fa48("985");
    const {
      game,
      player,
      key: prefix,
      session,
      permissions
    } = holder;
    const value = JSON.stringify(stryMutAct_9fa48("986") ? {} : (stryCov_9fa48("986"), {
      game,
      player,
      key: prefix,
      session,
      permissions
    }));
    return keepShortly(transient, key, value, stryMutAct_9fa48("987") ? {} : (stryCov_9fa48("987"), {
      nowMs,
      expiresMs: stryMutAct_9fa48("988") ? nowMs - ROOM_TICKET_LIFETIME_S * 1_000 : (stryCov_9fa48("988"), nowMs + (stryMutAct_9fa48("989") ? ROOM_TICKET_LIFETIME_S / 1_000 : (stryCov_9fa48("989"), ROOM_TICKET_LIFETIME_S * 1_000))),
      share
    }));
  }
}
async function take(transient: Transient, kind: Kind, ticket: string, nowMs: number): Promise<RoomHolder | null> {
  if (stryMutAct_9fa48("990")) {
    {}
  } else {
    stryCov_9fa48("990");
    const secret = fromBase64url(ticket, TICKET_BYTES);
    const kept = (stryMutAct_9fa48("993") ? secret !== null : stryMutAct_9fa48("992") ? false : stryMutAct_9fa48("991") ? true : (stryCov_9fa48("991", "992", "993"), secret === null)) ? null : await transient.take(keyOf(kind, secret), nowMs);
    return (stryMutAct_9fa48("996") ? kept !== null : stryMutAct_9fa48("995") ? false : stryMutAct_9fa48("994") ? true : (stryCov_9fa48("994", "995", "996"), kept === null)) ? null : JSON.parse(kept) as RoomHolder;
  }
}