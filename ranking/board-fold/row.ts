// One entry packed in bytes. A row does not contain the details of the score (domain/score.ts): they are read from the
// log when needed. The layout:
//
//   row = flags, length of the player's id, length of the text (2 bytes), revision (4), [time it began (6),] player's
//   id,
//         text [, length of the shown submission's id, that id]
//   text = the sort key; for an entry outside the score bounds, which has no sort key, its id

import { idInBytes, timeInBytes } from '../sort-key.ts'

/** An entry and the submission that it shows. */
export interface EntryRow {
  readonly player: string
  /** The sort key; null on a unique board while all submissions of the player are outside the score bounds. */
  readonly sortKey: string | null
  /** Revision of the shown submission in the player's stream on that board. */
  readonly revision: number
  /** Whether the submission has no details, so that the sort key says everything. */
  readonly bare: boolean
  /** Unix milliseconds at which the entry began; null if it is the sort key's time. */
  readonly addedMs: number | null
  readonly id: string
  /** Id of the shown submission; null if it is the entry's own id or is not kept. */
  readonly shownId: string | null
}

const BARE = 1
const RANKED = 2
const DATED = 4
const GONE = 8
const NAMED = 16
const HEADER = 8
const DATE = 6
const MAX_ID_LENGTH = 255

export function readRow(page: Buffer, at: number): EntryRow {
  const flags = page[at] as number
  const text = textAt(page, at)
  const from = playerAt(page, at)
  // Decode both at once: two calls cost more than slicing.
  const both = page.toString('latin1', from, text + page.readUInt16LE(at + 2))
  const own = both.slice(text - from)
  const isRanked = (flags & RANKED) !== 0
  const end = text + page.readUInt16LE(at + 2)
  const isNamed = (flags & NAMED) !== 0
  return {
    player: both.slice(0, text - from),
    sortKey: isRanked ? own : null,
    revision: page.readUInt32LE(at + 4),
    bare: (flags & BARE) !== 0,
    addedMs: (flags & DATED) === 0 ? null : page.readUIntLE(at + HEADER, DATE),
    id: isRanked ? own.slice(idInBytes(page, text) - text) : own,
    shownId: isNamed ? page.toString('latin1', end + 1, end + 1 + (page[end] as number)) : null,
  }
}

/** Length of a stored row in bytes. */
export function rowLength(page: Buffer, at: number): number {
  const end = textAt(page, at) + page.readUInt16LE(at + 2)
  return end - at + (((page[at] as number) & NAMED) === 0 ? 0 : 1 + (page[end] as number))
}

/** Marks the entry of a row as removed. */
export function dropRow(page: Buffer, at: number): void {
  page[at] = (page[at] as number) | GONE
}

export const isThere = (page: Buffer, at: number): boolean => ((page[at] as number) & GONE) === 0

/** Whether the entry exists and has a sort key. */
export const isRanked = (page: Buffer, at: number): boolean => ((page[at] as number) & (GONE | RANKED)) === RANKED

export const playerAt = (page: Buffer, at: number): number =>
  at + HEADER + (((page[at] as number) & DATED) === 0 ? 0 : DATE)
export const textAt = (page: Buffer, at: number): number => playerAt(page, at) + (page[at + 1] as number)

export function idIn(page: Buffer, at: number): [number, number] {
  const text = textAt(page, at)
  return [((page[at] as number) & RANKED) === 0 ? text : idInBytes(page, text), text + page.readUInt16LE(at + 2)]
}

/** The id of an entry, and when it began in Unix milliseconds. */
export interface FirstSubmission {
  readonly id: string
  readonly addedMs: number
}

export function firstSubmissionIn(page: Buffer, at: number): FirstSubmission {
  const [from, end] = idIn(page, at)
  const isDated = ((page[at] as number) & DATED) !== 0
  const addedMs = isDated ? page.readUIntLE(at + HEADER, DATE) : timeInBytes(page, from)
  return { id: page.toString('latin1', from, end), addedMs }
}

export const lengthOf = ({ player, sortKey, addedMs, id, shownId }: EntryRow): number =>
  HEADER +
  (addedMs === null ? 0 : DATE) +
  player.length +
  (sortKey ?? id).length +
  (shownId === null ? 0 : 1 + shownId.length)

export function writeRow(page: Buffer, at: number, own: EntryRow): void {
  const { player, sortKey, revision, bare, addedMs, id, shownId } = own
  if (player.length > MAX_ID_LENGTH) throw new RangeError(`a player's id of ${player.length} characters`)
  const text = sortKey ?? id
  const flags = (bare ? BARE : 0) | (sortKey === null ? 0 : RANKED) | (addedMs === null ? 0 : DATED)
  page[at] = flags | (shownId === null ? 0 : NAMED)
  page[at + 1] = player.length
  page.writeUInt16LE(text.length, at + 2)
  page.writeUInt32LE(revision, at + 4)
  if (addedMs !== null) page.writeUIntLE(addedMs, at + HEADER, DATE)
  writeText(page, playerAt(page, at), player)
  const textAt = playerAt(page, at) + player.length
  writeText(page, textAt, text)
  if (shownId === null) return
  if (shownId.length > MAX_ID_LENGTH) throw new RangeError(`a submission's id of ${shownId.length} characters`)
  page[textAt + text.length] = shownId.length
  writeText(page, textAt + text.length + 1, shownId)
}

function writeText(page: Buffer, at: number, text: string): void {
  for (let next = 0; next < text.length; next++) {
    const code = text.charCodeAt(next)
    if (code > 0x7f) throw new RangeError('a ranked text must be ASCII')
    page[at + next] = code
  }
}

export function isText(page: Buffer, at: number, text: string): boolean {
  for (let next = 0; next < text.length; next++) if (page[at + next] !== text.charCodeAt(next)) return false
  return true
}
