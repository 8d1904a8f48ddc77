// Logs on an EventStoreDB that several tests share: each sees only its own streams, by a random prefix.

import { randomUUID } from 'node:crypto'
import type { StoredEvent } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import { type EventStoreOptions, openEventStore } from '../../stores/eventstoredb/log.ts'

/** An empty log on a server with any other content. */
export async function openApart(options: Omit<EventStoreOptions, 'prefixes'>): Promise<Log> {
  const prefix = `${randomUUID()}-`
  return renamed(await openEventStore({ ...options, prefixes: [prefix] }), prefix)
}

/** Adds the prefix to stream names on the way in, and removes it on the way out. */
function renamed(log: Log, prefix: string): Log {
  const bare = (event: StoredEvent): StoredEvent => ({ ...event, stream: event.stream.slice(prefix.length) })
  return {
    append: (stream, expected, events) => log.append(prefix + stream, expected, events),
    readStream: async (stream, from, limit) => (await log.readStream(prefix + stream, from, limit)).map(bare),
    readAll: async (after, limit) => (await log.readAll(after, limit)).map(bare),
    eventAt: async (position) => {
      const event = await log.eventAt(position)
      return event === null ? null : bare(event)
    },
    head: () => log.head(),
    subscribe: async function* (after, limit, signal) {
      for await (const events of log.subscribe(after, limit, signal)) yield events.map(bare)
    },
    close: () => log.close(),
  }
}
