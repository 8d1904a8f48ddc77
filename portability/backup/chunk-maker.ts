// Divides a log into chunks while it is read, and makes the statement and the code of each. Keeps no event.

import { createHash } from 'node:crypto'
import type { StoredEvent } from '../../domain/event.ts'
import { personalTexts } from '../../domain/personal.ts'
import { isSealedText } from '../../stores/log-decorators/sealing/events.ts'
import { eventLine } from '../export/event-line.ts'
import { type BackupCodes, type ChunkStatement, extended, type LogPrefix } from './codes.ts'

/** Events per chunk, and characters, whichever is reached first. */
export const CHUNK_EVENTS = 10_000
export const CHUNK_LENGTH = 8 << 20
const GAMES_LISTED = 64

/** `code`: of the log up to the end of the chunk. */
export interface CodedStatement extends ChunkStatement {
  readonly code: string
}

interface ChunkMaker {
  /** Adds an event that follows the ones before it. Returns the chunk that ends with it, if one does. */
  add(event: StoredEvent): CodedStatement | null
  /** Ends the last chunk, which may be short. Null if there is no event since the last one. */
  end(): CodedStatement | null
  /** The log up to the end of the last chunk. */
  prefix(): LogPrefix
}

export function createChunkMaker(codes: BackupCodes, start: LogPrefix): ChunkMaker {
  let prefix = start
  let chunk = emptyChunk()

  function end(): CodedStatement | null {
    const { last, hash, events, games, clear } = chunk
    if (last === null) return null
    const listed = games.size > GAMES_LISTED ? null : [...games].sort()
    const statement = {
      after: prefix.last,
      last: last.position,
      last_id: last.id,
      events,
      lines_sha256: hash.digest('hex'),
      games: listed,
      clear,
    }
    prefix = extended(prefix, statement)
    chunk = emptyChunk()
    return { ...statement, code: codes.ofLog(prefix) }
  }

  return {
    add(event) {
      const line = eventLine(event)
      chunk.hash.update(line)
      chunk.length += line.length
      chunk.events++
      chunk.last = event
      if (event.meta.game !== null && chunk.games.size <= GAMES_LISTED) chunk.games.add(event.meta.game)
      chunk.clear ||= hasClearText(event)
      return chunk.events >= CHUNK_EVENTS || chunk.length >= CHUNK_LENGTH ? end() : null
    },
    end,
    prefix: () => prefix,
  }
}

const emptyChunk = () => ({
  hash: createHash('sha256'),
  last: null as StoredEvent | null,
  games: new Set<string>(),
  events: 0,
  length: 0,
  clear: false,
})

/** The fields with personal text that was recorded without encryption. */
export const clearTexts = (event: StoredEvent): readonly string[] =>
  personalTexts(event).filter((field) => !isSealedText(String(event.data[field])))

const hasClearText = (event: StoredEvent): boolean => clearTexts(event).length > 0
