// Error output and exit codes of commands: 0 success, 1 rejected or failed, 2 invalid usage.

import { ProblemError, Unreachable } from '../clients/javascript/connect.ts'
import { PROBLEMS } from '../http/pipeline/codes.ts'
import { ConfigFault } from '../server/config.ts'
import { FAILED, USAGE } from './exit-codes.ts'
import { printable, type Terminal } from './terminal.ts'
import { unreachableLines } from './unreachable.ts'

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
  /** Path of the key file. */
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
  return [`scorebook: ${failure instanceof Error ? failure.message : String(failure)}`]
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

function problemLines({ status, code, detail, errors, requestId, fields }: ProblemError): string[] {
  const lines = [`scorebook: ${printable(detail)}`]
  const isSaid = errors.length === 1 && errors.every(({ detail: what }) => detail.includes(what))
  for (const { pointer, detail: what } of isSaid ? [] : errors) {
    lines.push(`  at ${printable(pointer === '' ? 'the whole' : pointer)}: ${printable(what)}`)
  }
  const { needed } = fields
  if (typeof needed === 'string') lines.push(`  permission needed: ${printable(needed)}`)
  const todo = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code]?.todo : undefined
  // The lines above say what to fix; the problem's own advice names a field of the request document.
  if (todo !== undefined && code !== 'malformed') lines.push(`  ${todo}`)
  lines.push(`  (${[`HTTP ${status}`, code, ...(requestId === null ? [] : [`request ${requestId}`])].join(', ')})`)
  return lines
}

function errorOf(failure: unknown): Readonly<Record<string, unknown>> {
  if (failure instanceof ProblemError) {
    const { status, code, detail } = failure
    return { ...failure.fields, status, code, detail }
  }
  if (failure instanceof ConfigFault) return { code: 'configuration', detail: failure.message, errors: failure.faults }
  if (failure instanceof Unreachable) return { code: 'unreachable', detail: failure.message, url: failure.url }
  const code = failure instanceof UsageFault ? 'usage' : 'failed'
  return { code, detail: failure instanceof Error ? failure.message : String(failure) }
}
