// Explains to operators why a server cannot be reached. One TLS handshake with each host shows what gRPC's errors do
// not: it distinguishes a host that is down from one with TLS where none is expected, the reverse, or a certificate
// of another CA.

import { type ConnectionOptions, connect } from 'node:tls'
import type { Server } from './server.ts'
import type { Host } from './url.ts'

/** The result of a handshake. */
type Handshake =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly code: string }
  | { readonly kind: 'plain' }
  | { readonly kind: 'unreachable' }

const UNTRUSTED: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other host names',
}
/** Error codes of a handshake with a server of another protocol. */
const NOT_TLS =
  /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL)|EPROTO|ECONNRESET)$/
const OTHER_CA = 'its certificate is not signed by the CA in tlsCAFile, or by any that Node knows'

/** One sentence per host with a finding; none after `ms` milliseconds. */
export async function diagnose(server: Server, ms: number): Promise<string[]> {
  const found = await Promise.all(
    server.url.hosts.map(async (host) => sentence(host, server, await handshake(host, server, ms))),
  )
  return found.filter((one) => one !== null)
}

function sentence({ address, port }: Host, server: Server, seen: Handshake | null): string | null {
  const where = `${address}:${port}`
  const isPlain = server.credentials.insecure === true
  if (seen === null || seen.kind === 'unreachable') return null
  if (isPlain) return seen.kind === 'plain' ? null : `${where} speaks TLS, and EVENTSTORE_URL says tls=false.`
  if (seen.kind === 'plain') {
    return `${where} does not speak TLS: set tls=false, if it runs with --insecure on purpose.`
  }
  return seen.kind === 'trusted' ? null : `${where}: ${UNTRUSTED[seen.code] ?? OTHER_CA} (${seen.code}).`
}

function handshake({ address, port }: Host, { credentials }: Server, ms: number): Promise<Handshake | null> {
  const options: ConnectionOptions = {
    host: address,
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
    ...(credentials.rootCertificate === undefined ? {} : { ca: credentials.rootCertificate }),
    ...(/^[\d.]+$/.test(address) ? {} : { servername: address }),
  }
  return new Promise((resolve) => {
    const socket = connect(options)
    let isConnected = false
    const done = (seen: Handshake | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(seen)
    }
    const timer = setTimeout(() => done(null), ms)
    socket.once('connect', () => {
      isConnected = true
    })
    socket.once('secureConnect', () => {
      const code = String(socket.authorizationError ?? '')
      done(socket.authorized ? { kind: 'trusted' } : { kind: 'untrusted', code })
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? ''
      done(isConnected && NOT_TLS.test(code) ? { kind: 'plain' } : { kind: 'unreachable' })
    })
  })
}
