// A preview of other rules: up to where the history is whole, and no longer than somebody waits for it.

import { expect } from 'chai'
import { previewRules } from '../../queries/preview.ts'
import { Slices } from '../../scheduling/time-slices.ts'
import { Random } from '../random.ts'
import { gate } from '../until.ts'
import { type PastWorld, pastWorld, playHistory } from './past-world.ts'

const LENGTH = 60

describe('a preview of other rules', () => {
  function played(): PastWorld {
    const world = pastWorld(true)
    playHistory(world, new Random(7), LENGTH)
    return world
  }

  interface Asked {
    readonly signal?: AbortSignal
    readonly bytesMost?: number
  }

  function previewOf({ deps, board }: PastWorld, upTo: string | null, asked: Asked = {}) {
    const { signal = new AbortController().signal, bytesMost = 2 ** 27 } = asked
    const rules = { ...board.state.rules, ordering: 'asc', unique: false } as const
    return previewRules(
      { ...deps.queries, log: deps.log },
      { board, rules, upTo, bytesMost, slices: new Slices(signal) },
    )
  }

  it('goes no further than the history is whole', async () => {
    const [whole, cut] = [played(), played()]
    const end = whole.events[LENGTH / 2]?.position ?? ''
    cut.events.splice(LENGTH / 2 + 1)
    const found = await previewOf(whole, end)
    expect(found).to.deep.equal(await previewOf(cut, end))
    expect(found).to.not.deep.equal(await previewOf(whole, whole.events.at(-1)?.position ?? ''))
    expect(found.entries_after).to.be.greaterThan(found.entries_before)
    expect(await previewOf(whole, null)).to.deep.equal({ entries_before: 0, entries_after: 0, changed: 0, top: [] })
  })

  it('is given up once nobody waits for it', async () => {
    const world = played()
    const { opened, open } = gate()
    world.gate = opened
    const going = new AbortController()
    const asked = previewOf(world, world.events.at(-1)?.position ?? '', { signal: going.signal }).catch((why) => why)
    expect(world.reads()).to.equal(1)
    going.abort(new Error('gone'))
    open()
    expect((await asked).message).to.equal('gone')
    expect(world.reads()).to.equal(1)
  })

  it('is refused where it takes more memory than it may', async () => {
    const world = played()
    const end = world.events.at(-1)?.position ?? ''
    const whole = await previewOf(world, end)
    const refused = await previewOf(world, end, { bytesMost: 1_000 }).catch((why) => why)
    expect([refused.kind, refused.code]).to.deep.equal(['unprocessable', 'board_too_large'])
    expect(await previewOf(world, end, { bytesMost: 50_000 })).to.deep.equal(whole)
  })
})
