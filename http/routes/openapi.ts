// The OpenAPI document of the very table it stands in.

import { z } from 'zod'
import { openApiDocument } from '../openapi.ts'
import { openRoute, type Route } from '../route.ts'

/** `others` are all other routes; the document lists its own too. */
export function openApiRoute(others: readonly Route[], info: { version: string; url: string }): Route {
  let made: unknown = null
  const own = openRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    needs: 'nothing',
    tenantOnly: false,
    records: false,
    answers: { 200: z.record(z.string(), z.unknown()) },
    async handle() {
      made ??= openApiDocument([...others, own], info)
      return { status: 200, body: made }
    },
  })
  return own
}
