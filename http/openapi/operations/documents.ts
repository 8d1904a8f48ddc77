// The machine-readable documents of the service, in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const CACHED = 'It carries an ETag: with If-None-Match the answer is 304 while it is the same.'

export const DOCUMENTS: OperationGroup = {
  name: 'Documents',
  description: 'Machine-readable documents: OpenAPI, AsyncAPI, and the JSON Schemas of events.',
  operations: {
    'GET /api/openapi.json': {
      id: 'getOpenApi',
      description: `Every operation of the HTTP API, including those that a setting switches off. ${CACHED}`,
    },
    'GET /api/asyncapi.json': {
      id: 'getAsyncApi',
      description: `Every event of the realtime rooms, in both directions. ${CACHED}`,
    },
    'GET /api/schemas/events/': {
      id: 'listEventSchemas',
      description: `Each type of event that a history can contain, and what it means. ${CACHED}`,
    },
    'GET /api/schemas/events/:event.json': {
      id: 'getEventSchema',
      description:
        'Describes one line of the history with this type. It allows unknown fields: later versions of the service may add some, and ' +
        `never change the meaning of one. ${CACHED}`,
    },
  },
}
