// Lists the event fields that contain personal text of a player. The log encrypts them with a key of the player, so
// that destroying the key makes them unreadable.

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
  // The player who wrote this version chose it, but it is encrypted with the key of the file's creator.
  FileOverwritten: ['contentType'],
  FolderCreated: ['path'],
}

/** Event types whose data names the player. Null is the tenant, whose texts are not personal. */
const OWNERS: Readonly<Record<string, (data: NewEvent['data']) => unknown>> = {
  UploadOpened: ({ player }) => player,
  FileStored: ({ creator }) => creator,
  FileOverwritten: ({ replaced }) => unsafeCast<Pick<Replaced, 'creator'> | undefined>(replaced)?.creator,
  FolderCreated: ({ creator }) => creator,
}

/**
 * Whether an event is of a file, upload or folder. Their texts are encrypted with a separate key, which is destroyed
 * only after the player's files are removed.
 */
export const isOfFiles = ({ type }: Pick<NewEvent, 'type'>): boolean => type in OWNERS

/** The player whose text an event contains; null if none. */
export function ownerOf(event: Sealable): string | null {
  const ownerIn = OWNERS[event.type]
  const owner = ownerIn === undefined ? event.meta.player : ownerIn(event.data)
  return typeof owner === 'string' ? owner : null
}

/** Id of the key that encrypts the paths and content types of a player's files. */
export const filesKeyOf = (player: string): string => `${player}${FILES_KEY}`

const FILES_KEY = '.files'

/** The player whose text a key with this id encrypts. */
export const playerOfKey = (id: string): string => (id.endsWith(FILES_KEY) ? id.slice(0, -FILES_KEY.length) : id)

/** Id of the key that encrypts an event's personal text; null if the event names no player. */
export function sealingKeyOf(event: Sealable): string | null {
  const owner = ownerOf(event)
  return owner !== null && isOfFiles(event) ? filesKeyOf(owner) : owner
}

/** The personal fields of an event that contain text, encrypted or not. */
export function personalTexts(event: Sealable): readonly string[] {
  const fields = PERSONAL_FIELDS[event.type]
  if (fields === undefined || (isOfFiles(event) && ownerOf(event) === null)) return []
  return fields.filter((field) => typeof event.data[field] === 'string')
}
