// Which fields of which events hold what a player wrote about themself or named. The log keeps them sealed under a key of the
// player, so that destroying the key makes them unreadable.

import { type NewEvent, unsafeCast } from './event.ts'
import type { Replaced } from './file.ts'

type Sealable = Pick<NewEvent, 'data' | 'meta' | 'type'>

/** Event type -> top-level fields of its data, each a string or null. */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PlayerCreated: ['name', 'externalId'],
  PlayerNamed: ['name'],
  LoginClaimed: ['name'],
  ExternalClaimed: ['name', 'externalId'],
  ScoreSubmitted: ['playerName', 'extra'],
  UploadOpened: ['path', 'contentType'],
  FileStored: ['path', 'contentType'],
  // Chosen by the player who wrote this version: it is the file's, as the bytes are, and goes with the file's creator.
  FileOverwritten: ['contentType'],
  FolderCreated: ['path'],
}

/** Of these the player is named in the data. Null there is the tenant, whose texts are nobody's personal text. */
const OWNERS: Readonly<Record<string, (data: NewEvent['data']) => unknown>> = {
  UploadOpened: ({ player }) => player,
  FileStored: ({ creator }) => creator,
  FileOverwritten: ({ replaced }) => unsafeCast<Pick<Replaced, 'creator'> | undefined>(replaced)?.creator,
  FolderCreated: ({ creator }) => creator,
}

/**
 * Whether an event is of a file, an upload or a folder: their texts are sealed under a key that outlives the player's own until
 * their files are removed.
 */
export const isOfFiles = ({ type }: Pick<NewEvent, 'type'>): boolean => type in OWNERS

/** The player whose text an event holds; null where it holds none of a player. */
export function ownerOf(event: Sealable): string | null {
  const ownerIn = OWNERS[event.type]
  const owner = ownerIn === undefined ? event.meta.player : ownerIn(event.data)
  return typeof owner === 'string' ? owner : null
}

/** The id of the key that paths and content types of a player's files are sealed under. */
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
