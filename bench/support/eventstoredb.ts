// The limit of reading EventStoreDB: the client library reads the same events.

import { type EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client'

/** Small enough that a server on a shared machine answers in time. */
export const SEEDED_AT_ONCE = 500

/** The limit: reads every event with the client library and parses its JSON. Returns their number. */
export async function readRaw(client: EventStoreDBClient, limit: number): Promise<number> {
  let count = 0
  for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START, maxCount: limit })) {
    if (event !== undefined) count++
  }
  return count
}
