// A command group: commands on several streams, decided and appended together. The streams are in the log in the order
// of their first commands. A group begins once the earlier groups with one of its streams have sent their appends: two
// groups never wait for each other's streams, and groups without a common stream do not wait at all.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { Failed } from '../runtime/all-of.ts'
import { mapInSlices, type TimeSlices } from '../runtime/time-slices.ts'
import type { Append, AppendResult, Log } from '../stores/contract/log.ts'
import { appendAll } from '../stores/support/append-all.ts'
import type { Command, Handled } from './command-batch.ts'
import type { AskedCommand, StreamWriter } from './stream-writer.ts'

/**
 * Streams whose appends are sent at once, as far as those before them are decided: their events are written in less
 * than a millisecond.
 */
const STREAMS_PER_SEND = 128
/** After this time a group appends without the streams that are not read or free yet; theirs follow. */
const GROUP_WAIT_MS = 1_000

/** A command with the aggregate of its stream, which is the same for all commands of the stream. */
export interface CommandOn<State, Event extends DomainEvent> extends Command<State, Event> {
  readonly aggregate: Aggregate<State, Event>
}

/**
 * As `Handler.handle` for each command, decided in these time slices. Never rejects: each settles by itself, to Failed
 * if `handle` would reject. The results are in their order.
 */
export type HandleGroup = <State, Event extends DomainEvent>(
  commands: readonly CommandOn<State, Event>[],
  slices: TimeSlices,
) => Promise<readonly (Handled<State, Event> | Failed)[]>

type WriterOf = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  stream: string,
) => Pick<StreamWriter<State, Event>, 'handle'>

export function createHandleGroup(log: Pick<Log, 'append' | 'appendAll'>, writerOf: WriterOf): HandleGroup {
  /** Per stream: resolves once the last group with it has sent its appends. */
  const before = new Map<string, Promise<void>>()

  return async <State, Event extends DomainEvent>(commands: readonly CommandOn<State, Event>[], slices: TimeSlices) => {
    const group = new Group<State, Event>(log, commands)
    const { streams } = group
    const sent = Promise.all(streams.flatMap((stream) => before.get(stream) ?? []))
      .then(() => group.decide(writerOf, slices))
      // Nothing there is expected to throw; what does must not hold later groups.
      .catch((error: unknown) => group.reject(error))
    for (const stream of streams) before.set(stream, sent)
    await sent
    for (const stream of streams) if (before.get(stream) === sent) before.delete(stream)
    return group.results
  }
}

/** The results of a group's commands, in their order. */
class Results<Value extends object> {
  readonly #settled: (Value | Failed)[]
  #open: number
  #onSettled = () => {}
  /** Resolves once all are settled. */
  readonly all: Promise<readonly (Value | Failed)[]>

  constructor(count: number) {
    this.#settled = new Array(count)
    this.#open = count
    this.all = new Promise((resolve) => {
      this.#onSettled = () => resolve(this.#settled)
    })
    if (count === 0) this.#onSettled()
  }

  /** Returns false if it was settled before. */
  settle(nth: number, result: Value | Failed): boolean {
    if (this.#settled[nth] !== undefined) return false
    this.#settled[nth] = result
    this.#open--
    if (this.#open === 0) this.#onSettled()
    return true
  }
}

/** The commands of a group on one stream. */
interface OfStream<State, Event extends DomainEvent> {
  readonly aggregate: Aggregate<State, Event>
  readonly commands: AskedCommand<State, Event>[]
  /** How many are not settled. */
  open: number
  /** Whether its first append is awaited. */
  isAwaited: boolean
  /** Its first append, once it is decided. */
  append: (Append & { answer(result: Promise<AppendResult>): void }) | null
}

/**
 * One group. It is the log of its streams' writers: it collects the first append of each stream, and sends them in the
 * order of the streams, many together.
 */
class Group<State, Event extends DomainEvent> implements Pick<Log, 'append'> {
  readonly #log: Pick<Log, 'append' | 'appendAll'>
  readonly #ofStreams = new Map<string, OfStream<State, Event>>()
  /** The streams, in the order of their first commands. */
  readonly #inOrder: OfStream<State, Event>[] = []
  readonly #results: Results<Handled<State, Event>>
  /** How many streams have an append that is awaited. */
  #awaited = 0
  /** How many of the first streams have none that is awaited, and of how many of them the appends are sent. */
  readonly #first = { decided: 0, sent: 0 }
  #isSent = false
  #onSent = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(log: Pick<Log, 'append' | 'appendAll'>, commands: readonly CommandOn<State, Event>[]) {
    this.#log = log
    this.#results = new Results(commands.length)
    for (const [nth, command] of commands.entries()) this.#add(command, nth)
  }

  /** Resolves once all commands are settled. */
  get results(): Promise<readonly (Handled<State, Event> | Failed)[]> {
    return this.#results.all
  }

  get streams(): readonly string[] {
    return [...this.#ofStreams.keys()]
  }

  #add({ aggregate, about, context, decision }: CommandOn<State, Event>, nth: number): void {
    let own = this.#ofStreams.get(about.stream)
    if (own === undefined) {
      own = { aggregate, commands: [], open: 0, isAwaited: true, append: null }
      this.#ofStreams.set(about.stream, own)
      this.#inOrder.push(own)
      this.#awaited++
    }
    const of = own
    of.open++
    of.commands.push({
      about,
      context,
      decision,
      resolve: (value) => this.#settle(of, nth, value),
      reject: (error) => this.#settle(of, nth, new Failed(error)),
    })
  }

  /** Decides all commands. Resolves once the first append of each stream is sent, or is no longer awaited. */
  async decide(writerOf: WriterOf, slices: TimeSlices): Promise<void> {
    const sent = new Promise<void>((resolve) => {
      this.#onSent = resolve
    })
    this.#timer = setTimeout(() => this.#sendAll(), GROUP_WAIT_MS)
    if (this.#awaited === 0) this.#sendAll()
    await mapInSlices(slices, [...this.#ofStreams], ([stream, { aggregate, commands }]) =>
      writerOf(aggregate, stream).handle(commands, this),
    )
    await sent
  }

  /** Rejects the commands that are not settled. */
  reject(error: unknown): void {
    clearTimeout(this.#timer)
    for (const { commands } of this.#ofStreams.values()) for (const command of commands) command.reject(error)
  }

  /** Later appends of a stream, such as those after a conflict, go their own way. */
  append(...[stream, expected, events]: Parameters<Log['append']>): Promise<AppendResult> {
    const of = this.#ofStreams.get(stream)
    if (this.#isSent || !of?.isAwaited) return this.#log.append(stream, expected, events)
    return new Promise((answer) => {
      of.append = { stream, expected, events, answer }
      this.#awaitNoLonger(of)
    })
  }

  #settle(of: OfStream<State, Event>, nth: number, result: Handled<State, Event> | Failed): void {
    if (!this.#results.settle(nth, result)) return
    of.open--
    // Its commands may append nothing.
    if (of.open === 0) this.#awaitNoLonger(of)
  }

  #awaitNoLonger(of: OfStream<State, Event>): void {
    if (!of.isAwaited) return
    of.isAwaited = false
    this.#awaited--
    if (this.#awaited === 0) this.#sendAll()
    else this.#sendDecided()
  }

  /** Sends the appends of the first streams if they are many. */
  #sendDecided(): void {
    const first = this.#first
    while (this.#inOrder[first.decided]?.isAwaited === false) first.decided++
    if (first.decided - first.sent >= STREAMS_PER_SEND) this.#sendFirst(first.decided)
  }

  #sendAll(): void {
    if (this.#isSent) return
    this.#isSent = true
    clearTimeout(this.#timer)
    this.#sendFirst(this.#inOrder.length)
    this.#onSent()
  }

  #sendFirst(streams: number): void {
    const appends = this.#inOrder.slice(this.#first.sent, streams).flatMap(({ append }) => append ?? [])
    this.#first.sent = streams
    const results = appendAll(this.#log, appends)
    for (const [nth, { answer }] of appends.entries()) answer(results[nth] as Promise<AppendResult>)
  }
}
