// Sessions: starting one for a player who has proven who they are, and the secrets by which a guest comes back and a
// session is renewed. The vault holds only hashes of them.
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
import { createHash, timingSafeEqual } from 'node:crypto';
import { fromBase64url, toBase64url } from '../credentials/text.ts';
import { endSession, SESSION_LIFETIME_MS, type Session, type SessionEvent, session, sessionStream, signInRejected, startSession } from '../domain/session.ts';
import type { SecretKind } from '../stores/contract/vault.ts';
import type { Handled } from './command-batch.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { keep, recordFor } from './keep.ts';
import { publishSessions } from './publish-revocations.ts';
const SECRET_BYTES = 32;
/**
 * Sessions that are ended at once; told to all nodes before the next ones, so that none is good for long after its end.
 */
const TOLD_TOGETHER = 50;
type SessionHandled = Handled<Session | null, SessionEvent>;
interface NewSession {
  readonly game: string;
  readonly player: string;
  readonly key: string;
  readonly permissions: readonly string[];
  /** How often the player had been signed out everywhere when they proved who they are. */
  readonly signOuts: number;
}

/** Starts a session; the refresh token is shown once, by the answer to this call. */
export async function start(deps: CommandDeps, fresh: NewSession, context: CommandContext) {
  if (stryMutAct_9fa48("1087")) {
    {}
  } else {
    stryCov_9fa48("1087");
    const id = context.generator.id(stryMutAct_9fa48("1088") ? "" : (stryCov_9fa48("1088"), 'session'));
    const refreshToken = await keepSecret(deps, stryMutAct_9fa48("1089") ? "" : (stryCov_9fa48("1089"), 'refresh-token'), id, context.generator.secret(stryMutAct_9fa48("1090") ? "" : (stryCov_9fa48("1090"), 'refresh token')));
    const {
      game,
      player,
      key,
      permissions,
      signOuts
    } = fresh;
    const expires = new Date(stryMutAct_9fa48("1091") ? context.nowMs - SESSION_LIFETIME_MS : (stryCov_9fa48("1091"), context.nowMs + SESSION_LIFETIME_MS)).toISOString();
    const place = stryMutAct_9fa48("1092") ? {} : (stryCov_9fa48("1092"), {
      stream: sessionStream(id),
      game,
      player
    });
    const decision = startSession(stryMutAct_9fa48("1093") ? {} : (stryCov_9fa48("1093"), {
      player,
      key,
      permissions,
      expires,
      signOuts
    }));
    // A new guest's token was stored just before.
    const stored = stryMutAct_9fa48("1094") ? [] : (stryCov_9fa48("1094"), [{
      kind: 'refresh-token',
      id
    } as const, {
      kind: 'guest-token',
      id: player
    } as const]);
    const handled = await recordFor(deps.vault, stored, stryMutAct_9fa48("1095") ? () => undefined : (stryCov_9fa48("1095"), () => deps.handler.handle(session, place, context, decision)));
    return stryMutAct_9fa48("1096") ? {} : (stryCov_9fa48("1096"), {
      id,
      refreshToken,
      handled
    });
  }
}

/** Ends a session, and tells every node before it answers. */
export async function end(deps: CommandDeps, place: {
  readonly game: string;
  readonly player: string;
  readonly session: string;
}, context: CommandContext) {
  if (stryMutAct_9fa48("1097")) {
    {}
  } else {
    stryCov_9fa48("1097");
    const {
      handled
    } = await endAll(deps, stryMutAct_9fa48("1098") ? {} : (stryCov_9fa48("1098"), {
      ...place,
      sessions: stryMutAct_9fa48("1099") ? [] : (stryCov_9fa48("1099"), [place.session])
    }), context);
    return handled[0] as SessionHandled;
  }
}

/**
 * Ends a player's sessions, and tells every node before it answers; also of those it ended before it failed. `ended`
 * counts those that this very call ended.
 */
export async function endAll(deps: CommandDeps, {
  game,
  player,
  sessions
}: {
  readonly game: string;
  readonly player: string;
  readonly sessions: readonly string[];
}, context: CommandContext) {
  if (stryMutAct_9fa48("1100")) {
    {}
  } else {
    stryCov_9fa48("1100");
    const all: EndedSession[] = stryMutAct_9fa48("1101") ? ["Stryker was here"] : (stryCov_9fa48("1101"), []);
    for (let from = 0; stryMutAct_9fa48("1104") ? from >= sessions.length : stryMutAct_9fa48("1103") ? from <= sessions.length : stryMutAct_9fa48("1102") ? false : (stryCov_9fa48("1102", "1103", "1104"), from < sessions.length); stryMutAct_9fa48("1105") ? from -= TOLD_TOGETHER : (stryCov_9fa48("1105"), from += TOLD_TOGETHER)) {
      if (stryMutAct_9fa48("1106")) {
        {}
      } else {
        stryCov_9fa48("1106");
        all.push(...(await endSome(deps, stryMutAct_9fa48("1107") ? {} : (stryCov_9fa48("1107"), {
          game,
          player
        }), stryMutAct_9fa48("1108") ? sessions : (stryCov_9fa48("1108"), sessions.slice(from, stryMutAct_9fa48("1109") ? from - TOLD_TOGETHER : (stryCov_9fa48("1109"), from + TOLD_TOGETHER))), context)));
      }
    }
    const handled = all.map(stryMutAct_9fa48("1110") ? () => undefined : (stryCov_9fa48("1110"), one => one.handled));
    return stryMutAct_9fa48("1111") ? {} : (stryCov_9fa48("1111"), {
      handled,
      ended: handled.reduce(stryMutAct_9fa48("1112") ? () => undefined : (stryCov_9fa48("1112"), (sum, {
        events
      }) => stryMutAct_9fa48("1113") ? sum - events.length : (stryCov_9fa48("1113"), sum + events.length)), 0),
      written: stryMutAct_9fa48("1114") ? handled.findLast(one => one.written !== null)?.written && null : (stryCov_9fa48("1114"), (stryMutAct_9fa48("1115") ? handled.findLast(one => one.written !== null).written : (stryCov_9fa48("1115"), handled.findLast(stryMutAct_9fa48("1116") ? () => undefined : (stryCov_9fa48("1116"), one => stryMutAct_9fa48("1119") ? one.written === null : stryMutAct_9fa48("1118") ? false : stryMutAct_9fa48("1117") ? true : (stryCov_9fa48("1117", "1118", "1119"), one.written !== null)))?.written)) ?? null),
      currentPosition: stryMutAct_9fa48("1121") ? handled.at(-1).current?.at : stryMutAct_9fa48("1120") ? handled.at(-1)?.current.at : (stryCov_9fa48("1120", "1121"), handled.at(stryMutAct_9fa48("1122") ? +1 : (stryCov_9fa48("1122"), -1))?.current?.at)
    });
  }
}
interface EndedSession {
  readonly session: string;
  readonly handled: SessionHandled;
}
async function endSome(deps: CommandDeps, {
  game,
  player
}: {
  readonly game: string;
  readonly player: string;
}, ids: readonly string[], context: CommandContext): Promise<EndedSession[]> {
  if (stryMutAct_9fa48("1123")) {
    {}
  } else {
    stryCov_9fa48("1123");
    const ending = await Promise.allSettled(ids.map(async (id): Promise<EndedSession> => {
      if (stryMutAct_9fa48("1124")) {
        {}
      } else {
        stryCov_9fa48("1124");
        const place = stryMutAct_9fa48("1125") ? {} : (stryCov_9fa48("1125"), {
          stream: sessionStream(id),
          game,
          player
        });
        return stryMutAct_9fa48("1126") ? {} : (stryCov_9fa48("1126"), {
          session: id,
          handled: await deps.handler.handle(session, place, context, endSession)
        });
      }
    }));
    const ended = ending.flatMap(stryMutAct_9fa48("1127") ? () => undefined : (stryCov_9fa48("1127"), one => (stryMutAct_9fa48("1130") ? one.status !== 'fulfilled' : stryMutAct_9fa48("1129") ? false : stryMutAct_9fa48("1128") ? true : (stryCov_9fa48("1128", "1129", "1130"), one.status === (stryMutAct_9fa48("1131") ? "" : (stryCov_9fa48("1131"), 'fulfilled')))) ? stryMutAct_9fa48("1132") ? [] : (stryCov_9fa48("1132"), [one.value]) : stryMutAct_9fa48("1133") ? ["Stryker was here"] : (stryCov_9fa48("1133"), [])));
    await publishSessions(deps, ended);
    for (const one of ending) if (stryMutAct_9fa48("1136") ? one.status !== 'rejected' : stryMutAct_9fa48("1135") ? false : stryMutAct_9fa48("1134") ? true : (stryCov_9fa48("1134", "1135", "1136"), one.status === (stryMutAct_9fa48("1137") ? "" : (stryCov_9fa48("1137"), 'rejected')))) throw one.reason;
    return ended;
  }
}

/** Keeps the hash of a secret and gives the token that shows it: the owner's id, a point, the secret. */
export async function keepSecret(deps: CommandDeps, kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>, owner: string, secret: Uint8Array): Promise<string> {
  if (stryMutAct_9fa48("1138")) {
    {}
  } else {
    stryCov_9fa48("1138");
    await keep(deps.vault, kind, owner, hash(secret));
    return stryMutAct_9fa48("1139") ? `` : (stryCov_9fa48("1139"), `${owner}.${toBase64url(secret)}`);
  }
}

/** Whose token this is. 401 `sign_in_rejected` for every kind of wrong one. */
export async function ownerOf(deps: CommandDeps, kind: Extract<SecretKind, 'guest-token' | 'refresh-token'>, token: string): Promise<string> {
  if (stryMutAct_9fa48("1140")) {
    {}
  } else {
    stryCov_9fa48("1140");
    const [owner = stryMutAct_9fa48("1141") ? "Stryker was here!" : (stryCov_9fa48("1141"), ''), text = stryMutAct_9fa48("1142") ? "Stryker was here!" : (stryCov_9fa48("1142"), ''), ...rest] = token.split(stryMutAct_9fa48("1143") ? "" : (stryCov_9fa48("1143"), '.'));
    const secret = fromBase64url(text, SECRET_BYTES);
    const kept = await deps.vault.get(kind, owner);
    const fits = timingSafeEqual(stryMutAct_9fa48("1144") ? kept && NOTHING : (stryCov_9fa48("1144"), kept ?? NOTHING), hash(stryMutAct_9fa48("1145") ? secret && NOTHING : (stryCov_9fa48("1145"), secret ?? NOTHING)));
    if (stryMutAct_9fa48("1148") ? (!fits || kept === null || secret === null) && rest.length > 0 : stryMutAct_9fa48("1147") ? false : stryMutAct_9fa48("1146") ? true : (stryCov_9fa48("1146", "1147", "1148"), (stryMutAct_9fa48("1150") ? (!fits || kept === null) && secret === null : stryMutAct_9fa48("1149") ? false : (stryCov_9fa48("1149", "1150"), (stryMutAct_9fa48("1152") ? !fits && kept === null : stryMutAct_9fa48("1151") ? false : (stryCov_9fa48("1151", "1152"), (stryMutAct_9fa48("1153") ? fits : (stryCov_9fa48("1153"), !fits)) || (stryMutAct_9fa48("1155") ? kept !== null : stryMutAct_9fa48("1154") ? false : (stryCov_9fa48("1154", "1155"), kept === null)))) || (stryMutAct_9fa48("1157") ? secret !== null : stryMutAct_9fa48("1156") ? false : (stryCov_9fa48("1156", "1157"), secret === null)))) || (stryMutAct_9fa48("1160") ? rest.length <= 0 : stryMutAct_9fa48("1159") ? rest.length >= 0 : stryMutAct_9fa48("1158") ? false : (stryCov_9fa48("1158", "1159", "1160"), rest.length > 0)))) throw signInRejected();
    return owner;
  }
}
const NOTHING = Buffer.alloc(32);

/** A secret of 32 random bytes needs no slow hash. */
function hash(secret: Uint8Array): Uint8Array {
  if (stryMutAct_9fa48("1161")) {
    {}
  } else {
    stryCov_9fa48("1161");
    return createHash(stryMutAct_9fa48("1162") ? "" : (stryCov_9fa48("1162"), 'sha256')).update(secret).digest();
  }
}