// Registering: the claim on the login decides, and names what the vault keeps of it. What follows from the claim is
// done by the call or, after a crash, by a process (processes/finish-sign-ins.ts).
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
import { Refusal } from '../../domain/decider.ts';
import { momentOf, unsafeCast } from '../../domain/event.ts';
import { type Link, linkOf } from '../../domain/links.ts';
import { beginClaim, claimEmail, claimLogin, type LoginClaimedData, type LoginEvent, login, loginTaken } from '../../domain/login.ts';
import { type Player, player } from '../../domain/player.ts';
import { alreadyRegistered, type OwnSession, register } from '../../domain/registration.ts';
import { SESSION_LIFETIME_MS, sessionStream, session as sessions, signInRejected } from '../../domain/session.ts';
import { eventsFrom } from '../../stores/support/events-from.ts';
import { besides, type CommandContext } from '../command-context.ts';
import type { CommandDeps } from '../command-deps.ts';
import { foldStream } from '../fold.ts';
import { keep } from '../keep.ts';
import { aboutPlayer, playerNow } from '../player-now.ts';
import { type ClaimedLogin, claimStream, destroyUnclaimed, destroyUnlinked, digestOf, linksBy, release, secretId } from './claims.ts';
import { passwordHash } from './hash.ts';
import { mayPlay } from './may-play.ts';
import type { Proven, SignInDeps } from './sign-in-deps.ts';

/** What is shown for a player who gave no name and is no guest: `Player` and four characters. */
export const playerName = stryMutAct_9fa48("1649") ? () => undefined : (stryCov_9fa48("1649"), (() => {
  const playerName = (id: string): string => stryMutAct_9fa48("1650") ? `` : (stryCov_9fa48("1650"), `Player${stryMutAct_9fa48("1651") ? id : (stryCov_9fa48("1651"), id.slice(0, 4))}`);
  return playerName;
})());

/** Login and address in canonical form. */
export interface Wish {
  readonly login: string;
  /** The login as the player typed it, which an access request shows; left out: as it is compared. */
  readonly typed?: string;
  readonly password: string;
  readonly name: string | null;
  readonly email: string | null;
}
interface AskedRegistration {
  readonly game: string;
  readonly caller: {
    readonly player: string | null;
    readonly session: string | null;
    readonly network: string;
  };
  readonly wish: Wish;
}

/**
 * Makes a registered player, or one of the player who is signed in (null: nobody). 409 `login_taken`,
 * `already_registered`; 503 `sign_in_busy`. An address that is somebody's already is passed over, and nothing tells.
 */
export async function registerPlayer(deps: SignInDeps, {
  game,
  caller,
  wish
}: AskedRegistration, context: CommandContext): Promise<Proven<Player>> {
  if (stryMutAct_9fa48("1652")) {
    {}
  } else {
    stryCov_9fa48("1652");
    const {
      name,
      email
    } = wish;
    const {
      player: signedIn
    } = caller;
    const secret = secretId(context);
    const digest = digestOf(deps, stryMutAct_9fa48("1653") ? "" : (stryCov_9fa48("1653"), 'login'), game, wish.login);
    const id = stryMutAct_9fa48("1654") ? signedIn && context.generator.id('player') : (stryCov_9fa48("1654"), signedIn ?? context.generator.id(stryMutAct_9fa48("1655") ? "" : (stryCov_9fa48("1655"), 'player')));
    if (stryMutAct_9fa48("1658") ? signedIn === null : stryMutAct_9fa48("1657") ? false : stryMutAct_9fa48("1656") ? true : (stryCov_9fa48("1656", "1657", "1658"), signedIn !== null)) {
      if (stryMutAct_9fa48("1659")) {
        {}
      } else {
        stryCov_9fa48("1659");
        const present = linkOf(mayPlay(await playerNow(deps, id), context.nowMs), stryMutAct_9fa48("1660") ? "" : (stryCov_9fa48("1660"), 'login'));
        if (stryMutAct_9fa48("1663") ? present !== null || present.secret !== secret : stryMutAct_9fa48("1662") ? false : stryMutAct_9fa48("1661") ? true : (stryCov_9fa48("1661", "1662", "1663"), (stryMutAct_9fa48("1665") ? present === null : stryMutAct_9fa48("1664") ? true : (stryCov_9fa48("1664", "1665"), present !== null)) && (stryMutAct_9fa48("1667") ? present.secret === secret : stryMutAct_9fa48("1666") ? true : (stryCov_9fa48("1666", "1667"), present.secret !== secret)))) throw alreadyRegistered();
      }
    }
    const session = await begunBy(deps, caller.session);
    const stream = claimStream(stryMutAct_9fa48("1668") ? "" : (stryCov_9fa48("1668"), 'login'), game, digest);
    const {
      holder,
      isClaimed
    } = await standingOf(deps, stream, secret);
    if (stryMutAct_9fa48("1671") ? !isClaimed || holder !== null : stryMutAct_9fa48("1670") ? false : stryMutAct_9fa48("1669") ? true : (stryCov_9fa48("1669", "1670", "1671"), (stryMutAct_9fa48("1672") ? isClaimed : (stryCov_9fa48("1672"), !isClaimed)) && (stryMutAct_9fa48("1674") ? holder === null : stryMutAct_9fa48("1673") ? true : (stryCov_9fa48("1673", "1674"), holder !== null)))) throw loginTaken();
    const gaveUp = stryMutAct_9fa48("1677") ? isClaimed || holder?.secret !== secret : stryMutAct_9fa48("1676") ? false : stryMutAct_9fa48("1675") ? true : (stryCov_9fa48("1675", "1676", "1677"), isClaimed && (stryMutAct_9fa48("1679") ? holder?.secret === secret : stryMutAct_9fa48("1678") ? true : (stryCov_9fa48("1678", "1679"), (stryMutAct_9fa48("1680") ? holder.secret : (stryCov_9fa48("1680"), holder?.secret)) !== secret)));
    const claim: LoginClaimedData = stryMutAct_9fa48("1681") ? {} : (stryCov_9fa48("1681"), {
      kind: stryMutAct_9fa48("1682") ? "" : (stryCov_9fa48("1682"), 'login'),
      player: id,
      secret,
      makes: stryMutAct_9fa48("1685") ? signedIn !== null : stryMutAct_9fa48("1684") ? false : stryMutAct_9fa48("1683") ? true : (stryCov_9fa48("1683", "1684", "1685"), signedIn === null),
      name: (stryMutAct_9fa48("1688") ? signedIn !== null : stryMutAct_9fa48("1687") ? false : stryMutAct_9fa48("1686") ? true : (stryCov_9fa48("1686", "1687", "1688"), signedIn === null)) ? stryMutAct_9fa48("1689") ? name && playerName(id) : (stryCov_9fa48("1689"), name ?? playerName(id)) : name,
      email: (stryMutAct_9fa48("1692") ? email !== null : stryMutAct_9fa48("1691") ? false : stryMutAct_9fa48("1690") ? true : (stryCov_9fa48("1690", "1691", "1692"), email === null)) ? null : digestOf(deps, stryMutAct_9fa48("1693") ? "" : (stryCov_9fa48("1693"), 'email'), game, email)
    });
    const place = stryMutAct_9fa48("1694") ? {} : (stryCov_9fa48("1694"), {
      stream,
      game,
      player: id
    });
    // A repeated call gets its first answer, even if the login has another owner now.
    const hash = isClaimed ? null : await passwordHash(deps, wish.password, caller.network);
    if (stryMutAct_9fa48("1697") ? hash === null : stryMutAct_9fa48("1696") ? false : stryMutAct_9fa48("1695") ? true : (stryCov_9fa48("1695", "1696", "1697"), hash !== null)) await deps.handler.handle(login, place, besides(context), beginClaim(secret));
    try {
      if (stryMutAct_9fa48("1698")) {
        {}
      } else {
        stryCov_9fa48("1698");
        if (stryMutAct_9fa48("1701") ? hash === null : stryMutAct_9fa48("1700") ? false : stryMutAct_9fa48("1699") ? true : (stryCov_9fa48("1699", "1700", "1701"), hash !== null)) await keepText(deps, stryMutAct_9fa48("1702") ? "" : (stryCov_9fa48("1702"), 'password'), secret, hash);
        if (stryMutAct_9fa48("1705") ? hash === null : stryMutAct_9fa48("1704") ? false : stryMutAct_9fa48("1703") ? true : (stryCov_9fa48("1703", "1704", "1705"), hash !== null)) await keepText(deps, stryMutAct_9fa48("1706") ? "" : (stryCov_9fa48("1706"), 'login'), secret, stryMutAct_9fa48("1707") ? wish.typed && wish.login : (stryCov_9fa48("1707"), wish.typed ?? wish.login));
        if (stryMutAct_9fa48("1710") ? hash !== null || email !== null : stryMutAct_9fa48("1709") ? false : stryMutAct_9fa48("1708") ? true : (stryCov_9fa48("1708", "1709", "1710"), (stryMutAct_9fa48("1712") ? hash === null : stryMutAct_9fa48("1711") ? true : (stryCov_9fa48("1711", "1712"), hash !== null)) && (stryMutAct_9fa48("1714") ? email === null : stryMutAct_9fa48("1713") ? true : (stryCov_9fa48("1713", "1714"), email !== null)))) await keepText(deps, stryMutAct_9fa48("1715") ? "" : (stryCov_9fa48("1715"), 'email'), secret, email);
        await deps.handler.handle(login, place, context, claimLogin(claim));
      }
    } catch (why) {
      if (stryMutAct_9fa48("1716")) {
        {}
      } else {
        stryCov_9fa48("1716");
        await destroyUnclaimed(deps, stryMutAct_9fa48("1717") ? {} : (stryCov_9fa48("1717"), {
          kind: stryMutAct_9fa48("1718") ? "" : (stryCov_9fa48("1718"), 'login'),
          game,
          digest,
          secret
        }), why);
        throw why;
      }
    }
    return stryMutAct_9fa48("1719") ? {} : (stryCov_9fa48("1719"), {
      id,
      state: mayPlay(await finishRegistration(deps, stryMutAct_9fa48("1720") ? {} : (stryCov_9fa48("1720"), {
        game,
        digest,
        claim
      }), stryMutAct_9fa48("1721") ? {} : (stryCov_9fa48("1721"), {
        session,
        gaveUp
      }), context), context.nowMs),
      made: claim.makes,
      // Whoever owns the address may have taken the player over since.
      stillStands: async () => {
        if (stryMutAct_9fa48("1722")) {
          {}
        } else {
          stryCov_9fa48("1722");
          const state = await playerNow(deps, id);
          return stryMutAct_9fa48("1725") ? state !== null || linkOf(state, 'login')?.secret === secret : stryMutAct_9fa48("1724") ? false : stryMutAct_9fa48("1723") ? true : (stryCov_9fa48("1723", "1724", "1725"), (stryMutAct_9fa48("1727") ? state === null : stryMutAct_9fa48("1726") ? true : (stryCov_9fa48("1726", "1727"), state !== null)) && (stryMutAct_9fa48("1729") ? linkOf(state, 'login')?.secret !== secret : stryMutAct_9fa48("1728") ? true : (stryCov_9fa48("1728", "1729"), (stryMutAct_9fa48("1730") ? linkOf(state, 'login').secret : (stryCov_9fa48("1730"), linkOf(state, stryMutAct_9fa48("1731") ? "" : (stryCov_9fa48("1731"), 'login'))?.secret)) === secret)));
        }
      }
    });
  }
}

/** The owner of the login, and whether this very call claimed it before; it may have been released since. */
async function standingOf({
  log
}: CommandDeps, stream: string, secret: string) {
  if (stryMutAct_9fa48("1732")) {
    {}
  } else {
    stryCov_9fa48("1732");
    let holder = login.initial;
    let isClaimed = stryMutAct_9fa48("1733") ? true : (stryCov_9fa48("1733"), false);
    for await (const event of eventsFrom(log, stream)) {
      if (stryMutAct_9fa48("1734")) {
        {}
      } else {
        stryCov_9fa48("1734");
        holder = login.evolve(holder, unsafeCast<LoginEvent>(event), momentOf(event));
        if (stryMutAct_9fa48("1737") ? holder?.secret !== secret : stryMutAct_9fa48("1736") ? false : stryMutAct_9fa48("1735") ? true : (stryCov_9fa48("1735", "1736", "1737"), (stryMutAct_9fa48("1738") ? holder.secret : (stryCov_9fa48("1738"), holder?.secret)) === secret)) isClaimed = stryMutAct_9fa48("1739") ? false : (stryCov_9fa48("1739"), true);
      }
    }
    return stryMutAct_9fa48("1740") ? {} : (stryCov_9fa48("1740"), {
      holder,
      isClaimed
    });
  }
}

/** The caller's session, where it has not ended. */
async function begunBy(deps: CommandDeps, id: string | null): Promise<OwnSession | null> {
  if (stryMutAct_9fa48("1741")) {
    {}
  } else {
    stryCov_9fa48("1741");
    const present = (stryMutAct_9fa48("1744") ? id !== null : stryMutAct_9fa48("1743") ? false : stryMutAct_9fa48("1742") ? true : (stryCov_9fa48("1742", "1743", "1744"), id === null)) ? null : await foldStream(deps.log, sessions, sessionStream(id));
    if (stryMutAct_9fa48("1747") ? (id === null || present === null) && present.ended : stryMutAct_9fa48("1746") ? false : stryMutAct_9fa48("1745") ? true : (stryCov_9fa48("1745", "1746", "1747"), (stryMutAct_9fa48("1749") ? id === null && present === null : stryMutAct_9fa48("1748") ? false : (stryCov_9fa48("1748", "1749"), (stryMutAct_9fa48("1751") ? id !== null : stryMutAct_9fa48("1750") ? false : (stryCov_9fa48("1750", "1751"), id === null)) || (stryMutAct_9fa48("1753") ? present !== null : stryMutAct_9fa48("1752") ? false : (stryCov_9fa48("1752", "1753"), present === null)))) || present.ended)) return null;
    return stryMutAct_9fa48("1754") ? {} : (stryCov_9fa48("1754"), {
      id,
      begun: new Date(stryMutAct_9fa48("1755") ? Date.parse(present.expires) + SESSION_LIFETIME_MS : (stryCov_9fa48("1755"), Date.parse(present.expires) - SESSION_LIFETIME_MS)).toISOString()
    });
  }
}

/** Who registers, and waits for the answer. */
export interface Registering {
  /** Theirs, where they were signed in. */
  readonly session: OwnSession | null;
  /**
   * Whether the claim was released before: then they get their first answer, or, where they
   * were refused, never let in by it.
   */
  readonly gaveUp: boolean;
}

/**
 * What follows from a claim on a login. May be done again, also when nobody waits for it any more (`by` null). Lets go
 * of the claim where the player cannot have it.
 */
export async function finishRegistration(deps: CommandDeps, {
  game,
  digest,
  claim
}: ClaimedLogin, by: Registering | null, context: CommandContext): Promise<Player> {
  if (stryMutAct_9fa48("1756")) {
    {}
  } else {
    stryCov_9fa48("1756");
    const {
      player: id,
      secret,
      makes,
      name,
      email
    } = claim;
    const own: Link = stryMutAct_9fa48("1757") ? {} : (stryCov_9fa48("1757"), {
      kind: stryMutAct_9fa48("1758") ? "" : (stryCov_9fa48("1758"), 'login'),
      digest,
      secret,
      confirmed: stryMutAct_9fa48("1759") ? false : (stryCov_9fa48("1759"), true)
    });
    const theirs: Link | null = (stryMutAct_9fa48("1762") ? email !== null : stryMutAct_9fa48("1761") ? false : stryMutAct_9fa48("1760") ? true : (stryCov_9fa48("1760", "1761", "1762"), email === null)) ? null : stryMutAct_9fa48("1763") ? {} : (stryCov_9fa48("1763"), {
      kind: stryMutAct_9fa48("1764") ? "" : (stryCov_9fa48("1764"), 'email'),
      digest: email,
      secret,
      confirmed: stryMutAct_9fa48("1765") ? true : (stryCov_9fa48("1765"), false)
    });
    const isTheirs = stryMutAct_9fa48("1768") ? theirs !== null || (await claimedEmail(deps, game, theirs, claim, by !== null, context)) : stryMutAct_9fa48("1767") ? false : stryMutAct_9fa48("1766") ? true : (stryCov_9fa48("1766", "1767", "1768"), (stryMutAct_9fa48("1770") ? theirs === null : stryMutAct_9fa48("1769") ? true : (stryCov_9fa48("1769", "1770"), theirs !== null)) && (await claimedEmail(deps, game, theirs, claim, stryMutAct_9fa48("1773") ? by === null : stryMutAct_9fa48("1772") ? false : stryMutAct_9fa48("1771") ? true : (stryCov_9fa48("1771", "1772", "1773"), by !== null), context)));
    const links = (stryMutAct_9fa48("1776") ? theirs !== null || isTheirs : stryMutAct_9fa48("1775") ? false : stryMutAct_9fa48("1774") ? true : (stryCov_9fa48("1774", "1775", "1776"), (stryMutAct_9fa48("1778") ? theirs === null : stryMutAct_9fa48("1777") ? true : (stryCov_9fa48("1777", "1778"), theirs !== null)) && isTheirs)) ? stryMutAct_9fa48("1779") ? [] : (stryCov_9fa48("1779"), [own, theirs]) : stryMutAct_9fa48("1780") ? [] : (stryCov_9fa48("1780"), [own]);
    const about = aboutPlayer(game, id);
    const registration = register(stryMutAct_9fa48("1781") ? {} : (stryCov_9fa48("1781"), {
      makes,
      name,
      links,
      session: stryMutAct_9fa48("1782") ? by?.session && null : (stryCov_9fa48("1782"), (stryMutAct_9fa48("1783") ? by.session : (stryCov_9fa48("1783"), by?.session)) ?? null)
    }));
    const registering = deps.handler.handle(player, about, context, (stryMutAct_9fa48("1786") ? by?.gaveUp !== true : stryMutAct_9fa48("1785") ? false : stryMutAct_9fa48("1784") ? true : (stryCov_9fa48("1784", "1785", "1786"), (stryMutAct_9fa48("1787") ? by.gaveUp : (stryCov_9fa48("1787"), by?.gaveUp)) === (stryMutAct_9fa48("1788") ? false : (stryCov_9fa48("1788"), true)))) ? refuseAgain : registration);
    const {
      after,
      replayed
    } = await registering.catch(async (why: unknown) => {
      if (stryMutAct_9fa48("1789")) {
        {}
      } else {
        stryCov_9fa48("1789");
        if (stryMutAct_9fa48("1792") ? (!(why instanceof Refusal) || why.kind === 'unavailable') && why.code === 'idempotency_key_reused' : stryMutAct_9fa48("1791") ? false : stryMutAct_9fa48("1790") ? true : (stryCov_9fa48("1790", "1791", "1792"), (stryMutAct_9fa48("1794") ? !(why instanceof Refusal) && why.kind === 'unavailable' : stryMutAct_9fa48("1793") ? false : (stryCov_9fa48("1793", "1794"), (stryMutAct_9fa48("1795") ? why instanceof Refusal : (stryCov_9fa48("1795"), !(why instanceof Refusal))) || (stryMutAct_9fa48("1797") ? why.kind !== 'unavailable' : stryMutAct_9fa48("1796") ? false : (stryCov_9fa48("1796", "1797"), why.kind === (stryMutAct_9fa48("1798") ? "" : (stryCov_9fa48("1798"), 'unavailable')))))) || (stryMutAct_9fa48("1800") ? why.code !== 'idempotency_key_reused' : stryMutAct_9fa48("1799") ? false : (stryCov_9fa48("1799", "1800"), why.code === (stryMutAct_9fa48("1801") ? "" : (stryCov_9fa48("1801"), 'idempotency_key_reused')))))) throw why;
        // An address that its owner has proven since is theirs, though the login that came with it is void.
        const had = await linksBy(deps, id, secret);
        for (const link of links) if (stryMutAct_9fa48("1804") ? false : stryMutAct_9fa48("1803") ? true : stryMutAct_9fa48("1802") ? had.has(link.kind) : (stryCov_9fa48("1802", "1803", "1804"), !had.has(link.kind))) await release(deps, stryMutAct_9fa48("1805") ? {} : (stryCov_9fa48("1805"), {
          game,
          player: id
        }), link, context);
        await destroyUnlinked(deps, secret, had);
        throw why;
      }
    });
    if (stryMutAct_9fa48("1808") ? after !== null : stryMutAct_9fa48("1807") ? false : stryMutAct_9fa48("1806") ? true : (stryCov_9fa48("1806", "1807", "1808"), after === null)) throw signInRejected();
    // Met again, the call is answered as the player was then: deleted since, they hold no
    // address that was claimed again here.
    const present = replayed ? await playerNow(deps, id) : after;
    if (stryMutAct_9fa48("1811") ? theirs !== null && isTheirs || present === null || linkOf(present, 'email')?.secret !== secret : stryMutAct_9fa48("1810") ? false : stryMutAct_9fa48("1809") ? true : (stryCov_9fa48("1809", "1810", "1811"), (stryMutAct_9fa48("1813") ? theirs !== null || isTheirs : stryMutAct_9fa48("1812") ? true : (stryCov_9fa48("1812", "1813"), (stryMutAct_9fa48("1815") ? theirs === null : stryMutAct_9fa48("1814") ? true : (stryCov_9fa48("1814", "1815"), theirs !== null)) && isTheirs)) && (stryMutAct_9fa48("1817") ? present === null && linkOf(present, 'email')?.secret !== secret : stryMutAct_9fa48("1816") ? true : (stryCov_9fa48("1816", "1817"), (stryMutAct_9fa48("1819") ? present !== null : stryMutAct_9fa48("1818") ? false : (stryCov_9fa48("1818", "1819"), present === null)) || (stryMutAct_9fa48("1821") ? linkOf(present, 'email')?.secret === secret : stryMutAct_9fa48("1820") ? false : (stryCov_9fa48("1820", "1821"), (stryMutAct_9fa48("1822") ? linkOf(present, 'email').secret : (stryCov_9fa48("1822"), linkOf(present, stryMutAct_9fa48("1823") ? "" : (stryCov_9fa48("1823"), 'email'))?.secret)) !== secret)))))) {
      if (stryMutAct_9fa48("1824")) {
        {}
      } else {
        stryCov_9fa48("1824");
        await release(deps, stryMutAct_9fa48("1825") ? {} : (stryCov_9fa48("1825"), {
          game,
          player: id
        }), theirs, context);
      }
    }
    return after;
  }
}

/** Of a call that is repeated: its login is free for others since, and its password destroyed. */
function refuseAgain(): never {
  if (stryMutAct_9fa48("1826")) {
    {}
  } else {
    stryCov_9fa48("1826");
    const detail = stryMutAct_9fa48("1827") ? "" : (stryCov_9fa48("1827"), 'This registration was refused before. Send it with another Idempotency-Key.');
    throw new Refusal(stryMutAct_9fa48("1828") ? "" : (stryCov_9fa48("1828"), 'unauthenticated'), stryMutAct_9fa48("1829") ? "" : (stryCov_9fa48("1829"), 'sign_in_rejected'), detail);
  }
}
async function claimedEmail(deps: CommandDeps, game: string, {
  digest
}: Link, {
  player: id,
  secret,
  makes
}: LoginClaimedData, isWaitedFor: boolean, context: CommandContext): Promise<boolean> {
  if (stryMutAct_9fa48("1830")) {
    {}
  } else {
    stryCov_9fa48("1830");
    const claim: LoginClaimedData = stryMutAct_9fa48("1831") ? {} : (stryCov_9fa48("1831"), {
      kind: stryMutAct_9fa48("1832") ? "" : (stryCov_9fa48("1832"), 'email'),
      player: id,
      secret,
      makes,
      name: null,
      email: null
    });
    const place = stryMutAct_9fa48("1833") ? {} : (stryCov_9fa48("1833"), {
      stream: claimStream(stryMutAct_9fa48("1834") ? "" : (stryCov_9fa48("1834"), 'email'), game, digest),
      game,
      player: id
    });
    const {
      after
    } = await deps.handler.handle(login, place, besides(context), claimEmail(claim, isWaitedFor));
    return stryMutAct_9fa48("1837") ? after?.secret !== secret : stryMutAct_9fa48("1836") ? false : stryMutAct_9fa48("1835") ? true : (stryCov_9fa48("1835", "1836", "1837"), (stryMutAct_9fa48("1838") ? after.secret : (stryCov_9fa48("1838"), after?.secret)) === secret);
  }
}
export const keepText = stryMutAct_9fa48("1839") ? () => undefined : (stryCov_9fa48("1839"), (() => {
  const keepText = ({
    vault
  }: CommandDeps, kind: 'password' | 'login' | 'email', id: string, text: string) => keep(vault, kind, id, Buffer.from(text));
  return keepText;
})());