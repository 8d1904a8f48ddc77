// What a command says when it fails, and with what it exits: 0 done, 1 refused or failed, 2 called wrongly.

import { ProblemError, Unreachable } from '../client/connect.ts'
import { ConfigFault } from '../config.ts'
import { PROBLEMS } from '../http/pipeline/codes.ts'
import { printable, type Terminal } from './terminal.ts'

export const DONE = 0
export const FAILED = 1
export const USAGE = 2

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

/** Tells what went wrong (with `asJson` as one line of JSON) and answers the exit code. */
export function tellFailure(failure: unknown, terminal: Terminal, asJson: boolean): number {
  if (asJson) terminal.err(JSON.stringify({ error: errorOf(failure) }))
  else for (const line of linesOf(failure)) terminal.err(line)
  return failure instanceof UsageFault || failure instanceof ConfigFault ? USAGE : FAILED
}

function linesOf(failure: unknown): string[] {
  if (failure instanceof ProblemError) return problemLines(failure)
  if (failure instanceof ConfigFault) return failure.faults.map((fault) => `scorebook: ${fault}`)
  if (failure instanceof Unreachable) {
    return [
      `scorebook: ${failure.message}.`,
      '  Is the server running? Start it with `npm start`, or name another one with --url.',
      '  `npx scorebook doctor` looks for the reason.',
    ]
  }
  return [`scorebook: ${failure instanceof Error ? failure.message : String(failure)}`]
}

function problemLines({ status, code, detail, errors, requestId, fields }: ProblemError): string[] {
  const lines = [`scorebook: ${printable(detail)}`]
  for (const { pointer, detail: what } of errors) {
    if (errors.length === 1 && detail.includes(what)) break
    lines.push(`  at ${printable(pointer === '' ? 'the whole' : pointer)}: ${printable(what)}`)
  }
  const { needed } = fields
  if (typeof needed === 'string') lines.push(`  permission needed: ${printable(needed)}`)
  const todo = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code]?.todo : undefined
  if (todo !== undefined) lines.push(`  ${todo}`)
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
