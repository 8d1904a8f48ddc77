// Judges the log of a history by itself: that each event was asked for, once, and stands where it should.

import type { StoredEvent } from '../../../domain/event.ts'
import type { Sending } from '../history.ts'

/** Streams in which a command records a type of event once. */
const ONCE_ONLY = ['game-', 'key-', 'player-', 'session-', 'board-', 'lb_', 'bucket-']
/** What is recorded besides, in parts that are commands of their own: of files, and the slots of what a game has. */
const PARTS = ['quota-', 'file-', 'upload-', 'folder-', 'slots-']
const OF_ITSELF: ReadonlySet<string> = new Set([
  'PlayerUnbanned',
  'LeaderboardHistoryFolded',
  'LeaderboardSliceBuilt',
  'LeaderboardRulesChanged',
  'LeaderboardSliceCleared',
])

/** Nothing twice, nothing that nobody asked for, revisions without gaps, time never backwards in a stream. */
export function checkLog(sendings: readonly Sending[], events: readonly StoredEvent[]): string[] {
  const defects: string[] = []
  const commands = new Set(sendings.map(({ command }) => command))
  const seen = new Set<string>()
  const last = new Map<string, StoredEvent>()
  for (const event of events) {
    const { id, stream, type, data, meta, revision } = event
    const once = ONCE_ONLY.some((prefix) => stream.startsWith(prefix))
    for (const key of once ? [id, `${meta.command} ${stream} ${type} ${data.kind}`] : [id]) {
      if (seen.has(key)) defects.push(`doubled: ${type} of ${stream} at ${revision} (${key})`)
      seen.add(key)
    }
    // What the service does of itself is judged by what it meets (model/happen-people.ts, model/files.ts).
    const isOwn = meta.actor === null && OF_ITSELF.has(type)
    const isPart = PARTS.some((prefix) => stream.startsWith(prefix))
    if (!commands.has(meta.command) && !isOwn && !isPart)
      defects.push(`nobody asked for ${type} of ${stream} at ${revision}`)
    const before = last.get(stream)
    if (revision !== (before?.revision ?? -1) + 1) defects.push(`${stream} has ${revision} after ${before?.revision}`)
    if (before !== undefined && before.meta.time > meta.time) defects.push(`${stream}: time runs back at ${revision}`)
    last.set(stream, event)
  }
  return defects
}
