// Formats log entries for a terminal, one short line each. Elsewhere the log is JSON.

import { printable } from './terminal.ts'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}
/** Fields that are in the message already, or useless to a reader. */
const LEFT_OUT: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'request_id', 'views', 'failure'])

/** A destination for pino that writes lines such as `07:05:01 POST /api/gm/ 201 3.2 ms`. */
export function readableLog(write: (line: string) => void): { write(line: string): void } {
  return {
    write: (line) => {
      for (const text of linesFor(JSON.parse(line))) write(text)
    },
  }
}

function linesFor(entry: Readonly<Record<string, unknown>>): string[] {
  const { time, level, msg, failure } = entry
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const rank = LEVELS[Number(level)] ?? ''
  const body = msg === 'request' ? requestText(entry) : `${msg}${fieldsText(entry)}`
  const first = printable([at, ...(rank === '' ? [] : [rank]), body].join(' '))
  return typeof failure === 'string' ? [first, ...failure.split('\n').map(printable)] : [first]
}

function requestText({ method, route, status, ms }: Readonly<Record<string, unknown>>): string {
  return `${method} ${route} ${status} ${Number(ms).toFixed(1)} ms`
}

function fieldsText(entry: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(entry).filter(([name]) => !LEFT_OUT.has(name))
  return shown.map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join('')
}
