// Mails a code to sign in by. Asking for one does the same for every mail address, whether or not it is somebody's. Mails
// are limited for each mail address, network address and game.
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
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { keyedDigest } from '../../credentials/master.ts';
import { Refusal } from '../../domain/decider.ts';
import { linkOf } from '../../domain/links.ts';
import type { WindowSpec } from '../../stores/contract/transient.ts';
import { limitsOf } from '../game.ts';
import { keepShortly } from '../keep.ts';
import { playerNow } from '../player-now.ts';
import { digestOf, holderOf } from './claims.ts';
import { CODE_LIFETIME_MS, codeDigest, codeKey } from './code.ts';
import { tooMany } from './lock-out.ts';
import type { SignInDeps } from './sign-in-deps.ts';
const WITHIN_MS = stryMutAct_9fa48("1499") ? 15 / 60_000 : (stryCov_9fa48("1499"), 15 * 60_000);
export const MAILS_PER_EMAIL = 3;
export const MAILS_PER_NETWORK = 30;
/** Looking an address up takes this long at least: there is more to read of one that is somebody's. */
const LOOK_UP_MS = 5;
export interface CodeAsked {
  readonly game: {
    readonly id: string;
    readonly name: string;
  };
  readonly email: string;
  /** The caller's network address. */
  readonly network: string;
}

/** A limit on mails, and the words for who has reached it. */
interface Limit extends WindowSpec {
  readonly reached: string;
}

/**
 * Mails a new code, which takes the place of the one before. 429 `rate_limited` past 3 mails in 15 minutes to one address,
 * whatever the game; past 30 asked for from one network address; past what the game may send to addresses that are not
 * confirmed. 503 `mail_unavailable` where no mail can be sent.
 */
export async function mailCode(deps: SignInDeps, {
  game,
  email,
  network
}: CodeAsked, nowMs: number): Promise<void> {
  if (stryMutAct_9fa48("1500")) {
    {}
  } else {
    stryCov_9fa48("1500");
    const {
      mail
    } = deps;
    if (stryMutAct_9fa48("1503") ? mail !== null : stryMutAct_9fa48("1502") ? false : stryMutAct_9fa48("1501") ? true : (stryCov_9fa48("1501", "1502", "1503"), mail === null)) throw mailUnavailable();
    const [isConfirmed] = await Promise.all(stryMutAct_9fa48("1504") ? [] : (stryCov_9fa48("1504"), [isConfirmedAddress(deps, game.id, email), setTimeout(LOOK_UP_MS)]));
    const limits = stryMutAct_9fa48("1505") ? [] : (stryCov_9fa48("1505"), [ofEmail(deps, email)]);
    if (stryMutAct_9fa48("1507") ? false : stryMutAct_9fa48("1506") ? true : (stryCov_9fa48("1506", "1507"), deps.countsNetworks)) limits.push(ofNetwork(network));
    if (stryMutAct_9fa48("1510") ? false : stryMutAct_9fa48("1509") ? true : stryMutAct_9fa48("1508") ? isConfirmed : (stryCov_9fa48("1508", "1509", "1510"), !isConfirmed)) limits.push(ofGame(game.id, (await limitsOf(deps, game.id)).mailsPerQuarterHour));
    await within(deps, limits, nowMs, async () => {
      if (stryMutAct_9fa48("1511")) {
        {}
      } else {
        stryCov_9fa48("1511");
        const code = String(randomInt(1_000_000)).padStart(6, stryMutAct_9fa48("1512") ? "" : (stryCov_9fa48("1512"), '0'));
        const place = codeKey(game.id, digestOf(deps, stryMutAct_9fa48("1513") ? "" : (stryCov_9fa48("1513"), 'email'), game.id, email));
        const times = stryMutAct_9fa48("1514") ? {} : (stryCov_9fa48("1514"), {
          nowMs,
          expiresMs: stryMutAct_9fa48("1515") ? nowMs - CODE_LIFETIME_MS : (stryCov_9fa48("1515"), nowMs + CODE_LIFETIME_MS)
        });
        await keepShortly(deps.transient, place, codeDigest(deps, game.id, email, code), times);
        if (stryMutAct_9fa48("1518") ? false : stryMutAct_9fa48("1517") ? true : stryMutAct_9fa48("1516") ? mail.send({
          email,
          code,
          game: game.name,
          gameId: game.id
        }) : (stryCov_9fa48("1516", "1517", "1518"), !mail.send(stryMutAct_9fa48("1519") ? {} : (stryCov_9fa48("1519"), {
          email,
          code,
          game: game.name,
          gameId: game.id
        })))) throw mailUnavailable();
      }
    });
  }
}
function ofEmail({
  keys
}: SignInDeps, email: string): Limit {
  if (stryMutAct_9fa48("1520")) {
    {}
  } else {
    stryCov_9fa48("1520");
    const key = stryMutAct_9fa48("1521") ? `` : (stryCov_9fa48("1521"), `mail:${keyedDigest(keys.digest, stryMutAct_9fa48("1522") ? "" : (stryCov_9fa48("1522"), 'mail'), email).toString(stryMutAct_9fa48("1523") ? "" : (stryCov_9fa48("1523"), 'base64url'))}`);
    return stryMutAct_9fa48("1524") ? {} : (stryCov_9fa48("1524"), {
      key,
      most: MAILS_PER_EMAIL,
      withinMs: WITHIN_MS,
      reached: stryMutAct_9fa48("1525") ? "" : (stryCov_9fa48("1525"), 'Enough codes were mailed to this address.')
    });
  }
}
const ofNetwork = stryMutAct_9fa48("1526") ? () => undefined : (stryCov_9fa48("1526"), (() => {
  const ofNetwork = (network: string): Limit => stryMutAct_9fa48("1527") ? {} : (stryCov_9fa48("1527"), {
    key: stryMutAct_9fa48("1528") ? `` : (stryCov_9fa48("1528"), `mail_address:{${network}}`),
    most: MAILS_PER_NETWORK,
    withinMs: WITHIN_MS,
    reached: stryMutAct_9fa48("1529") ? "" : (stryCov_9fa48("1529"), 'Enough codes were asked for from this network address.')
  });
  return ofNetwork;
})());
const ofGame = stryMutAct_9fa48("1530") ? () => undefined : (stryCov_9fa48("1530"), (() => {
  const ofGame = (game: string, most: number): Limit => stryMutAct_9fa48("1531") ? {} : (stryCov_9fa48("1531"), {
    key: stryMutAct_9fa48("1532") ? `` : (stryCov_9fa48("1532"), `mail_game:{${game}}`),
    most,
    withinMs: WITHIN_MS,
    reached: stryMutAct_9fa48("1533") ? "" : (stryCov_9fa48("1533"), 'Enough codes were mailed for this game.')
  });
  return ofGame;
})());

/** Takes a place in each, and gives all back where one is full or `send` fails. One after the other: a key a call. */
async function within({
  windows
}: SignInDeps, limits: readonly Limit[], nowMs: number, send: () => Promise<void>): Promise<void> {
  if (stryMutAct_9fa48("1534")) {
    {}
  } else {
    stryCov_9fa48("1534");
    const attempt = randomUUID();
    const entered: Limit[] = stryMutAct_9fa48("1535") ? ["Stryker was here"] : (stryCov_9fa48("1535"), []);
    try {
      if (stryMutAct_9fa48("1536")) {
        {}
      } else {
        stryCov_9fa48("1536");
        for (const limit of limits) {
          if (stryMutAct_9fa48("1537")) {
            {}
          } else {
            stryCov_9fa48("1537");
            const [waitMs = 0] = await windows.enter(stryMutAct_9fa48("1538") ? [] : (stryCov_9fa48("1538"), [limit]), attempt, nowMs);
            if (stryMutAct_9fa48("1542") ? waitMs <= 0 : stryMutAct_9fa48("1541") ? waitMs >= 0 : stryMutAct_9fa48("1540") ? false : stryMutAct_9fa48("1539") ? true : (stryCov_9fa48("1539", "1540", "1541", "1542"), waitMs > 0)) throw tooMany(stryMutAct_9fa48("1543") ? limit.key.split(':')[0] && '' : (stryCov_9fa48("1543"), limit.key.split(stryMutAct_9fa48("1544") ? "" : (stryCov_9fa48("1544"), ':'))[0] ?? (stryMutAct_9fa48("1545") ? "Stryker was here!" : (stryCov_9fa48("1545"), ''))), waitMs, limit.reached);
            entered.push(limit);
          }
        }
        await send();
      }
    } catch (error) {
      if (stryMutAct_9fa48("1546")) {
        {}
      } else {
        stryCov_9fa48("1546");
        for (const limit of entered) await windows.leave(stryMutAct_9fa48("1547") ? [] : (stryCov_9fa48("1547"), [limit]), attempt);
        throw error;
      }
    }
  }
}

/** Whether the address is a player's who has proven it. As many reads for an address that is nobody's. */
async function isConfirmedAddress(deps: SignInDeps, game: string, email: string): Promise<boolean> {
  if (stryMutAct_9fa48("1548")) {
    {}
  } else {
    stryCov_9fa48("1548");
    const digest = digestOf(deps, stryMutAct_9fa48("1549") ? "" : (stryCov_9fa48("1549"), 'email'), game, email);
    const holder = await holderOf(deps, stryMutAct_9fa48("1550") ? "" : (stryCov_9fa48("1550"), 'email'), game, digest);
    const state = await playerNow(deps, stryMutAct_9fa48("1551") ? holder?.player && digest : (stryCov_9fa48("1551"), (stryMutAct_9fa48("1552") ? holder.player : (stryCov_9fa48("1552"), holder?.player)) ?? digest));
    if (stryMutAct_9fa48("1555") ? (holder === null || state === null) && state.deleted : stryMutAct_9fa48("1554") ? false : stryMutAct_9fa48("1553") ? true : (stryCov_9fa48("1553", "1554", "1555"), (stryMutAct_9fa48("1557") ? holder === null && state === null : stryMutAct_9fa48("1556") ? false : (stryCov_9fa48("1556", "1557"), (stryMutAct_9fa48("1559") ? holder !== null : stryMutAct_9fa48("1558") ? false : (stryCov_9fa48("1558", "1559"), holder === null)) || (stryMutAct_9fa48("1561") ? state !== null : stryMutAct_9fa48("1560") ? false : (stryCov_9fa48("1560", "1561"), state === null)))) || state.deleted)) return stryMutAct_9fa48("1562") ? true : (stryCov_9fa48("1562"), false);
    const link = linkOf(state, stryMutAct_9fa48("1563") ? "" : (stryCov_9fa48("1563"), 'email'));
    return stryMutAct_9fa48("1566") ? link !== null && link.secret === holder.secret || link.confirmed : stryMutAct_9fa48("1565") ? false : stryMutAct_9fa48("1564") ? true : (stryCov_9fa48("1564", "1565", "1566"), (stryMutAct_9fa48("1568") ? link !== null || link.secret === holder.secret : stryMutAct_9fa48("1567") ? true : (stryCov_9fa48("1567", "1568"), (stryMutAct_9fa48("1570") ? link === null : stryMutAct_9fa48("1569") ? true : (stryCov_9fa48("1569", "1570"), link !== null)) && (stryMutAct_9fa48("1572") ? link.secret !== holder.secret : stryMutAct_9fa48("1571") ? true : (stryCov_9fa48("1571", "1572"), link.secret === holder.secret)))) && link.confirmed);
  }
}
function mailUnavailable(): Refusal {
  if (stryMutAct_9fa48("1573")) {
    {}
  } else {
    stryCov_9fa48("1573");
    const detail = stryMutAct_9fa48("1574") ? "" : (stryCov_9fa48("1574"), 'This installation cannot send mail just now. Sign in another way, or try again later.');
    return new Refusal(stryMutAct_9fa48("1575") ? "" : (stryCov_9fa48("1575"), 'unavailable'), stryMutAct_9fa48("1576") ? "" : (stryCov_9fa48("1576"), 'mail_unavailable'), detail, stryMutAct_9fa48("1577") ? {} : (stryCov_9fa48("1577"), {
      retry_after: 5
    }));
  }
}