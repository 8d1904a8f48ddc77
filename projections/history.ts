// The view of history: every event, indexed by its game and board, for log stores that have no such index. Its
// documents hold the events with personal text decrypted; the text of a deleted player is cleared, including events
// that are applied after the deletion. It also has the zone map of each game, by which readers of a range of times skip
// blocks of the log (`stores/support/game-blocks.ts`).

import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { LEFT_OF_DELETED } from '../domain/game.ts'
import { ownerOf, PERSONAL_FIELDS, personalTexts } from '../domain/personal.ts'
import { blockOf, minuteOf, type TimesOfBlock } from '../stores/support/game-blocks.ts'
import type { DocRef, Docs, Projection } from './projection.ts'

const refOf = ({ position }: StoredEvent): DocRef => ['events', position]

/** An event that outlives its deleted game has a block of its own, because the game's other blocks are removed. */
const blockOfEvent = ({ type, position }: StoredEvent): string =>
  LEFT_OF_DELETED.has(type) ? position : blockOf(position)

const timesRef = (event: StoredEvent): DocRef => ['times', `${event.meta.game}.${blockOfEvent(event)}`]

function addTime(event: StoredEvent, docs: Docs): void {
  const { game, time } = event.meta
  if (game === null) return
  const ref = timesRef(event)
  const known = unsafeCast<TimesOfBlock | null>(docs.get(...ref))
  const minute = minuteOf(time)
  const [earliest, latest] = [known?.earliest ?? minute, known?.latest ?? minute]
  if (known !== null && minute >= earliest && minute <= latest) return
  docs.put(...ref, {
    game,
    block: blockOfEvent(event),
    earliest: minute < earliest ? minute : earliest,
    latest: minute > latest ? minute : latest,
  })
}

/** Marks a player as deleted. */
const goneRef = (event: StoredEvent): DocRef => ['gone', ownerOf(event) ?? '']

export const history: Projection = {
  name: 'history',
  version: 4,
  collections: [
    {
      name: 'events',
      indexes: { board: ['board', 'position'], game: ['game', 'position'], personal: ['personal', 'position'] },
    },
    { name: 'times', indexes: { game: ['game', 'block'] } },
    { name: 'gone', indexes: {} },
  ],
  takes: 'every event',
  needs: (event) => {
    const refs = [refOf(event)]
    if (event.meta.game !== null) refs.push(timesRef(event))
    if (event.type === 'PlayerDeleted' || personalTexts(event).length > 0) refs.push(goneRef(event))
    return refs
  },

  creates: refOf,

  query({ type, meta }) {
    if (type !== 'PlayerDeleted') return []
    return [{ collection: 'events', index: 'personal', equal: [meta.player ?? ''] }]
  },

  handle(event, docs) {
    if (event.type === 'PlayerDeleted') docs.put(...goneRef(event), {})
    const { game, board = null } = event.meta
    const isLate = personalTexts(event).length > 0 && docs.get(...goneRef(event)) !== null
    docs.put(...refOf(event), {
      game,
      board,
      // By type, not by content: the content reads differently once the player's key is gone.
      personal: event.type in PERSONAL_FIELDS ? ownerOf(event) : null,
      position: event.position,
      event: asKept(isLate ? cleared(event) : event),
    })
    addTime(event, docs)
  },

  updateEach(_, docs, id) {
    const kept = docs.get('events', id)
    if (kept !== null) docs.put('events', id, { ...kept, event: asKept(cleared(unsafeCast(kept.event))) })
  },
}

const asKept = (event: StoredEvent): JsonObject => unsafeCast<JsonObject>(event)

function cleared(event: StoredEvent): StoredEvent {
  const nothing = Object.fromEntries(personalTexts(event).map((field) => [field, null]))
  return { ...event, data: { ...event.data, ...nothing } }
}
