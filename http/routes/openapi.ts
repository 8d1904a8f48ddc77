// Serves the OpenAPI document.

import { z } from 'zod'
import { openApiDocument } from '../openapi/document.ts'
import { readExamples } from '../openapi/examples.ts'
import { openRoute, type Route } from '../route.ts'
import { staticDocument } from '../static-document.ts'

/** `others`: all other routes, also those that are switched off. The document describes them and this one. */
export function openApiRoute(others: readonly Route[], info: { version: string; url: string }): Route {
  const own = openRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    needs: 'nothing',
    tenantOnly: false,
    records: false,
    revalidates: true,
    answers: { 200: z.record(z.string(), z.unknown()) },
    async handle({ header }) {
      return document(header('if-none-match'))
    },
  })
  const document = staticDocument(() => openApiDocument([...others, own], info, readExamples()))
  return own
}
