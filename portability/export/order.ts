// Checks the invariants between the events of an export: they are in log order, and revisions and ids are unique. Times
// may decrease where a clock was set back.

import type { StoredEvent } from '../../domain/event.ts'
import { HashTable, NumberPerStream, StreamNumbers, WORDS } from '../../domain/stream-numbers.ts'
import { isKeyed } from '../../domain/streams.ts'
import { ArchiveFault, eventsFile, type Manifest } from './manifest.ts'

/**
 * Returns where an id (a UUID) was first seen; null if it is new, and then records `at` for it, a number from 1 that
 * grows with each call. Exact, in about 40 bytes per event, because a log has millions of them.
 */
export function createSeenIds(): (id: string, at: number) => number | null {
  const table = new HashTable()
  const words = new Uint32Array(WORDS)
  return (id, at) => {
    words[0] = Number.parseInt(id.slice(0, 8), 16)
    words[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16)
    words[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16)
    words[3] = Number.parseInt(id.slice(28), 16)
    const first = table.numberOf(words, at)
    return first === at ? null : first
  }
}

/** The fields of an event that are checked, in every format. */
export type Ordered = Pick<StoredEvent, 'position' | 'stream' | 'revision' | 'id'>

interface Order {
  /** Checks the next event. Throws ArchiveFault, which names its line or row. */
  next(event: Ordered): void
  /** Call at the end. Throws ArchiveFault if the counts differ from the manifest. */
  end(): void
}

interface Claimed extends Pick<Manifest, 'events' | 'first' | 'last' | 'format' | 'scope'> {
  /** Null: not checked. */
  readonly keyed: number | null
}

/** In a whole log each stream must start at revision 0; a filtered history has gaps. */
export function orderOf({ events, keyed, first, last, format, scope }: Claimed): Order {
  const isWhole = 'whole' in scope
  const streams = new StreamNumbers()
  const nextRevisions = new NumberPerStream()
  const whereSeen = createSeenIds()
  const unit = format === 'ndjson' ? 'line' : 'row'
  const nameOf = (at: number) => `${unit === 'line' ? 'Line' : 'Row'} ${at} of ${eventsFile(format)}`
  let before: string | null = null
  let count = 0
  let inKeyed = 0

  function follow({ stream, revision }: Ordered): void {
    const number = streams.numberOf(stream)
    const next = nextRevisions.get(number)
    if (isWhole ? revision !== next : revision < next) throw outOfOrder(stream, revision, next)
    nextRevisions.put(number, revision + 1)
  }

  function outOfOrder(stream: string, revision: number, next: number): ArchiveFault {
    const due = isWhole ? `revision ${next} comes next` : `revision ${next} is the least that can follow`
    return new ArchiveFault(`${nameOf(count)} has revision ${revision} of ${stream}, and ${due}.`)
  }

  return {
    next(event) {
      count++
      if (isKeyed(event.stream)) inKeyed++
      const { position } = event
      if (before !== null && position <= before)
        throw new ArchiveFault(`${nameOf(count)} is not at a later position than the one before it.`)
      if (count === 1 && position !== first) throw new ArchiveFault(`${nameOf(count)} is not at the first position.`)
      before = position
      follow(event)
      const met = whereSeen(event.id, count)
      if (met !== null) {
        throw new ArchiveFault(`${nameOf(count)} has the id of ${unit} ${met}: ids are unique.`)
      }
    },
    end() {
      if (count !== events) throw miscounted(events, count)
      if (keyed !== null && inKeyed !== keyed) {
        const claim = `counts ${keyed} events in streams named by digests, and there are ${inKeyed}`
        throw new ArchiveFault(`The manifest ${claim}: it is not of this export.`)
      }
      if (before !== last) throw new ArchiveFault('The last event is not at the last position of the manifest.')
    },
  }
}

const miscounted = (events: number, found: number) =>
  new ArchiveFault(`The manifest counts ${events} events, and there are ${found}: it is not of this export.`)
