// The limit of HTTP figures: a minimal Koa. POST parses JSON and answers a record of a given shape with its values; GET
// answers a static object. Both use JSON.stringify.

import type { IncomingMessage } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'

/** From the environment: the port and the answers. */
const port = Number(process.env.PORT)
const page: unknown = JSON.parse(process.env.PAGE ?? '{}')
const record: Record<string, unknown> = JSON.parse(process.env.RECORD ?? '{}')

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const router = new Router()
router.post('/api/lb/:leaderboard/score/', async (context) => {
  const { score, player } = await jsonOf(context.req)
  context.status = 201
  context.body = { ...record, score, player }
})

const app = new Koa()
app.use((context, next) => {
  if (context.method !== 'GET') return next()
  context.body = page
  return undefined
})
app.use(router.routes())
app.listen(port, '127.0.0.1')
