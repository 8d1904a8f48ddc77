// Making a game with its first server key, changing its settings, and deleting it.
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
import { DELETED_GAMES_STREAM, deletedGames, deletionsStream, type GameSecrets, gameSecrets, listDeletion, listSecrets, recordErased } from '../domain/deleted-games.ts';
import type { Position } from '../domain/event.ts';
import { beginErasure, changeGame, createGame, deleteGame, type Game, type GameChange, type GameLimits, game, gameStream, NO_LIMITS, setLimits } from '../domain/game.ts';
import { defaultPermissions } from '../domain/permissions.ts';
import { besides, type CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { issue } from './key.ts';
import { loadState } from './load-state.ts';
import { publishDeletedGame } from './publish-revocations.ts';

/**
 * The game is recorded first, then its key. A crash between leaves a game without a key, whose secret nobody has seen:
 * repeating the call with its Idempotency-Key finishes it, and the operator can issue another key.
 */
export async function makeGame(deps: CommandDeps, name: string, context: CommandContext) {
  if (stryMutAct_9fa48("545")) {
    {}
  } else {
    stryCov_9fa48("545");
    const id = context.generator.id(stryMutAct_9fa48("546") ? "" : (stryCov_9fa48("546"), 'game'));
    const handled = await deps.handler.handle(game, stryMutAct_9fa48("547") ? {} : (stryCov_9fa48("547"), {
      stream: gameStream(id),
      game: id
    }), context, createGame(name));
    const firstKey = await issue(deps, stryMutAct_9fa48("548") ? {} : (stryCov_9fa48("548"), {
      game: id,
      name: stryMutAct_9fa48("549") ? "" : (stryCov_9fa48("549"), 'first server key'),
      kind: stryMutAct_9fa48("550") ? "" : (stryCov_9fa48("550"), 'server'),
      algorithm: stryMutAct_9fa48("551") ? "" : (stryCov_9fa48("551"), 'hmac-sha256'),
      permissions: defaultPermissions(stryMutAct_9fa48("552") ? "" : (stryCov_9fa48("552"), 'server'), id)
    }), context);
    return stryMutAct_9fa48("553") ? {} : (stryCov_9fa48("553"), {
      id,
      game: handled.after as Game,
      firstKey,
      replayed: handled.replayed
    });
  }
}

/** `expect` refuses when the game is not as the caller last saw it. */
export function setGame(deps: CommandDeps, id: string, {
  change,
  expect
}: {
  readonly change: GameChange;
  readonly expect: (state: Game) => void;
}, context: CommandContext) {
  if (stryMutAct_9fa48("554")) {
    {}
  } else {
    stryCov_9fa48("554");
    return deps.handler.handle(game, stryMutAct_9fa48("555") ? {} : (stryCov_9fa48("555"), {
      stream: gameStream(id),
      game: id
    }), context, changeGame(change, expect));
  }
}

/** What the operator allows a game. A change is in force on every node some seconds later. */
export function setGameLimits(deps: CommandDeps, id: string, change: { readonly [K in keyof GameLimits]?: GameLimits[K] | undefined }, context: CommandContext) {
  if (stryMutAct_9fa48("556")) {
    {}
  } else {
    stryCov_9fa48("556");
    return deps.handler.handle(game, stryMutAct_9fa48("557") ? {} : (stryCov_9fa48("557"), {
      stream: gameStream(id),
      game: id
    }), context, setLimits(change));
  }
}

/** One read of the log. */
export async function limitsOf(deps: CommandDeps, id: string): Promise<GameLimits> {
  if (stryMutAct_9fa48("558")) {
    {}
  } else {
    stryCov_9fa48("558");
    return stryMutAct_9fa48("559") ? {} : (stryCov_9fa48("559"), {
      ...NO_LIMITS,
      ...(stryMutAct_9fa48("560") ? (await loadState(deps, game, gameStream(id))).limits : (stryCov_9fa48("560"), (await loadState(deps, game, gameStream(id)))?.limits))
    });
  }
}

/** Gives the prefixes of a game's keys in pages. */
type KeysOf = () => AsyncIterable<readonly string[]>;

/**
 * Records that a game is deleted, and notifies every node, before this answers. 409
 * `name_mismatch`; 404 where it is deleted already, but for the repeated call. What the game had is removed by a process
 * (processes/delete-games.ts), which also goes on where this breaks off.
 */
export async function removeGame(deps: CommandDeps, id: string, {
  name,
  keysOf
}: {
  readonly name: string;
  readonly keysOf: KeysOf;
}, context: CommandContext) {
  if (stryMutAct_9fa48("561")) {
    {}
  } else {
    stryCov_9fa48("561");
    const handled = await deps.handler.handle(game, stryMutAct_9fa48("562") ? {} : (stryCov_9fa48("562"), {
      stream: gameStream(id),
      game: id
    }), context, deleteGame(name));
    if (stryMutAct_9fa48("565") ? handled.written === null : stryMutAct_9fa48("564") ? false : stryMutAct_9fa48("563") ? true : (stryCov_9fa48("563", "564", "565"), handled.written !== null)) await tellDeleted(deps, stryMutAct_9fa48("566") ? {} : (stryCov_9fa48("566"), {
      game: id,
      position: handled.written.position
    }), keysOf, context);
    return handled;
  }
}

/** After a GameDeleted at a position. May be done again. */
export async function tellDeleted(deps: CommandDeps, {
  game: id,
  position
}: {
  readonly game: string;
  readonly position: Position;
}, keysOf: KeysOf, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("567")) {
    {}
  } else {
    stryCov_9fa48("567");
    await publishDeletedGame(deps, id, stryMutAct_9fa48("568") ? ["Stryker was here"] : (stryCov_9fa48("568"), []), position);
    for await (const keys of keysOf()) await publishDeletedGame(deps, id, keys, position);
    const listing = stryMutAct_9fa48("569") ? {} : (stryCov_9fa48("569"), {
      stream: DELETED_GAMES_STREAM,
      game: null
    });
    await deps.handler.handle(deletedGames, listing, besides(context), listDeletion(id));
  }
}

/** From then on no event of a deleted game is recorded, and those that are there are removed. */
export function beginGameErasure(deps: CommandDeps, id: string, context: CommandContext) {
  if (stryMutAct_9fa48("570")) {
    {}
  } else {
    stryCov_9fa48("570");
    return deps.handler.handle(game, stryMutAct_9fa48("571") ? {} : (stryCov_9fa48("571"), {
      stream: gameStream(id),
      game: id
    }), context, beginErasure);
  }
}

/** Which secrets some events of a deleted game name: before they are destroyed, and before those events are removed. */
export function listGameSecrets(deps: CommandDeps, id: string, secrets: GameSecrets, context: CommandContext) {
  if (stryMutAct_9fa48("572")) {
    {}
  } else {
    stryCov_9fa48("572");
    return deps.handler.handle(gameSecrets, stryMutAct_9fa48("573") ? {} : (stryCov_9fa48("573"), {
      stream: deletionsStream(id),
      game: null
    }), context, listSecrets(secrets));
  }
}

/** Everything of a deleted game is removed. */
export function gameErased(deps: CommandDeps, id: string, events: number, context: CommandContext) {
  if (stryMutAct_9fa48("574")) {
    {}
  } else {
    stryCov_9fa48("574");
    const listing = stryMutAct_9fa48("575") ? {} : (stryCov_9fa48("575"), {
      stream: DELETED_GAMES_STREAM,
      game: null
    });
    return deps.handler.handle(deletedGames, listing, context, recordErased(id, events));
  }
}