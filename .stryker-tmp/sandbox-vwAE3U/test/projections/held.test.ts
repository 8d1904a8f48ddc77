// Documents that appliers hold between two writes, and release when they exceed the memory budget: also in the middle
// of a batch, when an event with a query makes earlier changes be written.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { createApplier } from '../../projections/apply.ts'
import { MemoryBudget } from '../../projections/memory-budget.ts'
import type { Projection } from '../../projections/projection.ts'
import { PARKED } from '../../projections/projection.ts'
import { write } from '../../projections/write.ts'
import { prepared } from './prepared.ts'
import { bodies, runWorld, said } from './run-world.ts'

const echo = (text: string) => ({ kind: 'echo', text })

/** A document a stream, each with the last text said of any; `all` says it of all there are. `boom` cannot be applied. */
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

describe('the documents that an applier holds', () => {
  it('are released in the middle of a batch, while parked streams stay parked', async () => {
    const world = runWorld([echoes])
    await prepared(world)
    const { deps, told } = world
    const sayings = [
      ['s-1', 'a'],
      ['s-2', 'boom'],
      ['s-3', 'b'],
      ['s-4', 'all'],
      ['s-2', 'passed over'],
      ['s-5', 'c'],
    ] as const
    for (const [n, [stream, text]] of sayings.entries()) {
      const revision = sayings.slice(0, n).filter(([one]) => one === stream).length - 1
      await deps.log.append(stream, revision < 0 ? 'none' : revision, [said(text)])
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
    expect(told.parked).to.deep.equal(['echoes@1 s-2 0'])
  })

  it('are counted with their texts, and written early if they are too large', async () => {
    const world = runWorld([echoes])
    await prepared(world)
    const { deps } = world
    const long = 'x'.repeat(1_000)
    for (let n = 0; n < 10; n++) await deps.log.append(`s-${n}`, 'none', [said(long)])
    const events = await deps.log.readAll(null, 100)
    const holding = (bytes: number) => createApplier(echoes, deps, new MemoryBudget(bytes))
    const [small, ample] = [holding(10 * 1_400), holding(10 * 1_500)]
    for (const applier of [small, ample]) await applier.apply(events)
    expect([small.needsFlush(), ample.needsFlush()]).to.deep.equal([true, false])
    await write(deps, small.take(new Map()))
    expect([small.needsFlush(), small.changed()]).to.deep.equal([false, 0])
  })

  it('are released by the appliers that hold the most', () => {
    const held = new MemoryBudget(100)
    const [a, b, c] = [{}, {}, {}]
    expect([held.requiresFlush(a, 90), held.requiresFlush(b, 5), held.requiresFlush(c, 6)]).to.deep.equal([
      false,
      false,
      false,
    ])
    expect([held.requiresFlush(b, 5), held.requiresFlush(a, 90)]).to.deep.equal([false, true])
    expect([held.requiresFlush(a, 0), held.requiresFlush(c, 6)]).to.deep.equal([false, false])
  })
})
