// What every way of signing in ends with: a session, and a token that carries its player.
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
import type { Player } from '../../domain/player.ts';
import { SESSIONS_MOST, signInRejected } from '../../domain/session.ts';
import { besides, type CommandContext } from '../command-context.ts';
import { playerNow } from '../player-now.ts';
import { end, endAll, start } from '../session.ts';
import type { Proven, SignInDeps } from './sign-in-deps.ts';

/** Who calls: the key that the session is begun with, and what its token may carry. */
interface Caller {
  readonly key: string;
  readonly permissions: readonly string[];
}

/** How many are ended at once where far too many are open: the next call ends more. */
const ENDED_AT_ONCE = 50;

/**
 * Begins the session of a player who has proven who they are, and ends the oldest where they have too many. The refresh
 * token is shown once, by the answer to this call. 429 `recording_limit` where the player has recorded too much.
 */
export async function beginSession(deps: SignInDeps, begun: {
  readonly game: string;
  readonly player: Proven<Player>;
  readonly caller: Caller;
}, context: CommandContext) {
  if (stryMutAct_9fa48("1163")) {
    {}
  } else {
    stryCov_9fa48("1163");
    const {
      game,
      player,
      caller
    } = begun;
    const {
      key,
      permissions
    } = caller;
    stryMutAct_9fa48("1164") ? context.tally.countTo(player.id) : (stryCov_9fa48("1164"), context.tally?.countTo(player.id));
    const fresh = stryMutAct_9fa48("1165") ? {} : (stryCov_9fa48("1165"), {
      game,
      player: player.id,
      key,
      permissions,
      signOuts: player.state.signOuts
    });
    const {
      id: session,
      refreshToken,
      handled
    } = await start(deps, fresh, context);
    const stillStands = stryMutAct_9fa48("1166") ? player.stillStands && (async () => (await playerNow(deps, player.id))?.deleted === false) : (stryCov_9fa48("1166"), player.stillStands ?? (stryMutAct_9fa48("1167") ? () => undefined : (stryCov_9fa48("1167"), async () => stryMutAct_9fa48("1170") ? (await playerNow(deps, player.id))?.deleted !== false : stryMutAct_9fa48("1169") ? false : stryMutAct_9fa48("1168") ? true : (stryCov_9fa48("1168", "1169", "1170"), (stryMutAct_9fa48("1171") ? (await playerNow(deps, player.id)).deleted : (stryCov_9fa48("1171"), (await playerNow(deps, player.id))?.deleted)) === (stryMutAct_9fa48("1172") ? true : (stryCov_9fa48("1172"), false))))));
    if (stryMutAct_9fa48("1175") ? false : stryMutAct_9fa48("1174") ? true : stryMutAct_9fa48("1173") ? await stillStands() : (stryCov_9fa48("1173", "1174", "1175"), !(await stillStands()))) {
      if (stryMutAct_9fa48("1176")) {
        {}
      } else {
        stryCov_9fa48("1176");
        await end(deps, stryMutAct_9fa48("1177") ? {} : (stryCov_9fa48("1177"), {
          game,
          player: player.id,
          session
        }), besides(context));
        throw signInRejected();
      }
    }
    // Whoever has just been made has no others.
    if (stryMutAct_9fa48("1180") ? !player.made || !handled.replayed : stryMutAct_9fa48("1179") ? false : stryMutAct_9fa48("1178") ? true : (stryCov_9fa48("1178", "1179", "1180"), (stryMutAct_9fa48("1181") ? player.made : (stryCov_9fa48("1181"), !player.made)) && (stryMutAct_9fa48("1182") ? handled.replayed : (stryCov_9fa48("1182"), !handled.replayed)))) await endOldest(deps, stryMutAct_9fa48("1183") ? {} : (stryCov_9fa48("1183"), {
      game,
      player: player.id,
      session
    }), context);
    const claims = stryMutAct_9fa48("1184") ? {} : (stryCov_9fa48("1184"), {
      key,
      game,
      permissions,
      player: player.id,
      session
    });
    const {
      token,
      expiresAt
    } = await deps.tokens.issue(claims, context.nowMs);
    return stryMutAct_9fa48("1185") ? {} : (stryCov_9fa48("1185"), {
      token,
      expiresAt,
      refreshToken,
      written: handled.written,
      replayed: handled.replayed
    });
  }
}

/** By what the views know: racers may leave a few too many, which the next session's beginning ends. */
async function endOldest(deps: SignInDeps, {
  game,
  player,
  session
}: {
  readonly game: string;
  readonly player: string;
  readonly session: string;
}, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("1186")) {
    {}
  } else {
    stryCov_9fa48("1186");
    const open = await deps.openSessions(player, context.nowMs, stryMutAct_9fa48("1187") ? SESSIONS_MOST - ENDED_AT_ONCE : (stryCov_9fa48("1187"), SESSIONS_MOST + ENDED_AT_ONCE));
    const others = stryMutAct_9fa48("1188") ? open : (stryCov_9fa48("1188"), open.filter(stryMutAct_9fa48("1189") ? () => undefined : (stryCov_9fa48("1189"), ({
      id
    }) => stryMutAct_9fa48("1192") ? id === session : stryMutAct_9fa48("1191") ? false : stryMutAct_9fa48("1190") ? true : (stryCov_9fa48("1190", "1191", "1192"), id !== session))));
    const tooMany = stryMutAct_9fa48("1193") ? others : (stryCov_9fa48("1193"), others.slice(0, stryMutAct_9fa48("1194") ? Math.min(0, others.length + 1 - SESSIONS_MOST) : (stryCov_9fa48("1194"), Math.max(0, stryMutAct_9fa48("1195") ? others.length + 1 + SESSIONS_MOST : (stryCov_9fa48("1195"), (stryMutAct_9fa48("1196") ? others.length - 1 : (stryCov_9fa48("1196"), others.length + 1)) - SESSIONS_MOST)))));
    if (stryMutAct_9fa48("1199") ? tooMany.length !== 0 : stryMutAct_9fa48("1198") ? false : stryMutAct_9fa48("1197") ? true : (stryCov_9fa48("1197", "1198", "1199"), tooMany.length === 0)) return;
    await endAll(deps, stryMutAct_9fa48("1200") ? {} : (stryCov_9fa48("1200"), {
      game,
      player,
      sessions: tooMany.map(stryMutAct_9fa48("1201") ? () => undefined : (stryCov_9fa48("1201"), ({
        id
      }) => id))
    }), besides(context));
  }
}