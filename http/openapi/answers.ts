// Successful answers of an operation in the OpenAPI document.

import { LINES_TYPE } from '../pipeline/lines.ts'
import type { Documented } from '../route.ts'
import type { Example } from './examples.ts'
import type { Json, NamedSchemas } from './schemas.ts'

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; runs in the background.',
}
const LINES = 'Success: lines of JSON, each of this schema.'

/** `name`: for answers whose schema has none. */
export function answersOf(route: Documented, named: NamedSchemas, name: string, example: Example): Json {
  const { answers, lines } = route
  const type = lines === true ? LINES_TYPE : 'application/json'
  const shown = Object.entries(answers).map(([status, schema]) => {
    const value = example.answers[status]
    const content = { schema: named.reference(schema, 'output', name), ...(value !== undefined && { example: value }) }
    const description = lines === true ? LINES : (DESCRIPTIONS[Number(status)] ?? 'Success.')
    return [status, { description, headers: headersOf(route), content: { [type]: content } }]
  })
  return Object.fromEntries(shown)
}

export const notModified = ({ revalidates }: Documented): Json =>
  revalidates === true ? { 304: { description: 'Not modified: If-None-Match names the current ETag. No body.' } } : {}

const headersOf = ({ records, revalidates }: Documented): Json => ({
  'X-Request-Id': text('Identifies the call in the logs of the service.'),
  ...(records && { 'X-Consistency-Token': text('Send it with a read that must include this write.') }),
  ...(revalidates === true && { ETag: text('The version of the document, for If-None-Match.') }),
})

const text = (description: string) => ({ description, schema: { type: 'string' } })
