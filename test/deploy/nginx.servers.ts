// nginx with the shipped configuration, in front of recording nodes: load balancing, retries, and nginx's own errors in
// the format of the program.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { freePort } from '../free-port.ts'
import { type Answered, createHttpClient, type HttpClient } from '../front-door/http-client.ts'
import { openWorld } from '../front-door/world.ts'
import { type Nginx, startNginx } from './nginx.ts'

interface Reached {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
}

interface Node {
  readonly name: string
  readonly port: number
  readonly reached: Reached[]
  /** Whether it reads a request completely and then cuts the connection. */
  isCutting: boolean
  stop(): Promise<void>
}

async function startNode(name: string, port = 0): Promise<Node> {
  const reached: Reached[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    reached.push({ method, url, headers })
    for await (const _ of request);
    if (node.isCutting) return void request.socket.destroy()
    response.writeHead(200, { 'X-Request-Id': `of-${name}`, 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ name }))
  })
  server.on('connection', (socket) => void sockets.add(socket))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const node: Node = { name, port: (server.address() as AddressInfo).port, reached, isCutting: false, stop }
  return node
}

describe('nginx before two nodes', () => {
  let nodes: [Node, Node]
  let nginx: Nginx
  let client: HttpClient
  beforeEach(async () => {
    nodes = [await startNode('a'), await startNode('b')]
    nginx = await startNginx([nodes[0].port, nodes[1].port])
    client = createHttpClient(nginx.port)
  })
  afterEach(async () => {
    client.close()
    await nginx.stop()
    for (const node of nodes) await node.stop()
  })

  const reached = () => nodes.flatMap(({ reached: calls }) => calls)
  const times = async (count: number, method: string, headers: Record<string, string> = {}): Promise<Answered[]> => {
    const answers: Answered[] = []
    for (let n = 0; n < count; n++) answers.push(await client.call(method, `/api/${method}/${n}/`, { headers }))
    return answers
  }

  it('balances requests over them', async () => {
    await times(10, 'GET')
    expect(nodes.map(({ reached: calls }) => calls.length)).to.deep.equal([5, 5])
  })

  it('forwards the unchanged path and the client address, and returns the node’s request id', async () => {
    const headers = { 'x-request-id': 'mine', 'x-forwarded-for': '203.0.113.9', 'x-consistency-token': 'token' }
    const { headers: answered } = await client.call('GET', '/api//lb/%2e%2e%2Fx/?a=%20b', { headers })
    const [call] = reached()
    expect(call?.url).to.equal('/api//lb/%2e%2e%2Fx/?a=%20b')
    expect(call?.headers['x-forwarded-for']).to.equal('203.0.113.9, 127.0.0.1')
    expect(call?.headers['x-consistency-token']).to.equal('token')
    expect(call?.headers).to.not.have.any.keys('x-request-id', 'connection')
    expect(answered['x-request-id']).to.be.oneOf(['of-a', 'of-b'])
    await client.call('DELETE', '/api//lb/%2e%2e%2Fx/?a=%20b')
    expect(reached().find(({ method }) => method === 'DELETE')?.url).to.equal('/api//lb/%2e%2e%2Fx/?a=%20b')
  })

  it('skips a node that does not listen, for every method', async () => {
    await nodes[0].stop()
    for (const method of ['GET', 'POST', 'PATCH']) {
      expect(new Set((await times(6, method)).map(({ status }) => status)), method).to.deep.equal(new Set([200]))
    }
    const keyed = await times(6, 'PUT', { 'idempotency-key': 'once' })
    expect(new Set(keyed.map(({ status }) => status))).to.deep.equal(new Set([200]))
  })

  it('uses a node again once it is back', async function () {
    this.timeout(60_000)
    const { port } = nodes[0]
    await nodes[0].stop()
    await times(4, 'GET')
    nodes[0] = await startNode('a again', port)
    while (nodes[0].reached.length === 0) await times(2, 'GET')
  })

  const SENT: readonly (readonly [method: string, headers: Record<string, string>, times: number])[] = [
    ['GET', {}, 2],
    ['HEAD', {}, 2],
    ['POST', {}, 1],
    ['POST', { 'idempotency-key': 'k' }, 1],
    ['PATCH', {}, 1],
    ['PUT', {}, 1],
    ['DELETE', {}, 1],
    ['PUT', { 'idempotency-key': 'k' }, 2],
    ['DELETE', { 'idempotency-key': 'k' }, 2],
  ]
  for (const [method, headers, expected] of SENT) {
    const keyed = 'idempotency-key' in headers ? ' with an Idempotency-Key' : ''
    it(`sends a ${method}${keyed} that a node took and did not answer ${expected === 1 ? 'no more' : 'to the other'}`, async () => {
      for (const node of nodes) node.isCutting = true
      const answer = await client.call(method, '/api/x/', { headers })
      expect(reached()).to.have.length(expected)
      expect(answer.status).to.equal(503)
    })
  }

  it('answers 503 in the format of the program if no node answers', async () => {
    for (const node of nodes) await node.stop()
    for (const method of ['GET', 'POST', 'PUT']) {
      const { status, headers, body } = await client.call(method, '/api/x/', { body: {} })
      expect([status, body.status, body.code, headers['retry-after']], method).to.deep.equal([
        503,
        503,
        'store_away',
        '1',
      ])
      expect(headers['content-type']).to.equal('application/problem+json')
      expect(headers['x-request-id']).to.equal(body.request_id)
      expect(headers.server).to.equal('nginx')
    }
  })
})

describe('nginx before the program', () => {
  let nginx: Nginx
  let world: Awaited<ReturnType<typeof openWorld>>
  let through: HttpClient
  before(async () => {
    world = await openWorld()
    nginx = await startNginx([world.port, await freePort()])
    through = createHttpClient(nginx.port)
  })
  after(async () => {
    through.close()
    await nginx.stop()
    await world.close()
  })

  /** A problem document without the fields of one request. */
  const kind = ({ status, headers, body }: Answered) => ({
    status,
    fields: Object.keys(body).sort(),
    title: body.title,
    type: body.type,
    code: body.code,
    guard: ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy'].map(
      (name) => headers[name],
    ),
  })

  it('returns the answers of the program', async () => {
    const direct = await world.call('GET', '/api/gm/')
    const { status, body, headers } = await through.call('GET', '/api/gm/')
    expect([status, body.code]).to.deep.equal([direct.status, direct.body.code])
    expect(headers['x-request-id']).to.equal(body.request_id)
    expect(headers['www-authenticate']).to.equal('Bearer')
    expect((await through.call('GET', '/metrics')).status).to.equal(404)
  })

  it('passes the largest allowed body, and rejects a larger one in the format of the program', async () => {
    const path = '/api/auth/jwt/redeem/'
    const headers = { 'x-api-key': 'sk_x', 'content-type': 'application/json' }
    const post = (client: Pick<HttpClient, 'call'>, bytes: number) =>
      client.call('POST', path, { raw: `"${'x'.repeat(bytes - 2)}"`, headers })
    expect((await post(through, 65_536)).body.code).to.equal('malformed')
    expect(kind(await post(through, 65_537))).to.deep.equal(kind(await post(world, 65_537)))
    expect((await post(through, 65_537)).status).to.equal(413)
  })

  it('rejects too large headers in the format of the program', async () => {
    const headers = { 'x-long': 'x'.repeat(20_000) }
    const [ours, nginxs] = [
      await world.call('GET', '/api/gm/', { headers }),
      await through.call('GET', '/api/gm/', { headers }),
    ]
    expect([ours.status, nginxs.status]).to.deep.equal([431, 431])
    expect([nginxs.body.code, nginxs.body.title]).to.deep.equal([ours.body.code, ours.body.title])
    const long = await through.call('GET', `/api/${'x'.repeat(20_000)}/`)
    expect([long.status, long.body.code]).to.deep.equal([431, 'headers_too_large'])
  })

  it('rejects an invalid request with a problem document', async () => {
    const output = await raw(nginx.port, 'GET /api/gm/ HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')
    expect(output).to.match(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(output.slice(output.indexOf('\r\n\r\n'))).code).to.equal('malformed')
    const unread = await raw(nginx.port, 'no request at all\r\n\r\n')
    expect(JSON.parse(unread.slice(unread.indexOf('\r\n\r\n'))).code).to.equal('malformed')
    const traced = await through.call('TRACE', '/api/gm/')
    expect([traced.status, traced.body.code]).to.deep.equal([405, 'method_not_allowed'])
    expect(traced.headers.allow).to.equal('GET, HEAD, POST, PUT, DELETE, OPTIONS')
  })
})

/** Sends the bytes and returns everything received until the server closes the connection. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(text)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
