// The handshake: a one-time challenge, signed with the key's secret, for a bearer token. Nothing of it is recorded. An
// unknown prefix meets the same answers in the same order as a known one.
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
import { randomBytes } from 'node:crypto';
import { keyedDigest, type WorkingKeys } from '../credentials/master.ts';
import { challengeMessage, ed25519Proves, hmacProves } from '../credentials/signatures.ts';
import { fromBase64url, idText, toBase64url } from '../credentials/text.ts';
import type { Tokens } from '../credentials/tokens.ts';
import { Refusal } from '../domain/decider.ts';
import type { Key, KeyAlgorithm } from '../domain/key.ts';
import { grant } from '../domain/permissions.ts';
import { StoreUnavailable } from '../stores/contract/faults.ts';
import type { Transient } from '../stores/contract/transient.ts';
import type { Vault } from '../stores/contract/vault.ts';
const CHALLENGE_LIFETIME_MS = 60_000;
const TIMESTAMP_TOLERANCE_S = 60;
/** As answered to callers; for "all" the signed text is the empty string. */
const PERMISSIONS_FORMAT = stryMutAct_9fa48("715") ? "" : (stryCov_9fa48("715"), "requested permissions sorted and joined with '|', or empty for all");
const MESSAGE_FORMAT = stryMutAct_9fa48("716") ? "" : (stryCov_9fa48("716"), '{request_id}.{nonce}.{unix_ts}.{permissions}');
export interface HandshakeDeps {
  readonly transient: Transient;
  readonly vault: Vault;
  readonly tokens: Tokens;
  readonly keys: WorkingKeys;
  /** The key of a prefix as it stands now, or null. */
  keyOf(prefix: string): Promise<Key | null>;
}
export interface Challenge {
  readonly request_id: string;
  readonly nonce: string;
  readonly expires_at: string;
  readonly algorithm: KeyAlgorithm;
  readonly message_format: string;
  readonly permissions_format: string;
}

/** A challenge for any prefix: unknown and revoked ones get a decoy. */
export async function challenge(deps: HandshakeDeps, prefix: string, nowMs: number): Promise<Challenge> {
  if (stryMutAct_9fa48("717")) {
    {}
  } else {
    stryCov_9fa48("717");
    const key = await deps.keyOf(prefix);
    const requestId = idText(randomBytes(15));
    const nonce = toBase64url(randomBytes(24));
    const expiresMs = stryMutAct_9fa48("718") ? nowMs - CHALLENGE_LIFETIME_MS : (stryCov_9fa48("718"), nowMs + CHALLENGE_LIFETIME_MS);
    await deps.transient.put(stryMutAct_9fa48("719") ? `` : (stryCov_9fa48("719"), `challenge:${requestId}`), JSON.stringify(stryMutAct_9fa48("720") ? [] : (stryCov_9fa48("720"), [prefix, nonce])), stryMutAct_9fa48("721") ? {} : (stryCov_9fa48("721"), {
      nowMs,
      expiresMs
    })).catch(noRoom);
    return stryMutAct_9fa48("722") ? {} : (stryCov_9fa48("722"), {
      request_id: requestId,
      nonce,
      expires_at: new Date(expiresMs).toISOString(),
      algorithm: (stryMutAct_9fa48("725") ? key !== null || !key.revoked : stryMutAct_9fa48("724") ? false : stryMutAct_9fa48("723") ? true : (stryCov_9fa48("723", "724", "725"), (stryMutAct_9fa48("727") ? key === null : stryMutAct_9fa48("726") ? true : (stryCov_9fa48("726", "727"), key !== null)) && (stryMutAct_9fa48("728") ? key.revoked : (stryCov_9fa48("728"), !key.revoked)))) ? key.algorithm : decoyAlgorithm(deps.keys, prefix),
      message_format: MESSAGE_FORMAT,
      permissions_format: PERMISSIONS_FORMAT
    });
  }
}
function noRoom(why: unknown): never {
  if (stryMutAct_9fa48("729")) {
    {}
  } else {
    stryCov_9fa48("729");
    if (stryMutAct_9fa48("731") ? false : stryMutAct_9fa48("730") ? true : (stryCov_9fa48("730", "731"), why instanceof StoreUnavailable)) throw why;
    const detail = stryMutAct_9fa48("732") ? "" : (stryCov_9fa48("732"), 'Too many challenges are waiting to be redeemed. Try again in a moment.');
    throw new Refusal(stryMutAct_9fa48("733") ? "" : (stryCov_9fa48("733"), 'unavailable'), stryMutAct_9fa48("734") ? "" : (stryCov_9fa48("734"), 'store_away'), detail);
  }
}
function decoyAlgorithm(keys: WorkingKeys, prefix: string): KeyAlgorithm {
  if (stryMutAct_9fa48("735")) {
    {}
  } else {
    stryCov_9fa48("735");
    const [first = 0] = keyedDigest(keys.decoy, prefix);
    return (stryMutAct_9fa48("738") ? first % 2 !== 0 : stryMutAct_9fa48("737") ? false : stryMutAct_9fa48("736") ? true : (stryCov_9fa48("736", "737", "738"), (stryMutAct_9fa48("739") ? first * 2 : (stryCov_9fa48("739"), first % 2)) === 0)) ? stryMutAct_9fa48("740") ? "" : (stryCov_9fa48("740"), 'hmac-sha256') : stryMutAct_9fa48("741") ? "" : (stryCov_9fa48("741"), 'ed25519');
  }
}
export interface Redeem {
  readonly prefix: string;
  readonly requestId: string;
  readonly signature: string;
  /** Unix seconds. */
  readonly unixTs: number;
  readonly permissions: readonly string[];
}
export interface Token {
  readonly token: string;
  /** Unix seconds. */
  readonly expires_at: number;
  readonly permissions: readonly string[];
  readonly declined: readonly string[];
}

/**
 * Takes the challenge, then looks at the time, then at the signature. 401 `challenge_rejected` for whatever is wrong
 * but the time; 401 `timestamp_out_of_range` for that.
 */
export async function redeem(deps: HandshakeDeps, call: Redeem, nowMs: number): Promise<Token> {
  if (stryMutAct_9fa48("742")) {
    {}
  } else {
    stryCov_9fa48("742");
    const {
      prefix,
      requestId,
      unixTs,
      permissions
    } = call;
    const kept = await deps.transient.take(stryMutAct_9fa48("743") ? `` : (stryCov_9fa48("743"), `challenge:${requestId}`), nowMs);
    const [askedBy, nonce] = (stryMutAct_9fa48("746") ? kept !== null : stryMutAct_9fa48("745") ? false : stryMutAct_9fa48("744") ? true : (stryCov_9fa48("744", "745", "746"), kept === null)) ? stryMutAct_9fa48("747") ? [] : (stryCov_9fa48("747"), [null, stryMutAct_9fa48("748") ? "Stryker was here!" : (stryCov_9fa48("748"), '')]) : JSON.parse(kept) as [string, string];
    if (stryMutAct_9fa48("751") ? askedBy === prefix : stryMutAct_9fa48("750") ? false : stryMutAct_9fa48("749") ? true : (stryCov_9fa48("749", "750", "751"), askedBy !== prefix)) throw rejected();
    const serverTime = Math.floor(stryMutAct_9fa48("752") ? nowMs * 1000 : (stryCov_9fa48("752"), nowMs / 1000));
    if (stryMutAct_9fa48("756") ? Math.abs(unixTs - serverTime) <= TIMESTAMP_TOLERANCE_S : stryMutAct_9fa48("755") ? Math.abs(unixTs - serverTime) >= TIMESTAMP_TOLERANCE_S : stryMutAct_9fa48("754") ? false : stryMutAct_9fa48("753") ? true : (stryCov_9fa48("753", "754", "755", "756"), Math.abs(stryMutAct_9fa48("757") ? unixTs + serverTime : (stryCov_9fa48("757"), unixTs - serverTime)) > TIMESTAMP_TOLERANCE_S)) {
      if (stryMutAct_9fa48("758")) {
        {}
      } else {
        stryCov_9fa48("758");
        throw new Refusal(stryMutAct_9fa48("759") ? "" : (stryCov_9fa48("759"), 'unauthenticated'), stryMutAct_9fa48("760") ? "" : (stryCov_9fa48("760"), 'timestamp_out_of_range'), stryMutAct_9fa48("761") ? `` : (stryCov_9fa48("761"), `unix_ts is more than ${TIMESTAMP_TOLERANCE_S} seconds from the server's clock. Set your clock, or sign server_time, and ask for a new challenge.`), stryMutAct_9fa48("762") ? {} : (stryCov_9fa48("762"), {
          server_time: serverTime
        }));
      }
    }
    const key = await deps.keyOf(prefix);
    const message = challengeMessage(requestId, nonce, unixTs, permissions);
    const proven = await proves(deps, prefix, key, message, call.signature);
    if (stryMutAct_9fa48("765") ? (key === null || key.revoked) && !proven : stryMutAct_9fa48("764") ? false : stryMutAct_9fa48("763") ? true : (stryCov_9fa48("763", "764", "765"), (stryMutAct_9fa48("767") ? key === null && key.revoked : stryMutAct_9fa48("766") ? false : (stryCov_9fa48("766", "767"), (stryMutAct_9fa48("769") ? key !== null : stryMutAct_9fa48("768") ? false : (stryCov_9fa48("768", "769"), key === null)) || key.revoked)) || (stryMutAct_9fa48("770") ? proven : (stryCov_9fa48("770"), !proven)))) throw rejected();
    const {
      granted,
      declined
    } = grant(key.permissions, permissions);
    const claims = stryMutAct_9fa48("771") ? {} : (stryCov_9fa48("771"), {
      key: prefix,
      game: key.game,
      permissions: granted,
      player: null,
      session: null
    });
    const {
      token,
      expiresAt
    } = await deps.tokens.issue(claims, nowMs);
    return stryMutAct_9fa48("772") ? {} : (stryCov_9fa48("772"), {
      token,
      expires_at: expiresAt,
      permissions: granted,
      declined
    });
  }
}

/** Public key of nobody: an unknown prefix costs a verification too. */
const NOBODY = Buffer.alloc(32, 0x58);
async function proves({
  vault,
  keys
}: HandshakeDeps, prefix: string, key: Key | null, message: string, signature: string): Promise<boolean> {
  if (stryMutAct_9fa48("773")) {
    {}
  } else {
    stryCov_9fa48("773");
    const algorithm = stryMutAct_9fa48("774") ? key?.algorithm && decoyAlgorithm(keys, prefix) : (stryCov_9fa48("774"), (stryMutAct_9fa48("775") ? key.algorithm : (stryCov_9fa48("775"), key?.algorithm)) ?? decoyAlgorithm(keys, prefix));
    if (stryMutAct_9fa48("778") ? algorithm !== 'ed25519' : stryMutAct_9fa48("777") ? false : stryMutAct_9fa48("776") ? true : (stryCov_9fa48("776", "777", "778"), algorithm === (stryMutAct_9fa48("779") ? "" : (stryCov_9fa48("779"), 'ed25519')))) {
      if (stryMutAct_9fa48("780")) {
        {}
      } else {
        stryCov_9fa48("780");
        const publicKey = fromBase64url(stryMutAct_9fa48("781") ? key?.publicKey && '' : (stryCov_9fa48("781"), (stryMutAct_9fa48("782") ? key.publicKey : (stryCov_9fa48("782"), key?.publicKey)) ?? (stryMutAct_9fa48("783") ? "Stryker was here!" : (stryCov_9fa48("783"), ''))), 32);
        return stryMutAct_9fa48("786") ? ed25519Proves(publicKey ?? NOBODY, message, signature) || publicKey !== null : stryMutAct_9fa48("785") ? false : stryMutAct_9fa48("784") ? true : (stryCov_9fa48("784", "785", "786"), ed25519Proves(stryMutAct_9fa48("787") ? publicKey && NOBODY : (stryCov_9fa48("787"), publicKey ?? NOBODY), message, signature) && (stryMutAct_9fa48("789") ? publicKey === null : stryMutAct_9fa48("788") ? true : (stryCov_9fa48("788", "789"), publicKey !== null)));
      }
    }
    const secret = await vault.get(stryMutAct_9fa48("790") ? "" : (stryCov_9fa48("790"), 'key-secret'), prefix);
    const text = (stryMutAct_9fa48("793") ? secret !== null : stryMutAct_9fa48("792") ? false : stryMutAct_9fa48("791") ? true : (stryCov_9fa48("791", "792", "793"), secret === null)) ? prefix : Buffer.from(secret).toString(stryMutAct_9fa48("794") ? "" : (stryCov_9fa48("794"), 'utf8'));
    return stryMutAct_9fa48("797") ? hmacProves(text, message, signature) || secret !== null : stryMutAct_9fa48("796") ? false : stryMutAct_9fa48("795") ? true : (stryCov_9fa48("795", "796", "797"), hmacProves(text, message, signature) && (stryMutAct_9fa48("799") ? secret === null : stryMutAct_9fa48("798") ? true : (stryCov_9fa48("798", "799"), secret !== null)));
  }
}
function rejected(): Refusal {
  if (stryMutAct_9fa48("800")) {
    {}
  } else {
    stryCov_9fa48("800");
    return new Refusal(stryMutAct_9fa48("801") ? "" : (stryCov_9fa48("801"), 'unauthenticated'), stryMutAct_9fa48("802") ? "" : (stryCov_9fa48("802"), 'challenge_rejected'), stryMutAct_9fa48("803") ? "" : (stryCov_9fa48("803"), 'The challenge is unknown, used or expired, or the signature does not fit it. Ask for a new challenge and sign that.'));
  }
}