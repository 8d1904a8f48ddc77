// Streams of a log that one call reads many times are read once.

import { expect } from 'chai'
import type { Log } from '../../stores/contract/log.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'
import { readingOnce } from '../../stores/support/reading-once.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'

const named = (name: string) => someEvent({ type: 'SomethingHappened', data: { name } })

describe('A log that reads chosen streams once', () => {
  it('gives concurrent and later readers the same pages by one read each, and reads other streams each time', async () => {
    const log = createMemoryLog()
    await appended(log, 'board-1', 'none', [named('a'), named('b'), named('c')])
    await appended(log, 'lb-1', 'none', [named('d')])
    const reads: string[] = []
    const readStream: Log['readStream'] = (...asked) => {
      reads.push(asked.join(' '))
      return log.readStream(...asked)
    }
    const once = readingOnce({ ...log, readStream }, (stream) => stream === 'board-1')
    const namesOf = async (stream: string) => {
      const names: unknown[] = []
      for await (const { data } of eventsFrom(once, stream, 0, 2)) names.push(data.name)
      return names
    }
    const first = await Promise.all([namesOf('board-1'), namesOf('lb-1'), namesOf('board-1')])
    expect(first).to.deep.equal([['a', 'b', 'c'], ['d'], ['a', 'b', 'c']])
    await appended(log, 'lb-1', 0, [named('e')])
    expect([await namesOf('board-1'), await namesOf('lb-1')]).to.deep.equal([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
    expect(reads.toSorted()).to.deep.equal(['board-1 0 2', 'board-1 2 2', 'lb-1 0 2', 'lb-1 0 2', 'lb-1 2 2'])
  })
})
