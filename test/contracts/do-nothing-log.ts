// A log that acknowledges appends and keeps nothing.

import type { StoredEvent } from '../../domain/event.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { skipsNothing } from '../memory/history.ts'

export async function doNothingLog(): Promise<Log & History> {
  return {
    append: async (_stream, expected, events) => {
      const base = expected === 'none' ? -1 : expected
      return { kind: 'appended', revision: base + events.length, position: '0' }
    },
    readStream: async () => [],
    readAll: async () => [],
    part: async () => [],
    nth: async () => null,
    skip: skipsNothing,
    eventAt: async () => null,
    head: async () => null,
    subscribe: nothing,
    close: async () => {},
  }
}

async function* nothing(): AsyncGenerator<readonly StoredEvent[]> {}
