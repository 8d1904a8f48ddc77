// Signing in by a code sent to an e-mail address (mail-code.ts): an address that is nobody's becomes a new player's when
// its code comes back.
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
import { keyedDigest } from '../../credentials/master.ts';
import { Refusal } from '../../domain/decider.ts';
import { type Link, linkOf } from '../../domain/links.ts';
import { beginClaim, claimLogin, type LoginClaimedData, login } from '../../domain/login.ts';
import { type Player, player } from '../../domain/player.ts';
import { confirmEmail, register } from '../../domain/registration.ts';
import { signInRejected } from '../../domain/session.ts';
import { besides, type CommandContext } from '../command-context.ts';
import type { CommandDeps } from '../command-deps.ts';
import { aboutPlayer, playerNow } from '../player-now.ts';
import { begunBefore, type ClaimedLogin, claimStream, destroyUnclaimed, digestOf, holderOf, secretId } from './claims.ts';
import { mayPlay } from './may-play.ts';
import { keepText, playerName } from './register.ts';
import type { Proven, SignInDeps } from './sign-in-deps.ts';
import { finishTakeOver } from './take-over.ts';
export const CODE_LIFETIME_MS = stryMutAct_9fa48("1273") ? 15 / 60_000 : (stryCov_9fa48("1273"), 15 * 60_000);
/** So long a taking over waits for this node's views, which tell of the sessions that are to end. */
const SEEN_MS = 2_000;
/** Wrong tries from one network address, after which none of its tries is looked at, and of all, which void the code. */
export const CODE_TRIES_PER_NETWORK = 5;
export const CODE_TRIES = 50;
export const codeKey = stryMutAct_9fa48("1274") ? () => undefined : (stryCov_9fa48("1274"), (() => {
  const codeKey = (game: string, digest: string): string => stryMutAct_9fa48("1275") ? `` : (stryCov_9fa48("1275"), `code:${game}.${digest}`);
  return codeKey;
})());
export const codeDigest = stryMutAct_9fa48("1276") ? () => undefined : (stryCov_9fa48("1276"), (() => {
  const codeDigest = ({
    keys
  }: CommandDeps, game: string, email: string, code: string): string => keyedDigest(keys.digest, stryMutAct_9fa48("1277") ? "" : (stryCov_9fa48("1277"), 'code'), game, email, code).toString(stryMutAct_9fa48("1278") ? "" : (stryCov_9fa48("1278"), 'base64url'));
  return codeDigest;
})());
export interface CodeSent {
  readonly email: string;
  readonly code: string;
  /** The caller's network address. */
  readonly network: string;
  /** The player signed in on this call. */
  readonly signedIn: string | null;
}

/**
 * 401 `sign_in_rejected` for every wrong, used or expired code; 429 `rate_limited`, also for the right code, where too many
 * from this network were wrong; 403 `player_banned`.
 */
export async function signInByCode(deps: SignInDeps, game: string, sent: CodeSent, context: CommandContext): Promise<Proven<Player>> {
  if (stryMutAct_9fa48("1279")) {
    {}
  } else {
    stryCov_9fa48("1279");
    const before = await begunBefore(deps, context);
    if (stryMutAct_9fa48("1282") ? before === null : stryMutAct_9fa48("1281") ? false : stryMutAct_9fa48("1280") ? true : (stryCov_9fa48("1280", "1281", "1282"), before !== null)) {
      if (stryMutAct_9fa48("1283")) {
        {}
      } else {
        stryCov_9fa48("1283");
        const state = mayPlay(await playerNow(deps, before), context.nowMs);
        return stryMutAct_9fa48("1284") ? {} : (stryCov_9fa48("1284"), {
          id: before,
          state,
          made: stryMutAct_9fa48("1287") ? before !== context.generator.id('player') : stryMutAct_9fa48("1286") ? false : stryMutAct_9fa48("1285") ? true : (stryCov_9fa48("1285", "1286", "1287"), before === context.generator.id(stryMutAct_9fa48("1288") ? "" : (stryCov_9fa48("1288"), 'player')))
        });
      }
    }
    const {
      email,
      signedIn
    } = sent;
    const digest = digestOf(deps, stryMutAct_9fa48("1289") ? "" : (stryCov_9fa48("1289"), 'email'), game, email);
    if (stryMutAct_9fa48("1292") ? !context.repeated || !(await isRight(deps, game, digest, sent, context.nowMs)) : stryMutAct_9fa48("1291") ? false : stryMutAct_9fa48("1290") ? true : (stryCov_9fa48("1290", "1291", "1292"), (stryMutAct_9fa48("1293") ? context.repeated : (stryCov_9fa48("1293"), !context.repeated)) && (stryMutAct_9fa48("1294") ? await isRight(deps, game, digest, sent, context.nowMs) : (stryCov_9fa48("1294"), !(await isRight(deps, game, digest, sent, context.nowMs)))))) throw signInRejected();
    const holder = stryMutAct_9fa48("1295") ? (await holderOf(deps, 'email', game, digest)) && (await claim(deps, game, digest, email, context)) : (stryCov_9fa48("1295"), (await holderOf(deps, stryMutAct_9fa48("1296") ? "" : (stryCov_9fa48("1296"), 'email'), game, digest)) ?? (await claim(deps, game, digest, email, context)));
    if (stryMutAct_9fa48("1299") ? holder.secret !== secretId(context) : stryMutAct_9fa48("1298") ? false : stryMutAct_9fa48("1297") ? true : (stryCov_9fa48("1297", "1298", "1299"), holder.secret === secretId(context))) {
      if (stryMutAct_9fa48("1300")) {
        {}
      } else {
        stryCov_9fa48("1300");
        return stryMutAct_9fa48("1301") ? {} : (stryCov_9fa48("1301"), {
          id: holder.player,
          state: await finishEmail(deps, stryMutAct_9fa48("1302") ? {} : (stryCov_9fa48("1302"), {
            game,
            digest,
            claim: holder
          }), context),
          made: stryMutAct_9fa48("1303") ? false : (stryCov_9fa48("1303"), true)
        });
      }
    }
    const state = await holdersState(deps, game, digest, holder, context);
    if (stryMutAct_9fa48("1306") ? linkOf(state, 'email')?.confirmed !== true : stryMutAct_9fa48("1305") ? false : stryMutAct_9fa48("1304") ? true : (stryCov_9fa48("1304", "1305", "1306"), (stryMutAct_9fa48("1307") ? linkOf(state, 'email').confirmed : (stryCov_9fa48("1307"), linkOf(state, stryMutAct_9fa48("1308") ? "" : (stryCov_9fa48("1308"), 'email'))?.confirmed)) === (stryMutAct_9fa48("1309") ? false : (stryCov_9fa48("1309"), true)))) return stryMutAct_9fa48("1310") ? {} : (stryCov_9fa48("1310"), {
      id: holder.player,
      state,
      made: stryMutAct_9fa48("1311") ? true : (stryCov_9fa48("1311"), false)
    });
    return stryMutAct_9fa48("1312") ? {} : (stryCov_9fa48("1312"), {
      id: holder.player,
      state: await confirm(deps, game, digest, holder.player, signedIn, context),
      made: stryMutAct_9fa48("1313") ? true : (stryCov_9fa48("1313"), false)
    });
  }
}
async function isRight(deps: SignInDeps, game: string, digest: string, {
  email,
  code,
  network
}: CodeSent, nowMs: number): Promise<boolean> {
  if (stryMutAct_9fa48("1314")) {
    {}
  } else {
    stryCov_9fa48("1314");
    const guess = stryMutAct_9fa48("1315") ? {} : (stryCov_9fa48("1315"), {
      value: codeDigest(deps, game, email, code),
      by: network,
      mostBy: CODE_TRIES_PER_NETWORK,
      most: CODE_TRIES
    });
    const prove = stryMutAct_9fa48("1316") ? () => undefined : (stryCov_9fa48("1316"), (() => {
      const prove = async () => (await deps.transient.guess(codeKey(game, digest), guess, nowMs)) ? stryMutAct_9fa48("1317") ? false : (stryCov_9fa48("1317"), true) : null;
      return prove;
    })());
    return stryMutAct_9fa48("1320") ? (deps.countsNetworks ? await deps.lockOut.attemptCode(network, nowMs, prove) : await prove()) !== true : stryMutAct_9fa48("1319") ? false : stryMutAct_9fa48("1318") ? true : (stryCov_9fa48("1318", "1319", "1320"), (deps.countsNetworks ? await deps.lockOut.attemptCode(network, nowMs, prove) : await prove()) === (stryMutAct_9fa48("1321") ? false : (stryCov_9fa48("1321"), true)));
  }
}

/** Claims an address for a new player; answers who has it. */
async function claim(deps: SignInDeps, game: string, digest: string, email: string, context: CommandContext): Promise<LoginClaimedData> {
  if (stryMutAct_9fa48("1322")) {
    {}
  } else {
    stryCov_9fa48("1322");
    const id = context.generator.id(stryMutAct_9fa48("1323") ? "" : (stryCov_9fa48("1323"), 'player'));
    const secret = secretId(context);
    const fresh = {
      kind: 'email',
      player: id,
      secret,
      makes: true,
      name: playerName(id),
      email: null
    } as const;
    const place = stryMutAct_9fa48("1324") ? {} : (stryCov_9fa48("1324"), {
      stream: claimStream(stryMutAct_9fa48("1325") ? "" : (stryCov_9fa48("1325"), 'email'), game, digest),
      game,
      player: id
    });
    try {
      if (stryMutAct_9fa48("1326")) {
        {}
      } else {
        stryCov_9fa48("1326");
        await deps.handler.handle(login, place, besides(context), beginClaim(secret));
        await keepText(deps, stryMutAct_9fa48("1327") ? "" : (stryCov_9fa48("1327"), 'email'), secret, email);
        await deps.handler.handle(login, place, context, claimLogin(fresh));
        return fresh;
      }
    } catch (why) {
      if (stryMutAct_9fa48("1328")) {
        {}
      } else {
        stryCov_9fa48("1328");
        await destroyUnclaimed(deps, stryMutAct_9fa48("1329") ? {} : (stryCov_9fa48("1329"), {
          kind: stryMutAct_9fa48("1330") ? "" : (stryCov_9fa48("1330"), 'email'),
          game,
          digest,
          secret
        }), why);
        const holder = await holderOf(deps, stryMutAct_9fa48("1331") ? "" : (stryCov_9fa48("1331"), 'email'), game, digest);
        if (stryMutAct_9fa48("1334") ? !(why instanceof Refusal && why.code === 'login_taken') && holder === null : stryMutAct_9fa48("1333") ? false : stryMutAct_9fa48("1332") ? true : (stryCov_9fa48("1332", "1333", "1334"), (stryMutAct_9fa48("1335") ? why instanceof Refusal && why.code === 'login_taken' : (stryCov_9fa48("1335"), !(stryMutAct_9fa48("1338") ? why instanceof Refusal || why.code === 'login_taken' : stryMutAct_9fa48("1337") ? false : stryMutAct_9fa48("1336") ? true : (stryCov_9fa48("1336", "1337", "1338"), why instanceof Refusal && (stryMutAct_9fa48("1340") ? why.code !== 'login_taken' : stryMutAct_9fa48("1339") ? true : (stryCov_9fa48("1339", "1340"), why.code === (stryMutAct_9fa48("1341") ? "" : (stryCov_9fa48("1341"), 'login_taken')))))))) || (stryMutAct_9fa48("1343") ? holder !== null : stryMutAct_9fa48("1342") ? false : (stryCov_9fa48("1342", "1343"), holder === null)))) throw why;
        return holder;
      }
    }
  }
}

/** What follows from the claim that a code made on an address. May be done again. */
export async function finishEmail(deps: CommandDeps, {
  game,
  digest,
  claim
}: ClaimedLogin, context: CommandContext): Promise<Player> {
  if (stryMutAct_9fa48("1344")) {
    {}
  } else {
    stryCov_9fa48("1344");
    const {
      player: id,
      secret,
      name
    } = claim;
    const link: Link = stryMutAct_9fa48("1345") ? {} : (stryCov_9fa48("1345"), {
      kind: stryMutAct_9fa48("1346") ? "" : (stryCov_9fa48("1346"), 'email'),
      digest,
      secret,
      confirmed: stryMutAct_9fa48("1347") ? false : (stryCov_9fa48("1347"), true)
    });
    const about = aboutPlayer(game, id);
    const made = await deps.handler.handle(player, about, context, register(stryMutAct_9fa48("1348") ? {} : (stryCov_9fa48("1348"), {
      makes: stryMutAct_9fa48("1349") ? false : (stryCov_9fa48("1349"), true),
      name,
      links: stryMutAct_9fa48("1350") ? [] : (stryCov_9fa48("1350"), [link]),
      session: null
    })));
    return mayPlay(made.after, context.nowMs);
  }
}
async function holdersState(deps: SignInDeps, game: string, digest: string, holder: LoginClaimedData, context: CommandContext): Promise<Player> {
  if (stryMutAct_9fa48("1351")) {
    {}
  } else {
    stryCov_9fa48("1351");
    const state = await playerNow(deps, holder.player);
    if (stryMutAct_9fa48("1354") ? state !== null || linkOf(state, 'email')?.secret === holder.secret : stryMutAct_9fa48("1353") ? false : stryMutAct_9fa48("1352") ? true : (stryCov_9fa48("1352", "1353", "1354"), (stryMutAct_9fa48("1356") ? state === null : stryMutAct_9fa48("1355") ? true : (stryCov_9fa48("1355", "1356"), state !== null)) && (stryMutAct_9fa48("1358") ? linkOf(state, 'email')?.secret !== holder.secret : stryMutAct_9fa48("1357") ? true : (stryCov_9fa48("1357", "1358"), (stryMutAct_9fa48("1359") ? linkOf(state, 'email').secret : (stryCov_9fa48("1359"), linkOf(state, stryMutAct_9fa48("1360") ? "" : (stryCov_9fa48("1360"), 'email'))?.secret)) === holder.secret)))) return mayPlay(state, context.nowMs);
    if (stryMutAct_9fa48("1363") ? state === null : stryMutAct_9fa48("1362") ? false : stryMutAct_9fa48("1361") ? true : (stryCov_9fa48("1361", "1362", "1363"), state !== null)) mayPlay(state, context.nowMs);
    // Whoever claimed it has not come to the end: a code's claim says all that is needed to do so here.
    if (stryMutAct_9fa48("1366") ? holder.name === null : stryMutAct_9fa48("1365") ? false : stryMutAct_9fa48("1364") ? true : (stryCov_9fa48("1364", "1365", "1366"), holder.name !== null)) return finishEmail(deps, stryMutAct_9fa48("1367") ? {} : (stryCov_9fa48("1367"), {
      game,
      digest,
      claim: holder
    }), besides(context));
    const detail = stryMutAct_9fa48("1368") ? "" : (stryCov_9fa48("1368"), 'This address is being registered just now. Ask for a new code in a moment.');
    throw new Refusal(stryMutAct_9fa48("1369") ? "" : (stryCov_9fa48("1369"), 'unavailable'), stryMutAct_9fa48("1370") ? "" : (stryCov_9fa48("1370"), 'busy'), detail, stryMutAct_9fa48("1371") ? {} : (stryCov_9fa48("1371"), {
      retry_after: 5
    }));
  }
}
async function confirm(deps: SignInDeps, game: string, digest: string, id: string, signedIn: string | null, context: CommandContext): Promise<Player> {
  if (stryMutAct_9fa48("1372")) {
    {}
  } else {
    stryCov_9fa48("1372");
    const data = stryMutAct_9fa48("1373") ? {} : (stryCov_9fa48("1373"), {
      digest,
      takesOver: stryMutAct_9fa48("1376") ? signedIn === id : stryMutAct_9fa48("1375") ? false : stryMutAct_9fa48("1374") ? true : (stryCov_9fa48("1374", "1375", "1376"), signedIn !== id),
      session: context.generator.id(stryMutAct_9fa48("1377") ? "" : (stryCov_9fa48("1377"), 'session'))
    });
    const {
      after,
      events,
      written
    } = await deps.handler.handle(player, aboutPlayer(game, id), context, confirmEmail(data));
    await deps.seen(written, SEEN_MS);
    for (const event of events) {
      if (stryMutAct_9fa48("1378")) {
        {}
      } else {
        stryCov_9fa48("1378");
        if (stryMutAct_9fa48("1381") ? event.type !== 'PlayerEmailConfirmed' : stryMutAct_9fa48("1380") ? false : stryMutAct_9fa48("1379") ? true : (stryCov_9fa48("1379", "1380", "1381"), event.type === (stryMutAct_9fa48("1382") ? "" : (stryCov_9fa48("1382"), 'PlayerEmailConfirmed')))) await finishTakeOver(deps, stryMutAct_9fa48("1383") ? {} : (stryCov_9fa48("1383"), {
          game,
          player: id,
          confirmed: event.data
        }), null, context);
      }
    }
    return mayPlay(after, context.nowMs);
  }
}