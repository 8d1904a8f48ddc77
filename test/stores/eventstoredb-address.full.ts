// TLS to an EventStoreDB that EVENTSTORE_URL names by its address: without a warning of Node, and with the certificate
// checked against the address.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { makeAuthority } from '../servers/eventstoredb/identity.ts'

const CONNECT = fileURLToPath(new URL('print-tls-connection.ts', import.meta.url))

describe('a TLS connection to an address', () => {
  /** What a process that connects prints: whether it is connected, and Node's warnings. */
  async function connection(name: string): Promise<{ readonly out: string; readonly warnings: string }> {
    const authority = makeAuthority({ host: name })
    const server: Server = createServer({ ...authority.identity, ALPNProtocols: ['h2'] }).listen(0, '127.0.0.1')
    server.on('tlsClientError', () => {})
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const { stdout, stderr } = await promisify(execFile)('npx', ['tsx', CONNECT, `${port}`, authority.caFile])
      return { out: stdout.trim(), warnings: stderr }
    } finally {
      server.close()
      authority.remove()
    }
  }

  it('is made without a warning if the certificate has the address', async () => {
    expect(await connection('IP:127.0.0.1')).to.deep.equal({ out: 'connected', warnings: '' })
  }).timeout(60_000)

  it('is refused if the certificate has another address', async () => {
    expect((await connection('IP:127.0.0.2')).out).to.equal('ERR_TLS_CERT_ALTNAME_INVALID')
  }).timeout(60_000)
})
