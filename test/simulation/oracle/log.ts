// Judges the log of a history by itself: each event has one cause, occurs once, and is in the right stream.

import type { StoredEvent } from '../../../domain/event.ts'
import type { Sending } from '../history.ts'

/** Streams in which a command records an event type once. */
const ONCE_ONLY = ['game-', 'key-', 'player-', 'session-', 'board-', 'lb_', 'bucket-']
/** Events that parts of a command record as commands of their own: of files, and of the slots and keys of a game. */
const PARTS = ['quota-', 'file-', 'upload-', 'folder-', 'slots-', 'boardkey-']
const OF_ITSELF: ReadonlySet<string> = new Set([
  'PlayerUnbanned',
  'LeaderboardKeyChanged',
  'LeaderboardHistoryFolded',
  'LeaderboardSliceBuilt',
  'LeaderboardRulesChanged',
  'LeaderboardSliceCleared',
  'SeasonOpened',
  'SeasonClosed',
  'SeasonStandingRecorded',
])

/** A clock that is behind the last event of a stream by at most this dates no event before it. */
const LEAD_MS = 60_000

/**
 * No duplicates, no event without a cause, no gaps in revisions, and no time that runs back within a stream by a minute
 * or less.
 */
export function checkLog(sendings: readonly Sending[], events: readonly StoredEvent[]): string[] {
  const defects: string[] = []
  const commands = new Set(sendings.map(({ command }) => command))
  const seen = new Set<string>()
  const last = new Map<string, StoredEvent>()
  const times = new Set<string>()
  for (const event of events) {
    const { id, stream, type, data, meta, revision } = event
    const once = ONCE_ONLY.some((prefix) => stream.startsWith(prefix))
    for (const key of once ? [id, `${meta.command} ${stream} ${type} ${data.kind ?? data.season}`] : [id]) {
      if (seen.has(key)) defects.push(`doubled: ${type} of ${stream} at ${revision} (${key})`)
      seen.add(key)
    }
    // What the service does on its own is judged by the state that it finds (model/happen-people.ts, model/files.ts).
    const isOwn = meta.actor === null && OF_ITSELF.has(type)
    const isPart = PARTS.some((prefix) => stream.startsWith(prefix))
    if (!commands.has(meta.command) && !isOwn && !isPart)
      defects.push(`no call requested ${type} of ${stream} at ${revision}`)
    const before = last.get(stream)
    if (revision !== (before?.revision ?? -1) + 1) defects.push(`${stream} has ${revision} after ${before?.revision}`)
    const backMs = before === undefined ? 0 : Date.parse(before.meta.time) - Date.parse(meta.time)
    // An event may also take the time of an event that it follows in another stream.
    if (backMs > 0 && backMs <= LEAD_MS && !times.has(meta.time))
      defects.push(`${stream}: time runs back by ${backMs} ms at ${revision}`)
    last.set(stream, event)
    times.add(meta.time)
  }
  return defects
}
