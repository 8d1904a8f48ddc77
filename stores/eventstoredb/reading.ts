// Reads one page of a Read call. The client library gives reads no deadline, so a page that delivers nothing for a
// while is abandoned.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { Message } from './decode.ts'
import type { EventStoreConnection } from './event-store-connection.ts'
import type { Line } from './line.ts'
import type { Arrived } from './recorded-event.ts'
import { isStreamDeleted, leaderIn, NoAnswer } from './refusals.ts'

export interface Reading {
  /**
   * Reads until the end or until `take` returns false. Resolves to the number of records; null if the stream does not
   * exist.
   */
  page(request: ReadReq, what: string, take: (arrived: Arrived) => boolean): Promise<number | null>
}

interface ReadingOptions {
  readonly line: Line
  readonly decode: (bytes: Buffer) => Message
  /** Milliseconds without any answer after which a page fails. */
  readonly deadlineMs: number
}

export function createReading({ line, decode, deadlineMs }: ReadingOptions): Reading {
  async function page(request: ReadReq, what: string, take: (arrived: Arrived) => boolean): Promise<number | null> {
    const connection = line.connection()
    let isTaken = false
    const watched = (arrived: Arrived): boolean => {
      isTaken = true
      return take(arrived)
    }
    try {
      return await once(connection, request, what, watched)
    } catch (error) {
      // Another node leads; retry there, unless records were taken. A follower reports this before any record.
      if (isTaken || (leaderIn(error) === null && !line.hasLeft(connection))) throw error
      return once(line.connection(), request, what, take)
    }
  }

  function once(
    connection: EventStoreConnection,
    request: ReadReq,
    what: string,
    take: (arrived: Arrived) => boolean,
  ): Promise<number | null> {
    return new Promise((resolve, reject) => {
      const end = line.begin()
      let startedMs = performance.now()
      let cancel = () => {}
      let isOver = false
      let count = 0
      let countThen = 0
      const over = (finish: () => void) => {
        if (isOver) return
        isOver = true
        end()
        clearInterval(timer)
        finish()
      }
      const timer = setInterval(() => {
        if (count === countThen) {
          over(() => reject(new NoAnswer(what, deadlineMs)))
          line.silent(connection, startedMs)
          cancel()
        }
        startedMs = performance.now()
        countThen = count
      }, deadlineMs)
      const onMessage = (message: Message) => {
        if (isOver) return
        line.heard()
        if (message.kind === 'missing') over(() => resolve(null))
        if (message.kind !== 'event') return
        count += 1
        if (take(message)) return
        over(() => resolve(count))
        cancel()
      }
      connection.openRead(request, decode).then(
        (call) => {
          // Do not cancel inside a message handler: the call would then never end.
          cancel = () => setImmediate(() => call.cancel())
          call.on('error', (error: Error) => over(() => (isStreamDeleted(error) ? resolve(null) : reject(error))))
          call.on('end', () => over(() => resolve(count)))
          if (isOver) cancel()
          else call.on('data', onMessage)
        },
        (error) => over(() => reject(error)),
      )
    })
  }

  return { page }
}
