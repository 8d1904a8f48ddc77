// The little of the server's HTTP interface by which one can ask what it is: GET /info, and GET /info/options with the
// options it runs with, among them whether its log is kept in memory only.

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SERVER_VERSION } from './node-info.ts'

export interface HttpInfo {
  readonly port: number
  stop(): void
}

export async function startHttpInfo(inMemory: boolean): Promise<HttpInfo> {
  const option = (name: string, group: string, description: string, value: string) => ({
    name,
    description,
    group,
    value,
    possibleValues: null,
  })
  const answers: Readonly<Record<string, unknown>> = {
    '/info': { esVersion: `${SERVER_VERSION}.0`, state: 'leader', features: {}, authentication: { type: 'insecure' } },
    '/info/options': [
      option('MemDb', 'Database Options', 'Keep everything in memory.', inMemory ? 'True' : 'False'),
      option('Insecure', 'Application Options', 'Disable Authentication, Authorization and TLS.', 'True'),
    ],
  }
  const server = http.createServer((request, response) => {
    const answer = request.method === 'GET' ? answers[new URL(request.url ?? '/', 'http://node').pathname] : undefined
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(answer === undefined ? '' : JSON.stringify(answer))
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
