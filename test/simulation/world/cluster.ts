// The nodes of a simulated history: which of them are up, how they crash and come back, and how the read models under all
// of them are set back to an older copy.

import { ALL_PARTITIONS } from '../../../domain/partition.ts'
import type { Timed } from '../../../processes/tick.ts'
import { type Running, startNode } from './node.ts'
import { SKEW_MS } from './pace.ts'
import { Wire } from './wire.ts'
import type { Mishap, World } from './world.ts'

const ALL = new Set(ALL_PARTITIONS)
const CRASHES_MAX = 5
const MISHAPS_MAX = 5
const TURNS_BETWEEN = 120
/** How often a crash takes all nodes, and the read models come back as they once were. */
const REWINDS = 0.3
/** How often nodes come back with another master key, whichever of them still seal under the one before. */
const ROTATES = 0.3
/** How often a crash comes while a write is on its way. */
const IN_THE_ACT = 0.5

export class Cluster {
  readonly #world: World
  readonly #isHarsh: boolean
  readonly #skews: ReadonlyMap<string, number>
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
        this.#up.set(name, await startNode(this.#world, name, this.#skews.get(name) ?? 0))
      } catch (why) {
        if (!this.#world.isPlanted(why)) throw why
        this.#world.scheduler.note(`${name} does not start: ${why.message}`)
      }
    }
  }

  /** A node that is up, waiting for one where none is. */
  async any(): Promise<Running> {
    for (;;) {
      const node = this.#world.scheduler.random.any(this.nodes)
      if (node !== null) return node
      await this.#world.scheduler.turn('')
    }
  }

  async suffer(): Promise<void> {
    if (!this.#isHarsh) return
    await Promise.all([this.#sufferCrashes(), this.#sufferMishaps(this.#world.mishaps)])
  }

  async #sufferMishaps(kinds: readonly Mishap[]): Promise<void> {
    if (kinds.length === 0) return
    const { random } = this.#world.scheduler
    const mishaps = random.below(MISHAPS_MAX + 1)
    for (let n = 0; n < mishaps; n++) {
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
      // Stores inside the process take nothing from a process that is gone.
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
    const turns = this.#world.scheduler.random.below(TURNS_BETWEEN)
    for (let turn = 0; turn < turns; turn++) await this.#world.scheduler.turn('')
  }

  #crash(name: string): void {
    this.#world.scheduler.note(`${name} crashes`)
    this.#up.get(name)?.life.kill()
    this.#up.delete(name)
  }

  async #rewind(): Promise<void> {
    const { scheduler } = this.#world
    for (const name of [...this.#up.keys()]) this.#crash(name)
    // What is on its way to the read models gets there before the old copy is put in their place.
    await this.#arrivals()
    scheduler.note(`the read models are set back to ${await this.#world.setBack()}`)
  }

  /** Waits, but not for ever, until some write is on its way. */
  async #somethingSent(): Promise<void> {
    const { scheduler } = this.#world
    for (let turn = 0; turn < TURNS_BETWEEN && Wire.onTheirWay(scheduler) === 0; turn++) await scheduler.turn('')
  }

  async #arrivals(): Promise<void> {
    const { scheduler } = this.#world
    while (Wire.onTheirWay(scheduler) > 0) await scheduler.turn('')
  }

  /** A node looks whether something is due by time, as each does again and again. */
  async tick(): Promise<void> {
    const node = await this.any()
    const { random } = this.#world.scheduler
    // Its answer is waited for by nobody who could not go on.
    await Promise.race([this.#look(node, random.pick(node.timed)), node.life.death])
  }

  async #look({ name, life, now }: Running, timed: Timed): Promise<void> {
    this.#world.scheduler.note(`${name}: ${timed.name}`)
    try {
      await timed.run(ALL, now(), life.signal)
    } catch (why) {
      if (!life.alive) return
      if (!this.#world.isPlanted(why))
        this.#world.defect(`${timed.name} failed: ${why instanceof Error ? why.stack : why}`)
    }
  }

  /** Everything that is due by time is seen to, on every node. */
  async tickAll(): Promise<void> {
    for (const node of this.nodes) for (const timed of node.timed) await this.#look(node, timed)
  }

  /** Nothing goes wrong any more. */
  async heal(): Promise<void> {
    this.#world.scheduler.note('healed')
    await this.#world.heal()
    Object.assign(this.#world.rates, { slow: 0, append: 0, cut: 0, commit: 0, rankings: 0 })
    // Whoever starts fills what was lost and not missed yet.
    if (this.#world.rankings !== null) this.#crash(this.#world.scheduler.random.pick([...this.#skews.keys()]))
  }

  end(): void {
    for (const { life } of this.nodes) life.kill()
  }
}
