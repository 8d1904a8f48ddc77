// Checks at start which permissions the user of EVENTSTORE_URL has: reading $all, reading a stream, appending. Writes
// nothing. The error names the missing permission, because each is granted in another place.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { withTimeout } from '../../runtime/with-timeout.ts'
import { StoresFault } from '../contract/faults.ts'
import { denialText, type Right } from './access.ts'
import { type Batch, openBatch, WrongRevision } from './batch.ts'
import type { EventStoreConnection } from './event-store-connection.ts'
import { impossibleAppend, logPage, streamPage } from './requests.ts'
import type { Server } from './server.ts'
import { noAnswerTo } from './silence.ts'

/** Throws a StoresFault with the missing permission, or about a wrong user or password. */
export async function checkRights(
  connection: EventStoreConnection,
  server: Server,
  stream: string,
  ms: number,
): Promise<void> {
  const denied = (right: Right) => (error: unknown) => {
    const text = denialText(server, right, error)
    throw text === null ? error : new StoresFault(text, error)
  }
  await reads(connection, logPage(null, 'backwards', 1), ms).catch(denied('readAll'))
  await reads(connection, streamPage(stream, 0, 1), ms).catch(denied('readStream'))
  await appends(openBatch(connection, unused, unused), stream, ms).catch(denied('append'))
}

function reads(connection: EventStoreConnection, request: ReadReq, ms: number): Promise<void> {
  const reading = connection
    .openRead(request, () => true)
    .then(
      (call) =>
        new Promise<void>((resolve, reject) => {
          call.on('error', reject)
          call.on('end', resolve)
          call.on('data', () => {})
        }),
    )
  return withTimeout(ms, reading, noAnswerTo('reading the log'))
}

/** Sends an append that must fail: a revision conflict shows that the user may append. */
export async function appends(batch: Batch, stream: string, ms: number): Promise<void> {
  await batch.append(impossibleAppend(stream), ms).catch((error: unknown) => {
    if (!(error instanceof WrongRevision)) throw error
  })
}

const unused = (): void => {}
