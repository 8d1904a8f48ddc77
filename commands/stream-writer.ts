// The writer of a stream. Its commands wait in a queue. Those waiting are decided on the folded state and appended
// together at its revision. After a conflict with another node, the new events are folded and they are decided again.

import { type Aggregate, type DomainEvent, Refusal } from '../domain/decider.ts'
import { type Log, NotSent } from '../stores/contract/log.ts'
import { eventsFrom } from '../stores/support/events-from.ts'
import { answerAgain } from './answer-again.ts'
import { appendSurely } from './append.ts'
import { Calls } from './calls.ts'
import { type Command, decideBatch, type Handled, type Outcome } from './command-batch.ts'
import { countRecorded } from './count-recorded.ts'
import { fold, type StreamState, unfolded } from './fold.ts'
import type { Snapshots } from './snapshots.ts'
import type { WriterCache } from './writer-cache.ts'

const ATTEMPTS = 10
const JITTER_MS = 10
/** A command that has waited longer than this is not started, so that its caller gets an answer in time. */
export const MAX_COMMAND_WAIT_MS = 6_000
/** Commands of a stream that are decided and appended together. */
export const COMMANDS_PER_APPEND = 32

/** A call may consist of several commands, and earlier ones may have been recorded. */
const RETRY_ADVICE = 'Part of the call may be recorded. Send it again with the same Idempotency-Key.'

/** A command with what is called once with its result, or why it has none. */
export interface AskedCommand<State, Event extends DomainEvent> extends Command<State, Event> {
  resolve(handled: Handled<State, Event>): void
  reject(error: unknown): void
}

interface Waiting<State, Event extends DomainEvent> {
  readonly command: AskedCommand<State, Event>
  /** Appends its events. */
  readonly through: Pick<Log, 'append'>
  /** When it was queued, by `elapsedMs`. */
  readonly since: number
}

export interface WriterDeps {
  readonly log: Log
  readonly elapsedMs: () => number
  readonly snapshots: Snapshots
  readonly writers: WriterCache
}

/** The folded state of one stream and its queue of commands. */
export class StreamWriter<State, Event extends DomainEvent> {
  readonly #deps: WriterDeps
  readonly #aggregate: Aggregate<State, Event>
  readonly #stream: string
  #folded: StreamState<State> | null = null
  #calls = new Calls()
  #clockMs = 0
  #waiting: Waiting<State, Event>[] = []
  #working = false

  constructor(deps: WriterDeps, aggregate: Aggregate<State, Event>, stream: string) {
    this.#deps = deps
    this.#aggregate = aggregate
    this.#stream = stream
  }

  /** Queues commands, to be decided in their order and appended `through` a log. */
  handle(commands: readonly AskedCommand<State, Event>[], through: Pick<Log, 'append'>): void {
    const since = this.#deps.elapsedMs()
    for (const command of commands) this.#waiting.push({ command, through, since })
    if (!this.#working) void this.#work()
  }

  async #work(): Promise<void> {
    this.#working = true
    let batchSize = COMMANDS_PER_APPEND
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0, Math.min(batchSize, this.#ofOneLog()))
      batchSize = COMMANDS_PER_APPEND
      try {
        await this.#decideTogether(taken)
      } catch (error) {
        this.#folded = null
        if (error instanceof NotSent && error.tooLarge && taken.length > 1) {
          this.#waiting.unshift(...taken)
          batchSize = Math.ceil(taken.length / 2)
        } else for (const { command } of taken) command.reject(error)
      }
      const entries = this.#folded === null ? 0 : (this.#aggregate.size?.(this.#folded.state) ?? 0)
      this.#deps.writers.weigh(this.#stream, this, this.#calls.size + entries)
    }
    this.#working = false
  }

  /** How many of the first waiting commands are appended through the same log. */
  #ofOneLog(): number {
    const through = this.#waiting[0]?.through
    const other = this.#waiting.findIndex((one) => one.through !== through)
    return other === -1 ? this.#waiting.length : other
  }

  async #decideTogether(taken: readonly Waiting<State, Event>[]): Promise<void> {
    // The first has waited longest.
    const { since, through, command: first } = taken[0] as Waiting<State, Event>
    const isOver = () => this.#deps.elapsedMs() > since + MAX_COMMAND_WAIT_MS
    const commands = taken.map(({ command }) => command)
    this.#clockMs = first.context.nowMs
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (isOver()) throw notBegun()
      const known = this.#folded
      const isUnread = known === null && attempt === 1 && beginsStream(first)
      const folded = known ?? (isUnread ? this.#unread() : await this.#read())
      const { events, outcomes, folded: after } = decideBatch(this.#aggregate, folded, this.#calls, commands)
      if (events.length === 0) {
        // No append checks the revision here. Unless the state was read for this batch, read the stream's new events.
        const isRead = known === null && !isUnread
        if (isRead || (await this.#foldOn(folded)) === folded) return this.#settle(commands, outcomes, folded, false)
        continue
      }
      const begins = isUnread ? 'made' : 'none'
      const expected = folded.revision === -1 ? begins : folded.revision
      if (isOver()) throw notBegun()
      const result = await appendSurely(through, { stream: this.#stream, expected, events }, isOver)
      if (result.kind === 'appended') {
        const { state, revision, time } = after
        const recorded = { state, revision, time, position: result.position }
        this.#folded = recorded
        this.#deps.snapshots.note(this.#aggregate, this.#stream, recorded)
        for (const { meta } of events) this.#calls.note(meta, this.#clockMs)
        return this.#settle(commands, outcomes, recorded, true)
      }
      await this.#foldOn(folded)
      await new Promise((wake) => setTimeout(wake, Math.random() * JITTER_MS * attempt))
    }
    throw new Refusal('unavailable', 'busy', `Too many concurrent changes to the same item. ${RETRY_ADVICE}`)
  }

  #unread(): StreamState<State> {
    this.#calls = new Calls()
    return unfolded(this.#aggregate)
  }

  async #read(): Promise<StreamState<State>> {
    this.#calls = new Calls()
    return this.#foldOn(await this.#deps.snapshots.latest(this.#aggregate, this.#stream))
  }

  async #foldOn(from: StreamState<State>): Promise<StreamState<State>> {
    let folded = from
    for await (const event of eventsFrom(this.#deps.log, this.#stream, from.revision + 1)) {
      folded = fold(this.#aggregate, folded, event)
      this.#calls.note(event.meta, this.#clockMs)
    }
    this.#folded = folded
    if (folded !== from) this.#deps.snapshots.note(this.#aggregate, this.#stream, folded)
    return folded
  }

  #settle(
    commands: readonly AskedCommand<State, Event>[],
    outcomes: readonly Outcome<State, Event>[],
    { state, revision, position }: StreamState<State>,
    appended: boolean,
  ) {
    const repeated = commands.filter((_, i) => outcomes[i]?.kind === 'repeated')
    if (repeated.length > 0) void this.#answerAgain(repeated)
    for (const [i, command] of commands.entries()) {
      const outcome = outcomes[i] as Outcome<State, Event>
      if (outcome.kind === 'refused') command.reject(outcome.error)
      else if (outcome.kind === 'decided') {
        const { before, after, events } = outcome
        if (appended) countRecorded(command.context, events)
        const at = position === null ? null : { game: command.about.game, position }
        const written = appended && (events.length > 0 || command.context.call !== null) ? at : null
        const own = appended && events.at(-1)?.revision === revision ? position : null
        const current = at === null ? null : { state, at }
        command.resolve({ before, after, events, written, position: own, replayed: false, current })
      }
    }
  }

  /** One read of the stream answers all of them. */
  async #answerAgain(repeated: readonly AskedCommand<State, Event>[]): Promise<void> {
    try {
      const answerTo = await answerAgain(this.#deps.log, this.#aggregate, repeated)
      for (const command of repeated) command.resolve(answerTo(command.context.command))
    } catch (error) {
      for (const command of repeated) command.reject(error)
    }
  }
}

/** Whether the stream has a random id of this call. A call with an Idempotency-Key generates the same id when repeated. */
const beginsStream = ({ about, context }: Pick<Command<never, never>, 'about' | 'context'>): boolean =>
  about.isNew === true && context.call === null

/** 503: what was to be recorded is not, or only in part. */
export function notBegun(): Refusal {
  return new Refusal('unavailable', 'log_unavailable', `The server does not answer in time. ${RETRY_ADVICE}`)
}
