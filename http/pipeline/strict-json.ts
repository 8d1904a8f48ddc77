// Strict JSON parsing: refuses duplicate fields, `__proto__`, lone surrogates, NUL, numbers that a double cannot
// represent, and more than 40 levels. JSON.parse does the work; one pass over the text and one over the value detect
// violations, and only then json-fault.ts locates them.

import { isUtf8 } from 'node:buffer'
import { JSON_MAX_DEPTH } from '../../domain/event.ts'
import { malformed } from '../problem.ts'
import { faultOf } from './json-fault.ts'
import { numberFault } from './json-number.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const LONE_SURROGATE = /\p{Surrogate}/u

/** The value of a JSON text in UTF-8. Throws 400 `malformed` with a JSON pointer. */
export function parseStrictJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed([{ pointer: '', detail: 'is not valid UTF-8' }], 'The body')
  const text = bytes.toString()
  const colons = colonsOf(text)
  const value = colons === null ? undefined : parsed(text)
  if (value !== undefined && keysOf(value, text.includes('\\u')) === colons) return value
  throw malformed([faultOf(text, JSON_MAX_DEPTH) ?? { pointer: '', detail: 'is not valid JSON' }], 'The body')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Number of colons outside strings, which is the number of fields; null if nested too deep or a number is refused. */
function colonsOf(text: string): number | null {
  let colons = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = closingQuote(text, at)
        if (at < 0) return null
        break
      case COLON:
        colons++
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > JSON_MAX_DEPTH) return null
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      default:
        if (isNumberStart(text.charCodeAt(at))) {
          const end = numberEnd(text, at)
          if (numberFault(text.slice(at, end)) !== null) return null
          at = end - 1
        }
    }
  }
  return colons
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isNumberStart = (code: number): boolean => isDigit(code) || code === 0x2d

/** End of the run of number characters, which in valid JSON is one literal. */
function numberEnd(text: string, start: number): number {
  let end = start + 1
  for (let code = text.charCodeAt(end); isInNumber(code); code = text.charCodeAt(++end));
  return end
}

/** Digits, and any of `+-.eE`. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return -1
}

/**
 * Number of fields in a value, or -1 if it contains something refused. Strings need a check only if the text has \u
 * escapes.
 */
function keysOf(root: unknown, escapes: boolean): number {
  let keys = 0
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      if (escapes && isRefusedText(value)) return -1
    } else if (Array.isArray(value)) {
      for (const element of value) waiting.push(element)
    } else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        if (name === '__proto__' || (escapes && isRefusedText(name))) return -1
        keys++
        waiting.push(value[name as keyof typeof value])
      }
    }
  }
  return keys
}

function isRefusedText(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text)
}
