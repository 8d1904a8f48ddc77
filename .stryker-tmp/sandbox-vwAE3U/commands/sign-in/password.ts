// Signing in by login and password. An unknown login, a wrong password and a void one are one failure, and take the
// same steps: as many reads of the log and the vault, and a check against a hash.
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
import { setTimeout } from 'node:timers/promises';
import { linkOf } from '../../domain/links.ts';
import type { Player } from '../../domain/player.ts';
import { signInRejected } from '../../domain/session.ts';
import type { CommandContext } from '../command-context.ts';
import { playerNow } from '../player-now.ts';
import { begunBefore, digestOf, holderOf } from './claims.ts';
import { orBusy, passwordHash } from './hash.ts';
import { mayPlay } from './may-play.ts';
import type { Proven, SignInDeps } from './sign-in-deps.ts';

/** Looking up takes this long at least: there is more to read and to unseal of a login that is somebody's. */
const LOOK_UP_MS = 5;

/** 401 `sign_in_rejected`; 429 `rate_limited`; 403 `player_banned`; 503 `sign_in_busy`. `network` is the caller's. */
export async function signInByPassword(deps: SignInDeps, game: string, sent: {
  readonly login: string;
  readonly typed?: string;
  readonly password: string;
  readonly network: string;
}, context: CommandContext): Promise<Proven<Player>> {
  if (stryMutAct_9fa48("1578")) {
    {}
  } else {
    stryCov_9fa48("1578");
    const digest = digestOf(deps, stryMutAct_9fa48("1579") ? "" : (stryCov_9fa48("1579"), 'login'), game, sent.login);
    const isTheirs = stryMutAct_9fa48("1580") ? () => undefined : (stryCov_9fa48("1580"), (() => {
      const isTheirs = (state: Player | null, secret: string) => stryMutAct_9fa48("1583") ? state !== null || linkOf(state, 'login')?.secret === secret : stryMutAct_9fa48("1582") ? false : stryMutAct_9fa48("1581") ? true : (stryCov_9fa48("1581", "1582", "1583"), (stryMutAct_9fa48("1585") ? state === null : stryMutAct_9fa48("1584") ? true : (stryCov_9fa48("1584", "1585"), state !== null)) && (stryMutAct_9fa48("1587") ? linkOf(state, 'login')?.secret !== secret : stryMutAct_9fa48("1586") ? true : (stryCov_9fa48("1586", "1587"), (stryMutAct_9fa48("1588") ? linkOf(state, 'login').secret : (stryCov_9fa48("1588"), linkOf(state, stryMutAct_9fa48("1589") ? "" : (stryCov_9fa48("1589"), 'login'))?.secret)) === secret)));
      return isTheirs;
    })());
    const before = await begunBefore(deps, context);
    if (stryMutAct_9fa48("1592") ? before === null : stryMutAct_9fa48("1591") ? false : stryMutAct_9fa48("1590") ? true : (stryCov_9fa48("1590", "1591", "1592"), before !== null)) {
      if (stryMutAct_9fa48("1593")) {
        {}
      } else {
        stryCov_9fa48("1593");
        const stillStands = async () => {
          if (stryMutAct_9fa48("1594")) {
            {}
          } else {
            stryCov_9fa48("1594");
            const [holder, state] = stryMutAct_9fa48("1595") ? [] : (stryCov_9fa48("1595"), [await holderOf(deps, stryMutAct_9fa48("1596") ? "" : (stryCov_9fa48("1596"), 'login'), game, digest), await playerNow(deps, before)]);
            return stryMutAct_9fa48("1599") ? holder?.player === before || isTheirs(state, holder.secret) : stryMutAct_9fa48("1598") ? false : stryMutAct_9fa48("1597") ? true : (stryCov_9fa48("1597", "1598", "1599"), (stryMutAct_9fa48("1601") ? holder?.player !== before : stryMutAct_9fa48("1600") ? true : (stryCov_9fa48("1600", "1601"), (stryMutAct_9fa48("1602") ? holder.player : (stryCov_9fa48("1602"), holder?.player)) === before)) && isTheirs(state, holder.secret));
          }
        };
        return stryMutAct_9fa48("1603") ? {} : (stryCov_9fa48("1603"), {
          id: before,
          state: mayPlay(await playerNow(deps, before), context.nowMs),
          made: stryMutAct_9fa48("1604") ? true : (stryCov_9fa48("1604"), false),
          stillStands
        });
      }
    }
    const proven = await deps.lockOut.attempt(digest, sent.network, context.nowMs, async () => {
      if (stryMutAct_9fa48("1605")) {
        {}
      } else {
        stryCov_9fa48("1605");
        const [{
          id,
          secret,
          state,
          kept
        }] = await Promise.all(stryMutAct_9fa48("1606") ? [] : (stryCov_9fa48("1606"), [lookedUp(deps, game, digest), setTimeout(LOOK_UP_MS)]));
        const hash = (stryMutAct_9fa48("1609") ? kept !== null : stryMutAct_9fa48("1608") ? false : stryMutAct_9fa48("1607") ? true : (stryCov_9fa48("1607", "1608", "1609"), kept === null)) ? null : Buffer.from(kept).toString();
        const {
          fits,
          isStale
        } = await deps.passwords.verify(hash, sent.password, sent.network).catch(orBusy);
        if (stryMutAct_9fa48("1612") ? !fits && !isTheirs(state, secret) : stryMutAct_9fa48("1611") ? false : stryMutAct_9fa48("1610") ? true : (stryCov_9fa48("1610", "1611", "1612"), (stryMutAct_9fa48("1613") ? fits : (stryCov_9fa48("1613"), !fits)) || (stryMutAct_9fa48("1614") ? isTheirs(state, secret) : (stryCov_9fa48("1614"), !isTheirs(state, secret))))) return null;
        if (stryMutAct_9fa48("1616") ? false : stryMutAct_9fa48("1615") ? true : (stryCov_9fa48("1615", "1616"), isStale)) await rehash(deps, secret, sent);
        return stryMutAct_9fa48("1617") ? {} : (stryCov_9fa48("1617"), {
          id,
          state,
          secret
        });
      }
    });
    if (stryMutAct_9fa48("1620") ? proven !== null : stryMutAct_9fa48("1619") ? false : stryMutAct_9fa48("1618") ? true : (stryCov_9fa48("1618", "1619", "1620"), proven === null)) throw signInRejected();
    const {
      id,
      secret
    } = proven;
    await keepLogin(deps, stryMutAct_9fa48("1621") ? sent.typed && sent.login : (stryCov_9fa48("1621"), sent.typed ?? sent.login), secret, stryMutAct_9fa48("1622") ? () => undefined : (stryCov_9fa48("1622"), async () => isTheirs(await playerNow(deps, id), secret)));
    return stryMutAct_9fa48("1623") ? {} : (stryCov_9fa48("1623"), {
      id,
      state: mayPlay(proven.state, context.nowMs),
      made: stryMutAct_9fa48("1624") ? true : (stryCov_9fa48("1624"), false),
      // The password may have been made void while it was looked at.
      stillStands: stryMutAct_9fa48("1625") ? () => undefined : (stryCov_9fa48("1625"), async () => isTheirs(await playerNow(deps, id), secret))
    });
  }
}
async function lookedUp(deps: SignInDeps, game: string, digest: string) {
  if (stryMutAct_9fa48("1626")) {
    {}
  } else {
    stryCov_9fa48("1626");
    const holder = await holderOf(deps, stryMutAct_9fa48("1627") ? "" : (stryCov_9fa48("1627"), 'login'), game, digest);
    const {
      player: id,
      secret
    } = stryMutAct_9fa48("1628") ? holder && {
      player: digest,
      secret: digest
    } : (stryCov_9fa48("1628"), holder ?? (stryMutAct_9fa48("1629") ? {} : (stryCov_9fa48("1629"), {
      player: digest,
      secret: digest
    })));
    const [state, kept] = await Promise.all(stryMutAct_9fa48("1630") ? [] : (stryCov_9fa48("1630"), [playerNow(deps, id), deps.vault.get(stryMutAct_9fa48("1631") ? "" : (stryCov_9fa48("1631"), 'password'), secret)]));
    return stryMutAct_9fa48("1632") ? {} : (stryCov_9fa48("1632"), {
      id,
      secret,
      state,
      kept
    });
  }
}

/**
 * Keeps the login in clear where it was claimed by a version that kept its keyed hash alone: an access request shows it. The
 * player may be deleted meanwhile: what was stored after their secrets were destroyed is destroyed again.
 */
async function keepLogin({
  vault
}: SignInDeps, login: string, secret: string, stillTheirs: () => Promise<boolean>): Promise<void> {
  if (stryMutAct_9fa48("1633")) {
    {}
  } else {
    stryCov_9fa48("1633");
    try {
      if (stryMutAct_9fa48("1634")) {
        {}
      } else {
        stryCov_9fa48("1634");
        if (stryMutAct_9fa48("1637") ? (await vault.get('login', secret)) === null : stryMutAct_9fa48("1636") ? false : stryMutAct_9fa48("1635") ? true : (stryCov_9fa48("1635", "1636", "1637"), (await vault.get(stryMutAct_9fa48("1638") ? "" : (stryCov_9fa48("1638"), 'login'), secret)) !== null)) return;
        await vault.putIfAbsent(stryMutAct_9fa48("1639") ? "" : (stryCov_9fa48("1639"), 'login'), secret, Buffer.from(login));
        if (stryMutAct_9fa48("1642") ? false : stryMutAct_9fa48("1641") ? true : stryMutAct_9fa48("1640") ? await stillTheirs().catch(() => false) : (stryCov_9fa48("1640", "1641", "1642"), !(await stillTheirs().catch(stryMutAct_9fa48("1643") ? () => undefined : (stryCov_9fa48("1643"), () => stryMutAct_9fa48("1644") ? true : (stryCov_9fa48("1644"), false)))))) await vault.destroy(stryMutAct_9fa48("1645") ? "" : (stryCov_9fa48("1645"), 'login'), secret);
      }
    } catch {
      // The next sign-in does it.
    }
  }
}

/** The new parameters' hash in place of the old one's. Where it cannot be made now, it is made another time. */
async function rehash(deps: SignInDeps, secret: string, {
  password,
  network
}: {
  readonly password: string;
  readonly network: string;
}): Promise<void> {
  if (stryMutAct_9fa48("1646")) {
    {}
  } else {
    stryCov_9fa48("1646");
    try {
      if (stryMutAct_9fa48("1647")) {
        {}
      } else {
        stryCov_9fa48("1647");
        await deps.vault.replace(stryMutAct_9fa48("1648") ? "" : (stryCov_9fa48("1648"), 'password'), secret, Buffer.from(await passwordHash(deps, password, network)));
      }
    } catch {
      // The old hash stands, and the password is right.
    }
  }
}