// What clients send that is not read yet is bounded for each network address and for the node.

import { expect } from 'chai'
import { createReceived } from '../../realtime/received.ts'

describe('the count of what clients have sent and the node has not read', () => {
  it('refuses a network address more than its share, and the node more than it may hold', () => {
    const received = createReceived({ perNetwork: 100, perNode: 150 })
    const [one, same, other] = [received.account('a'), received.account('a'), received.account('b')]
    expect([one.add(60), same.add(41), same.add(40), one.add(1)]).to.deep.equal([true, false, true, false])
    expect([other.add(51), other.add(50), received.bytes]).to.deep.equal([false, true, 150])
  })

  it('has room again for what an account took back, and for all of one that was closed', () => {
    const received = createReceived({ perNetwork: 100, perNode: 100 })
    const [one, other] = [received.account('a'), received.account('a')]
    one.add(100)
    one.subtract(30)
    expect([other.add(31), other.add(30)]).to.deep.equal([false, true])
    one.close()
    one.close()
    expect(received.bytes).to.equal(30)
  })

  it('never counts below zero, and counts nothing for a closed account', () => {
    const received = createReceived({ perNetwork: 100, perNode: 100 })
    const one = received.account('a')
    one.add(10)
    one.subtract(50)
    expect(received.bytes).to.equal(0)
    one.close()
    expect([one.add(500), received.bytes]).to.deep.equal([true, 0])
  })
})
