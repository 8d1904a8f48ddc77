// Making, describing and archiving leaderboards, asking for other rules, and building what those make of their entries.
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
import type { Decision } from '../domain/decider.ts';
import { archiveLeaderboard, boardStream, changeLeaderboard, createLeaderboard, type Leaderboard, type LeaderboardChange, leaderboard, type NewLeaderboard } from '../domain/leaderboard.ts';
import { cancelRebuild, type RebuildEvent, rebuildLeaderboard } from '../domain/rebuild.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import * as slots from './slots.ts';
interface BoardPlace {
  readonly board: string;
  readonly game: string;
}
const about = stryMutAct_9fa48("887") ? () => undefined : (stryCov_9fa48("887"), (() => {
  const about = (board: string, game: string) => stryMutAct_9fa48("888") ? {} : (stryCov_9fa48("888"), {
    stream: boardStream(board),
    game,
    board
  });
  return about;
})());

/** 422 `too_many_leaderboards`. */
export async function makeLeaderboard(deps: CommandDeps, game: string, data: NewLeaderboard, context: CommandContext) {
  if (stryMutAct_9fa48("889")) {
    {}
  } else {
    stryCov_9fa48("889");
    const id = context.generator.id(stryMutAct_9fa48("890") ? "" : (stryCov_9fa48("890"), 'leaderboard'));
    const decision = createLeaderboard(data);
    await slots.take(deps, game, stryMutAct_9fa48("891") ? {} : (stryCov_9fa48("891"), {
      kind: stryMutAct_9fa48("892") ? "" : (stryCov_9fa48("892"), 'leaderboards'),
      id
    }), context);
    return stryMutAct_9fa48("893") ? {} : (stryCov_9fa48("893"), {
      id,
      handled: await deps.handler.handle(leaderboard, about(id, game), context, decision)
    });
  }
}

/** What a rebuild that this call asks for is known by. */
const rebuildId = stryMutAct_9fa48("894") ? () => undefined : (stryCov_9fa48("894"), (() => {
  const rebuildId = ({
    generator
  }: CommandContext): string => generator.id(stryMutAct_9fa48("895") ? "" : (stryCov_9fa48("895"), 'rebuild'));
  return rebuildId;
})());

/** `expect` refuses when the leaderboard is not as the caller last saw it. Other rules ask for a rebuild. */
export function setLeaderboard(deps: CommandDeps, {
  board,
  game
}: BoardPlace, {
  change,
  expect
}: {
  readonly change: LeaderboardChange;
  readonly expect: (state: Leaderboard) => void;
}, context: CommandContext) {
  if (stryMutAct_9fa48("896")) {
    {}
  } else {
    stryCov_9fa48("896");
    const decision = changeLeaderboard(change, (stryMutAct_9fa48("899") ? change.rules !== undefined : stryMutAct_9fa48("898") ? false : stryMutAct_9fa48("897") ? true : (stryCov_9fa48("897", "898", "899"), change.rules === undefined)) ? stryMutAct_9fa48("900") ? "Stryker was here!" : (stryCov_9fa48("900"), '') : rebuildId(context), expect);
    return deps.handler.handle(leaderboard, about(board, game), context, decision);
  }
}
export async function archive(deps: CommandDeps, board: string, game: string, context: CommandContext) {
  if (stryMutAct_9fa48("901")) {
    {}
  } else {
    stryCov_9fa48("901");
    const handled = await deps.handler.handle(leaderboard, about(board, game), context, archiveLeaderboard);
    await slots.release(deps, game, stryMutAct_9fa48("902") ? {} : (stryCov_9fa48("902"), {
      kind: stryMutAct_9fa48("903") ? "" : (stryCov_9fa48("903"), 'leaderboards'),
      id: board,
      isGone: slots.isEnding(handled)
    }), context);
    return handled;
  }
}

/** Recomputes a board's entries under the rules in force. */
export function rebuild(deps: CommandDeps, {
  board,
  game
}: BoardPlace, context: CommandContext) {
  if (stryMutAct_9fa48("904")) {
    {}
  } else {
    stryCov_9fa48("904");
    return deps.handler.handle(leaderboard, about(board, game), context, rebuildLeaderboard(rebuildId(context)));
  }
}
export function cancel(deps: CommandDeps, {
  board,
  game
}: BoardPlace, context: CommandContext) {
  if (stryMutAct_9fa48("905")) {
    {}
  } else {
    stryCov_9fa48("905");
    return deps.handler.handle(leaderboard, about(board, game), context, cancelRebuild);
  }
}

/** One step of building or clearing a generation. */
export function goOn(deps: CommandDeps, {
  board,
  game
}: BoardPlace, step: Decision<Leaderboard | null, RebuildEvent>, context: CommandContext) {
  if (stryMutAct_9fa48("906")) {
    {}
  } else {
    stryCov_9fa48("906");
    return deps.handler.handle(leaderboard, about(board, game), context, step);
  }
}