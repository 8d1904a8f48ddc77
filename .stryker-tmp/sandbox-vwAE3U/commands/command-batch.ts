// Deciding a batch of commands of one stream, one after another: each command sees what the ones before it decided,
// though nothing is recorded yet.
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
import { hash } from 'node:crypto';
import { uuidOf } from '../credentials/text.ts';
import { type Aggregate, type Decision, type DomainEvent, Refusal } from '../domain/decider.ts';
import { type EventMeta, type JsonObject, type NewEvent, unsafeCast } from '../domain/event.ts';
import type { Calls } from './calls.ts';
import type { CommandContext, CommitPosition } from './command-context.ts';
import { fold, type StreamState } from './fold.ts';

/** What a command is about: stands in the metadata of its events. */
export interface About {
  readonly stream: string;
  readonly game: string | null;
  readonly board?: string;
  readonly player?: string;
}
export interface Command<State, Event extends DomainEvent> {
  readonly about: About;
  readonly context: CommandContext;
  readonly decision: Decision<State, Event>;
}

/** An event this command recorded, and where. */
export type Recorded<Event> = Event & {
  readonly revision: number;
  readonly time: string;
};

/** What became of a command. */
export interface Handled<State, Event> {
  readonly before: State;
  readonly after: State;
  /** What this command recorded; none when nothing changed. */
  readonly events: readonly Recorded<Event>[];
  /** Where it is recorded; null when nothing changed. */
  readonly written: CommitPosition | null;
  /** True where a repeated call met what its first one recorded. */
  readonly replayed: boolean;
  /**
   * The stream's end after the batch, and its state there, which may be published with its position. It may
   * be further than `after`, by what was recorded together with this. Null where the stream has no events.
   */
  readonly current: CurrentState<State> | null;
}

/** A stream's state, and where its last event is. */
export interface CurrentState<State> {
  readonly state: State;
  readonly at: CommitPosition;
}
export type Outcome<State, Event> = {
  kind: 'decided';
  before: State;
  after: State;
  events: readonly Recorded<Event>[];
} | {
  kind: 'refused';
  why: unknown;
}
/** An earlier call with the same Idempotency-Key recorded this command already. */ | {
  kind: 'repeated';
};
interface DecidedBatch<State, Event> {
  readonly events: readonly NewEvent[];
  readonly outcomes: readonly Outcome<State, Event>[];
  readonly folded: StreamState<State>;
}

/** Recorded for a call with an Idempotency-Key that changed nothing, so that its repeat changes nothing either. */
export const CALL_ANSWERED = stryMutAct_9fa48("256") ? "" : (stryCov_9fa48("256"), 'CallAnswered');
export function decideBatch<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, start: StreamState<State>, calls: Calls, commands: readonly Command<State, Event>[]): DecidedBatch<State, Event> {
  if (stryMutAct_9fa48("257")) {
    {}
  } else {
    stryCov_9fa48("257");
    const events: NewEvent[] = stryMutAct_9fa48("258") ? ["Stryker was here"] : (stryCov_9fa48("258"), []);
    const callsNow = new Map<string, string>();
    let folded = start;
    const outcomes = commands.map((command): Outcome<State, Event> => {
      if (stryMutAct_9fa48("259")) {
        {}
      } else {
        stryCov_9fa48("259");
        try {
          if (stryMutAct_9fa48("260")) {
            {}
          } else {
            stryCov_9fa48("260");
            const {
              context
            } = command;
            // What is done besides a call, in its name, is not the call.
            const seen = (stryMutAct_9fa48("263") ? context.call !== null : stryMutAct_9fa48("262") ? false : stryMutAct_9fa48("261") ? true : (stryCov_9fa48("261", "262", "263"), context.call === null)) ? undefined : stryMutAct_9fa48("264") ? callsNow.get(context.command) && calls.get(context.command) : (stryCov_9fa48("264"), callsNow.get(context.command) ?? calls.get(context.command));
            if (stryMutAct_9fa48("267") ? seen === undefined : stryMutAct_9fa48("266") ? false : stryMutAct_9fa48("265") ? true : (stryCov_9fa48("265", "266", "267"), seen !== undefined)) return repeated(seen, context);
            const before = folded.state;
            const decided = command.decision(before, folded.revision);
            const time = laterOf(new Date(context.nowMs).toISOString(), folded.time);
            const add = ({
              type,
              data
            }: DomainEvent): Recorded<Event> => {
              if (stryMutAct_9fa48("268")) {
                {}
              } else {
                stryCov_9fa48("268");
                const revision = stryMutAct_9fa48("269") ? folded.revision - 1 : (stryCov_9fa48("269"), folded.revision + 1);
                const next = toAppend(type, data, revision, command, time);
                events.push(next);
                const {
                  position
                } = folded;
                folded = fold(aggregate, folded, stryMutAct_9fa48("270") ? {} : (stryCov_9fa48("270"), {
                  type,
                  data: next.data,
                  meta: next.meta,
                  revision,
                  position
                }));
                return unsafeCast<Recorded<Event>>(stryMutAct_9fa48("271") ? {} : (stryCov_9fa48("271"), {
                  type,
                  data,
                  revision,
                  time
                }));
              }
            };
            const recorded = decided.map(add);
            if (stryMutAct_9fa48("274") ? context.call === null : stryMutAct_9fa48("273") ? false : stryMutAct_9fa48("272") ? true : (stryCov_9fa48("272", "273", "274"), context.call !== null)) {
              if (stryMutAct_9fa48("275")) {
                {}
              } else {
                stryCov_9fa48("275");
                if (stryMutAct_9fa48("278") ? decided.length !== 0 : stryMutAct_9fa48("277") ? false : stryMutAct_9fa48("276") ? true : (stryCov_9fa48("276", "277", "278"), decided.length === 0)) add(stryMutAct_9fa48("279") ? {} : (stryCov_9fa48("279"), {
                  type: CALL_ANSWERED,
                  data: {}
                }));
                callsNow.set(context.command, context.call);
              }
            }
            return stryMutAct_9fa48("280") ? {} : (stryCov_9fa48("280"), {
              kind: stryMutAct_9fa48("281") ? "" : (stryCov_9fa48("281"), 'decided'),
              before,
              after: folded.state,
              events: recorded
            });
          }
        } catch (why) {
          if (stryMutAct_9fa48("282")) {
            {}
          } else {
            stryCov_9fa48("282");
            return stryMutAct_9fa48("283") ? {} : (stryCov_9fa48("283"), {
              kind: stryMutAct_9fa48("284") ? "" : (stryCov_9fa48("284"), 'refused'),
              why
            });
          }
        }
      }
    });
    return stryMutAct_9fa48("285") ? {} : (stryCov_9fa48("285"), {
      events,
      outcomes,
      folded
    });
  }
}
function repeated(seen: string, context: CommandContext): {
  kind: 'repeated';
} {
  if (stryMutAct_9fa48("286")) {
    {}
  } else {
    stryCov_9fa48("286");
    if (stryMutAct_9fa48("289") ? seen !== context.call : stryMutAct_9fa48("288") ? false : stryMutAct_9fa48("287") ? true : (stryCov_9fa48("287", "288", "289"), seen === context.call)) return stryMutAct_9fa48("290") ? {} : (stryCov_9fa48("290"), {
      kind: stryMutAct_9fa48("291") ? "" : (stryCov_9fa48("291"), 'repeated')
    });
    throw new Refusal(stryMutAct_9fa48("292") ? "" : (stryCov_9fa48("292"), 'unprocessable'), stryMutAct_9fa48("293") ? "" : (stryCov_9fa48("293"), 'idempotency_key_reused'), stryMutAct_9fa48("294") ? "" : (stryCov_9fa48("294"), 'This Idempotency-Key was sent with another call. Use a new key for a new call.'));
  }
}
function toAppend(type: string, data: object, revision: number, {
  about,
  context
}: {
  readonly about: About;
  readonly context: CommandContext;
}, time: string): NewEvent {
  if (stryMutAct_9fa48("295")) {
    {}
  } else {
    stryCov_9fa48("295");
    const {
      stream,
      game,
      board,
      player
    } = about;
    const {
      command,
      call,
      actor,
      request
    } = context;
    // Field by field: every write comes by here, and a spread costs many times as much.
    const meta: { -readonly [Name in keyof EventMeta]: EventMeta[Name] } = stryMutAct_9fa48("296") ? {} : (stryCov_9fa48("296"), {
      v: 1,
      game,
      command,
      actor,
      request,
      time
    });
    if (stryMutAct_9fa48("299") ? board === undefined : stryMutAct_9fa48("298") ? false : stryMutAct_9fa48("297") ? true : (stryCov_9fa48("297", "298", "299"), board !== undefined)) meta.board = board;
    if (stryMutAct_9fa48("302") ? player === undefined : stryMutAct_9fa48("301") ? false : stryMutAct_9fa48("300") ? true : (stryCov_9fa48("300", "301", "302"), player !== undefined)) meta.player = player;
    if (stryMutAct_9fa48("305") ? call === null : stryMutAct_9fa48("304") ? false : stryMutAct_9fa48("303") ? true : (stryCov_9fa48("303", "304", "305"), call !== null)) meta.call = call;
    // Time and type are part of it: two nodes that carry out one call at once must not take each other's event for their
    // own, since the log acknowledges an id that it has without looking at what came with it. One may be a step ahead of
    // the other.
    const id = uuidOf(hash(stryMutAct_9fa48("306") ? "" : (stryCov_9fa48("306"), 'sha256'), stryMutAct_9fa48("307") ? `` : (stryCov_9fa48("307"), `${command}/${stream}/${revision}/${time}/${type}`)));
    return stryMutAct_9fa48("308") ? {} : (stryCov_9fa48("308"), {
      id,
      type,
      data: data as JsonObject,
      meta
    });
  }
}

/** ISO 8601 in UTC with milliseconds: the later one is the greater text. */
function laterOf(a: string, b: string): string {
  if (stryMutAct_9fa48("309")) {
    {}
  } else {
    stryCov_9fa48("309");
    return (stryMutAct_9fa48("313") ? a <= b : stryMutAct_9fa48("312") ? a >= b : stryMutAct_9fa48("311") ? false : stryMutAct_9fa48("310") ? true : (stryCov_9fa48("310", "311", "312", "313"), a > b)) ? a : b;
  }
}