// The nodes of a simulated history: which are up, how they crash and restart, and how the read models that they share
// are restored to an older copy.

import { ALL_PARTITIONS } from '../../../domain/partition.ts'
import type { Timed } from '../../../reactions/tick.ts'
import { type Running, startNode } from './node.ts'
import { SKEW_MS } from './step-scheduler.ts'
import { StoreConnection } from './store-connection.ts'
import type { Fault, World } from './world.ts'

const ALL = new Set(ALL_PARTITIONS)
const CRASHES_MAX = 5
const FAULTS_MAX = 5
const STEPS_BETWEEN = 120
/**
 * The most that a clock is set ahead or back: twice the longer one is less than the two hours for which a file
 * remembers its uploads.
 */
const CLOCK_STEPS_MS = [2 * 60_000, 50 * 60_000]
/** How often a crash takes all nodes and restores the read models to an older copy. */
const REWINDS = 0.3
/** How often nodes restart with another master key while others still encrypt under the previous one. */
const ROTATES = 0.3
/** How often a crash happens during a write. */
const IN_THE_ACT = 0.5

export class Cluster {
  readonly #world: World
  readonly #isHarsh: boolean
  /** How far each node's clock is ahead, in milliseconds. */
  readonly #skews: Map<string, number>
  readonly #up = new Map<string, Running>()

  constructor(world: World, names: readonly string[], isHarsh: boolean) {
    this.#world = world
    this.#isHarsh = isHarsh
    this.#skews = new Map(names.map((name) => [name, world.scheduler.random.below(SKEW_MS)]))
  }

  /** Nodes that are up. */
  get nodes(): readonly Running[] {
    return [...this.#up.values()]
  }

  async startAll(): Promise<void> {
    await Promise.all([...this.#skews.keys()].map((name) => this.#start(name)))
  }

  async #start(name: string): Promise<void> {
    while (!this.#up.has(name)) {
      try {
        this.#up.set(name, await startNode(this.#world, name, () => this.#skews.get(name) ?? 0))
      } catch (error) {
        if (!this.#world.isPlanted(error)) throw error
        this.#world.scheduler.note(`${name} does not start: ${error.message}`)
      }
    }
  }

  /** A node that is up; waits until there is one. */
  async any(): Promise<Running> {
    for (;;) {
      const node = this.#world.scheduler.random.any(this.nodes)
      if (node !== null) return node
      await this.#world.scheduler.step('')
    }
  }

  async suffer(): Promise<void> {
    if (!this.#isHarsh) return
    await Promise.all([this.#sufferCrashes(), this.#injectFaults(this.#world.faults)])
  }

  /**
   * Sets clocks of nodes forward and back, some by less than the bound of an event's time and some by more; all right
   * at the end.
   */
  async setClocks(isOver: () => boolean): Promise<void> {
    const { scheduler } = this.#world
    const { random } = scheduler
    const names = [...this.#skews.keys()]
    while (!isOver()) {
      await this.#pause()
      const [name, sizeMs] = [random.pick(names), random.pick(CLOCK_STEPS_MS)]
      const skewMs = random.below(2 * sizeMs + 1) - sizeMs
      scheduler.note(`the clock of ${name} is ${skewMs} ms ahead`)
      this.#skews.set(name, skewMs)
    }
    for (const name of names) this.#skews.set(name, 0)
  }

  async #injectFaults(kinds: readonly Fault[]): Promise<void> {
    if (kinds.length === 0) return
    const { random } = this.#world.scheduler
    const faults = random.below(FAULTS_MAX + 1)
    for (let n = 0; n < faults; n++) {
      await this.#pause()
      if (random.chance(IN_THE_ACT)) await this.#somethingSent()
      const { name, happen } = random.pick(kinds)
      this.#world.scheduler.note(name)
      await happen()
    }
  }

  async #sufferCrashes(): Promise<void> {
    const { random } = this.#world.scheduler
    const crashes = random.below(CRASHES_MAX + 1)
    for (let n = 0; n < crashes; n++) {
      await this.#pause()
      if (random.chance(IN_THE_ACT)) await this.#somethingSent()
      if (random.chance(REWINDS)) await this.#rewind()
      else this.#crash(random.pick([...this.#skews.keys()]))
      // Embedded stores accept no writes from a process that has ended.
      if (this.#world.rankings === null) await this.#arrivals()
      await this.#pause()
      if (random.chance(ROTATES)) {
        this.#world.masters.rotate()
        this.#world.scheduler.note('the master key is another one')
      }
      await this.startAll()
    }
  }

  async #pause(): Promise<void> {
    const steps = this.#world.scheduler.random.below(STEPS_BETWEEN)
    for (let step = 0; step < steps; step++) await this.#world.scheduler.step('')
  }

  #crash(name: string): void {
    this.#world.scheduler.note(`${name} crashes`)
    this.#up.get(name)?.incarnation.kill()
    this.#up.delete(name)
  }

  async #rewind(): Promise<void> {
    const { scheduler } = this.#world
    for (const name of [...this.#up.keys()]) this.#crash(name)
    // Pending writes arrive before the older copy is restored.
    await this.#arrivals()
    scheduler.note(`the read models are set back to ${await this.#world.setBack()}`)
  }

  /** Waits a bounded time until a write is in flight. */
  async #somethingSent(): Promise<void> {
    const { scheduler } = this.#world
    for (let step = 0; step < STEPS_BETWEEN && StoreConnection.onTheirWay(scheduler) === 0; step++)
      await scheduler.step('')
  }

  async #arrivals(): Promise<void> {
    const { scheduler } = this.#world
    while (StoreConnection.onTheirWay(scheduler) > 0) await scheduler.step('')
  }

  /** A random node runs one of its timed jobs, of this name if one is given. */
  async runOneTimed(name?: string): Promise<void> {
    const node = await this.any()
    const jobs = name === undefined ? node.timed : node.timed.filter((one) => one.name === name)
    // The job may never finish: its node can die.
    await Promise.race([this.#runTimed(node, this.#world.scheduler.random.pick(jobs)), node.incarnation.death])
  }

  async #runTimed({ name, incarnation, now }: Running, timed: Timed): Promise<void> {
    this.#world.scheduler.note(`${name}: ${timed.name}`)
    try {
      await timed.run(ALL, now(), incarnation.signal)
    } catch (error) {
      if (!incarnation.alive) return
      if (!this.#world.isPlanted(error))
        this.#world.defect(`${timed.name} failed: ${error instanceof Error ? error.stack : error}`)
    }
  }

  /** Every node runs all timed jobs that are due. */
  async runAllTimed(): Promise<void> {
    for (const node of this.nodes) for (const timed of node.timed) await this.#runTimed(node, timed)
  }

  /** Ends all fault injection. */
  async heal(): Promise<void> {
    this.#world.scheduler.note('healed')
    await this.#world.heal()
    Object.assign(this.#world.rates, { slow: 0, append: 0, cut: 0, commit: 0, rankings: 0 })
    // Restarted nodes refill rankings whose loss nobody has noticed yet.
    if (this.#world.rankings !== null) this.#crash(this.#world.scheduler.random.pick([...this.#skews.keys()]))
  }

  end(): void {
    for (const { incarnation } of this.nodes) incarnation.kill()
  }
}
