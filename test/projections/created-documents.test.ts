// The documents that only one event can create: a view does not read them, unless the event may be applied again.

import { expect } from 'chai'
import type { Projection } from '../../projections/projection.ts'
import type { Views } from '../../stores/contract/views.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { prepareWorld } from './prepare-world.ts'
import { appendTexts, bodies, runToEnd, runWorld, texts } from './run-world.ts'

/** As `texts`: the first event of a stream creates its document. */
const created: Projection = {
  ...texts,
  creates: ({ revision, stream }) => (revision === 0 ? ['texts', stream] : null),
}

/** Views in memory, and the ids that were read of the collection `texts`. */
function readViews(inner = createMemoryViews()) {
  const read: string[] = []
  const get: Views['get'] = (view, collection, ids) => {
    if (collection === 'texts') read.push(...ids)
    return inner.get(view, collection, ids)
  }
  return { read, inner, views: { ...inner, get } }
}

describe('a document that an event creates', () => {
  it('is read until the view has written a checkpoint, and from then on only for later events', async () => {
    const log = createMemoryLog()
    const { read, views } = readViews()
    const world = runWorld([created], { log, views })
    await prepareWorld(world)
    const [applier] = world.appliers
    const apply = async (stream: string, ...lines: string[]) => {
      const before = (await log.readAll(null, 100)).length
      await appendTexts(log, stream, 'g1', ...lines)
      await applier?.apply((await log.readAll(null, 100)).slice(before))
    }
    await apply('s-1', 'a')
    expect(read.splice(0)).to.deep.equal(['s-1'])
    applier?.take(new Map([[0, { position: '0000000000000001', eventId: 'e' }]]))
    await apply('s-2', 'b', 'c')
    expect(read).to.deep.equal([])
    expect(applier?.take(new Map()).batch.writes).to.deep.equal([
      { collection: 'texts', id: 's-2', pos: '0000000000000003', body: { said: ['b', 'c'] }, isNew: true },
    ])
    applier?.forget()
    await apply('s-3', 'd')
    expect(read).to.deep.equal(['s-3'])
  })

  it('keeps what a former owner of the partition wrote late, once the view has applied as much', async () => {
    const log = createMemoryLog()
    const { inner, views } = readViews()
    const world = runWorld([created], { log, views })
    await prepareWorld(world)
    await appendTexts(log, 's-1', 'g1', 'a')
    await runToEnd(world)
    const former = runWorld([texts], { log, views: inner })
    await appendTexts(log, 's-2', 'g1', 'b')
    await appendTexts(log, 's-2', 'g1', 'c')
    const events = await log.readAll(null, 100)
    const [late] = former.appliers
    await late?.apply(events)
    await inner.commit([late?.take(new Map()).batch ?? expect.fail()])
    for (const upTo of [2, 3]) {
      const [applier] = world.appliers
      await applier?.apply(events.slice(upTo - 1, upTo))
      const { batch } = applier?.take(new Map([[0, { position: `${upTo}`, eventId: 'e' }]])) ?? expect.fail()
      await inner.commit([batch])
      expect(await bodies(inner, 'texts@1', 'texts')).to.deep.equal({
        's-1': { said: ['a'] },
        's-2': { said: ['b', 'c'] },
      })
    }
  })
})
