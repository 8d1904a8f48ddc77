// Stores whose writes fail part way. How much was written by then is random, within what the store contracts allow:
// rankings key by key, documents in any order, a view's checkpoints only after all of its documents. The rest may
// arrive later, as from a process that was frozen.

import type { AllRankings, RankingChange, Rankings } from '../../../stores/contract/rankings.ts'
import type { Batch, Checkpoint, Views, Write } from '../../../stores/contract/views.ts'
import type { Random } from '../../random.ts'
import { isPlanted, PlantedFault } from './planted.ts'

/** Maximum consecutive failures; the next write succeeds. */
const CONSECUTIVE_MAX = 3
const COMMIT_BREAKS = [0.2, 0.4, 0.6] as const
const PUT_BREAKS = [0, 0.05, 0.2] as const
const FILL_BREAKS = 0.1
/** The fraction of a write that is done before it fails. */
const DONE = [0, 0, 0.1, 0.5, 0.9, 1, 1] as const
const CHECKPOINTS_DONE = 0.5
/** How often the rest of a write arrives later, and how often it does so before the next call. */
const ARRIVES = 0.2
const ARRIVES_NOW = 0.1

export class Breaks {
  readonly random: Random
  readonly #commits: number
  readonly #puts: number
  #late: (() => Promise<void>)[] = []
  count = 0
  #running = 0

  constructor(random: Random) {
    this.random = random
    this.#commits = random.pick(COMMIT_BREAKS)
    this.#puts = random.pick(PUT_BREAKS)
  }

  /** Delivers delayed writes: with `all` every one, otherwise each by chance. */
  async arrivals(all = false): Promise<void> {
    const due = this.#late.filter(() => all || this.random.chance(ARRIVES_NOW))
    this.#late = this.#late.filter((one) => !due.includes(one))
    for (const arrive of due) await arrive().catch(ifPlanted)
  }

  views(inner: Views): Views {
    const commit = async (batches: readonly Batch[]) => {
      const part = () => inner.commit(batches.map((batch) => this.#partOf(batch)))
      await this.#write(this.#commits, () => inner.commit(batches), part)
    }
    const find: Views['find'] = async (asked) => {
      await this.arrivals()
      return inner.find(asked)
    }
    return { ...inner, commit, find }
  }

  rankings(inner: AllRankings): AllRankings {
    return { ...inner, of: (view, partition) => this.#setOf(inner.of(view, partition)) }
  }

  #setOf(inner: Rankings): Rankings {
    const put = async (changes: readonly RankingChange[]) => {
      const done = this.random.pick(DONE)
      const keys = new Set(changes.map(({ key }) => key).filter(() => this.random.chance(done)))
      const part = () => inner.put(changes.filter(({ key }) => keys.has(key)))
      await this.#write(this.#puts, () => inner.put(changes), part)
    }
    const beginFill: Rankings['beginFill'] = async (name) => {
      const fill = await inner.beginFill(name)
      const finish: typeof fill.finish = async (at, rankings) => {
        if (this.#strikes(FILL_BREAKS)) throw new PlantedFault('a fill broke off')
        return fill.finish(at, rankings)
      }
      return { finish }
    }
    return { ...inner, put, beginFill }
  }

  async #write(rate: number, whole: () => Promise<void>, part: () => Promise<void>): Promise<void> {
    await this.arrivals()
    if (!this.#strikes(rate)) return whole()
    await part()
    if (this.random.chance(ARRIVES)) this.#late.push(whole)
    throw new PlantedFault('a write broke off')
  }

  #strikes(rate: number): boolean {
    const strikes = this.#running < CONSECUTIVE_MAX && this.random.chance(rate)
    this.#running = strikes ? this.#running + 1 : 0
    if (strikes) this.count++
    return strikes
  }

  /** Collections are written concurrently: one may be complete before another has begun. */
  #partOf({ view, writes, checkpoints, repeats }: Batch): Batch {
    const done = new Map(writes.map(({ collection }) => [collection, 0]))
    for (const collection of done.keys()) done.set(collection, this.random.pick(DONE))
    const isDone = ({ collection }: Write) => this.random.chance(done.get(collection) ?? 0)
    const written = this.random.shuffled(writes).filter(isDone)
    const isWhole = written.length === writes.length
    const reached = isWhole ? [...checkpoints].filter(() => this.random.chance(CHECKPOINTS_DONE)) : []
    const own = { view, writes: written, checkpoints: new Map<number, Checkpoint>(reached) }
    return repeats === true ? { ...own, repeats } : own
  }
}

function ifPlanted(error: unknown): void {
  if (!isPlanted(error)) throw error
}
