// The position and state of a stream when a call is answered. Revocations publish both, so they must match.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import type { Log } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { count, doNothing, keyed, refuse, STREAM, send } from './counter-aggregate.ts'

const at = (n: number) => ({ game: 'g1', position: n.toString(16).padStart(16, '0') })

describe('the current position and state of a handled command', () => {
  it('is the stream’s last event, whether this call or another recorded it', async () => {
    const log = createMemoryLog()
    const [here, there] = [createHandler(log), createHandler(log)]
    expect((await send(here, doNothing)).current).to.equal(null)
    expect((await send(here, count(1))).current).to.deep.equal({ state: [1], at: at(1) })
    expect((await send(there, count(2))).current).to.deep.equal({ state: [1, 2], at: at(2) })
    const idle = await send(here, doNothing)
    expect([idle.written, idle.current]).to.deep.equal([null, { state: [1, 2], at: at(2) }])
    const afresh = await send(createHandler(log), doNothing)
    expect([afresh.written, afresh.current]).to.deep.equal([null, { state: [1, 2], at: at(2) }])
  })

  it('has matching state and position for each command of one batch', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    const first = send(handler, count(0))
    const [a, b, idle, refused] = [
      send(handler, count(1)),
      send(handler, count(2)),
      send(handler, doNothing),
      refusalCodeOf(send(handler, refuse)),
    ]
    expect((await first).current).to.deep.equal({ state: [0], at: at(1) })
    const together = await Promise.all([a, b, idle])
    expect(together.map(({ after }) => after)).to.deep.equal([
      [0, 1],
      [0, 1, 2],
      [0, 1, 2],
    ])
    for (const { current } of together) expect(current).to.deep.equal({ state: [0, 1, 2], at: at(3) })
    expect(await refused).to.equal('never')
    expect((await statesByPosition(log)).get(at(3).position)).to.deep.equal([0, 1, 2])
  })

  it('is that of the original events for a repeated call, even if the stream has more events', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    await send(handler, count(1), keyed('k'))
    await send(handler, count(2))
    for (const node of [handler, createHandler(log)]) {
      expect((await send(node, count(1), keyed('k'))).current).to.deep.equal({ state: [1], at: at(1) })
    }
  })
})

async function statesByPosition(log: Log): Promise<Map<string, number[]>> {
  const states = new Map<string, number[]>()
  const counted: number[] = []
  for (const { position, data } of await log.readStream(STREAM, 0, 100)) {
    counted.push(data.by as number)
    states.set(position, [...counted])
  }
  return states
}
