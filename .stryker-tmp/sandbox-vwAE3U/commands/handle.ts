// The write path. Commands of one stream queue here; those waiting are decided as a batch against the folded state and
// appended together at exactly the revision folded. A conflict with another node means: fold what is new, decide again.
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
import { LRUCache } from 'lru-cache';
import { type Aggregate, type Decision, type DomainEvent, Refusal } from '../domain/decider.ts';
import { type Log, NotSent } from '../stores/contract/log.ts';
import { eventsFrom } from '../stores/support/events-from.ts';
import { answerAgain } from './answer-again.ts';
import { appendSurely } from './append.ts';
import { Calls } from './calls.ts';
import { type About, type Command, decideBatch, type Handled, type Outcome } from './command-batch.ts';
import type { CommandContext } from './command-context.ts';
import { countRecorded } from './count-recorded.ts';
import { fold, type StreamState } from './fold.ts';
import { NO_SNAPSHOTS, type Snapshots } from './snapshots.ts';
const ATTEMPTS = 10;
const JITTER_MS = 10;
/**
 * A command starts within this time of its arrival, so that its caller gets an answer in time.
 */
export const PATIENCE_MS = 6_000;
const COMMANDS_PER_APPEND = 32;
const STREAMS_CACHED = 20_000;
type ElapsedMs = () => number;

/** A call may consist of several commands, of which this one need not be the first. */
const AGAIN = stryMutAct_9fa48("576") ? "" : (stryCov_9fa48("576"), 'What the call did before may be recorded: send it again, with the same Idempotency-Key.');
export interface Handler {
  /**
   * Decides and records, durably. Throws what the decision refused; 422 `idempotency_key_reused`; 503 `busy` after 10
   * conflicts (nothing written by this command); 503 `log_unavailable` (outcome unknown, safe to repeat with the same
   * Idempotency-Key), at the latest when what was begun within 6 s has come to an end.
   */
  handle<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, about: About, context: CommandContext, decision: Decision<State, Event>): Promise<Handled<State, Event>>;
}

/** Whatever is measured by `elapsedMs` may begin anywhere, and must never go back. */
export function createHandler(log: Log, elapsedMs: ElapsedMs = stryMutAct_9fa48("577") ? () => undefined : (stryCov_9fa48("577"), () => performance.now()), snapshots: Snapshots = NO_SNAPSHOTS): Handler {
  if (stryMutAct_9fa48("578")) {
    {}
  } else {
    stryCov_9fa48("578");
    const deps = stryMutAct_9fa48("579") ? {} : (stryCov_9fa48("579"), {
      log,
      elapsedMs,
      snapshots
    });
    const writers = new LRUCache<string, {
      readonly of: string;
      readonly writer: object;
    }>(stryMutAct_9fa48("580") ? {} : (stryCov_9fa48("580"), {
      max: STREAMS_CACHED
    }));
    return stryMutAct_9fa48("581") ? {} : (stryCov_9fa48("581"), {
      handle<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, about: About, context: CommandContext, decision: Decision<State, Event>) {
        if (stryMutAct_9fa48("582")) {
          {}
        } else {
          stryCov_9fa48("582");
          const {
            stream
          } = about;
          const known = writers.get(stream);
          // An aggregate's name stands for its types. A writer that was replaced or evicted at work and its
          // successor meet as two nodes do.
          let writer = (stryMutAct_9fa48("585") ? known?.of !== aggregate.name : stryMutAct_9fa48("584") ? false : stryMutAct_9fa48("583") ? true : (stryCov_9fa48("583", "584", "585"), (stryMutAct_9fa48("586") ? known.of : (stryCov_9fa48("586"), known?.of)) === aggregate.name)) ? known.writer as StreamWriter<State, Event> : null;
          if (stryMutAct_9fa48("589") ? writer !== null : stryMutAct_9fa48("588") ? false : stryMutAct_9fa48("587") ? true : (stryCov_9fa48("587", "588", "589"), writer === null)) {
            if (stryMutAct_9fa48("590")) {
              {}
            } else {
              stryCov_9fa48("590");
              writer = new StreamWriter(deps, aggregate, stream);
              writers.set(stream, stryMutAct_9fa48("591") ? {} : (stryCov_9fa48("591"), {
                of: aggregate.name,
                writer
              }));
            }
          }
          return writer.handle(stryMutAct_9fa48("592") ? {} : (stryCov_9fa48("592"), {
            about,
            context,
            decision
          }));
        }
      }
    });
  }
}
interface Waiting<State, Event extends DomainEvent> extends Command<State, Event> {
  /** When it came, by `elapsedMs`. */
  readonly since: number;
  resolve(handled: Handled<State, Event> | Promise<Handled<State, Event>>): void;
  reject(why: unknown): void;
}
interface WriterDeps {
  readonly log: Log;
  readonly elapsedMs: ElapsedMs;
  readonly snapshots: Snapshots;
}

/** One stream: its folded state and the commands that wait for it. */
class StreamWriter<State, Event extends DomainEvent> {
  readonly #deps: WriterDeps;
  readonly #aggregate: Aggregate<State, Event>;
  readonly #stream: string;
  #folded: StreamState<State> | null = null;
  #calls = new Calls();
  #waiting: Waiting<State, Event>[] = stryMutAct_9fa48("593") ? ["Stryker was here"] : (stryCov_9fa48("593"), []);
  #working = stryMutAct_9fa48("594") ? true : (stryCov_9fa48("594"), false);
  constructor(deps: WriterDeps, aggregate: Aggregate<State, Event>, stream: string) {
    if (stryMutAct_9fa48("595")) {
      {}
    } else {
      stryCov_9fa48("595");
      this.#deps = deps;
      this.#aggregate = aggregate;
      this.#stream = stream;
    }
  }
  handle({
    about,
    context,
    decision
  }: Command<State, Event>): Promise<Handled<State, Event>> {
    if (stryMutAct_9fa48("596")) {
      {}
    } else {
      stryCov_9fa48("596");
      return new Promise((resolve, reject) => {
        if (stryMutAct_9fa48("597")) {
          {}
        } else {
          stryCov_9fa48("597");
          this.#waiting.push(stryMutAct_9fa48("598") ? {} : (stryCov_9fa48("598"), {
            about,
            context,
            decision,
            since: this.#deps.elapsedMs(),
            resolve,
            reject
          }));
          if (stryMutAct_9fa48("601") ? false : stryMutAct_9fa48("600") ? true : stryMutAct_9fa48("599") ? this.#working : (stryCov_9fa48("599", "600", "601"), !this.#working)) void this.#work();
        }
      });
    }
  }
  async #work(): Promise<void> {
    if (stryMutAct_9fa48("602")) {
      {}
    } else {
      stryCov_9fa48("602");
      this.#working = stryMutAct_9fa48("603") ? false : (stryCov_9fa48("603"), true);
      let most = COMMANDS_PER_APPEND;
      while (stryMutAct_9fa48("606") ? this.#waiting.length <= 0 : stryMutAct_9fa48("605") ? this.#waiting.length >= 0 : stryMutAct_9fa48("604") ? false : (stryCov_9fa48("604", "605", "606"), this.#waiting.length > 0)) {
        if (stryMutAct_9fa48("607")) {
          {}
        } else {
          stryCov_9fa48("607");
          const commands = this.#waiting.splice(0, most);
          most = COMMANDS_PER_APPEND;
          try {
            if (stryMutAct_9fa48("608")) {
              {}
            } else {
              stryCov_9fa48("608");
              await this.#decideTogether(commands);
            }
          } catch (why) {
            if (stryMutAct_9fa48("609")) {
              {}
            } else {
              stryCov_9fa48("609");
              this.#folded = null;
              if (stryMutAct_9fa48("612") ? why instanceof NotSent && why.tooLarge || commands.length > 1 : stryMutAct_9fa48("611") ? false : stryMutAct_9fa48("610") ? true : (stryCov_9fa48("610", "611", "612"), (stryMutAct_9fa48("614") ? why instanceof NotSent || why.tooLarge : stryMutAct_9fa48("613") ? true : (stryCov_9fa48("613", "614"), why instanceof NotSent && why.tooLarge)) && (stryMutAct_9fa48("617") ? commands.length <= 1 : stryMutAct_9fa48("616") ? commands.length >= 1 : stryMutAct_9fa48("615") ? true : (stryCov_9fa48("615", "616", "617"), commands.length > 1)))) {
                if (stryMutAct_9fa48("618")) {
                  {}
                } else {
                  stryCov_9fa48("618");
                  this.#waiting.unshift(...commands);
                  most = Math.ceil(stryMutAct_9fa48("619") ? commands.length * 2 : (stryCov_9fa48("619"), commands.length / 2));
                }
              } else for (const one of commands) one.reject(why);
            }
          }
        }
      }
      this.#working = stryMutAct_9fa48("620") ? true : (stryCov_9fa48("620"), false);
    }
  }
  async #decideTogether(commands: readonly Waiting<State, Event>[]): Promise<void> {
    if (stryMutAct_9fa48("621")) {
      {}
    } else {
      stryCov_9fa48("621");
      // They come in the order of their coming: the first has waited longest.
      const until = stryMutAct_9fa48("622") ? (commands[0]?.since ?? 0) - PATIENCE_MS : (stryCov_9fa48("622"), (stryMutAct_9fa48("623") ? commands[0]?.since && 0 : (stryCov_9fa48("623"), (stryMutAct_9fa48("624") ? commands[0].since : (stryCov_9fa48("624"), commands[0]?.since)) ?? 0)) + PATIENCE_MS);
      const isOver = stryMutAct_9fa48("625") ? () => undefined : (stryCov_9fa48("625"), (() => {
        const isOver = () => stryMutAct_9fa48("629") ? this.#deps.elapsedMs() <= until : stryMutAct_9fa48("628") ? this.#deps.elapsedMs() >= until : stryMutAct_9fa48("627") ? false : stryMutAct_9fa48("626") ? true : (stryCov_9fa48("626", "627", "628", "629"), this.#deps.elapsedMs() > until);
        return isOver;
      })());
      for (let attempt = 1; stryMutAct_9fa48("632") ? attempt > ATTEMPTS : stryMutAct_9fa48("631") ? attempt < ATTEMPTS : stryMutAct_9fa48("630") ? false : (stryCov_9fa48("630", "631", "632"), attempt <= ATTEMPTS); stryMutAct_9fa48("633") ? attempt-- : (stryCov_9fa48("633"), attempt++)) {
        if (stryMutAct_9fa48("634")) {
          {}
        } else {
          stryCov_9fa48("634");
          if (stryMutAct_9fa48("636") ? false : stryMutAct_9fa48("635") ? true : (stryCov_9fa48("635", "636"), isOver())) throw notBegun();
          const known = this.#folded;
          const folded = stryMutAct_9fa48("637") ? known && (await this.#read()) : (stryCov_9fa48("637"), known ?? (await this.#read()));
          const {
            events,
            outcomes,
            folded: after
          } = decideBatch(this.#aggregate, folded, this.#calls, commands);
          if (stryMutAct_9fa48("640") ? events.length !== 0 : stryMutAct_9fa48("639") ? false : stryMutAct_9fa48("638") ? true : (stryCov_9fa48("638", "639", "640"), events.length === 0)) {
            if (stryMutAct_9fa48("641")) {
              {}
            } else {
              stryCov_9fa48("641");
              // Nothing to append, so nothing proves that no other node was here since: look, unless it was read for these.
              if (stryMutAct_9fa48("644") ? known === null && (await this.#foldOn(folded)) === folded : stryMutAct_9fa48("643") ? false : stryMutAct_9fa48("642") ? true : (stryCov_9fa48("642", "643", "644"), (stryMutAct_9fa48("646") ? known !== null : stryMutAct_9fa48("645") ? false : (stryCov_9fa48("645", "646"), known === null)) || (stryMutAct_9fa48("648") ? (await this.#foldOn(folded)) !== folded : stryMutAct_9fa48("647") ? false : (stryCov_9fa48("647", "648"), (await this.#foldOn(folded)) === folded)))) return this.#settle(commands, outcomes, folded, stryMutAct_9fa48("649") ? true : (stryCov_9fa48("649"), false));
              continue;
            }
          }
          const expected = (stryMutAct_9fa48("652") ? folded.revision !== -1 : stryMutAct_9fa48("651") ? false : stryMutAct_9fa48("650") ? true : (stryCov_9fa48("650", "651", "652"), folded.revision === (stryMutAct_9fa48("653") ? +1 : (stryCov_9fa48("653"), -1)))) ? stryMutAct_9fa48("654") ? "" : (stryCov_9fa48("654"), 'none') : folded.revision;
          if (stryMutAct_9fa48("656") ? false : stryMutAct_9fa48("655") ? true : (stryCov_9fa48("655", "656"), isOver())) throw notBegun();
          const result = await appendSurely(this.#deps.log, stryMutAct_9fa48("657") ? {} : (stryCov_9fa48("657"), {
            stream: this.#stream,
            expected,
            events
          }), isOver);
          if (stryMutAct_9fa48("660") ? result.kind !== 'appended' : stryMutAct_9fa48("659") ? false : stryMutAct_9fa48("658") ? true : (stryCov_9fa48("658", "659", "660"), result.kind === (stryMutAct_9fa48("661") ? "" : (stryCov_9fa48("661"), 'appended')))) {
            if (stryMutAct_9fa48("662")) {
              {}
            } else {
              stryCov_9fa48("662");
              const {
                state,
                revision,
                time
              } = after;
              const recorded = stryMutAct_9fa48("663") ? {} : (stryCov_9fa48("663"), {
                state,
                revision,
                time,
                position: result.position
              });
              this.#folded = recorded;
              this.#deps.snapshots.note(this.#aggregate, this.#stream, recorded);
              for (const {
                meta
              } of events) this.#calls.note(meta);
              return this.#settle(commands, outcomes, recorded, stryMutAct_9fa48("664") ? false : (stryCov_9fa48("664"), true));
            }
          }
          await this.#foldOn(folded);
          await new Promise(stryMutAct_9fa48("665") ? () => undefined : (stryCov_9fa48("665"), wake => setTimeout(wake, stryMutAct_9fa48("666") ? Math.random() * JITTER_MS / attempt : (stryCov_9fa48("666"), (stryMutAct_9fa48("667") ? Math.random() / JITTER_MS : (stryCov_9fa48("667"), Math.random() * JITTER_MS)) * attempt))));
        }
      }
      throw new Refusal(stryMutAct_9fa48("668") ? "" : (stryCov_9fa48("668"), 'unavailable'), stryMutAct_9fa48("669") ? "" : (stryCov_9fa48("669"), 'busy'), stryMutAct_9fa48("670") ? `` : (stryCov_9fa48("670"), `Too many writers at once. ${AGAIN}`));
    }
  }
  async #read(): Promise<StreamState<State>> {
    if (stryMutAct_9fa48("671")) {
      {}
    } else {
      stryCov_9fa48("671");
      this.#calls = new Calls();
      return this.#foldOn(await this.#deps.snapshots.latest(this.#aggregate, this.#stream));
    }
  }
  async #foldOn(from: StreamState<State>): Promise<StreamState<State>> {
    if (stryMutAct_9fa48("672")) {
      {}
    } else {
      stryCov_9fa48("672");
      let folded = from;
      for await (const event of eventsFrom(this.#deps.log, this.#stream, stryMutAct_9fa48("673") ? from.revision - 1 : (stryCov_9fa48("673"), from.revision + 1))) {
        if (stryMutAct_9fa48("674")) {
          {}
        } else {
          stryCov_9fa48("674");
          folded = fold(this.#aggregate, folded, event);
          this.#calls.note(event.meta);
        }
      }
      this.#folded = folded;
      if (stryMutAct_9fa48("677") ? folded === from : stryMutAct_9fa48("676") ? false : stryMutAct_9fa48("675") ? true : (stryCov_9fa48("675", "676", "677"), folded !== from)) this.#deps.snapshots.note(this.#aggregate, this.#stream, folded);
      return folded;
    }
  }
  #settle(commands: readonly Waiting<State, Event>[], outcomes: readonly Outcome<State, Event>[], {
    state,
    position
  }: StreamState<State>, appended: boolean) {
    if (stryMutAct_9fa48("678")) {
      {}
    } else {
      stryCov_9fa48("678");
      for (const [i, command] of commands.entries()) {
        if (stryMutAct_9fa48("679")) {
          {}
        } else {
          stryCov_9fa48("679");
          const outcome = outcomes[i] as Outcome<State, Event>;
          if (stryMutAct_9fa48("682") ? outcome.kind !== 'refused' : stryMutAct_9fa48("681") ? false : stryMutAct_9fa48("680") ? true : (stryCov_9fa48("680", "681", "682"), outcome.kind === (stryMutAct_9fa48("683") ? "" : (stryCov_9fa48("683"), 'refused')))) command.reject(outcome.why);else if (stryMutAct_9fa48("686") ? outcome.kind !== 'repeated' : stryMutAct_9fa48("685") ? false : stryMutAct_9fa48("684") ? true : (stryCov_9fa48("684", "685", "686"), outcome.kind === (stryMutAct_9fa48("687") ? "" : (stryCov_9fa48("687"), 'repeated')))) command.resolve(answerAgain(this.#deps.log, this.#aggregate, command));else {
            if (stryMutAct_9fa48("688")) {
              {}
            } else {
              stryCov_9fa48("688");
              const {
                before,
                after,
                events
              } = outcome;
              if (stryMutAct_9fa48("690") ? false : stryMutAct_9fa48("689") ? true : (stryCov_9fa48("689", "690"), appended)) countRecorded(command.context, events);
              const at = (stryMutAct_9fa48("693") ? position !== null : stryMutAct_9fa48("692") ? false : stryMutAct_9fa48("691") ? true : (stryCov_9fa48("691", "692", "693"), position === null)) ? null : stryMutAct_9fa48("694") ? {} : (stryCov_9fa48("694"), {
                game: command.about.game,
                position
              });
              const written = (stryMutAct_9fa48("697") ? appended || events.length > 0 || command.context.call !== null : stryMutAct_9fa48("696") ? false : stryMutAct_9fa48("695") ? true : (stryCov_9fa48("695", "696", "697"), appended && (stryMutAct_9fa48("699") ? events.length > 0 && command.context.call !== null : stryMutAct_9fa48("698") ? true : (stryCov_9fa48("698", "699"), (stryMutAct_9fa48("702") ? events.length <= 0 : stryMutAct_9fa48("701") ? events.length >= 0 : stryMutAct_9fa48("700") ? false : (stryCov_9fa48("700", "701", "702"), events.length > 0)) || (stryMutAct_9fa48("704") ? command.context.call === null : stryMutAct_9fa48("703") ? false : (stryCov_9fa48("703", "704"), command.context.call !== null)))))) ? at : null;
              const current = (stryMutAct_9fa48("707") ? at !== null : stryMutAct_9fa48("706") ? false : stryMutAct_9fa48("705") ? true : (stryCov_9fa48("705", "706", "707"), at === null)) ? null : stryMutAct_9fa48("708") ? {} : (stryCov_9fa48("708"), {
                state,
                at
              });
              command.resolve(stryMutAct_9fa48("709") ? {} : (stryCov_9fa48("709"), {
                before,
                after,
                events,
                written,
                replayed: stryMutAct_9fa48("710") ? true : (stryCov_9fa48("710"), false),
                current
              }));
            }
          }
        }
      }
    }
  }
}
function notBegun(): Refusal {
  if (stryMutAct_9fa48("711")) {
    {}
  } else {
    stryCov_9fa48("711");
    return new Refusal(stryMutAct_9fa48("712") ? "" : (stryCov_9fa48("712"), 'unavailable'), stryMutAct_9fa48("713") ? "" : (stryCov_9fa48("713"), 'log_unavailable'), stryMutAct_9fa48("714") ? `` : (stryCov_9fa48("714"), `The log does not answer. ${AGAIN}`));
  }
}