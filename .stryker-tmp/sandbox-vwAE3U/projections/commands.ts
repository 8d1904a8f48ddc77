// The view of calls sent with an Idempotency-Key: finds a key that was used for another call, on any stream.

import type { Projection } from './projection.ts'

/** Every event can carry a call. Rows are never removed: a key is remembered as long as its event. */
export const commands: Projection = {
  name: 'commands',
  version: 1,
  collections: [{ name: 'commands', indexes: {} }],
  takes: 'every event',
  needs: (event) => (event.meta.call === undefined ? [] : [['commands', event.meta.command]]),
  handle(event, docs) {
    const { call, command, time } = event.meta
    if (call === undefined || docs.get('commands', command) !== null) return
    docs.put('commands', command, { call, stream: event.stream, revision: event.revision, time })
  },
}
