// How many bytes a call counts for what it records.

import { expect } from 'chai'
import { type CallUsage, countRecorded, EVENT_BYTES, eventBytes } from '../../commands/count-recorded.ts'

describe('the bytes that an event counts', () => {
  it('are 512, the UTF-8 bytes of its texts, and 8 for each other value', () => {
    expect(EVENT_BYTES).to.equal(512)
    expect(eventBytes({})).to.equal(512)
    expect(eventBytes({ text: 'aé€' })).to.equal(512 + 6)
    expect(eventBytes({ a: 1, b: true, c: null })).to.equal(512 + 24)
    expect(eventBytes({ list: ['a', 2, { inner: ['bc', null] }], empty: [] })).to.equal(512 + 1 + 8 + 2 + 8)
  })
})

describe('the usage of a call', () => {
  const tallied = (call: string | null, ...events: { type: string; data: object }[]) => {
    const usage: CallUsage = { bytes: 5, player: null, chargePlayer: () => {} }
    countRecorded({ usage, call }, events)
    return usage.bytes - 5
  }

  it('counts each event', () => {
    const event = { type: 'X', data: { text: 'abc' } }
    expect([tallied(null, event), tallied('the call', event, event)]).to.deep.equal([515, 1_030])
  })

  it('counts a call that changed nothing only where it is remembered', () => {
    expect([tallied(null), tallied('the call')]).to.deep.equal([0, 512])
  })

  it('is not kept where nothing is limited', () => {
    expect(() => countRecorded({ call: null }, [{ type: 'X', data: {} }])).not.to.throw()
  })
})
