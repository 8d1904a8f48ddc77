// Serves the JSON Schema of each event type, and a list of them.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { EVENT_SCHEMAS, EVENT_VERSION, publishedSchema, schemaPath } from '../event-schemas/all.ts'
import { fields } from '../fields.ts'
import { openRoute, type Route } from '../route.ts'
import { type StaticDocument, staticDocument } from '../static-document.ts'

const listShape = fields({
  schemas: z.array(
    fields({
      type: z.string().meta({ description: 'The type of event, as in its field `type`.' }),
      version: z.int().positive().meta({ description: 'The version of its format, as in `meta.v`.' }),
      description: z.string().meta({ description: 'What happened.' }),
      url: z.string().meta({ description: 'Where its JSON Schema is.' }),
    }).meta({ id: 'EventSchemaLink' }),
  ),
}).meta({ id: 'EventSchemaList' })

const schemaShape = z.record(z.string(), z.unknown()).meta({ id: 'JsonSchema', description: 'A JSON Schema, 2020-12.' })

const common = { method: 'GET', needs: 'nothing', tenantOnly: false, records: false, revalidates: true } as const

/** `url`: where the API is served. */
export function eventSchemaRoutes({ url }: { readonly url: string }): Route[] {
  const list = staticDocument(() => ({
    schemas: [...EVENT_SCHEMAS].map(([type, { about }]) => linkOf(type, about, url)),
  }))
  const schemas: ReadonlyMap<string, StaticDocument> = new Map(
    [...EVENT_SCHEMAS].map(([type, schema]) => [type, staticDocument(() => publishedSchema(type, schema, url))]),
  )
  return [
    openRoute({
      ...common,
      path: '/api/schemas/events/',
      summary: 'List the JSON Schemas of all event types',
      answers: { 200: listShape },
      handle: async ({ header }) => list(header('if-none-match')),
    }),
    openRoute({
      ...common,
      path: '/api/schemas/events/:event.json',
      summary: 'The JSON Schema of an event type',
      answers: { 200: schemaShape },
      async handle({ params, header }) {
        const schema = schemas.get(params.event ?? '')
        if (schema === undefined) throw new Refusal('not_found', 'not_found', 'There is no event of this type.')
        return schema(header('if-none-match'))
      },
    }),
  ]
}

const linkOf = (type: string, description: string, url: string) => {
  return { type, version: EVENT_VERSION, description, url: url.replace(/\/$/, '') + schemaPath(type) }
}
