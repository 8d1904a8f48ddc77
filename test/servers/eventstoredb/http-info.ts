// A small part of the server's HTTP interface: GET /info, GET /info/options (among them whether the log is in memory
// only), and GET /gossip.

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Member } from './membership.ts'
import type { Node } from './node.ts'
import { alone, gossipJson, SERVER_VERSION } from './node-info.ts'

export interface HttpInfo {
  readonly port: number
  stop(): void
}

export async function startHttpInfo(node: Node): Promise<HttpInfo> {
  const { inMemory } = node.settings
  const option = (name: string, group: string, description: string, value: string) => ({
    name,
    description,
    group,
    value,
    possibleValues: null,
  })
  const members = (): readonly Member[] => node.membership?.members() ?? alone(node.port())
  const answers: Readonly<Record<string, () => unknown>> = {
    '/gossip': () => gossipJson(members(), node.port()),
    '/info': () => ({
      esVersion: `${SERVER_VERSION}.0`,
      state: 'leader',
      features: {},
      authentication: { type: 'insecure' },
    }),
    '/info/options': () => [
      option('MemDb', 'Database Options', 'Keep everything in memory.', inMemory ? 'True' : 'False'),
      option('Insecure', 'Application Options', 'Disable Authentication, Authorization and TLS.', 'True'),
    ],
  }
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://node')
    const answer = request.method === 'GET' ? answers[pathname] : undefined
    const isDenied =
      pathname === '/info/options' && node.access?.mayReadOptions(request.headers.authorization) === false
    const status = answer === undefined ? 404 : isDenied ? 401 : 200
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(answer === undefined || isDenied ? '' : JSON.stringify(answer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
