// Documents that appliers hold between two writes, and release when they exceed the memory budget: also in the middle
// of a batch, when an event with a query makes earlier changes be written.

import { expect } from 'chai'
import type { Applier } from '../../projections/applier.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { MemoryBudget } from '../../projections/memory-budget.ts'
import type { Projection } from '../../projections/projection.ts'
import { PARKED } from '../../projections/projection.ts'
import { write } from '../../projections/write.ts'
import { prepareWorld } from './prepare-world.ts'
import { bodies, runWorld, saidEvent } from './run-world.ts'

const echo = (text: string) => ({ kind: 'echo', text })

/** One document per stream, with the last text; the text `all` updates every document. `boom` cannot be applied. */
const echoes: Projection = {
  name: 'echoes',
  version: 1,
  collections: [{ name: 'echoes', indexes: { kind: ['kind'] } }],
  takes: ['Said'],
  needs: ({ stream }) => [['echoes', stream]],
  query: ({ data }) => (data.text === 'all' ? [{ collection: 'echoes', index: 'kind', equal: ['echo'] }] : []),
  handle({ stream, data }, docs) {
    if (data.text === 'boom') throw new Error('it does not apply')
    docs.put('echoes', stream, echo(String(data.text)))
  },
  updateEach: ({ data }, docs, id) => docs.put('echoes', id, echo(String(data.text))),
}

describe('the loaded documents of an applier', () => {
  it('are released in the middle of a batch, while parked streams stay parked', async () => {
    const world = runWorld([echoes])
    await prepareWorld(world)
    const { deps, reports } = world
    const texts = [
      ['s-1', 'a'],
      ['s-2', 'boom'],
      ['s-3', 'b'],
      ['s-4', 'all'],
      ['s-2', 'skipped'],
      ['s-5', 'c'],
    ] as const
    for (const [n, [stream, text]] of texts.entries()) {
      const revision = texts.slice(0, n).filter(([one]) => one === stream).length - 1
      await deps.log.append(stream, revision < 0 ? 'none' : revision, [saidEvent(text)])
    }
    const applier = createApplier(echoes, deps, new MemoryBudget(1_000))
    await applier.apply(await deps.log.readAll(null, 100))
    await write(deps, applier.take(new Map()))
    expect(await bodies(deps.views, 'echoes@1', 'echoes')).to.deep.equal({
      's-1': echo('all'),
      's-3': echo('all'),
      's-4': echo('all'),
      's-5': echo('c'),
    })
    expect(Object.keys(await bodies(deps.views, 'echoes@1', PARKED))).to.deep.equal(['s-2'])
    expect(reports.parked).to.deep.equal(['echoes@1 s-2 0'])
  })

  it('are counted with their texts, and require a flush if they exceed the budget', async () => {
    const world = runWorld([echoes])
    await prepareWorld(world)
    const { deps } = world
    const long = 'x'.repeat(1_000)
    for (let n = 0; n < 10; n++) await deps.log.append(`s-${n}`, 'none', [saidEvent(long)])
    const events = await deps.log.readAll(null, 100)
    const applierWith = (bytes: number) => createApplier(echoes, deps, new MemoryBudget(bytes))
    const [small, ample] = [applierWith(10 * 1_400), applierWith(10 * 1_500)]
    for (const applier of [small, ample]) await applier.apply(events)
    expect([small.needsFlush(), ample.needsFlush()]).to.deep.equal([true, false])
    await write(deps, small.take(new Map()))
    expect([small.needsFlush(), small.changed()]).to.deep.equal([false, 0])
  })

  it('are released beyond what is left of the budget once the views have caught up, but never before they are written', async () => {
    const world = runWorld([echoes])
    await prepareWorld(world)
    const { deps } = world
    for (let n = 0; n < 10; n++) await deps.log.append(`s-${n}`, 'none', [saidEvent('x'.repeat(1_000))])
    const events = await deps.log.readAll(null, 100)
    const [small, ample] = [1_000, 20_000].map((caughtUp) =>
      createApplier(echoes, deps, new MemoryBudget(20_000, caughtUp)),
    ) as [Applier, Applier]
    for (const applier of [small, ample]) {
      await applier.apply(events)
      expect(applier.needsFlush()).to.equal(false)
      applier.onCaughtUp()
      expect(applier.changed()).to.equal(10)
    }
    expect([small.needsFlush(), ample.needsFlush()]).to.deep.equal([true, false])
    await write(deps, small.take(new Map()))
    expect([small.needsFlush(), small.changed()]).to.deep.equal([false, 0])
    // All documents are held again.
    await small.apply(events)
    small.onCaughtUp()
    expect(small.needsFlush()).to.equal(false)
  })

  it('are not allowed more bytes after catching up than before', () => {
    const budget = new MemoryBudget(100, 1_000)
    budget.onCaughtUp()
    expect(budget.requiresFlush({}, 101)).to.equal(true)
  })

  it('are released by the appliers that hold at least the average', () => {
    const budget = new MemoryBudget(100)
    const [a, b, c] = [{}, {}, {}]
    expect([budget.requiresFlush(a, 90), budget.requiresFlush(b, 5), budget.requiresFlush(c, 6)]).to.deep.equal([
      false,
      false,
      false,
    ])
    expect([budget.requiresFlush(b, 5), budget.requiresFlush(a, 90)]).to.deep.equal([false, true])
    expect([budget.requiresFlush(a, 0), budget.requiresFlush(c, 6)]).to.deep.equal([false, false])
  })
})
