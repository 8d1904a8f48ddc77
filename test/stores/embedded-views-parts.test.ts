// Large batches in the embedded read models: they are written in parts, and other calls are served in between.

import { expect } from 'chai'
import type { Find } from '../../stores/contract/views.ts'
import { openViews } from '../../stores/embedded/views.ts'
import { batch, pos, viewSpec, write } from '../contracts/documents.ts'
import { turn } from '../until.ts'
import { newPath } from './folder.ts'

describe('a large batch in the embedded read models', () => {
  const allOf: Find = { view: 'things@1', collection: 'thing', index: 'byS', equal: ['x'], limit: 9_000 }

  it('is written 50 documents at a time, with its checkpoint last, while other calls are served', async () => {
    const views = await openViews(newPath('views.sqlite'))
    for (const _ of [1, 2]) await views.prepare(viewSpec())
    const writes = Array.from({ length: 520 }, (_, n) => write(`d-${n}`, 1, { s: 'x' }))
    const checkpoints = [[3, { position: pos(1), eventId: 'e-1' }]] as const
    let isDone = false
    const done = views.commit([batch(writes, { checkpoints })]).then(() => {
      isDone = true
    })
    const seen = new Set<string>()
    while (!isDone) {
      seen.add(`${await views.count(allOf)} ${(await views.checkpoints('things@1')).size}`)
      await turn()
    }
    await done
    expect([...seen]).to.include.members(['50 0', '100 0'])
    for (const one of seen) expect(one.endsWith(' 1'), one).to.equal(one === '520 1')
    expect([await views.count(allOf), (await views.checkpoints('things@1')).size]).to.deep.equal([520, 1])
    await views.close()
  })

  it('has at least 501 writes, of a view that is prepared again: any other one is written at once', async () => {
    const views = await openViews(newPath('views.sqlite'))
    await views.prepare(viewSpec())
    for (const [at, length] of [520, 500].entries()) {
      const writes = Array.from({ length }, (_, n) => write(`d-${at}-${n}`, 1, { s: `x${at}` }))
      const done = views.commit([batch(writes)])
      expect(await views.count({ ...allOf, equal: [`x${at}`] })).to.equal(length)
      await done
      await views.prepare(viewSpec())
    }
    await views.close()
  })

  it('is checked as a whole before its first part is written', async () => {
    const views = await openViews(newPath('views.sqlite'))
    for (const _ of [1, 2]) await views.prepare(viewSpec())
    const writes = Array.from({ length: 520 }, (_, n) =>
      write(`d-${n}`, 1, { s: n < 519 ? 'x' : { no: 'index holds it' } }),
    )
    const refused = await views.commit([batch(writes)]).catch((error: unknown) => error)
    expect(refused).to.be.an.instanceOf(TypeError)
    expect(await views.count(allOf)).to.equal(0)
    await views.close()
  })
})
