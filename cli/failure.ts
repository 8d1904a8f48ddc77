// Error output and exit codes of commands: 0 success, 1 rejected or failed, 2 invalid usage.

import { ProblemError, Unreachable } from '../clients/javascript/connect.ts'
import type { Fault } from '../clients/javascript/problem.ts'
import { PROBLEMS } from '../http/problem-codes.ts'
import { messageOf } from '../runtime/repeated-failures.ts'
import { ConfigFault } from '../server/config.ts'
import { FAILED, printable, type Terminal, USAGE } from './terminal.ts'

/** Invalid usage; the message says what to do instead. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageFault'
  }
}

/** The command failed; the message has the cause and what to do. */
export class CommandFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandFault'
  }
}

/** The server rejects a key: it is wrong, revoked, or of another installation. */
export class KeyRefused extends ProblemError {
  readonly prefix: string
  readonly path: string

  constructor({ status, fields }: ProblemError, key: { readonly prefix: string; readonly path: string }) {
    super(status, fields)
    this.prefix = key.prefix
    this.path = key.path
  }
}

/** Prints the error (with `asJson` as one line of JSON) and returns the exit code. */
export function tellFailure(failure: unknown, terminal: Terminal, asJson: boolean): number {
  if (asJson) terminal.err(JSON.stringify({ error: errorOf(failure) }))
  else for (const line of linesOf(failure)) terminal.err(line)
  return failure instanceof UsageFault || failure instanceof ConfigFault ? USAGE : FAILED
}

function linesOf(failure: unknown): string[] {
  if (failure instanceof KeyRefused) return refusedLines(failure)
  if (failure instanceof ProblemError && failure.code === 'no_problem_document') return foreignLines(failure)
  if (failure instanceof ProblemError) return problemLines(failure)
  if (failure instanceof ConfigFault) return failure.faults.map((fault) => `scorebook: ${fault}`)
  if (failure instanceof Unreachable) return unreachableLines(failure)
  return [`scorebook: ${messageOf(failure)}`]
}

function refusedLines({ prefix, path, status, code }: KeyRefused): string[] {
  return [
    `scorebook: The server does not accept the key ${printable(prefix)} in ${path}.`,
    '  Its secret is wrong, it was revoked, or it belongs to another installation.',
    '  Check --url, DATA_DIR and --key-file; or issue another key: `key issue` for a game, `init --new-key` for the operator.',
    `  (HTTP ${status}, ${code})`,
  ]
}

function foreignLines({ status, fields }: ProblemError): string[] {
  const { detail } = fields
  return [
    `scorebook: What answers there is not the API of Scorebook (${typeof detail === 'string' ? printable(detail) : `HTTP ${status}`}).`,
    '  Check the scheme, host, port and path in --url. The API listens on PORT (8080); ADMIN_PORT (9090) serves only metrics.',
  ]
}

/** What to do about a problem; undefined for a code that this version does not know. */
export const adviceOf = (code: string): string | undefined =>
  Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code]?.todo : undefined

const KEY_WITH_IT =
  'Name a key that has it with --key-file. `key issue --permission` makes one, with a key that has the permission itself.'

function problemLines({ status, code, detail, errors, requestId, fields }: ProblemError): string[] {
  const lines = optionLines(errors) ?? [`scorebook: ${printable(detail)}`, ...pointerLines(detail, errors)]
  const { needed } = fields
  if (typeof needed === 'string') lines.push(`  permission needed: ${printable(needed)}`)
  const todo = adviceOf(code)
  // The lines above say what to fix; the problem's own advice names a field of the document.
  if (code === 'permission_needed') lines.push(`  ${KEY_WITH_IT}`)
  else if (todo !== undefined && code !== 'malformed') lines.push(`  ${todo}`)
  lines.push(`  (${[`HTTP ${status}`, code, ...(requestId === null ? [] : [`request ${requestId}`])].join(', ')})`)
  return lines
}

/** The options whose values are fields with a grammar of their own. */
const OPTIONS: Readonly<Record<string, string>> = { '/seasons/cron': '--seasons', '/seasons/time_zone': '--time-zone' }

/** Null if a fault is not in the value of such an option. */
function optionLines(errors: readonly Fault[]): string[] | null {
  if (errors.length === 0 || errors.some(({ pointer }) => !Object.hasOwn(OPTIONS, pointer))) return null
  return errors.map(({ pointer, detail }) => `scorebook: ${OPTIONS[pointer]} ${printable(detail)}.`)
}

function pointerLines(detail: string, errors: readonly Fault[]): string[] {
  if (errors.length === 1 && errors.every(({ detail: what }) => detail.includes(what))) return []
  return errors.map(({ pointer, detail: what }) => {
    return `  at ${printable(pointer === '' ? 'the whole' : pointer)}: ${printable(what)}`
  })
}

function errorOf(failure: unknown): Readonly<Record<string, unknown>> {
  if (failure instanceof ProblemError) {
    const { status, code, detail } = failure
    return { ...failure.fields, status, code, detail }
  }
  if (failure instanceof ConfigFault) return { code: 'configuration', detail: failure.message, errors: failure.faults }
  if (failure instanceof Unreachable) return { code: 'unreachable', detail: failure.message, url: failure.url }
  const code = failure instanceof UsageFault ? 'usage' : 'failed'
  return { code, detail: messageOf(failure) }
}

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

function unreachableLines(failure: Unreachable): string[] {
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

function codesIn(failure: Error): string[] {
  const codes: string[] = []
  for (let at: unknown = failure; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code)
  }
  return codes
}
