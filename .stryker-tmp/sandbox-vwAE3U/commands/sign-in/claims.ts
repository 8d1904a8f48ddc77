// Claims on logins and addresses: their streams in the log, their content, and releasing them with all
// that the vault keeps for them.
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
import type { Link } from '../../domain/links.ts';
import { type LoginClaimedData, type LoginEvent, type LoginKind, login, loginStream, mailStream, releaseLogin } from '../../domain/login.ts';
import { session, sessionStream } from '../../domain/session.ts';
import { besides, type CommandContext } from '../command-context.ts';
import type { CommandDeps } from '../command-deps.ts';
import { foldStream } from '../fold.ts';
import type { PlayerPlace } from '../player.ts';
import { playerNow } from '../player-now.ts';

/** What a login, or an address, is called in the log. Both come in canonical form. */
export function digestOf({
  keys
}: Pick<CommandDeps, 'keys'>, kind: LoginKind, game: string, text: string): string {
  if (stryMutAct_9fa48("1202")) {
    {}
  } else {
    stryCov_9fa48("1202");
    return keyedDigest(keys.digest, kind, game, text).toString(stryMutAct_9fa48("1203") ? "" : (stryCov_9fa48("1203"), 'hex'));
  }
}
export const claimStream = stryMutAct_9fa48("1204") ? () => undefined : (stryCov_9fa48("1204"), (() => {
  const claimStream = (kind: LoginKind, game: string, digest: string): string => (stryMutAct_9fa48("1207") ? kind !== 'login' : stryMutAct_9fa48("1206") ? false : stryMutAct_9fa48("1205") ? true : (stryCov_9fa48("1205", "1206", "1207"), kind === (stryMutAct_9fa48("1208") ? "" : (stryCov_9fa48("1208"), 'login')))) ? loginStream(game, digest) : mailStream(game, digest);
  return claimStream;
})());

/** Who holds it; null while nobody does. */
export function holderOf({
  log
}: CommandDeps, kind: LoginKind, game: string, digest: string): Promise<LoginClaimedData | null> {
  if (stryMutAct_9fa48("1209")) {
    {}
  } else {
    stryCov_9fa48("1209");
    return foldStream<LoginClaimedData | null, LoginEvent>(log, login, claimStream(kind, game, digest));
  }
}

/** The id under which the vault keeps what a call brings: another one for the same key sent with other words. */
export const secretId = stryMutAct_9fa48("1210") ? () => undefined : (stryCov_9fa48("1210"), (() => {
  const secretId = ({
    generator,
    call
  }: CommandContext): string => generator.id(stryMutAct_9fa48("1211") ? `` : (stryCov_9fa48("1211"), `sign-in ${call}`));
  return secretId;
})());

/** A claim on a login or address, by the digest that its stream is named by. */
export interface ClaimedLogin {
  readonly game: string;
  readonly digest: string;
  readonly claim: LoginClaimedData;
}

/** Frees a login or an address that was claimed under this secret. Harmless when it is free, or another's. */
export async function release(deps: CommandDeps, {
  game,
  player
}: PlayerPlace, link: Pick<Link, 'kind' | 'digest' | 'secret'>, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("1212")) {
    {}
  } else {
    stryCov_9fa48("1212");
    const place = stryMutAct_9fa48("1213") ? {} : (stryCov_9fa48("1213"), {
      stream: claimStream(link.kind, game, link.digest),
      game,
      player
    });
    await deps.handler.handle(login, place, besides(context), releaseLogin(link.secret));
  }
}

/** The vault keeps nothing of a claim any more. */
export async function destroySecrets({
  vault
}: CommandDeps, secret: string): Promise<void> {
  if (stryMutAct_9fa48("1214")) {
    {}
  } else {
    stryCov_9fa48("1214");
    const kinds = ['password', 'login', 'email'] as const;
    await Promise.all(kinds.map(stryMutAct_9fa48("1215") ? () => undefined : (stryCov_9fa48("1215"), kind => vault.destroy(kind, secret))));
  }
}

/** What a player who is not deleted is linked to under this secret. */
export async function linksBy(deps: CommandDeps, player: string, secret: string): Promise<ReadonlySet<LoginKind>> {
  if (stryMutAct_9fa48("1216")) {
    {}
  } else {
    stryCov_9fa48("1216");
    const state = await playerNow(deps, player);
    const links = (stryMutAct_9fa48("1219") ? state === null && state.deleted : stryMutAct_9fa48("1218") ? false : stryMutAct_9fa48("1217") ? true : (stryCov_9fa48("1217", "1218", "1219"), (stryMutAct_9fa48("1221") ? state !== null : stryMutAct_9fa48("1220") ? false : (stryCov_9fa48("1220", "1221"), state === null)) || state.deleted)) ? stryMutAct_9fa48("1222") ? ["Stryker was here"] : (stryCov_9fa48("1222"), []) : state.links;
    return new Set(stryMutAct_9fa48("1223") ? links.map(({
      kind
    }) => kind) : (stryCov_9fa48("1223"), links.filter(stryMutAct_9fa48("1224") ? () => undefined : (stryCov_9fa48("1224"), link => stryMutAct_9fa48("1227") ? link.secret !== secret : stryMutAct_9fa48("1226") ? false : stryMutAct_9fa48("1225") ? true : (stryCov_9fa48("1225", "1226", "1227"), link.secret === secret))).map(stryMutAct_9fa48("1228") ? () => undefined : (stryCov_9fa48("1228"), ({
      kind
    }) => kind))));
  }
}

/** The vault keeps nothing of a released claim but the link to its player. Idempotent. */
export async function destroyUnlinked({
  vault
}: CommandDeps, secret: string, linked: ReadonlySet<LoginKind>): Promise<void> {
  if (stryMutAct_9fa48("1229")) {
    {}
  } else {
    stryCov_9fa48("1229");
    if (stryMutAct_9fa48("1232") ? false : stryMutAct_9fa48("1231") ? true : stryMutAct_9fa48("1230") ? linked.has('login') : (stryCov_9fa48("1230", "1231", "1232"), !linked.has(stryMutAct_9fa48("1233") ? "" : (stryCov_9fa48("1233"), 'login')))) {
      if (stryMutAct_9fa48("1234")) {
        {}
      } else {
        stryCov_9fa48("1234");
        await vault.destroy(stryMutAct_9fa48("1235") ? "" : (stryCov_9fa48("1235"), 'password'), secret);
        await vault.destroy(stryMutAct_9fa48("1236") ? "" : (stryCov_9fa48("1236"), 'login'), secret);
      }
    }
    if (stryMutAct_9fa48("1239") ? false : stryMutAct_9fa48("1238") ? true : stryMutAct_9fa48("1237") ? linked.has('email') : (stryCov_9fa48("1237", "1238", "1239"), !linked.has(stryMutAct_9fa48("1240") ? "" : (stryCov_9fa48("1240"), 'email')))) await vault.destroy(stryMutAct_9fa48("1241") ? "" : (stryCov_9fa48("1241"), 'email'), secret);
  }
}
interface FailedClaim {
  readonly kind: LoginKind;
  readonly game: string;
  readonly digest: string;
  readonly secret: string;
}

/**
 * After a claim that failed: the vault keeps nothing for it, where it is known not to stand. While that is unknown (the
 * log did not answer) it may yet be recorded, and needs what is kept.
 */
export async function destroyUnclaimed(deps: CommandDeps, {
  kind,
  game,
  digest,
  secret
}: FailedClaim, why: unknown): Promise<void> {
  if (stryMutAct_9fa48("1242")) {
    {}
  } else {
    stryCov_9fa48("1242");
    if (stryMutAct_9fa48("1245") ? !(why instanceof Refusal) && why.code === 'log_unavailable' : stryMutAct_9fa48("1244") ? false : stryMutAct_9fa48("1243") ? true : (stryCov_9fa48("1243", "1244", "1245"), (stryMutAct_9fa48("1246") ? why instanceof Refusal : (stryCov_9fa48("1246"), !(why instanceof Refusal))) || (stryMutAct_9fa48("1248") ? why.code !== 'log_unavailable' : stryMutAct_9fa48("1247") ? false : (stryCov_9fa48("1247", "1248"), why.code === (stryMutAct_9fa48("1249") ? "" : (stryCov_9fa48("1249"), 'log_unavailable')))))) return;
    // A copy of the call may have come through elsewhere meanwhile. If this is unknown, a
    // hash that nothing names is left.
    const holder = await holderOf(deps, kind, game, digest).catch(() => undefined);
    if (stryMutAct_9fa48("1252") ? holder !== undefined || holder?.secret !== secret : stryMutAct_9fa48("1251") ? false : stryMutAct_9fa48("1250") ? true : (stryCov_9fa48("1250", "1251", "1252"), (stryMutAct_9fa48("1254") ? holder === undefined : stryMutAct_9fa48("1253") ? true : (stryCov_9fa48("1253", "1254"), holder !== undefined)) && (stryMutAct_9fa48("1256") ? holder?.secret === secret : stryMutAct_9fa48("1255") ? true : (stryCov_9fa48("1255", "1256"), (stryMutAct_9fa48("1257") ? holder.secret : (stryCov_9fa48("1257"), holder?.secret)) !== secret)))) await destroySecrets(deps, secret).catch(() => {});
  }
}

/**
 * Lets go of every login and address of a player, and of all by which they could prove who they are. May be done again.
 */
export async function forgetSignIns(deps: CommandDeps, {
  game,
  player
}: PlayerPlace, links: readonly Pick<Link, 'kind' | 'digest' | 'secret'>[], context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("1258")) {
    {}
  } else {
    stryCov_9fa48("1258");
    for (const link of links) {
      if (stryMutAct_9fa48("1259")) {
        {}
      } else {
        stryCov_9fa48("1259");
        await destroySecrets(deps, link.secret);
        await release(deps, stryMutAct_9fa48("1260") ? {} : (stryCov_9fa48("1260"), {
          game,
          player
        }), link, context);
      }
    }
    await deps.vault.destroy(stryMutAct_9fa48("1261") ? "" : (stryCov_9fa48("1261"), 'guest-token'), player);
  }
}

/**
 * The player of the session that this very call has begun before, on whatever node; null where it has not. What proved
 * them then is used up, and need not be shown again by who sends the same call.
 */
export async function begunBefore({
  log
}: CommandDeps, {
  call,
  generator
}: CommandContext): Promise<string | null> {
  if (stryMutAct_9fa48("1262")) {
    {}
  } else {
    stryCov_9fa48("1262");
    if (stryMutAct_9fa48("1265") ? call !== null : stryMutAct_9fa48("1264") ? false : stryMutAct_9fa48("1263") ? true : (stryCov_9fa48("1263", "1264", "1265"), call === null)) return null;
    const stream = sessionStream(generator.id(stryMutAct_9fa48("1266") ? "" : (stryCov_9fa48("1266"), 'session')));
    const [first] = await log.readStream(stream, 0, 1);
    if (stryMutAct_9fa48("1269") ? first?.meta.call === call : stryMutAct_9fa48("1268") ? false : stryMutAct_9fa48("1267") ? true : (stryCov_9fa48("1267", "1268", "1269"), (stryMutAct_9fa48("1270") ? first.meta.call : (stryCov_9fa48("1270"), first?.meta.call)) !== call)) return null;
    return stryMutAct_9fa48("1271") ? (await foldStream(log, session, stream))?.player && null : (stryCov_9fa48("1271"), (stryMutAct_9fa48("1272") ? (await foldStream(log, session, stream)).player : (stryCov_9fa48("1272"), (await foldStream(log, session, stream))?.player)) ?? null);
  }
}