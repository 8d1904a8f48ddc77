// What ends when the owner of an address takes their player over: the login and password set before, the guest's token,
// and every session that had begun by then but their own.
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
import type { EmailConfirmedData } from '../../domain/links.ts';
import { besides, type CommandContext } from '../command-context.ts';
import type { PlayerPlace } from '../player.ts';
import { endAll } from '../session.ts';
import { release } from './claims.ts';
import type { TakeOverDeps } from './sign-in-deps.ts';

/** May be done again, up to a time: sessions begun after it are left alone; null: all that there are. */
export async function finishTakeOver(deps: TakeOverDeps, {
  game,
  player,
  confirmed
}: PlayerPlace & {
  readonly confirmed: EmailConfirmedData;
}, until: string | null, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("1840")) {
    {}
  } else {
    stryCov_9fa48("1840");
    const {
      takesOver,
      login,
      session: own
    } = confirmed;
    if (stryMutAct_9fa48("1843") ? false : stryMutAct_9fa48("1842") ? true : stryMutAct_9fa48("1841") ? takesOver : (stryCov_9fa48("1841", "1842", "1843"), !takesOver)) return;
    await deps.vault.destroy(stryMutAct_9fa48("1844") ? "" : (stryCov_9fa48("1844"), 'guest-token'), player);
    if (stryMutAct_9fa48("1847") ? login === null : stryMutAct_9fa48("1846") ? false : stryMutAct_9fa48("1845") ? true : (stryCov_9fa48("1845", "1846", "1847"), login !== null)) {
      if (stryMutAct_9fa48("1848")) {
        {}
      } else {
        stryCov_9fa48("1848");
        await deps.vault.destroy(stryMutAct_9fa48("1849") ? "" : (stryCov_9fa48("1849"), 'password'), login.secret);
        await deps.vault.destroy(stryMutAct_9fa48("1850") ? "" : (stryCov_9fa48("1850"), 'login'), login.secret);
        await release(deps, stryMutAct_9fa48("1851") ? {} : (stryCov_9fa48("1851"), {
          game,
          player
        }), stryMutAct_9fa48("1852") ? {} : (stryCov_9fa48("1852"), {
          kind: stryMutAct_9fa48("1853") ? "" : (stryCov_9fa48("1853"), 'login'),
          ...login
        }), context);
      }
    }
    const open = await deps.openSessions(player, context.nowMs);
    const sessions = stryMutAct_9fa48("1854") ? open.map(({
      id
    }) => id) : (stryCov_9fa48("1854"), open.filter(stryMutAct_9fa48("1855") ? () => undefined : (stryCov_9fa48("1855"), ({
      id,
      started
    }) => stryMutAct_9fa48("1858") ? id !== own || until === null || started <= until : stryMutAct_9fa48("1857") ? false : stryMutAct_9fa48("1856") ? true : (stryCov_9fa48("1856", "1857", "1858"), (stryMutAct_9fa48("1860") ? id === own : stryMutAct_9fa48("1859") ? true : (stryCov_9fa48("1859", "1860"), id !== own)) && (stryMutAct_9fa48("1862") ? until === null && started <= until : stryMutAct_9fa48("1861") ? true : (stryCov_9fa48("1861", "1862"), (stryMutAct_9fa48("1864") ? until !== null : stryMutAct_9fa48("1863") ? false : (stryCov_9fa48("1863", "1864"), until === null)) || (stryMutAct_9fa48("1867") ? started > until : stryMutAct_9fa48("1866") ? started < until : stryMutAct_9fa48("1865") ? false : (stryCov_9fa48("1865", "1866", "1867"), started <= until))))))).map(stryMutAct_9fa48("1868") ? () => undefined : (stryCov_9fa48("1868"), ({
      id
    }) => id)));
    await endAll(deps, stryMutAct_9fa48("1869") ? {} : (stryCov_9fa48("1869"), {
      game,
      player,
      sessions
    }), besides(context));
  }
}