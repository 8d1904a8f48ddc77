// What operators do to the views as wholes while all else goes on: they ask for other builds of them, cancel that, go back, and let
// go of what was before. Every node looks at it now and then, as its heartbeat would make it, and brings it on.

import { Refusal } from '../../../domain/decider.ts'
import { viewsOver } from '../../../projections/all.ts'
import { createBuildPointer } from '../../../projections/builds/pointer.ts'
import { activeKey, type Builds } from '../../../projections/builds/state.ts'
import { createDropUnused } from '../../../projections/old-views.ts'
import { viewKey } from '../../../projections/projection.ts'
import { createRankings } from '../../../stores/embedded/rankings.ts'
import { Random } from '../../random.ts'
import type { Cluster } from './cluster.ts'
import type { Running } from './node.ts'
import type { World } from './world.ts'

/** How often whole views are rebuilt in a history. */
const REBUILDS = 0.4
const REBUILDS_SEED = 0x5eed
const TURNS_BETWEEN = 100
const ACTS_MOST = 8
/** How often it is not a look, of what is done. */
const ACTS = 0.3
/** Of what is asked for, how often it is all views. */
const ALL_VIEWS_ASKED = 0.4
/** A build that takes more looks of every node does not come to its end. */
const LOOKS_MOST = 400
const REFUSED = new Set(['views_rebuilding', 'nothing_kept'])

/** What a rebuild came to is noted after these words. */
export const BECAME = 'a rebuild of views was'

type Act = 'ask' | 'cancel' | 'back' | 'let go'
const ACT_WEIGHTS: Readonly<Record<Act, number>> = { ask: 6, cancel: 1, back: 3, 'let go': 1 }

/** Of a chance of its own: what else a history is follows from nothing else than before. */
export const isRebuilt = (seed: number): boolean => new Random(seed ^ REBUILDS_SEED).chance(REBUILDS)

export class Rebuilding {
  readonly #world: World
  readonly #cluster: Cluster
  readonly #names: readonly string[]
  /** When the last one did that was noted. */
  #ended = ''

  constructor(world: World, cluster: Cluster) {
    this.#world = world
    this.#cluster = cluster
    this.#names = viewsOver(world).map(({ name }) => name)
  }

  async goOn(isOver: () => boolean): Promise<void> {
    const { random } = this.#world.scheduler
    for (let acts = 1 + random.below(ACTS_MOST); !isOver(); ) {
      if (acts === 0 && (await this.#builds()).change === null) return
      await this.#pause(TURNS_BETWEEN)
      const node = await this.#cluster.any()
      if (acts > 0 && random.chance(ACTS)) {
        acts--
        await this.#onNode(node, () => this.#act(node))
      } else {
        await this.#look(node)
      }
    }
  }

  /** Once nothing goes wrong any more: what was begun ends, every node hears of it, and what nobody uses is dropped. */
  async comeToRest(): Promise<void> {
    for (let looks = 0; ; looks++) {
      for (const node of this.#cluster.nodes) await this.#look(node)
      const builds = await this.#builds()
      if (builds.change === null) break
      if (looks === LOOKS_MOST)
        return this.#world.defect(`views do not come to be built: ${JSON.stringify(builds.change)}`)
      await this.#pause(TURNS_BETWEEN)
    }
    if (this.#world.scheduler.random.chance(0.5)) {
      const node = await this.#cluster.any()
      await this.#onNode(node, () => this.#do(node, this.#world.scheduler.random.pick(['back', 'let go'])))
    }
    for (const node of this.#cluster.nodes) await this.#look(node)
    await this.#dropUnused(await this.#builds())
  }

  /** As it lies there, which is no step of the history; if it was dropped meanwhile it is created again. */
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
    const { ask, cancel, back, letGo } = node.rebuilds
    const { state, last } = await { ask: () => ask(asked), cancel, back, 'let go': letGo }[act]()
    this.#world.scheduler.note(`${node.name}: ${act}: ${state}, ${last?.outcome ?? 'nothing'} before`)
  }

  #look(node: Running): Promise<void> {
    return this.#onNode(node, async () => {
      await node.lookAtBuilds()
      const { ended } = await this.#builds()
      if (ended !== null && ended.finished !== this.#ended) {
        this.#ended = ended.finished
        this.#world.scheduler.note(`${BECAME} ${ended.outcome}`)
      }
      if (ended?.outcome === 'failed') this.#world.defect(`views could not be built: ${ended.reason}`)
      if (ended?.compared?.found) this.#world.defect(`builds were found to differ: ${JSON.stringify(ended.compared)}`)
    })
  }

  /** Nobody waits for a node that is dead. */
  async #onNode(node: Running, work: () => Promise<void>): Promise<void> {
    try {
      await Promise.race([work(), node.life.death])
    } catch (why) {
      if (!node.life.alive || this.#world.isPlanted(why)) return
      if (why instanceof Refusal && REFUSED.has(why.code)) return
      this.#world.defect(`${node.name} does nothing to views: ${why instanceof Error ? why.stack : why}`)
    }
  }

  async #dropUnused(builds: Builds): Promise<void> {
    const { views, rankings } = this.#world
    const projections = viewsOver(this.#world)
    const used = this.#cluster.nodes.flatMap(({ builds }) => builds.keys())
    const own = () => projections.map((view) => activeKey(builds, viewKey(view)))
    const dropped = (key: string) => this.#world.scheduler.note(`${key} is dropped`)
    // What nodes keep of rankings in themselves ends with them.
    const deps = { views, rankings: rankings ?? createRankings(), elapsedMs: () => performance.now(), dropped }
    await createDropUnused(deps, projections, 0, own)(used)
    const left = (await views.list()).filter((key) => key.includes('+') && !used.includes(key))
    if (left.length > 0) this.#world.defect(`nobody uses ${left.join(', ')}`)
  }

  async #pause(most: number): Promise<void> {
    const turns = 1 + this.#world.scheduler.random.below(most)
    for (let turn = 0; turn < turns; turn++) await this.#world.scheduler.turn('')
  }
}
