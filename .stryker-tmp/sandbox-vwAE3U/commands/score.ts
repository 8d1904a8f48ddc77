// Submitting a score and taking one away. What was decided is read off the folded stream, so that a repeated call is
// answered as the first one was.
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
import { type Rules, sameRules } from '../domain/board-rules.ts';
import { within } from '../domain/entry.ts';
import { unsafeCast } from '../domain/event.ts';
import { boardStream } from '../domain/leaderboard.ts';
import { type Placed, type ScoreSubmittedData, scoreStream } from '../domain/score.ts';
import { deleteScore, type Standing, standing, submitScore } from '../domain/standing.ts';
import type { Log } from '../stores/contract/log.ts';
import { eventsFrom } from '../stores/support/events-from.ts';
import type { CommandContext, CommitPosition } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { fold, unfolded } from './fold.ts';

/** Where a score goes: a board of a game with the rules in force, and whose it is. */
export interface Target {
  readonly game: string;
  readonly board: string;
  readonly rules: Rules;
  /** When the board was made (ISO 8601, UTC). */
  readonly since: string;
  /** Which computing of the board's entries stands under these rules. */
  readonly generation: number;
  readonly player: string;
}

/** The player's best entry, as it stood after the submission. */
export interface BestEntry extends Placed {
  /** The entry's id: on a unique board that of the first submission, else the best one's own. */
  readonly entry: string;
  readonly added: string;
  readonly extra: string | null;
  readonly playerName: string | null;
}
export interface Submitted {
  readonly best: BestEntry;
  readonly improved: boolean;
  /** Id of the entry this call made, or null where it made none. */
  readonly submitted: string | null;
  /** Where the submission stands in its stream. */
  readonly revision: number;
  readonly written: CommitPosition | null;
  readonly replayed: boolean;
}

/** Records a submission and says where the player stands with it. 422 `score_below_minimum`, `score_above_maximum`. */
export async function submit(deps: CommandDeps, target: Target, score: Omit<ScoreSubmittedData, 'id'>, context: CommandContext): Promise<Submitted> {
  if (stryMutAct_9fa48("997")) {
    {}
  } else {
    stryCov_9fa48("997");
    const {
      score: value,
      secondary,
      extra,
      playerName
    } = score;
    const data = stryMutAct_9fa48("998") ? {} : (stryCov_9fa48("998"), {
      id: context.generator.id(stryMutAct_9fa48("999") ? "" : (stryCov_9fa48("999"), 'score')),
      score: value,
      secondary,
      extra,
      playerName
    });
    const about = aboutOf(target);
    const {
      rules,
      since
    } = target;
    // Another node, whose clock is ahead, may have made the board: nothing is on a board before there is one.
    const nowMs = stryMutAct_9fa48("1000") ? Math.min(context.nowMs, Date.parse(since)) : (stryCov_9fa48("1000"), Math.max(context.nowMs, Date.parse(since)));
    const handled = await deps.handler.handle(standingOn(target), about, stryMutAct_9fa48("1001") ? {} : (stryCov_9fa48("1001"), {
      ...context,
      nowMs
    }), submitScore(rules, data));
    const {
      events,
      written,
      replayed
    } = handled;
    const [own] = events;
    if (stryMutAct_9fa48("1004") ? own !== undefined : stryMutAct_9fa48("1003") ? false : stryMutAct_9fa48("1002") ? true : (stryCov_9fa48("1002", "1003", "1004"), own === undefined)) throw new Error(stryMutAct_9fa48("1005") ? "" : (stryCov_9fa48("1005"), 'a submission was recorded and is not there'));
    const {
      revision
    } = own;
    const repeated = (stryMutAct_9fa48("1008") ? replayed || written !== null : stryMutAct_9fa48("1007") ? false : stryMutAct_9fa48("1006") ? true : (stryCov_9fa48("1006", "1007", "1008"), replayed && (stryMutAct_9fa48("1010") ? written === null : stryMutAct_9fa48("1009") ? true : (stryCov_9fa48("1009", "1010"), written !== null)))) ? await judgedThen(deps.log, target, written.position, revision) : null;
    const judged = stryMutAct_9fa48("1011") ? repeated && (await judge(deps.log, about.stream, rules, handled, {
      ...data,
      revision
    })) : (stryCov_9fa48("1011"), repeated ?? (await judge(deps.log, about.stream, rules, handled, stryMutAct_9fa48("1012") ? {} : (stryCov_9fa48("1012"), {
      ...data,
      revision
    }))));
    if (stryMutAct_9fa48("1015") ? judged !== null : stryMutAct_9fa48("1014") ? false : stryMutAct_9fa48("1013") ? true : (stryCov_9fa48("1013", "1014", "1015"), judged === null)) throw new Error(stryMutAct_9fa48("1016") ? "" : (stryCov_9fa48("1016"), 'a submission was recorded and does not stand'));
    return stryMutAct_9fa48("1017") ? {} : (stryCov_9fa48("1017"), {
      ...judged,
      revision,
      written,
      replayed
    });
  }
}

/**
 * What came of a submission by the rules in force at its place in the log: those that it was sent under, but where a
 * change of rules came between, which this node had not heard of then. Where the player has no entry by them, by those
 * before.
 */
export async function underRulesInForce(deps: Pick<CommandDeps, 'log'>, target: Target, recorded: Submitted): Promise<Submitted & {
  readonly rules: Rules;
}> {
  if (stryMutAct_9fa48("1018")) {
    {}
  } else {
    stryCov_9fa48("1018");
    const {
      written,
      revision
    } = recorded;
    const judged = (stryMutAct_9fa48("1021") ? written !== null : stryMutAct_9fa48("1020") ? false : stryMutAct_9fa48("1019") ? true : (stryCov_9fa48("1019", "1020", "1021"), written === null)) ? null : await judgedThen(deps.log, target, written.position, revision);
    return stryMutAct_9fa48("1022") ? {} : (stryCov_9fa48("1022"), {
      ...recorded,
      rules: target.rules,
      ...judged
    });
  }
}
type Judged = Pick<Submitted, 'best' | 'improved' | 'submitted'>;

/** What a submission recorded before came to under these rules; null where the player then has no entry. */
async function judgedUnder(log: Log, stream: string, rules: Rules, revision: number): Promise<Judged | null> {
  if (stryMutAct_9fa48("1023")) {
    {}
  } else {
    stryCov_9fa48("1023");
    const aggregate = standing(rules, stryMutAct_9fa48("1024") ? "" : (stryCov_9fa48("1024"), 'all'));
    let before = unfolded(aggregate);
    for await (const event of eventsFrom(log, stream)) {
      if (stryMutAct_9fa48("1025")) {
        {}
      } else {
        stryCov_9fa48("1025");
        const after = fold(aggregate, before, event);
        if (stryMutAct_9fa48("1028") ? event.revision !== revision : stryMutAct_9fa48("1027") ? false : stryMutAct_9fa48("1026") ? true : (stryCov_9fa48("1026", "1027", "1028"), event.revision === revision)) {
          if (stryMutAct_9fa48("1029")) {
            {}
          } else {
            stryCov_9fa48("1029");
            const own = stryMutAct_9fa48("1030") ? {} : (stryCov_9fa48("1030"), {
              ...unsafeCast<ScoreSubmittedData>(event.data),
              revision
            });
            return judge(log, stream, rules, stryMutAct_9fa48("1031") ? {} : (stryCov_9fa48("1031"), {
              before: before.state,
              after: after.state
            }), own);
          }
        }
        before = after;
      }
    }
    return null;
  }
}
async function judge(log: Log, stream: string, rules: Rules, {
  before,
  after
}: {
  readonly before: Standing;
  readonly after: Standing;
}, own: ScoreSubmittedData & {
  readonly revision: number;
}): Promise<Judged | null> {
  if (stryMutAct_9fa48("1032")) {
    {}
  } else {
    stryCov_9fa48("1032");
    const {
      best,
      first
    } = after;
    if (stryMutAct_9fa48("1035") ? best === null && first === null : stryMutAct_9fa48("1034") ? false : stryMutAct_9fa48("1033") ? true : (stryCov_9fa48("1033", "1034", "1035"), (stryMutAct_9fa48("1037") ? best !== null : stryMutAct_9fa48("1036") ? false : (stryCov_9fa48("1036", "1037"), best === null)) || (stryMutAct_9fa48("1039") ? first !== null : stryMutAct_9fa48("1038") ? false : (stryCov_9fa48("1038", "1039"), first === null)))) return null;
    const improved = stryMutAct_9fa48("1042") ? best.revision !== own.revision : stryMutAct_9fa48("1041") ? false : stryMutAct_9fa48("1040") ? true : (stryCov_9fa48("1040", "1041", "1042"), best.revision === own.revision);
    const {
      extra,
      playerName
    } = improved ? own : await submissionAt(log, stream, best.revision);
    const {
      id,
      score,
      secondary,
      revision,
      time
    } = best;
    const [entry, added] = rules.unique ? stryMutAct_9fa48("1043") ? [] : (stryCov_9fa48("1043"), [first.id, first.time]) : stryMutAct_9fa48("1044") ? [] : (stryCov_9fa48("1044"), [id, time]);
    const made = (stryMutAct_9fa48("1047") ? before.best !== null : stryMutAct_9fa48("1046") ? false : stryMutAct_9fa48("1045") ? true : (stryCov_9fa48("1045", "1046", "1047"), before.best === null)) ? entry : null;
    return stryMutAct_9fa48("1048") ? {} : (stryCov_9fa48("1048"), {
      best: stryMutAct_9fa48("1049") ? {} : (stryCov_9fa48("1049"), {
        id,
        score,
        secondary,
        revision,
        time,
        entry,
        added,
        extra,
        playerName
      }),
      improved,
      submitted: rules.unique ? made : within(rules, own.score) ? own.id : null
    });
  }
}
const aboutOf = stryMutAct_9fa48("1050") ? () => undefined : (stryCov_9fa48("1050"), (() => {
  const aboutOf = ({
    game,
    board,
    player
  }: Target) => stryMutAct_9fa48("1051") ? {} : (stryCov_9fa48("1051"), {
    stream: scoreStream(board, player),
    game,
    board,
    player
  });
  return aboutOf;
})());

/** Where rules have ever changed, deletions made under others count too. */
const standingOn = stryMutAct_9fa48("1052") ? () => undefined : (stryCov_9fa48("1052"), (() => {
  const standingOn = ({
    rules,
    generation
  }: Target) => standing(rules, (stryMutAct_9fa48("1056") ? generation <= 1 : stryMutAct_9fa48("1055") ? generation >= 1 : stryMutAct_9fa48("1054") ? false : stryMutAct_9fa48("1053") ? true : (stryCov_9fa48("1053", "1054", "1055", "1056"), generation > 1)) ? stryMutAct_9fa48("1057") ? "" : (stryCov_9fa48("1057"), 'all') : stryMutAct_9fa48("1058") ? "" : (stryCov_9fa48("1058"), 'first and best'));
  return standingOn;
})());

/**
 * By the rules in force at a place in the log: the target's own, where they are the same; null where it never stood.
 */
async function judgedThen(log: Log, target: Target, position: string, revision: number): Promise<(Judged & {
  readonly rules: Rules;
}) | null> {
  if (stryMutAct_9fa48("1059")) {
    {}
  } else {
    stryCov_9fa48("1059");
    const then: Rules[] = stryMutAct_9fa48("1060") ? ["Stryker was here"] : (stryCov_9fa48("1060"), []);
    for await (const event of eventsFrom(log, boardStream(target.board))) {
      if (stryMutAct_9fa48("1061")) {
        {}
      } else {
        stryCov_9fa48("1061");
        if (stryMutAct_9fa48("1065") ? event.position <= position : stryMutAct_9fa48("1064") ? event.position >= position : stryMutAct_9fa48("1063") ? false : stryMutAct_9fa48("1062") ? true : (stryCov_9fa48("1062", "1063", "1064", "1065"), event.position > position)) break;
        if (stryMutAct_9fa48("1068") ? event.type === 'LeaderboardCreated' && event.type === 'LeaderboardRulesChanged' : stryMutAct_9fa48("1067") ? false : stryMutAct_9fa48("1066") ? true : (stryCov_9fa48("1066", "1067", "1068"), (stryMutAct_9fa48("1070") ? event.type !== 'LeaderboardCreated' : stryMutAct_9fa48("1069") ? false : (stryCov_9fa48("1069", "1070"), event.type === (stryMutAct_9fa48("1071") ? "" : (stryCov_9fa48("1071"), 'LeaderboardCreated')))) || (stryMutAct_9fa48("1073") ? event.type !== 'LeaderboardRulesChanged' : stryMutAct_9fa48("1072") ? false : (stryCov_9fa48("1072", "1073"), event.type === (stryMutAct_9fa48("1074") ? "" : (stryCov_9fa48("1074"), 'LeaderboardRulesChanged')))))) {
          if (stryMutAct_9fa48("1075")) {
            {}
          } else {
            stryCov_9fa48("1075");
            then.unshift(unsafeCast(event.data.rules));
          }
        }
      }
    }
    for (const rules of then) {
      if (stryMutAct_9fa48("1076")) {
        {}
      } else {
        stryCov_9fa48("1076");
        const judged = await judgedUnder(log, aboutOf(target).stream, rules, revision);
        if (stryMutAct_9fa48("1079") ? judged === null : stryMutAct_9fa48("1078") ? false : stryMutAct_9fa48("1077") ? true : (stryCov_9fa48("1077", "1078", "1079"), judged !== null)) return stryMutAct_9fa48("1080") ? {} : (stryCov_9fa48("1080"), {
          ...judged,
          rules: sameRules(rules, target.rules) ? target.rules : rules
        });
      }
    }
    return null;
  }
}
async function submissionAt(log: Log, stream: string, revision: number): Promise<ScoreSubmittedData> {
  if (stryMutAct_9fa48("1081")) {
    {}
  } else {
    stryCov_9fa48("1081");
    const [event] = await log.readStream(stream, revision, 1);
    if (stryMutAct_9fa48("1084") ? event !== undefined : stryMutAct_9fa48("1083") ? false : stryMutAct_9fa48("1082") ? true : (stryCov_9fa48("1082", "1083", "1084"), event === undefined)) throw new Error(stryMutAct_9fa48("1085") ? `` : (stryCov_9fa48("1085"), `${stream} has no revision ${revision}`));
    return unsafeCast(event.data);
  }
}

/** Takes an entry off its board. 404 `score_not_found` where it does not stand. */
export function remove(deps: CommandDeps, target: Target, id: string, context: CommandContext) {
  if (stryMutAct_9fa48("1086")) {
    {}
  } else {
    stryCov_9fa48("1086");
    return deps.handler.handle(standingOn(target), aboutOf(target), context, deleteScore(target.rules, id));
  }
}