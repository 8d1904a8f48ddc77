// Operator actions on all views during a history: start a rebuild, cancel it, switch back, discard the previous build.
// Every node polls the builds from time to time, as its heartbeat would, and advances them.

import { Refusal } from '../../../domain/decider.ts'
import { viewsOver } from '../../../projections/all.ts'
import { createBuildPointer } from '../../../projections/builds/pointer.ts'
import { activeKey, type Builds } from '../../../projections/builds/state.ts'
import { createDropUnused } from '../../../projections/old-views.ts'
import { viewKey } from '../../../projections/projection.ts'
import { createRankings } from '../../memory/rankings-in-process.ts'
import { Random } from '../../random.ts'
import type { Cluster } from './cluster.ts'
import type { Running } from './node.ts'
import type { World } from './world.ts'

/** How often a history has rebuilds. */
const REBUILDS = 0.4
const REBUILDS_SEED = 0x5eed
const STEPS_BETWEEN = 100
const ACTIONS_MAX = 8
/** How often a step is an operator action instead of a poll. */
const ACTS = 0.3
/** How often a requested rebuild covers all views. */
const ALL_VIEWS_ASKED = 0.4
/** A build that takes more polls of every node is stuck. */
const POLLS_MAX = 400
const REFUSED = new Set(['views_rebuilding', 'nothing_kept'])

/** Prefix of the trace line that reports the outcome of a rebuild. */
export const BECAME = 'a rebuild of views was'

type Act = 'ask' | 'cancel' | 'back' | 'let go'
const ACT_WEIGHTS: Readonly<Record<Act, number>> = { ask: 6, cancel: 1, back: 3, 'let go': 1 }

/** Drawn separately, so that it does not change the rest of the history. */
export const isRebuilt = (seed: number): boolean => new Random(seed ^ REBUILDS_SEED).chance(REBUILDS)

export class Rebuilding {
  readonly #world: World
  readonly #cluster: Cluster
  readonly #names: readonly string[]
  /** The rebuild whose outcome was noted last. */
  #ended = ''

  constructor(world: World, cluster: Cluster) {
    this.#world = world
    this.#cluster = cluster
    this.#names = viewsOver(world).map(({ name }) => name)
  }

  async goOn(isOver: () => boolean): Promise<void> {
    const { random } = this.#world.scheduler
    for (let acts = 1 + random.below(ACTIONS_MAX); !isOver(); ) {
      if (acts === 0 && (await this.#builds()).change === null) return
      await this.#pause(STEPS_BETWEEN)
      const node = await this.#cluster.any()
      if (acts > 0 && random.chance(ACTS)) {
        acts--
        await this.#onNode(node, () => this.#act(node))
      } else {
        await this.#poll(node)
      }
    }
  }

  /** After fault injection has ended: finishes builds, lets every node learn of them, and drops unused ones. */
  async comeToRest(): Promise<void> {
    for (let polls = 0; ; polls++) {
      for (const node of this.#cluster.nodes) await this.#poll(node)
      const builds = await this.#builds()
      if (builds.change === null) break
      if (polls === POLLS_MAX)
        return this.#world.defect(`views do not come to be built: ${JSON.stringify(builds.change)}`)
      await this.#pause(STEPS_BETWEEN)
    }
    if (this.#world.scheduler.random.chance(0.5)) {
      const node = await this.#cluster.any()
      await this.#onNode(node, () => this.#do(node, this.#world.scheduler.random.pick(['back', 'let go'])))
    }
    for (const node of this.#cluster.nodes) await this.#poll(node)
    await this.#dropUnused(await this.#builds())
  }

  /** Read directly, so this is not a step of the history; creates the pointer again if it was dropped. */
  #builds(): Promise<Builds> {
    return createBuildPointer(this.#world.views).read()
  }

  async #act(node: Running): Promise<void> {
    const { random } = this.#world.scheduler
    const acts = Object.entries(ACT_WEIGHTS) as [Act, number][]
    await this.#do(node, random.weighted(acts, ([, weight]) => weight)[0])
  }

  async #do(node: Running, act: Act): Promise<void> {
    const { random } = this.#world.scheduler
    const some = random.chance(ALL_VIEWS_ASKED) ? null : this.#names.filter(() => random.chance(0.4))
    const asked = some?.length === 0 ? null : some
    this.#world.scheduler.note(`${node.name}: ${act}${act === 'ask' ? ` for ${asked?.join(', ') ?? 'all views'}` : ''}`)
    const { ask, cancel, back, discard } = node.rebuilds
    const { state, last } = await { ask: () => ask(asked), cancel, back, 'let go': discard }[act]()
    this.#world.scheduler.note(`${node.name}: ${act}: ${state}, ${last?.outcome ?? 'nothing'} before`)
  }

  #poll(node: Running): Promise<void> {
    return this.#onNode(node, async () => {
      await node.pollBuilds()
      const { ended } = await this.#builds()
      if (ended !== null && ended.finished !== this.#ended) {
        this.#ended = ended.finished
        this.#world.scheduler.note(`${BECAME} ${ended.outcome}`)
      }
      if (ended?.outcome === 'failed') this.#world.defect(`views could not be built: ${ended.reason}`)
      if (ended?.compared?.found) this.#world.defect(`builds were found to differ: ${JSON.stringify(ended.compared)}`)
    })
  }

  /** Does not wait for a dead node. */
  async #onNode(node: Running, work: () => Promise<void>): Promise<void> {
    try {
      await Promise.race([work(), node.incarnation.death])
    } catch (error) {
      if (!node.incarnation.alive || this.#world.isPlanted(error)) return
      if (error instanceof Refusal && REFUSED.has(error.code)) return
      this.#world.defect(`${node.name} does nothing to views: ${error instanceof Error ? error.stack : error}`)
    }
  }

  async #dropUnused(builds: Builds): Promise<void> {
    const { views, rankings } = this.#world
    const projections = viewsOver(this.#world)
    const used = this.#cluster.nodes.flatMap(({ builds }) => builds.keys())
    const own = () => projections.map((view) => activeKey(builds, viewKey(view)))
    const dropped = (key: string) => this.#world.scheduler.note(`${key} is dropped`)
    // In-process rankings end with their node.
    const deps = { views, rankings: rankings ?? createRankings(), elapsedMs: () => performance.now(), dropped }
    await createDropUnused(deps, projections, 0, own)(used)
    const left = (await views.list()).filter((key) => key.includes('+') && !used.includes(key))
    if (left.length > 0) this.#world.defect(`nobody uses ${left.join(', ')}`)
  }

  async #pause(most: number): Promise<void> {
    const steps = 1 + this.#world.scheduler.random.below(most)
    for (let step = 0; step < steps; step++) await this.#world.scheduler.step('')
  }
}
