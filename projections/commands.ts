// The view of calls sent with an Idempotency-Key: finds a key that was used before, on any stream. Repeats of a call to
// the same stream are also found in its state (commands/calls.ts), which is never behind the log.

import type { Projection } from './projection.ts'

/** Every event can carry a call. Rows stay, so that a key used more than 48 h ago is refused. */
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
