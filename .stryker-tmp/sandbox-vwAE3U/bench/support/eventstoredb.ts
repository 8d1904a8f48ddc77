// The limit of what reads EventStoreDB: the client library merely reading the same events.

import { type EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client'

/** So few that each is answered in time by a server that shares a machine with others. */
export const SEEDED_AT_ONCE = 500

/** The limit: every event as the client library gives it, its JSON parsed, nothing made of it. Answers how many there were. */
export async function readRaw(client: EventStoreDBClient, most: number): Promise<number> {
  let count = 0
  for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START, maxCount: most })) {
    if (event !== undefined) count++
  }
  return count
}
