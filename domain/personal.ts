// Which fields of which events hold what a player wrote about themself or named. The log keeps them sealed under a key of the
// player, so that destroying the key makes them unreadable.

import type { NewEvent } from './event.ts'

/** Event type -> top-level fields of its data, each a string or null. */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PlayerCreated: ['name', 'externalId'],
  PlayerNamed: ['name'],
  LoginClaimed: ['name'],
  ExternalClaimed: ['name', 'externalId'],
  ScoreSubmitted: ['playerName', 'extra'],
}

/** The player whose text an event holds; null where it holds none of a player. */
export const ownerOf = ({ meta }: Pick<NewEvent, 'data' | 'meta' | 'type'>): string | null => meta.player ?? null

/** The personal fields of an event that hold text, sealed or in clear. */
export function personalTexts({ type, data }: Pick<NewEvent, 'data' | 'type'>): readonly string[] {
  const fields = PERSONAL_FIELDS[type]
  return fields === undefined ? [] : fields.filter((field) => typeof data[field] === 'string')
}
