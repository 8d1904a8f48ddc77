// The OpenAPI document of the very table it stands in.

import { z } from 'zod'
import { openApiDocument } from '../openapi.ts'
import { openRoute, type Route } from '../route.ts'
import { staticDocument } from '../static-document.ts'

/** `others` are all other routes; the document lists its own too. */
export function openApiRoute(others: readonly Route[], info: { version: string; url: string }): Route {
  const own = openRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    needs: 'nothing',
    tenantOnly: false,
    records: false,
    answers: { 200: z.record(z.string(), z.unknown()) },
    async handle({ header }) {
      return document(header('if-none-match'))
    },
  })
  const document = staticDocument(() => openApiDocument([...others, own], info))
  return own
}
