// The connection between a simulated node and the stores. Every call waits for its step; a request or its answer may be
// lost or arrive late; a dead node receives no answer.

import { Readable } from 'node:stream'
import type { FileStore } from '../../../stores/contract/files.ts'
import type { History } from '../../../stores/contract/history.ts'
import type { Log } from '../../../stores/contract/log.ts'
import type { AllRankings, FilledRanking, Rankings } from '../../../stores/contract/rankings.ts'
import type { Transient, Windows } from '../../../stores/contract/transient.ts'
import type { Vault, VaultStore } from '../../../stores/contract/vault.ts'
import type { Batch, Views } from '../../../stores/contract/views.ts'
import type { Random } from '../../random.ts'
import { type FaultRates, type Incarnation, PlantedFault } from './planted.ts'
import type { StepScheduler } from './step-scheduler.ts'

const never = <T>(): Promise<T> => new Promise<T>(() => {})

type Fault = 'none' | 'lost' | 'unanswered' | 'late'

/** How often a request still arrives after its sender has died. */
const ARRIVES_AFTER_DEATH = 0.5
const SLOW_STEPS_MAX = 300
/** How often another step comes between two documents of a non-transactional commit. */
const PAUSES_IN_COMMIT = 0.2
/** How often the commit of a dead node stops at the next document. */
const ENDS_IN_COMMIT = 0.3

export class StoreConnection {
  /** Writes in flight: sent, by live or dead nodes, and neither arrived nor lost. */
  static readonly #onTheirWay = new WeakMap<StepScheduler, number>()

  readonly #scheduler: StepScheduler
  readonly #incarnation: Incarnation
  readonly #name: string

  constructor(scheduler: StepScheduler, incarnation: Incarnation, name: string) {
    this.#scheduler = scheduler
    this.#incarnation = incarnation
    this.#name = name
  }

  /** A read: one step, without faults. */
  async read<T>(label: string, work: () => Promise<T>): Promise<T> {
    if (!this.#incarnation.alive) return never()
    await this.#scheduler.step(`${this.#name} ${label}`)
    return this.#incarnation.alive ? work() : never()
  }

  static onTheirWay(scheduler: StepScheduler): number {
    return StoreConnection.#onTheirWay.get(scheduler) ?? 0
  }

  #sent(change: 1 | -1): void {
    StoreConnection.#onTheirWay.set(this.#scheduler, StoreConnection.onTheirWay(this.#scheduler) + change)
  }

  /** A write: one step for the request, one for the answer, and a possible fault on either. */
  async write<T>(label: string, work: () => Promise<T>, fault: Fault = 'none'): Promise<T> {
    if (!this.#incarnation.alive) return never()
    this.#sent(1)
    let result: T
    try {
      await this.#scheduler.step(`${this.#name} ${label}${fault === 'none' ? '' : ` (${fault})`}`)
      if (!this.#incarnation.alive && !this.#scheduler.random.chance(ARRIVES_AFTER_DEATH)) return never()
      if (fault === 'late') this.#scheduler.inBackground(this.#late(label, work))
      if (fault === 'lost' || fault === 'late') throw new PlantedFault(`${label} ${fault}`)
      result = await work()
    } finally {
      this.#sent(-1)
    }
    await this.#scheduler.step(`${this.#name} ${label} answered`)
    if (!this.#incarnation.alive) return never()
    if (fault === 'unanswered') throw new PlantedFault(`${label} unanswered`)
    return result
  }

  /** Arrives some steps after it was given up, whether or not its sender is still alive. */
  async #late(label: string, work: () => Promise<unknown>): Promise<void> {
    const steps = 1 + this.#scheduler.random.below(20)
    for (let step = 0; step < steps; step++) await this.#scheduler.step('')
    this.#scheduler.note(`${this.#name} ${label} arrives late`)
    // The sender has given up: nobody receives the outcome.
    await work().catch(() => {})
  }

  fault(rate: number, kinds: readonly Fault[]): Fault {
    return this.#scheduler.random.chance(rate) ? this.#scheduler.random.pick(kinds) : 'none'
  }

  log(inner: Log, rates: FaultRates): Log {
    const { random } = this.#scheduler
    const deliver = (events: readonly { readonly position: string }[]) => `hears ${events.length} events`
    const connection = this
    async function* subscribe(after: string | null, limit: number, signal: AbortSignal) {
      const most = random.pick([1, 2, 3, limit, limit])
      const ended = AbortSignal.any([signal, connection.#incarnation.signal])
      for await (const events of inner.subscribe(after, most, ended)) {
        await connection.read(deliver(events), async () => {})
        if (random.chance(rates.cut)) throw new PlantedFault('subscription cut')
        yield events
      }
    }
    return {
      append: (stream, expected, events) => {
        const fault = this.fault(rates.append, ['lost', 'unanswered', 'late'])
        return this.write(`append ${stream} at ${expected}`, () => inner.append(stream, expected, events), fault)
      },
      readStream: (stream, from, limit) => this.read(`read ${stream}`, () => inner.readStream(stream, from, limit)),
      readAll: (after, limit) => this.read('read all', () => inner.readAll(after, limit)),
      eventAt: (position) => this.read('event at', () => inner.eventAt(position)),
      head: () => this.read('head', () => inner.head()),
      subscribe,
      close: async () => {},
    }
  }

  history(inner: History): History {
    const { brief } = inner
    return {
      part: (filter, after, limit) => this.read('read part', () => inner.part(filter, after, limit)),
      nth: (filter, after, count) => this.read('read nth', () => inner.nth(filter, after, count)),
      skip: (game, positions, times) => this.read('skip', () => inner.skip(game, positions, times)),
      lastBy: (game, positions, instant) => this.read('last by', () => inner.lastBy(game, positions, instant)),
      ...(brief && { brief: (...asked: Parameters<typeof brief>) => this.read('read brief', () => brief(...asked)) }),
    }
  }

  vault(inner: Vault): Vault {
    return {
      putIfAbsent: (kind, id, value) => this.write(`vault ${kind}`, () => inner.putIfAbsent(kind, id, value)),
      get: (kind, id) => this.read(`vault ${kind}`, () => inner.get(kind, id)),
      replace: (kind, id, value) => this.write(`vault replace ${kind}`, () => inner.replace(kind, id, value)),
      destroy: (kind, id) => this.write(`vault destroy ${kind}`, () => inner.destroy(kind, id)),
      destroyForGood: (kind, id) => this.write(`vault bury ${kind}`, () => inner.destroyForGood(kind, id)),
      idsOf: (kind, after, limit) => this.read(`vault ids of ${kind}`, () => inner.idsOf(kind, after, limit)),
      close: async () => {},
    }
  }

  /** For key rotation: secrets are swapped one by one during other traffic. */
  vaultStore(inner: VaultStore): VaultStore {
    return {
      ...this.vault(inner),
      scan: (after, limit) => this.read('scan vault', () => inner.scan(after, limit)),
      swap: (key, before, value) => this.write(`vault swap ${key.kind}`, () => inner.swap(key, before, value)),
    }
  }

  transient(inner: Transient): Transient {
    return {
      put: (key, value, times) => this.write('keep shortly', () => inner.put(key, value, times)),
      take: (key, nowMs) => this.write('take', () => inner.take(key, nowMs)),
      guess: (key, guess, nowMs) => this.write('guess', () => inner.guess(key, guess, nowMs)),
      claim: inner.claim,
      release: inner.release,
      lock: inner.lock,
      unlock: inner.unlock,
    }
  }

  windows(inner: Windows): Windows {
    return {
      enter: (specs, attempt, nowMs) => this.write('enter', () => inner.enter(specs, attempt, nowMs)),
      leave: (specs, attempt) => this.write('leave', () => inner.leave(specs, attempt)),
    }
  }

  files(inner: FileStore): FileStore {
    return {
      uploadLink: inner.uploadLink,
      downloadLink: inner.downloadLink,
      stored: (blob) => this.read('stored', () => inner.stored(blob)),
      remove: (blobs, what) => this.write(`remove ${blobs.join(', ')}`, () => inner.remove(blobs, what)),
      list: (after, limit) => this.read('list blobs', () => inner.list(after, limit)),
      close: async () => {},
    }
  }

  /** `parts`: the number of parts of a commit, between which it may fail; 1: the commit is atomic. */
  views(inner: Views, rates: FaultRates, parts: number): Views {
    const commit = (batches: readonly Batch[]) => {
      if (parts > 1) return this.write('commit', () => this.#commitSlowly(inner, batches, rates, parts))
      return this.write('commit', () => inner.commit(batches), this.fault(rates.commit, ['lost']))
    }
    return {
      prepare: (view) => inner.prepare(view),
      current: (view, ...one) => this.read(`current ${view}`, () => inner.current(view, ...one)),
      list: () => this.read('list views', () => inner.list()),
      drop: (view) => this.write('drop view', () => inner.drop(view)),
      checkpoints: (view, partitions) => this.read(`checkpoints ${view}`, () => inner.checkpoints(view, partitions)),
      get: (view, collection, ids) => this.read(`get ${view}`, () => inner.get(view, collection, ids)),
      find: (find) => this.read(`find ${find.view}`, () => inner.find(find)),
      count: (find) => this.read(`count ${find.view}`, () => inner.count(find)),
      scan: (view, name, after, limit) => this.read(`scan ${view}`, () => inner.scan(view, name, after, limit)),
      commit,
      durable: () => this.read('make views durable', () => inner.durable()),
      close: async () => {},
    }
  }

  async #commitSlowly(inner: Views, batches: readonly Batch[], rates: FaultRates, parts: number): Promise<void> {
    const { random } = this.#scheduler
    const steps = random.chance(rates.slow) ? random.below(SLOW_STEPS_MAX) : 0
    for (let step = 0; step < steps; step++) await this.#scheduler.step('')
    return this.#commitInParts(inner, batches, rates, parts)
  }

  async #commitInParts(inner: Views, batches: readonly Batch[], rates: FaultRates, parts: number): Promise<void> {
    const { random } = this.#scheduler
    const single = batches.flatMap(({ view, writes, checkpoints, repeats }): Batch[] => [
      ...random.shuffled(writes).map((write) => ({ view, writes: [write], checkpoints: new Map() })),
      ...(checkpoints.size > 0 ? [{ view, writes: [], checkpoints, ...(repeats && { repeats }) }] : []),
    ])
    const groups = inParts(single, parts, random)
    const breaksAt = random.chance(rates.commit) ? random.below(groups.length + 1) : Number.POSITIVE_INFINITY
    for (const [at, group] of groups.entries()) {
      if (at === breaksAt) throw new PlantedFault(`commit broke off before piece ${at} of ${groups.length}`)
      if (random.chance(PAUSES_IN_COMMIT)) await this.#scheduler.step(`${this.#name} commit continues`)
      if (!this.#incarnation.alive && random.chance(ENDS_IN_COMMIT))
        throw new PlantedFault('died in the middle of a commit')
      await inner.commit(group)
    }
    if (breaksAt === groups.length) throw new PlantedFault('commit unanswered')
  }

  rankings(inner: AllRankings, rates: FaultRates): AllRankings {
    return {
      putMax: inner.putMax,
      of: (view, partition) => this.#set(inner.of(view, partition), rates),
      drop: (view) => this.write(`drop rankings of ${view}`, () => inner.drop(view)),
    }
  }

  #set(inner: Rankings, rates: FaultRates): Rankings {
    return {
      put: (changes) =>
        this.write('rank', () => inner.put(changes), this.fault(rates.rankings, ['lost', 'unanswered'])),
      isFilled: (name) => this.read('is filled', () => inner.isFilled(name)),
      // A timer calls this outside the steps of the history.
      isCurrent: () => (this.#incarnation.alive ? inner.isCurrent() : never()),
      beginFill: async (name) => {
        const kinds = ['lost', 'unanswered'] as const
        const fill = await this.write('fill', () => inner.beginFill(name), this.fault(rates.rankings, kinds))
        return {
          finish: async (at, rankings) => {
            // Read first: a node that dies while it reads has sent nothing.
            const read = await allOf(rankings)
            return this.write('filled', () => fill.finish(at, again(read)), this.fault(rates.rankings, kinds))
          },
        }
      },
      size: (key) => this.read('size', () => inner.size(key)),
      before: (key, sortKey) => this.read('before', () => inner.before(key, sortKey)),
      ranks: (key, sortKeys) => this.read('places', () => inner.ranks(key, sortKeys)),
      range: (key, offset, limit) => this.read('range', () => inner.range(key, offset, limit)),
      around: (key, sortKey, limit) => this.read('around', () => inner.around(key, sortKey, limit)),
      lastApplied: (key) => this.read('last applied', () => inner.lastApplied(key)),
    }
  }
}

/** Splits the pieces, in order, into at most `most` non-empty parts. */
function inParts(groups: readonly Batch[], most: number, random: Random): readonly (readonly Batch[])[] {
  if (groups.length <= most) return groups.map((group) => [group])
  const ends = new Set(Array.from({ length: most - 1 }, () => random.below(groups.length)))
  const parts: Batch[][] = [[]]
  for (const [at, group] of groups.entries()) {
    if (ends.has(at) && at > 0) parts.push([])
    parts.at(-1)?.push(group)
  }
  return parts
}

interface Read {
  readonly key: string
  readonly sortKeys: readonly (readonly string[])[]
}

async function allOf(rankings: AsyncIterable<FilledRanking>): Promise<Read[]> {
  const read: Read[] = []
  for await (const { key, sortKeys } of rankings) {
    const chunks: (readonly string[])[] = []
    for await (const slice of sortKeys) chunks.push(slice)
    read.push({ key, sortKeys: chunks })
  }
  return read
}

async function* again(read: readonly Read[]): AsyncIterable<FilledRanking> {
  for (const { key, sortKeys } of read) yield { key, sortKeys: Readable.from(sortKeys) }
}
