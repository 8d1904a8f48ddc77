// What the user of EVENTSTORE_URL may do, tried once at the start: reading $all, reading a stream, appending. Nothing is
// written. A refusal names the missing right, because each is granted in another place.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { StoresFault } from '../contract/faults.ts'
import { within } from '../contract/within.ts'
import { AccessDenied, openBatch, WrongRevision } from './batch.ts'
import type { Connection } from './connection.ts'
import { denialIn } from './refusals.ts'
import { impossibleAppend, logPage, streamPage } from './requests.ts'
import type { Server } from './server.ts'
import { noAnswerTo } from './silence.ts'

const HOW = 'docs/servers.md has the two documents that grant all rights.'

/** What is missing, and where it is granted. */
const RIGHTS = {
  readAll: 'read $all: add it to "$r" in the metadata of $all',
  readStream: 'read our streams: add it to "$r" of "$userStreamAcl" in $settings',
  append: 'append to our streams: add it to "$w" of "$userStreamAcl" in $settings',
} as const

/** Throws a StoresFault that names the missing right, or says that the user or password is wrong. */
export async function checkRights(connection: Connection, server: Server, stream: string, ms: number): Promise<void> {
  const denied = (right: keyof typeof RIGHTS) => (error: unknown) => {
    const fault = deniedFault(server, right, error)
    throw fault ?? error
  }
  await reads(connection, logPage(null, 'backwards', 1), ms).catch(denied('readAll'))
  await reads(connection, streamPage(stream, 0, 1), ms).catch(denied('readStream'))
  await appends(connection, stream, ms).catch(denied('append'))
}

function deniedFault(server: Server, right: keyof typeof RIGHTS, error: unknown): StoresFault | null {
  const denial = error instanceof AccessDenied ? 'right' : denialIn(error)
  const { shown } = server.url
  if (denial === null) return null
  if (denial === 'user') {
    return new StoresFault(`EventStoreDB at ${shown} refuses the user or password in EVENTSTORE_URL.`)
  }
  const isNamed = server.user !== undefined && server.credentials.insecure !== true
  const who = isNamed ? 'the user of EVENTSTORE_URL' : 'an anonymous user (EVENTSTORE_URL sends none)'
  return new StoresFault(`EventStoreDB at ${shown} does not let ${who} ${RIGHTS[right]}. ${HOW}`)
}

function reads(connection: Connection, request: ReadReq, ms: number): Promise<void> {
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
  return within(ms, reading, noAnswerTo('reading the log'))
}

/** Appends what cannot be recorded: whether it is refused for its revision or for the user shows the right. */
async function appends(connection: Connection, stream: string, ms: number): Promise<void> {
  const unused = () => {}
  await openBatch(connection, unused, unused)
    .append(impossibleAppend(stream), ms)
    .catch((error: unknown) => {
      if (!(error instanceof WrongRevision)) throw error
    })
}
