// Evaluates Range, If-Range and If-None-Match (RFC 9110, 13 and 14). Multiple ranges and units other than bytes are
// ignored, which the RFC allows: the answer is the whole file.

import type { IncomingHttpHeaders } from 'node:http'

/** Bytes from `start` to before `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

type RequestedRange = ByteRange | 'whole' | 'outside' | 'known'

const RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/** `etag` is a strong one, in quotes. */
export function requestedRange(
  headers: IncomingHttpHeaders,
  etag: string,
  size: number,
  isGet: boolean,
): RequestedRange {
  const known = headers['if-none-match']
  if (known !== undefined && isAmong(etag, known)) return 'known'
  const { range } = headers
  if (range === undefined || !isGet) return 'whole'
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return 'whole'
  return rangeOf(range, size)
}

function isAmong(etag: string, sent: string): boolean {
  if (sent.trim() === '*') return true
  return sent.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

function rangeOf(range: string, size: number): ByteRange | 'whole' | 'outside' {
  const [, first = '', last = ''] = RANGE.exec(range) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= size) return 'outside'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
