// What a command says when it fails, and with what it exits: 0 done, 1 refused or failed, 2 called wrongly.

import { ProblemError, Unreachable } from '../client/connect.ts'
import { ConfigFault } from '../config.ts'
import { PROBLEMS } from '../http/pipeline/codes.ts'
import { FAILED, USAGE } from './exit-codes.ts'
import { printable, type Terminal } from './terminal.ts'
import { unreachableLines } from './unreachable.ts'

/** The command was called wrongly, or where it cannot work; the message says what to do instead. */
export class UsageFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageFault'
  }
}

/** The command could not do what it was for; the message says why and what to do. */
export class CommandFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandFault'
  }
}

/** The server does not accept a key: it is wrong, revoked, or another installation's. */
export class KeyRefused extends ProblemError {
  readonly prefix: string
  /** Where the key is kept. */
  readonly path: string

  constructor({ status, fields }: ProblemError, key: { readonly prefix: string; readonly path: string }) {
    super(status, fields)
    this.prefix = key.prefix
    this.path = key.path
  }
}

/** Tells what went wrong (with `asJson` as one line of JSON) and answers the exit code. */
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
    '  Check the scheme, host, port and path in --url. The API listens on PORT (8080); ADMIN_PORT (9090) has metrics alone.',
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
  // What to fix is on the lines above; the problem's own advice names a field of its document.
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
