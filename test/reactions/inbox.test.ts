import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { partitionOf } from '../../domain/partition.ts'
import { Inbox, SAVE_EVERY } from '../../reactions/inbox.ts'

const GAME = 'game'
const OWNED = new Set([partitionOf(GAME)])

function eventOf(type: string, number: number): StoredEvent {
  const meta = { v: 1, game: GAME, command: 'c', actor: null, request: null, time: '2026-01-01T00:00:00.000Z' } as const
  const position = String(number).padStart(16, '0')
  return { id: `e${number}`, type, data: {}, meta, stream: 's', revision: number, position }
}

describe('the inbox of a reaction', () => {
  let inbox: Inbox
  let wakes: number

  beforeEach(() => {
    inbox = new Inbox(['Taken'], new Map(), OWNED)
    wakes = 0
    void inbox.more(new AbortController().signal).then(() => {
      wakes++
    })
  })

  it('wakes the reaction for an event that it takes, and for no other', async () => {
    inbox.offer([eventOf('Other', 1)])
    await turn()
    expect(wakes).to.equal(0)
    inbox.offer([eventOf('Other', 2), eventOf('Taken', 3)])
    await turn()
    expect([wakes, inbox.waiting.map(({ position }) => position)]).to.deep.equal([1, ['0000000000000003']])
  })

  it('wakes it to save its checkpoints after many events of others, at the last of them', async () => {
    inbox.offer(Array.from({ length: SAVE_EVERY - 1 }, (_, at) => eventOf('Other', at + 1)))
    await turn()
    expect(wakes).to.equal(0)
    inbox.offer([eventOf('Other', SAVE_EVERY)])
    await turn()
    const at = { position: String(SAVE_EVERY).padStart(16, '0'), eventId: `e${SAVE_EVERY}` }
    expect([wakes, [...(inbox.checkpoints(null)?.values() ?? [])]]).to.deep.equal([1, [at]])
  })
})
