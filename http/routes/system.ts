// An operator rebuilds views beside the active ones while the server runs, and can switch back.

import { z } from 'zod'
import { count, fields, nullAsLeftOut } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { differenceShape, statusShape } from './system-shapes.ts'

const NAMES_MAX = 32
const NAME_MAX_CHARACTERS = 64

const text = z.string().nullable()
const keys = z.array(z.string())

const buildsShape = fields({
  state: z.enum(['idle', 'building', 'comparing']),
  views: keys.meta({ description: 'Builds in progress, each by name and version.' }),
  asked: text,
  share: z.number().nullable().meta({ description: 'Approximate progress of the build, from 0 to 1.' }),
  shown: z.array(fields({ view: z.string(), build: count }).meta({ id: 'ActiveBuild' })),
  way_back: fields({ views: keys, until: z.string() })
    .meta({ id: 'PreviousBuilds' })
    .nullable()
    .meta({ description: 'The previous builds that can be restored, and until when.' }),
  last: fields({
    views: keys,
    outcome: z.enum(['switched', 'cancelled', 'failed', 'taken_back']),
    finished: z.string(),
    reason: text,
    documents: count.nullable(),
    found: count.nullable().meta({ description: 'Number of documents that differed in the previous build.' }),
    differences: z.array(differenceShape),
  })
    .meta({ id: 'LastViewsRebuild' })
    .nullable(),
}).meta({ id: 'Builds' })

const askBody = fields({
  views: nullAsLeftOut(z.array(z.string().max(NAME_MAX_CHARACTERS)).min(1).max(NAMES_MAX)).meta({
    description: 'Names of views, such as "entries". Default: all.',
  }),
})

const operators = { needs: { permission: 'sys:games' }, tenantOnly: true, records: false } as const

export function viewsRoutes({ buildOrders }: RouteDeps): Route[] {
  return [
    route({
      ...operators,
      method: 'GET',
      path: '/api/sys/rebuild/',
      summary: 'Read the state of the views’ builds',
      answers: { 200: buildsShape },
      handle: async () => ({ status: 200, body: await buildOrders.status() }),
    }),
    route({
      ...operators,
      method: 'POST',
      path: '/api/sys/rebuild/',
      summary: 'Rebuild views from the log',
      body: askBody,
      answers: { 202: buildsShape },
      refusals: ['views_rebuilding', 'unknown_view'],
      handle: async ({ body }) => ({ status: 202, body: await buildOrders.ask(body.views ?? null) }),
    }),
    route({
      ...operators,
      method: 'DELETE',
      path: '/api/sys/rebuild/',
      summary: 'Cancel the running rebuild of views',
      answers: { 200: buildsShape },
      handle: async () => ({ status: 200, body: await buildOrders.cancel() }),
    }),
    route({
      ...operators,
      method: 'POST',
      path: '/api/sys/rebuild/back/',
      summary: 'Restore the previous builds of the views',
      answers: { 200: buildsShape },
      refusals: ['views_rebuilding', 'nothing_kept'],
      handle: async () => ({ status: 200, body: await buildOrders.back() }),
    }),
    route({
      ...operators,
      method: 'DELETE',
      path: '/api/sys/rebuild/back/',
      summary: 'Delete the previous builds of the views',
      answers: { 200: buildsShape },
      handle: async () => ({ status: 200, body: await buildOrders.discard() }),
    }),
  ]
}

export function statusRoute(deps: Pick<RouteDeps, 'status'>): Route {
  return route({
    method: 'GET',
    path: '/api/sys/status/',
    summary: 'Read the state of the installation',
    needs: { permission: 'sys:games' },
    tenantOnly: true,
    records: false,
    answers: { 200: statusShape },
    handle: async () => ({ status: 200, body: await deps.status() }),
  })
}
