// Writers as the projections use them: they put the changes of a batch into the rankings, then write the documents,
// then the checkpoint, and may die in between; the batch is then replayed with other boundaries. A second writer that
// has not noticed that it was replaced writes concurrently. After every put each key is exactly as the log defines it
// at the newest position applied to it.

import { expect } from 'chai'
import fc from 'fast-check'
import type { AllRankings, RankingChange, Rankings } from '../../stores/contract/rankings.ts'
import { all, checkFilled, fill, filledWith, NAME, posAt, sortKeyAt } from './rankings-model.ts'
import type { Check } from './test-contract.ts'

/** A change of an entry; its position is its index in the log, from 1. */
interface Happened {
  readonly key: string
  readonly id: number
  /** Null: it is no longer ranked. */
  readonly score: number | null
}

interface Doc {
  readonly key: string
  readonly sortKey: string | null
  readonly at: number
}

type Step =
  | { readonly kind: 'batch'; readonly writer: number; readonly events: number; readonly until: Reached }
  | { readonly kind: 'refill' }

/** The step of a batch before which its writer dies; `done` if it completes. */
type Reached = 'put' | 'documents' | 'done'

const docOf = ({ key, id }: Happened) => `${key}/${id}`
const sortKeyOf = ({ id, score }: Happened) => (score === null ? null : sortKeyAt(score, id))

/** The state that the writers share. */
class World {
  readonly rankings: Rankings
  readonly log: readonly Happened[]
  readonly docs = new Map<string, Doc>()
  checkpoint = 0
  /** Per key, the newest position that was put. */
  readonly newest = new Map<string, number>()

  constructor(rankings: Rankings, log: readonly Happened[]) {
    this.rankings = rankings
    this.log = log
  }

  /** Every sort key of a key after that many events, in rank order. */
  sortKeysAfter(key: string, at: number): string[] {
    const sortKeys = new Map<number, string | null>()
    for (const event of this.log.slice(0, at)) if (event.key === key) sortKeys.set(event.id, sortKeyOf(event))
    return [...sortKeys.values()].filter((sortKey) => sortKey !== null).sort()
  }

  /** The sort keys by the documents, ascending. */
  private documented(key: string): string[] {
    const sortKeys = [...this.docs.values()].map((doc) => (doc.key === key ? doc.sortKey : null))
    return sortKeys.filter((sortKey) => sortKey !== null).sort()
  }

  /**
   * The number of events by which the documents are ahead of the checkpoint; a runner applies these before it fills.
   */
  ahead(): number {
    return Math.max(0, ...[...this.docs.values()].map(({ at }) => at - this.checkpoint))
  }

  async refill(): Promise<void> {
    const keys = new Set([...this.docs.values()].map(({ key }) => key))
    const boards = Object.fromEntries([...keys].map((key) => [key, this.documented(key)]))
    await fill(this.rankings, NAME, posAt(this.checkpoint), filledWith(boards, 3))
    this.newest.clear()
  }

  async compare(): Promise<void> {
    for (const key of new Set(this.log.map((event) => event.key))) {
      const at = this.newest.get(key) ?? this.checkpoint
      expect(await all(this.rankings, key)).to.deep.equal(this.sortKeysAfter(key, at))
    }
  }
}

class Writer {
  private readonly world: World
  /** Its copy of the documents, read at its start, and how far it has read the log. */
  private docs = new Map<string, Doc>()
  private read = 0

  constructor(world: World) {
    this.world = world
    this.start()
  }

  start(): void {
    this.docs = new Map(this.world.docs)
    this.read = this.world.checkpoint
  }

  async batch(count: number, until: Reached): Promise<void> {
    const changes = new Map<string, RankingChange>()
    const changed = new Map<string, Doc>()
    const end = Math.min(this.read + count, this.world.log.length)
    for (let at = this.read + 1; at <= end; at++) this.apply(at, changes, changed)
    await this.world.rankings.put([...changes.values()])
    for (const { key, pos } of changes.values()) {
      this.world.newest.set(key, Math.max(this.world.newest.get(key) ?? this.world.checkpoint, Number(pos)))
    }
    if (until === 'put') return this.start()
    for (const [id, doc] of changed) {
      this.docs.set(id, doc)
      if (doc.at > (this.world.docs.get(id)?.at ?? 0)) this.world.docs.set(id, doc)
    }
    if (until === 'documents') return this.start()
    this.read = end
    this.world.checkpoint = Math.max(this.world.checkpoint, end)
  }

  private apply(at: number, changes: Map<string, RankingChange>, changed: Map<string, Doc>): void {
    const event = this.world.log[at - 1] as Happened
    const id = docOf(event)
    const doc = changed.get(id) ?? this.docs.get(id)
    if (doc !== undefined && doc.at >= at) return
    const held = doc?.sortKey ?? null
    const passed = changes.get(id)?.before ?? []
    const after = sortKeyOf(event)
    changes.set(id, { key: event.key, before: held === null ? passed : [...passed, held], after, pos: posAt(at) })
    changed.set(id, { key: event.key, sortKey: after, at })
  }
}

const anyEvent: fc.Arbitrary<Happened> = fc.record({
  key: fc.constantFrom('a', 'b'),
  id: fc.nat(5),
  score: fc.option(fc.nat(20), { freq: 5 }),
})

const anyBatch: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('batch' as const),
  writer: fc.nat(1),
  events: fc.integer({ min: 1, max: 9 }),
  until: fc.constantFrom<Reached>('put', 'documents', 'done', 'done'),
})

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: anyBatch },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refill' as const) }) },
)

export const replayChecks: readonly Check<AllRankings>[] = [
  checkFilled(
    'writers that die, read again in other batches, or are stale, leave every key exact',
    async (rankings) => {
      const property = fc.asyncProperty(
        fc.array(anyEvent, { minLength: 20, maxLength: 60 }),
        fc.array(anyStep, { minLength: 15, maxLength: 50 }),
        async (log, steps) => {
          const world = new World(rankings, log)
          await world.refill()
          const writers = [new Writer(world), new Writer(world)]
          for (const step of steps) {
            if (step.kind === 'batch') await writers[step.writer]?.batch(step.events, step.until)
            else {
              await new Writer(world).batch(world.ahead(), 'done')
              await world.refill()
            }
            await world.compare()
          }
          for (const writer of writers) await writer.batch(log.length, 'done')
          await world.compare()
          for (const key of ['a', 'b']) {
            expect(await all(rankings, key)).to.deep.equal(world.sortKeysAfter(key, log.length))
          }
        },
      )
      await fc.assert(property, { numRuns: 60 })
    },
  ),
]
