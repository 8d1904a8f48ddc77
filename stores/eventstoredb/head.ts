// Finds the end of this installation's part of the log. Thousands of server records can follow the last event; the
// search remembers how far back it went, so it reads no record twice.

import type { Position } from '../../domain/event.ts'
import type { Reading } from './reading.ts'
import { logPage } from './requests.ts'

const FIRST_PAGE = 16
const LARGEST_PAGE = 4_096

/** There is not an event of ours after `head` up to and including `searched`. */
interface Known {
  readonly head: Position | null
  readonly searched: Position
}

export interface Head {
  /** The position of our last event, or null if there is none. */
  find(): Promise<Position | null>
  /** Where to continue reading after a position: further on if no event of ours is in between. */
  skipTo(after: Position | null): Position | null
  /** Clears the memory, because the log may have been restored or another node answers. */
  forget(): void
}

export function createHead(reading: Reading): Head {
  let known: Known | null = null

  async function find(): Promise<Position | null> {
    let found: Known | null = null
    let newest: Position | null = null
    let from: Position | null = null
    for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
      const count: number | null = await reading.page(logPage(from, 'backwards', size), 'end of the log', (arrived) => {
        const { position, event } = arrived
        if (position === null) return true
        // A log that ends before the searched position is another log.
        if (newest === null && known !== null && position < known.searched) known = null
        newest ??= position
        from = position
        if (event !== null) found = { head: position, searched: newest }
        else if (known !== null && position <= known.searched) found = { head: known.head, searched: newest }
        return found === null
      })
      if (found !== null) return remembered(found)
      if ((count ?? 0) < size) return newest === null ? null : remembered({ head: null, searched: newest })
    }
  }

  function remembered(found: Known): Position | null {
    if (known === null || found.searched > known.searched) known = found
    return found.head
  }

  function skipTo(after: Position | null): Position | null {
    if (known === null || (known.head !== null && (after === null || after < known.head))) return after
    return after === null || after < known.searched ? known.searched : after
  }

  return {
    find,
    skipTo,
    forget: () => {
      known = null
    },
  }
}
