// Converts between messages of the client library's generated code and the server's own types.

import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { Expected } from './expectation.ts'
import type { Proposed } from './record.ts'

const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ZERO_UUID = '00000000-0000-0000-0000-000000000000'

/** The text of a UUID in either form, in lower case; null if it is invalid. */
export function uuidText(uuid: UUID | undefined): string | null {
  const structured = uuid?.getStructured()
  if (structured === undefined) {
    const text = (uuid?.getString() ?? '').toLowerCase()
    return UUID_FORM.test(text) ? text : null
  }
  const hex = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0')
  const all = hex(structured.getMostSignificantBits()) + hex(structured.getLeastSignificantBits())
  return [all.slice(0, 8), all.slice(8, 12), all.slice(12, 16), all.slice(16, 20), all.slice(20)].join('-')
}

/** A UUID as two numbers, as the server names correlation ids. */
export function structuredUuid(text: string): UUID {
  const bits = (from: number, to: number): string =>
    BigInt.asIntN(64, BigInt(`0x${text.replaceAll('-', '').slice(from, to)}`)).toString(10)
  const structured = new shared.UUID.Structured()
  structured.setMostSignificantBits(bits(0, 16))
  structured.setLeastSignificantBits(bits(16, 32))
  const uuid = new shared.UUID()
  uuid.setStructured(structured)
  return uuid
}

/** The name of a stream; null if it is missing or names the metadata of no stream. */
export function streamName(identifier: StreamIdentifier | undefined): string | null {
  const name = Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')
  return name === '' || name === '$$' ? null : name
}

/** A proposed event; null if its id or type is missing or malformed. */
export function proposedOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed | null {
  const id = uuidText(message.getId())
  const map = message.getMetadataMap()
  const type = map.get('type') ?? ''
  if (id === null || id === ZERO_UUID || type === '') return null
  return {
    id,
    type,
    contentType: map.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }
}

interface ExpectationFields {
  hasNoStream(): boolean
  hasAny(): boolean
  hasStreamExists(): boolean
}

/** The expectation of a request; null if there is none. `revision` is null if it is not exact. */
export function expectedOf(options: ExpectationFields, revision: string | null): Expected | null {
  if (revision !== null) return Number(revision)
  if (options.hasNoStream()) return 'no_stream'
  if (options.hasAny()) return 'any'
  return options.hasStreamExists() ? 'stream_exists' : null
}
