// Which fields of which events hold what a player wrote about themself or named. The log keeps them sealed under a key of the
// player, so that destroying the key makes them unreadable.

import type { NewEvent } from './event.ts'

type Sealable = Pick<NewEvent, 'data' | 'meta' | 'type'>

/** Event type -> top-level fields of its data, each a string or null. */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PlayerCreated: ['name', 'externalId'],
  PlayerNamed: ['name'],
  LoginClaimed: ['name'],
  ExternalClaimed: ['name', 'externalId'],
  ScoreSubmitted: ['playerName', 'extra'],
  UploadOpened: ['path'],
  FileStored: ['path'],
  FolderCreated: ['path'],
}

/** Of these the player is named in a field of the data. Null there is the tenant, whose paths are nobody's personal text. */
const OWNER_FIELDS: Readonly<Record<string, string>> = {
  UploadOpened: 'player',
  FileStored: 'creator',
  FolderCreated: 'creator',
}

/** Whether an event names a path: those are sealed under a key that outlives the player's own until their files are removed. */
export const isOfFiles = ({ type }: Pick<NewEvent, 'type'>): boolean => type in OWNER_FIELDS

/** The player whose text an event holds; null where it holds none of a player. */
export function ownerOf(event: Sealable): string | null {
  const field = OWNER_FIELDS[event.type]
  const owner = field === undefined ? event.meta.player : event.data[field]
  return typeof owner === 'string' ? owner : null
}

/** The id of the key that paths of a player are sealed under. */
export const filesKeyOf = (player: string): string => `${player}.files`

/** The id of the key that the personal text of an event is sealed under; null where no player is named. */
export function sealingKeyOf(event: Sealable): string | null {
  const owner = ownerOf(event)
  return owner !== null && isOfFiles(event) ? filesKeyOf(owner) : owner
}

/** The personal fields of an event that hold text, sealed or in clear. */
export function personalTexts(event: Sealable): readonly string[] {
  const fields = PERSONAL_FIELDS[event.type]
  if (fields === undefined || (isOfFiles(event) && ownerOf(event) === null)) return []
  return fields.filter((field) => typeof event.data[field] === 'string')
}
