// A process that has lost its partitions without knowing it puts into lost rankings, writes late and fills. The
// rankings of the new owner must stay right.

import { expect } from 'chai'
import { partitionOf } from '../../domain/partition.ts'
import { type AllRankings, FillBroken, type Rankings, RankingsLost } from '../../stores/contract/rankings.ts'
import type { Batch, Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createSharedRankings } from '../memory/rankings.ts'
import { createMemoryViews } from '../memory/views.ts'
import { appendTexts, caughtUp, counts, ranked, running, runToEnd, runWorld } from './run-world.ts'
import { startViews } from './start-views.ts'

const RANKED = '000002-g1'

/** A gate in the code at which a process stops until it is opened. */
class Gate {
  private isShut = false
  private resolveOpened = () => {}
  private resolveReached = () => {}
  private opened = Promise.resolve()
  /** Resolves when a process has reached it since it was shut. */
  reached = Promise.resolve()

  shut(): void {
    this.isShut = true
    this.reached = new Promise((resolve) => {
      this.resolveReached = resolve
    })
    this.opened = new Promise((resolve) => {
      this.resolveOpened = resolve
    })
  }

  open(): void {
    this.isShut = false
    this.resolveOpened()
  }

  async pass(): Promise<void> {
    if (!this.isShut) return
    this.resolveReached()
    await this.opened
  }
}

/**
 * Stores that two processes share. Each process has gates before a put, before a commit, and before and after the end
 * of a fill.
 */
function sharedStores() {
  const log = createMemoryLog()
  const views = createMemoryViews()
  const shared = createSharedRankings()
  function node() {
    const gates = { put: new Gate(), commit: new Gate(), finish: new Gate(), finished: new Gate() }
    const handle = shared.handle()
    const gated = (set: Rankings): Rankings => ({
      ...set,
      put: async (changes) => {
        await gates.put.pass()
        await set.put(changes)
      },
      beginFill: async (name) => {
        const fill = await set.beginFill(name)
        return {
          finish: async (at, rankings) => {
            await gates.finish.pass()
            await fill.finish(at, rankings)
            await gates.finished.pass()
          },
        }
      },
    })
    const of = (set: Rankings, partition: number) => (partition === partitionOf('g1') ? gated(set) : set)
    const rankings: AllRankings = { ...handle, of: (view, partition) => of(handle.of(view, partition), partition) }
    const ownViews: Views = {
      ...views,
      commit: async (batches: readonly Batch[]) => {
        await gates.commit.pass()
        await views.commit(batches)
      },
    }
    return { gates, world: runWorld([counts], { log, views: ownViews, rankings }) }
  }
  return { log, shared, node }
}

/** Two processes; the first has stopped before it puts or commits the second of two events. */
async function frozenAt(at: 'put' | 'commit') {
  const { log, shared, node } = sharedStores()
  const [first, second] = [node(), node()]
  await appendTexts(log, 'g1', 'g1', 'once')
  await startViews(first.world)
  const end = running(first.world)
  await caughtUp(first.world)
  first.gates[at].shut()
  await appendTexts(log, 'g1', 'g1', 'twice')
  await first.gates[at].reached
  return { shared, first, second, end }
}

describe('a process that has lost its partitions', () => {
  it('loses no change that it put before the rankings were lost, although it writes the documents late', async () => {
    // The process has put the change and freezes before it commits the documents; then the rankings are lost.
    const { shared, first, second, end } = await frozenAt('commit')
    shared.lose()
    second.gates.finished.shut()
    const ending = runToEnd(second.world)
    await second.gates.finished.reached
    first.gates.commit.open()
    await caughtUp(first.world)
    second.gates.finished.open()
    await ending
    await end()
    expect(await ranked(second.world.deps.rankings)).to.deep.equal([RANKED])
  })

  it('puts nothing into rankings that another process has filled since', async () => {
    const { shared, first, second, end } = await frozenAt('put')
    shared.lose()
    await startViews(second.world)
    first.gates.put.open()
    await caughtUp(first.world)
    expect((await end()).map((error) => error instanceof RankingsLost)).to.deep.equal([true])
    expect(await ranked(second.world.deps.rankings)).to.deep.equal([RANKED])
  })

  it('does not disturb the next fill when it was frozen in its own fill and continues', async () => {
    const { log, shared, node } = sharedStores()
    const [first, second] = [node(), node()]
    await appendTexts(log, 'g1', 'g1', 'once', 'twice')
    await startViews(first.world)
    shared.lose()
    first.gates.finish.shut()
    const end = running(first.world)
    await first.gates.finish.reached
    await startViews(second.world)
    const endSecond = running(second.world)
    await caughtUp(second.world)
    first.gates.finish.open()
    await caughtUp(first.world)
    await appendTexts(log, 'g1', 'g1', 'thrice')
    await Promise.all([caughtUp(first.world), caughtUp(second.world)])
    expect((await end()).map((error) => error instanceof FillBroken)).to.deep.equal([true])
    expect(await endSecond()).to.deep.equal([])
    expect(await ranked(second.world.deps.rankings)).to.deep.equal(['000003-g1'])
  })
})
