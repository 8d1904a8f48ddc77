// What the operations of the OpenAPI document answer, apart from refusals: JSON, lines of JSON, or the bytes of a file.

import { LINES_AS_TEXT_TYPE, LINES_TYPE } from '../pipeline/lines.ts'
import type { Documented } from '../route.ts'
import type { Example } from './examples.ts'
import { type Json, type NamedSchemas, SCHEMA_PATH } from './schemas.ts'

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; runs in the background.',
}
const LINES = 'Success: lines of JSON. As `text/plain` to callers that accept text and no NDJSON.'
const JSON_TYPE = 'application/json'

/** The answers of a route that are not refusals, by status. `name`: for those whose schema has none. */
export function answersOf(route: Documented, named: NamedSchemas, name: string, example: Example): Json {
  return {
    ...(route.bytes === 'answer' ? bytesAnswers(named) : successes(route, named, name, example)),
    ...notModified(route),
  }
}

function successes(route: Documented, named: NamedSchemas, name: string, example: Example): Json {
  const shown = Object.entries(route.answers).map(([status, schema]) => {
    const reference = named.reference(schema, 'output', name)
    const value = example.answers[status]
    const content =
      route.lines === true ? linesOf(named, reference, value) : { [JSON_TYPE]: contentOf(reference, value) }
    const description = route.lines === true ? LINES : (DESCRIPTIONS[Number(status)] ?? 'Success.')
    return [status, { description, headers: headersOf(route), content }]
  })
  return Object.fromEntries(shown)
}

const contentOf = (schema: Json, example: unknown): Json => ({ schema, ...(example !== undefined && { example }) })

/**
 * The whole answer is a text, as generated functions return it, with the schema of its lines as `contentSchema`.
 * Generators that know no NDJSON would leave the answer out, but for the plain text.
 */
function linesOf(named: NamedSchemas, line: Json, example: unknown): Json {
  const name = `${String(line.$ref).slice(SCHEMA_PATH.length)}s`
  named.add(name, {
    type: 'string',
    description: 'JSON documents, each on a line of its own (NDJSON).',
    contentMediaType: LINES_TYPE,
    contentSchema: { type: 'array', items: line },
  })
  const content = contentOf(
    { $ref: SCHEMA_PATH + name },
    example === undefined ? undefined : `${JSON.stringify(example)}\n`,
  )
  return { [LINES_TYPE]: content, [LINES_AS_TEXT_TYPE]: content }
}

const BYTES_TYPE = 'application/octet-stream'
const BYTES_SCHEMA: Json = { type: 'string', format: 'binary', description: 'The bytes of a file.' }

/** Content that is the bytes of a file. */
export function bytesOf(named: NamedSchemas, example: unknown): Json {
  named.add('FileBytes', BYTES_SCHEMA)
  return { [BYTES_TYPE]: { schema: { $ref: `${SCHEMA_PATH}FileBytes` }, example } }
}

/** The content type is that of the file. */
function bytesAnswers(named: NamedSchemas): Json {
  const headers = {
    'X-Request-Id': text('Identifies the call in the logs of the service.'),
    ETag: text('The version of the file, for If-None-Match and If-Range.'),
    'Content-Disposition': text('The name of the file: browsers save it as an attachment.'),
  }
  const content = bytesOf(named, 'The bytes of a file.')
  const range = text('Which bytes of how many.')
  return {
    200: { description: 'The whole file.', headers, content },
    206: { description: 'The range that `Range` names.', headers: { ...headers, 'Content-Range': range }, content },
  }
}

const notModified = ({ revalidates }: Documented): Json =>
  revalidates === true ? { 304: { description: 'Not modified: If-None-Match names the current ETag. No body.' } } : {}

const headersOf = ({ records, revalidates }: Documented): Json => ({
  'X-Request-Id': text('Identifies the call in the logs of the service.'),
  ...(records && { 'X-Consistency-Token': text('Send it with a read that must include this write.') }),
  ...(revalidates === true && { ETag: text('The version of the document, for If-None-Match.') }),
})

const text = (description: string) => ({ description, schema: { type: 'string' } })
