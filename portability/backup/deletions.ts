// Deletions and revocations that events record, and what a backup leaves out because of them. They also apply to older
// backups at the same destination.

import { DELETED_GAMES_STREAM } from '../../domain/deleted-games.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { LEFT_OF_DELETED } from '../../domain/game.ts'
import { ownerOf, personalTexts } from '../../domain/personal.ts'
import { playerStream } from '../../domain/player.ts'
import type { Log } from '../../stores/contract/log.ts'
import { isSealedText } from '../../stores/log-decorators/sealing/events.ts'
import { eventsFrom } from '../../stores/support/events-from.ts'

/** Number of players for which it is remembered whether they are deleted. */
const MAX_KNOWN = 10_000

export interface Deletions {
  readonly players: ReadonlySet<string>
  /** Ids of games whose deletion has begun, and of those whose data is removed. */
  readonly games: ReadonlySet<string>
  readonly erasedGames: ReadonlySet<string>
  /** Streams of deleted players and revoked keys. */
  readonly streams: ReadonlySet<string>
}

export interface DeletionCollector extends Deletions {
  add(events: readonly StoredEvent[]): void
}

export function collectDeletions(): DeletionCollector {
  const [players, games, erasedGames, streams] = [0, 1, 2, 3].map(() => new Set<string>()) as [Ids, Ids, Ids, Ids]

  function note({ type, stream, data, meta }: StoredEvent): void {
    if (type === 'PlayerDeleted') {
      streams.add(stream)
      if (meta.player !== undefined) players.add(meta.player)
    } else if (type === 'KeyRevoked') streams.add(stream)
    else if (type === 'GameDeleted' && meta.game !== null) games.add(meta.game)
    else if (type === 'GameErased' && stream === DELETED_GAMES_STREAM) erasedGames.add(String(data.game))
  }

  return { players, games, erasedGames, streams, add: (events) => events.forEach(note) }
}

type Ids = Set<string>

/** The fields with personal text that was recorded without encryption. */
export const clearTexts = (event: StoredEvent): readonly string[] =>
  personalTexts(event).filter((field) => !isSealedText(String(event.data[field])))

/** Replaces what deletions remove from the events of a chunk: texts in clear, and all data of removed games. */
export function withoutDeleted(event: StoredEvent, { players, erasedGames }: Deletions): StoredEvent {
  const { game } = event.meta
  if (game !== null && erasedGames.has(game) && !LEFT_OF_DELETED.has(event.type)) return emptied(event)
  const owner = ownerOf(event)
  if (owner === null || !players.has(owner)) return event
  const clear = clearTexts(event)
  return clear.length === 0 ? event : withoutTexts(event, clear)
}

/** `texts`: names of fields. */
const withoutTexts = (event: StoredEvent, texts: readonly string[]): StoredEvent => ({
  ...event,
  data: { ...event.data, ...Object.fromEntries(texts.map((field) => [field, null])) },
})

/** As the log itself empties the event. */
function emptied(event: StoredEvent): StoredEvent {
  const { v, game, command, time } = event.meta
  return { ...event, data: {}, meta: { v, game, command, actor: null, request: null, time } }
}

/**
 * Removes text in clear of deleted players, which an older version recorded, while the log is read for a backup: a
 * reaction removes it from the log some time after the deletion, and a backup must not have it even before that.
 */
export function erasingTexts(log: Pick<Log, 'readStream'>): (events: readonly StoredEvent[]) => Promise<StoredEvent[]> {
  const known = new Map<string, boolean>()

  async function isDeleted(player: string): Promise<boolean> {
    const remembered = known.get(player)
    if (remembered !== undefined) return remembered
    if (known.size >= MAX_KNOWN) known.clear()
    const found = await hasDeletion(log, player)
    known.set(player, found)
    return found
  }

  return async (events) => {
    const erased: StoredEvent[] = []
    for (const event of events) {
      const clear = clearTexts(event)
      const owner = clear.length === 0 ? null : ownerOf(event)
      erased.push(owner !== null && (await isDeleted(owner)) ? withoutTexts(event, clear) : event)
    }
    return erased
  }
}

async function hasDeletion(log: Pick<Log, 'readStream'>, player: string): Promise<boolean> {
  for await (const { type } of eventsFrom(log, playerStream(player))) {
    if (type === 'PlayerDeleted') return true
  }
  return false
}
