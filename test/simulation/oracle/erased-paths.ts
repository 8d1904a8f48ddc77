// Puts erased paths back into the events of a finished history. The key of a deleted player's paths is destroyed with
// the files, but the calls before that were judged by them.

import type { StoredEvent } from '../../../domain/event.ts'
import type { Sending } from '../history.ts'

/** Types of events with a path. */
const WITH_PATH: ReadonlySet<string> = new Set(['FolderCreated', 'UploadOpened', 'FileStored'])

/**
 * The events, where a path that cannot be read comes from the call that recorded it, or from the upload that became the
 * file.
 */
export function withErasedPaths(events: readonly StoredEvent[], sendings: readonly Sending[]): StoredEvent[] {
  const sent = new Map(sendings.map(({ command, call }) => [command, (call.args as { path?: string }).path]))
  const opened = new Map<string, string>()
  return events.map((event) => {
    const { stream, type, data, meta } = event
    if (!WITH_PATH.has(type)) return event
    const path = data.path ?? (type === 'FileStored' ? opened.get(`upload-${data.upload}`) : sent.get(meta.command))
    if (typeof path !== 'string') throw new Error(`no recorded call or upload has the path of ${type} in ${stream}`)
    if (type === 'UploadOpened') opened.set(stream, path)
    return data.path === null ? { ...event, data: { ...data, path } } : event
  })
}
