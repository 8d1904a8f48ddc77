// A view with one document per stream of an aggregate: the state folded by the aggregate's `evolve`, with its id and
// its game. Most views are made by this function.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { type JsonObject, recordedAt, unsafeCast } from '../domain/event.ts'
import { idIn } from '../domain/streams.ts'
import type { CollectionSpec } from '../stores/contract/views.ts'
import type { Projection } from './projection.ts'

interface AggregateView<State, Event extends DomainEvent> {
  /** Also the name of its one collection. */
  readonly name: string
  readonly version: number
  readonly aggregate: Aggregate<State | null, Event>
  /** The first one is the event with which a stream begins. */
  readonly takes: readonly [Event['type'], ...Event['type'][]]
  /**
   * Indexed fields besides those of the state; `time` is that of the last event applied. A document whose first indexed
   * field is null or absent is not in that index.
   */
  readonly fields?: (state: State, id: string, game: string | null, time: string) => JsonObject
  readonly indexes: CollectionSpec['indexes']
  /** What these fields hold. */
  readonly types?: CollectionSpec['fields']
}

/** Documents are `{id, game, state, ...fields}`. */
export function aggregateView<State extends object, Event extends DomainEvent>(
  spec: AggregateView<State, Event>,
): Projection {
  const { name, version, aggregate, takes, indexes, types } = spec
  return {
    name,
    version,
    collections: [{ name, indexes, fields: { state: 'record', ...types } }],
    takes,
    needs: (event) => [[name, idIn(event.stream)]],
    creates: ({ revision, stream, type }) => (revision === 0 && type === takes[0] ? [name, idIn(stream)] : null),
    handle(event, docs) {
      const id = idIn(event.stream)
      const before = docs.get(name, id)
      const at = recordedAt(event)
      const folded = unsafeCast<State | null>(before?.state ?? null)
      const state = aggregate.evolve(folded, unsafeCast<Event>(event), at)
      if (state === null) {
        if (before !== null) docs.remove(name, id)
        return
      }
      const { game } = event.meta
      docs.put(name, id, {
        id,
        game,
        state: unsafeCast<JsonObject>(state),
        ...spec.fields?.(state, id, game, at.time),
      })
    },
  }
}
