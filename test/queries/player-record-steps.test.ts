// An export of a player reads the whole history of the game in time slices, like every long read.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { eventsAbout } from '../../queries/player-record.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { History } from '../../stores/contract/history.ts'
import { nothingBy, skipsNothing } from '../memory/history.ts'

const EVENTS = 330

describe('the events of an export of a player', () => {
  it('are searched in pages of 100 events, and each page can end the time slice', async () => {
    const steps: (string | number)[] = []
    const all = Array.from({ length: EVENTS }, (_, n): StoredEvent => {
      const player = n % 100 === 7 ? 'p' : `other-${n}`
      const meta = {
        v: 1,
        game: 'g',
        player,
        command: '',
        actor: null,
        request: null,
        time: '2026-01-01T00:00:00.000Z',
      }
      const position = String(n).padStart(8, '0')
      return { id: position, stream: `player-${player}`, revision: 0, position, type: 'PlayerNamed', data: {}, meta }
    })
    const history: History = {
      nth: async () => null,
      skip: skipsNothing,
      lastBy: nothingBy,
      part: async (_, after, limit) => {
        const from = after === null ? 0 : Number(after) + 1
        steps.push('events', limit)
        return all.slice(from, from + limit)
      },
    }
    class Counted extends TimeSlices {
      override get due(): boolean {
        return true
      }

      override async yield(): Promise<void> {
        steps.push('turn')
        await super.yield()
      }
    }
    const found: string[] = []
    for await (const page of eventsAbout(history, 'g', 'p', new Counted())) {
      found.push(...page.map(({ position }) => position))
    }
    expect(found).to.deep.equal(['00000007', '00000107', '00000207', '00000307'])
    // A page is read again, in full, if it names the player.
    const page = ['events', 100, 'events', 100, 'turn']
    expect(steps).to.deep.equal([...page, ...page, ...page, 'events', 100, 'events', 30])
  })
})
