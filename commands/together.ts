// Commands on several streams whose events are in the log in the order of the commands, as far as each stream's own
// follow one another. A group begins once the earlier groups with one of its streams have sent their appends, so that two
// groups never wait for each other's streams, and no group waits for one that shares none.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import type { Append, AppendResult, Log } from '../stores/contract/log.ts'
import { appendAll } from '../stores/support/append-all.ts'
import type { Command, Handle, Handled } from './command-batch.ts'

/** After this time a group appends without the streams that are not read or free yet; theirs follow. */
const GROUP_WAIT_MS = 1_000

export interface Together {
  /** As `Handler.handle`; nothing is decided before `send`. */
  readonly handle: Handle
  /** Decides and appends all commands that were given. Call it once, after the last one. */
  send(): void
}

interface Writer<State, Event extends DomainEvent> {
  handle(
    commands: readonly Command<State, Event>[],
    through: Pick<Log, 'append'>,
  ): readonly Promise<Handled<State, Event>>[]
}

type WriterOf = <State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  stream: string,
) => Writer<State, Event>

// biome-ignore lint/suspicious/noExplicitAny: streams of a group have different aggregates
type AnyAggregate = Aggregate<any, any>

interface Given {
  readonly aggregate: AnyAggregate
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly command: Command<any, any>
  resolve(handled: unknown): void
  reject(error: unknown): void
}

/** Returns what begins a group. */
export function createGroups(log: Pick<Log, 'append' | 'appendAll'>, writerOf: WriterOf): () => Together {
  /** Per stream: resolves once the last group with it has sent its appends. */
  const before = new Map<string, Promise<void>>()

  function begin(): Together {
    const given: Given[] = []
    return {
      handle: (aggregate, about, context, decision) =>
        new Promise((resolve, reject) => {
          given.push({ aggregate, command: { about, context, decision }, resolve: resolve as Given['resolve'], reject })
        }),
      send() {
        const byStream = byStreamOf(given)
        const streams = [...byStream.keys()]
        // Nothing here is expected to throw; what does must not hold later groups.
        const sent = Promise.all(streams.map((stream) => before.get(stream)))
          .then(() => decideAll(byStream))
          .catch((error: unknown) => {
            for (const { reject } of given) reject(error)
          })
        for (const stream of streams) before.set(stream, sent)
        void sent.then(() => {
          for (const stream of streams) if (before.get(stream) === sent) before.delete(stream)
        })
      },
    }
  }

  async function decideAll(byStream: ReadonlyMap<string, readonly Given[]>): Promise<void> {
    const appending = new Appending(log, byStream.keys())
    for (const [stream, ofStream] of byStream) {
      const [first] = ofStream as readonly [Given, ...Given[]]
      const writer = writerOf(first.aggregate, stream)
      const handled = writer.handle(
        ofStream.map(({ command }) => command),
        appending,
      )
      for (const [nth, one] of handled.entries()) one.then(ofStream[nth]?.resolve, ofStream[nth]?.reject)
      // Its commands may append nothing.
      void Promise.allSettled(handled).then(() => appending.isDone(stream))
    }
    await appending.sent
  }

  return begin
}

function byStreamOf(given: readonly Given[]): ReadonlyMap<string, readonly Given[]> {
  const byStream = new Map<string, Given[]>()
  for (const one of given) {
    const { stream } = one.command.about
    const ofStream = byStream.get(stream)
    if (ofStream === undefined) byStream.set(stream, [one])
    else ofStream.push(one)
  }
  return byStream
}

/** Collects the first append of each stream, and sends them together, in the order of the streams. */
class Appending {
  readonly #log: Pick<Log, 'append' | 'appendAll'>
  readonly #awaited: Set<string>
  readonly #streams: readonly string[]
  readonly #waiting = new Map<string, Append & { answer(result: Promise<AppendResult>): void }>()
  readonly sent: Promise<void>
  #isSent = false
  #onSent = () => {}
  readonly #timer: NodeJS.Timeout

  constructor(log: Pick<Log, 'append' | 'appendAll'>, streams: Iterable<string>) {
    this.#log = log
    this.#streams = [...streams]
    this.#awaited = new Set(this.#streams)
    this.sent = new Promise((resolve) => {
      this.#onSent = resolve
    })
    this.#timer = setTimeout(() => this.#send(), GROUP_WAIT_MS)
    if (this.#awaited.size === 0) this.#send()
  }

  /** Later appends of a stream, such as those after a conflict, go their own way. */
  append(...[stream, expected, events]: Parameters<Log['append']>): Promise<AppendResult> {
    if (this.#isSent || !this.#awaited.has(stream)) return this.#log.append(stream, expected, events)
    return new Promise((answer) => {
      this.#waiting.set(stream, { stream, expected, events, answer })
      this.isDone(stream)
    })
  }

  /** No append of this stream is awaited any longer. */
  isDone(stream: string): void {
    this.#awaited.delete(stream)
    if (this.#awaited.size === 0) this.#send()
  }

  #send(): void {
    if (this.#isSent) return
    this.#isSent = true
    clearTimeout(this.#timer)
    const appends = this.#streams.flatMap((stream) => this.#waiting.get(stream) ?? [])
    const results = appendAll(this.#log, appends)
    for (const [nth, { answer }] of appends.entries()) answer(results[nth] as Promise<AppendResult>)
    this.#onSent()
  }
}
