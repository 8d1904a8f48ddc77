// Explains why no answer came from a server, and what to do, to the user who typed the address.

import type { Unreachable } from '../clients/javascript/connect.ts'
import { printable } from './terminal.ts'

interface Reason {
  readonly what: string
  readonly todo: string
}

const START = 'Start a server with `npm start`, or name another one with --url.'
const CHECK_HOST = 'Check the host name in --url.'

const BY_CODE: Readonly<Record<string, (url: string) => Reason>> = {
  ECONNREFUSED: (url) => ({ what: `Nothing listens at ${url}`, todo: START }),
  ENOTFOUND: (url) => ({ what: `There is no host of the name in ${url}`, todo: CHECK_HOST }),
  EAI_AGAIN: (url) => ({ what: `The host name in ${url} cannot be resolved now`, todo: CHECK_HOST }),
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  EPROTO: notTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
}

/** Error codes of a plain HTTP client at a TLS port. */
const NOT_PLAIN = new Set(['HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION', 'UND_ERR_SOCKET', 'ECONNRESET'])

export function unreachableLines(failure: Unreachable): string[] {
  const { what, todo } = reasonOf(failure)
  return [`scorebook: ${what}.`, `  ${todo}`, '  `npx scorebook doctor` looks for the reason.']
}

function reasonOf(failure: Unreachable): Reason {
  const url = printable(failure.url)
  for (const code of codesIn(failure)) {
    const reason = BY_CODE[code]?.(url)
    if (reason !== undefined) return reason
    if (NOT_PLAIN.has(code) && url.startsWith('http:')) {
      const todo = `If it speaks TLS, write --url ${url.replace('http:', 'https:')}. Else check the port.`
      return { what: `${url} closed the connection, or does not speak HTTP`, todo }
    }
  }
  return { what: printable(failure.message.replace(/\s+/g, ' ').trim()), todo: START }
}

function notTls(url: string): Reason {
  return {
    what: `${url} does not speak TLS`,
    todo: `Write --url ${url.replace('https:', 'http:')}, or check the port.`,
  }
}

function untrusted(url: string): Reason {
  const todo = 'Name its CA file in NODE_EXTRA_CA_CERTS, or use the host name that the certificate is for.'
  return { what: `The certificate of ${url} is not trusted`, todo }
}

/** The codes of an error and its causes, outermost first. */
function codesIn(failure: Error): string[] {
  const codes: string[] = []
  for (let at: unknown = failure; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code)
  }
  return codes
}
