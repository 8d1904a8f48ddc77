// The latest time of all events, noted beside the views while it is later than a node's clock: a log on a server has no
// index by time, so later events would hide it from the next start. If it is lost together with the views, their
// rebuild reads every event again.

import type { LogStores } from '../stores/contract/stores.ts'
import type { Views } from '../stores/contract/views.ts'

const VIEW = { key: 'clock@1', collections: [{ name: 'clock', indexes: {} }] }
const [COLLECTION, ID] = ['clock', 'newest']

export interface NewestNote {
  /** ISO 8601; null if none was noted. */
  read(): Promise<string | null>
  /** Keeps the later time. */
  write(time: string): Promise<void>
}

export function createNewestNote(views: Views): NewestNote {
  return {
    async read() {
      if (!(await views.list()).includes(VIEW.key)) return null
      const [document] = await views.get(VIEW.key, COLLECTION, [ID])
      return document?.pos ?? null
    },
    async write(time) {
      await views.prepare(VIEW)
      // The time is the position, so the store skips an earlier one.
      const write = { collection: COLLECTION, id: ID, pos: time, body: {} }
      await views.commit([{ view: VIEW.key, writes: [write], checkpoints: new Map() }])
      await views.durable()
    },
  }
}

/** The latest time of all events of a log with its views, as far as it can be known without reading the log. */
export async function newestTimeOf(
  { newestTime, history, views }: NewestStores,
  plausibleUntil: string,
): Promise<string | null> {
  const newest = await newestTime(plausibleUntil)
  // The log in the data folder has an index by time.
  const noted = history === null ? await createNewestNote(views).read() : null
  return newest === null || (noted !== null && noted > newest) ? noted : newest
}

export interface NewestStores extends Pick<LogStores, 'newestTime' | 'history'> {
  readonly views: Views
}
