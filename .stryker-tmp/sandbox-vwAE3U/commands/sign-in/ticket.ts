// The tenant's ticket: a secret that signs one player in, once, within two minutes. Only its hash is kept.
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
import { fromBase64url, toBase64url } from '../../credentials/text.ts';
import { Refusal } from '../../domain/decider.ts';
import { externalId, externalStream, type Player, player } from '../../domain/player.ts';
import { signInRejected } from '../../domain/session.ts';
import type { Handled } from '../command-batch.ts';
import { besides, type CommandContext } from '../command-context.ts';
import { foldStream } from '../fold.ts';
import { keepShortly } from '../keep.ts';
import { externalDigest, finishExternalClaim, makePlayer } from '../player.ts';
import { aboutPlayer, playerNow } from '../player-now.ts';
import { begunBefore } from './claims.ts';
import { mayPlay } from './may-play.ts';
import { playerName } from './register.ts';
import type { Proven, SignInDeps } from './sign-in-deps.ts';
export const TICKET_LIFETIME_S = 120;
const TICKET_BYTES = 32;
/** Tickets of one game that wait to be redeemed, so that no game takes the room of others. */
export const TICKETS_PER_GAME = 32_768;

/** Whose ticket it is to be, and what making them recorded, where this call did. */
export interface TicketHolder {
  readonly id: string;
  readonly made: Pick<Handled<unknown, unknown>, 'written' | 'replayed'> | null;
}

/** The player of an external id, made if it is new. */
export async function playerOfExternalId(deps: SignInDeps, game: string, known: {
  readonly externalId: string;
  readonly name: string | null;
}, context: CommandContext): Promise<TicketHolder> {
  if (stryMutAct_9fa48("1870")) {
    {}
  } else {
    stryCov_9fa48("1870");
    const digest = externalDigest(deps, game, known.externalId);
    const holder = stryMutAct_9fa48("1871") ? () => undefined : (stryCov_9fa48("1871"), (() => {
      const holder = () => foldStream(deps.log, externalId, externalStream(game, digest));
      return holder;
    })());
    let claim = await holder();
    if (stryMutAct_9fa48("1874") ? claim !== null : stryMutAct_9fa48("1873") ? false : stryMutAct_9fa48("1872") ? true : (stryCov_9fa48("1872", "1873", "1874"), claim === null)) {
      if (stryMutAct_9fa48("1875")) {
        {}
      } else {
        stryCov_9fa48("1875");
        const name = stryMutAct_9fa48("1876") ? known.name && playerName(context.generator.id('player')) : (stryCov_9fa48("1876"), known.name ?? playerName(context.generator.id(stryMutAct_9fa48("1877") ? "" : (stryCov_9fa48("1877"), 'player'))));
        try {
          if (stryMutAct_9fa48("1878")) {
            {}
          } else {
            stryCov_9fa48("1878");
            const {
              id,
              handled
            } = await makePlayer(deps, game, stryMutAct_9fa48("1879") ? {} : (stryCov_9fa48("1879"), {
              externalId: known.externalId,
              name
            }), context);
            return stryMutAct_9fa48("1880") ? {} : (stryCov_9fa48("1880"), {
              id,
              made: handled
            });
          }
        } catch (why) {
          if (stryMutAct_9fa48("1881")) {
            {}
          } else {
            stryCov_9fa48("1881");
            if (stryMutAct_9fa48("1884") ? false : stryMutAct_9fa48("1883") ? true : stryMutAct_9fa48("1882") ? why instanceof Refusal && why.code === 'external_id_taken' : (stryCov_9fa48("1882", "1883", "1884"), !(stryMutAct_9fa48("1887") ? why instanceof Refusal || why.code === 'external_id_taken' : stryMutAct_9fa48("1886") ? false : stryMutAct_9fa48("1885") ? true : (stryCov_9fa48("1885", "1886", "1887"), why instanceof Refusal && (stryMutAct_9fa48("1889") ? why.code !== 'external_id_taken' : stryMutAct_9fa48("1888") ? true : (stryCov_9fa48("1888", "1889"), why.code === (stryMutAct_9fa48("1890") ? "" : (stryCov_9fa48("1890"), 'external_id_taken')))))))) throw why;
            claim = await holder();
            if (stryMutAct_9fa48("1893") ? claim !== null : stryMutAct_9fa48("1892") ? false : stryMutAct_9fa48("1891") ? true : (stryCov_9fa48("1891", "1892", "1893"), claim === null)) throw why;
          }
        }
      }
    }
    // The call that claimed it may not have come to its end.
    if (stryMutAct_9fa48("1896") ? (await playerNow(deps, claim.player)) !== null : stryMutAct_9fa48("1895") ? false : stryMutAct_9fa48("1894") ? true : (stryCov_9fa48("1894", "1895", "1896"), (await playerNow(deps, claim.player)) === null)) await finishExternalClaim(deps, game, claim, besides(context));
    return stryMutAct_9fa48("1897") ? {} : (stryCov_9fa48("1897"), {
      id: claim.player,
      made: null
    });
  }
}

/**
 * A ticket for a player of the game. A repeated call answers the same one, without making it valid again: that it was
 * made is recorded first. After a crash in between it is never valid, and another one is to be asked for.
 */
export async function makeTicket(deps: SignInDeps, game: string, {
  id,
  made
}: TicketHolder, context: CommandContext) {
  if (stryMutAct_9fa48("1898")) {
    {}
  } else {
    stryCov_9fa48("1898");
    const secret = context.generator.secret(stryMutAct_9fa48("1899") ? "" : (stryCov_9fa48("1899"), 'ticket'));
    const recorded = stryMutAct_9fa48("1900") ? made && (await answered(deps, game, id, context)) : (stryCov_9fa48("1900"), made ?? (await answered(deps, game, id, context)));
    const isReplayed = stryMutAct_9fa48("1903") ? recorded?.replayed !== true : stryMutAct_9fa48("1902") ? false : stryMutAct_9fa48("1901") ? true : (stryCov_9fa48("1901", "1902", "1903"), (stryMutAct_9fa48("1904") ? recorded.replayed : (stryCov_9fa48("1904"), recorded?.replayed)) === (stryMutAct_9fa48("1905") ? false : (stryCov_9fa48("1905"), true)));
    if (stryMutAct_9fa48("1908") ? false : stryMutAct_9fa48("1907") ? true : stryMutAct_9fa48("1906") ? isReplayed : (stryCov_9fa48("1906", "1907", "1908"), !isReplayed)) {
      if (stryMutAct_9fa48("1909")) {
        {}
      } else {
        stryCov_9fa48("1909");
        const expiresMs = stryMutAct_9fa48("1910") ? context.nowMs - TICKET_LIFETIME_S * 1_000 : (stryCov_9fa48("1910"), context.nowMs + (stryMutAct_9fa48("1911") ? TICKET_LIFETIME_S / 1_000 : (stryCov_9fa48("1911"), TICKET_LIFETIME_S * 1_000)));
        await keepShortly(deps.transient, keyOf(secret), JSON.stringify(stryMutAct_9fa48("1912") ? [] : (stryCov_9fa48("1912"), [game, id])), stryMutAct_9fa48("1913") ? {} : (stryCov_9fa48("1913"), {
          nowMs: context.nowMs,
          expiresMs,
          share: stryMutAct_9fa48("1914") ? {} : (stryCov_9fa48("1914"), {
            owner: game,
            most: TICKETS_PER_GAME
          })
        }));
      }
    }
    return stryMutAct_9fa48("1915") ? {} : (stryCov_9fa48("1915"), {
      ticket: toBase64url(secret),
      written: stryMutAct_9fa48("1916") ? recorded?.written && null : (stryCov_9fa48("1916"), (stryMutAct_9fa48("1917") ? recorded.written : (stryCov_9fa48("1917"), recorded?.written)) ?? null),
      replayed: isReplayed
    });
  }
}
async function answered(deps: SignInDeps, game: string, id: string, context: CommandContext) {
  if (stryMutAct_9fa48("1918")) {
    {}
  } else {
    stryCov_9fa48("1918");
    return (stryMutAct_9fa48("1921") ? context.call !== null : stryMutAct_9fa48("1920") ? false : stryMutAct_9fa48("1919") ? true : (stryCov_9fa48("1919", "1920", "1921"), context.call === null)) ? null : deps.handler.handle(player, aboutPlayer(game, id), context, stryMutAct_9fa48("1922") ? () => undefined : (stryCov_9fa48("1922"), () => stryMutAct_9fa48("1923") ? ["Stryker was here"] : (stryCov_9fa48("1923"), [])));
  }
}
const keyOf = stryMutAct_9fa48("1924") ? () => undefined : (stryCov_9fa48("1924"), (() => {
  const keyOf = (secret: Uint8Array): string => stryMutAct_9fa48("1925") ? `` : (stryCov_9fa48("1925"), `ticket:${createHash(stryMutAct_9fa48("1926") ? "" : (stryCov_9fa48("1926"), 'sha256')).update(secret).digest(stryMutAct_9fa48("1927") ? "" : (stryCov_9fa48("1927"), 'base64url'))}`);
  return keyOf;
})());

/** Of any number of racers one gets in. 401 `sign_in_rejected`; 403 `player_banned`. */
export async function redeemTicket(deps: SignInDeps, game: string, ticket: string, context: CommandContext): Promise<Proven<Player>> {
  if (stryMutAct_9fa48("1928")) {
    {}
  } else {
    stryCov_9fa48("1928");
    const id = stryMutAct_9fa48("1929") ? (await begunBefore(deps, context)) && (await taken(deps, game, ticket, context.nowMs)) : (stryCov_9fa48("1929"), (await begunBefore(deps, context)) ?? (await taken(deps, game, ticket, context.nowMs)));
    return stryMutAct_9fa48("1930") ? {} : (stryCov_9fa48("1930"), {
      id,
      state: mayPlay(await playerNow(deps, id), context.nowMs),
      made: stryMutAct_9fa48("1931") ? true : (stryCov_9fa48("1931"), false)
    });
  }
}
async function taken({
  transient
}: SignInDeps, game: string, ticket: string, nowMs: number): Promise<string> {
  if (stryMutAct_9fa48("1932")) {
    {}
  } else {
    stryCov_9fa48("1932");
    const secret = fromBase64url(ticket, TICKET_BYTES);
    const kept = (stryMutAct_9fa48("1935") ? secret !== null : stryMutAct_9fa48("1934") ? false : stryMutAct_9fa48("1933") ? true : (stryCov_9fa48("1933", "1934", "1935"), secret === null)) ? null : await transient.take(keyOf(secret), nowMs);
    const [ofGame, id] = (stryMutAct_9fa48("1938") ? kept !== null : stryMutAct_9fa48("1937") ? false : stryMutAct_9fa48("1936") ? true : (stryCov_9fa48("1936", "1937", "1938"), kept === null)) ? stryMutAct_9fa48("1939") ? [] : (stryCov_9fa48("1939"), [null, stryMutAct_9fa48("1940") ? "Stryker was here!" : (stryCov_9fa48("1940"), '')]) : JSON.parse(kept) as [string, string];
    if (stryMutAct_9fa48("1943") ? ofGame === game : stryMutAct_9fa48("1942") ? false : stryMutAct_9fa48("1941") ? true : (stryCov_9fa48("1941", "1942", "1943"), ofGame !== game)) throw signInRejected();
    return id;
  }
}