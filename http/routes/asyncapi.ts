// Serves the AsyncAPI document of the realtime rooms, which the rooms module provides.

import { z } from 'zod'
import { openRoute, type Route } from '../route.ts'
import { staticDocument } from '../static-document.ts'
import type { RouteDeps } from './deps.ts'

export function asyncApiRoute(deps: Pick<RouteDeps, 'rooms'>): Route {
  const document = staticDocument(() => deps.rooms.document())
  return openRoute({
    method: 'GET',
    path: '/api/asyncapi.json',
    summary: 'The realtime rooms, as an AsyncAPI document',
    needs: 'nothing',
    tenantOnly: false,
    records: false,
    revalidates: true,
    answers: { 200: z.record(z.string(), z.unknown()) },
    async handle({ header }) {
      return document(header('if-none-match'))
    },
  })
}
