// Limits on received bytes that are not read yet, per network address and per node.

import { expect } from 'chai'
import { createUnreadBytes } from '../../realtime/unread-bytes.ts'

describe('the count of unread bytes', () => {
  it('refuses bytes over the limit of a network address or of the node', () => {
    const unread = createUnreadBytes({ perNetwork: 100, perNode: 150 })
    const [one, same, other] = [unread.account('a'), unread.account('a'), unread.account('b')]
    expect([one.add(60), same.add(41), same.add(40), one.add(1)]).to.deep.equal([true, false, true, false])
    expect([other.add(51), other.add(50), unread.bytes]).to.deep.equal([false, true, 150])
  })

  it('frees the bytes that an account subtracts, and all bytes of a closed account', () => {
    const unread = createUnreadBytes({ perNetwork: 100, perNode: 100 })
    const [one, other] = [unread.account('a'), unread.account('a')]
    one.add(100)
    one.subtract(30)
    expect([other.add(31), other.add(30)]).to.deep.equal([false, true])
    one.close()
    one.close()
    expect(unread.bytes).to.equal(30)
  })

  it('never goes below zero, and ignores bytes added to a closed account', () => {
    const unread = createUnreadBytes({ perNetwork: 100, perNode: 100 })
    const one = unread.account('a')
    one.add(10)
    one.subtract(50)
    expect(unread.bytes).to.equal(0)
    one.close()
    expect([one.add(500), unread.bytes]).to.deep.equal([true, 0])
  })
})
