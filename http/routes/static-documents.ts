// Serves the documents that never change while the process runs (OpenAPI, AsyncAPI, the JSON Schemas of events): each
// is serialised once and sent from one shared buffer, with an ETag.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { EVENT_SCHEMAS, EVENT_VERSION, publishedSchema, schemaPath } from '../event-schemas/all.ts'
import { fields } from '../fields.ts'
import { DOCUMENTED_FILE_ROUTES } from '../files/documented.ts'
import { openApiDocument } from '../openapi/document.ts'
import { readExamples } from '../openapi/examples.ts'
import { etagOfBytes, isKnown } from '../pipeline/etag.ts'
import { type Answer, openRoute, type Route } from '../route.ts'
import type { RouteDeps } from './deps.ts'

/** Answers GET, given the value of If-None-Match: 200 with the document, or 304 if the ETag matches. */
type StaticDocument = (ifNoneMatch: string | null) => Answer

/** `make` is called once, for the first caller. */
export function staticDocument(make: () => unknown): StaticDocument {
  let made: { readonly body: Buffer; readonly headers: { readonly ETag: string } } | null = null
  return (ifNoneMatch) => {
    made ??= serialised(make())
    const { body, headers } = made
    if (isKnown(ifNoneMatch, headers.ETag)) return { status: 304, body: null, headers }
    return { status: 200, body, headers, isShared: true }
  }
}

function serialised(document: unknown) {
  const body = Buffer.from(JSON.stringify(document))
  return { body, headers: { ETag: etagOfBytes(body) } }
}

/**
 * Serves the OpenAPI document. `others`: all other routes, also those that are switched off. The document describes
 * them and this one.
 */
export function openApiRoute(others: readonly Route[], info: { version: string; url: string }): Route {
  const own: Route = documentRoute('/api/openapi.json', 'This document', () =>
    openApiDocument([...others, ...DOCUMENTED_FILE_ROUTES, own], info, readExamples()),
  )
  return own
}

/** Serves the AsyncAPI document of the realtime rooms, which the rooms module provides. */
export const asyncApiRoute = (deps: Pick<RouteDeps, 'rooms'>): Route =>
  documentRoute('/api/asyncapi.json', 'The realtime rooms, as an AsyncAPI document', () => deps.rooms.document())

const describedShape = z
  .record(z.string(), z.unknown())
  .meta({ id: 'ApiDescription', description: 'An OpenAPI or AsyncAPI document.' })

const common = { method: 'GET', needs: 'nothing', tenantOnly: false, records: false, revalidates: true } as const

function documentRoute(path: string, summary: string, make: () => unknown): Route {
  const document = staticDocument(make)
  return openRoute({
    ...common,
    path,
    summary,
    answers: { 200: describedShape },
    handle: async ({ header }) => document(header('if-none-match')),
  })
}

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

/** Serves the JSON Schema of each event type, and a list of them. `url`: where the API is served. */
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
