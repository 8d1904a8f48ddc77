// The limit of an idle server's memory: a Koa with one answer.

import Koa from 'koa'

const app = new Koa()
app.use((context) => {
  context.body = { ok: true }
})
app.listen(Number(process.env.PORT), '127.0.0.1')
