// Strict JSON parsing: refuses duplicate fields, `__proto__`, lone surrogates, NUL, numbers that a double cannot
// represent, and more than 40 levels. JSON.parse does the work; one pass over the text and one over the value detect
// violations, and only then `jsonc-parser` locates them.

import { isUtf8 } from 'node:buffer'
import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser'
import type { Refusal } from '../../domain/decider.ts'
import { JSON_MAX_DEPTH } from '../../domain/event.ts'
import { type Fault, malformed } from '../problem.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The value of a JSON text in UTF-8; one byte order mark before it is skipped (RFC 8259, 8.1). Throws 400 `malformed`
 * with a JSON pointer.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  const text = utf8Text(bytes)
  const value = strictly(text)
  if (value === undefined) throw refusalOf(text)
  return value
}

/** The value, or undefined if the text is not JSON or breaks a rule. */
export function strictly(text: string): unknown {
  const colons = colonsOf(text)
  const value = colons === null ? undefined : parsed(text)
  return value !== undefined && keysOf(value, text.includes('\\u')) === colons ? value : undefined
}

/** The refusal of a text that is not JSON or breaks a rule; `at`: a pointer to where the text is in the whole. */
export function refusalOf(
  text: string,
  what: 'The body' | 'The submission' | 'The row' = 'The body',
  at = '',
): Refusal {
  const { pointer, detail } = faultOf(text, JSON_MAX_DEPTH) ?? { pointer: '', detail: 'is not valid JSON' }
  return malformed([{ pointer: at + pointer, detail }], what)
}

/** Without a byte order mark. Throws 400 `malformed`. */
export function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed([{ pointer: '', detail: 'is not valid UTF-8' }], 'The body')
  return textOf(bytes)
}

const textOf = (bytes: Buffer): string =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.toString('utf8', 3) : bytes.toString()

/** Undefined if it is not JSON. */
export function parsed(text: string): unknown {
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

/** The index of the quote that closes a string; -1: there is none. */
export function closingQuote(text: string, open: number): number {
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

// The place of the first fault of a refused JSON text. jsonc-parser reads the text and stops at the
// first fault, so its recursion is bounded by the depth limit.

/** A valid escape, a lone backslash or a control character. Only valid escapes are longer than one character. */
const ESCAPE_OR_ODD = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\|[^ -\uffff]/g
const NOT_JSON = 'not valid JSON: '
const STRING_FAULTS = new Set(['InvalidEscapeCharacter', 'InvalidUnicode', 'InvalidCharacter', 'UnexpectedEndOfString'])
const VALUE = 'a value'
const NAME = 'a field name in double quotes'
const KEYWORD = /^(?:true|false|null)/

class Found extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.detail)
    this.fault = fault
  }
}

/** The first fault of a JSON text in reading order, or null if it has none. O(length). */
export function faultOf(text: string, maxDepth: number): Fault | null {
  try {
    visit(text, new Reading(text, maxDepth).visitor(), { disallowComments: true, allowTrailingComma: false })
    return null
  } catch (error) {
    if (error instanceof Found) return error.fault
    throw error
  }
}

interface Open {
  /** Field names so far; null in an array. */
  readonly names: Set<string> | null
  index: number
  /** The field or element that is being read; null between two of them. */
  step: string | number | null
}

/** Follows the reading of one text; throws Found at its first fault. */
class Reading {
  readonly #text: string
  readonly #maxDepth: number
  readonly #open: Open[] = []
  #expected = VALUE

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  visitor(): JSONVisitor {
    return {
      onObjectBegin: () => this.#begin({ names: new Set(), index: 0, step: null }, NAME),
      onArrayBegin: () => this.#begin({ names: null, index: 0, step: 0 }, VALUE),
      onObjectEnd: (_offset, length) => this.#end(length),
      onArrayEnd: (_offset, length) => this.#end(length),
      onObjectProperty: (name) => this.#field(name),
      onSeparator: (character) => this.#separator(character),
      onLiteralValue: (value, offset, length) => this.#literal(value, offset, length),
      onError: (code, offset, length) => this.#refuseSyntax(printParseErrorCode(code), offset, length),
    }
  }

  #refuse(detail: string): never {
    const path = this.#open.flatMap(({ step }) => (step === null ? [] : [step]))
    throw new Found({ pointer: pointerOf(path), detail })
  }

  /** `offset`, `length`: of the token at which the reading stopped. */
  #refuseSyntax(code: string, offset: number, length: number): never {
    const end = offset + length
    const isValue = this.#expected === VALUE
    if (STRING_FAULTS.has(code) && (isValue || this.#expected === NAME)) {
      // Where the text ends, its last escape may be cut off.
      const isCutOff = code === 'UnexpectedEndOfString' && end === this.#text.length
      this.#refuse(`${NOT_JSON}${stringFault(this.#text, offset, end, isCutOff)}`)
    }
    if (code === 'UnexpectedEndOfNumber' && isValue) {
      this.#endValue()
      this.#refuse(`${NOT_JSON}a digit was expected at character ${end}`)
    }
    // In a word that begins with a keyword (`trueish`), the fault is after the keyword.
    const [keyword = ''] = (isValue && KEYWORD.exec(this.#text.slice(offset, end))) || []
    if (keyword !== '') this.#endValue()
    this.#refuse(`${NOT_JSON}${this.#expected} was expected at character ${offset + keyword.length}`)
  }

  #begin(added: Open, next: string): void {
    if (this.#open.length === this.#maxDepth) {
      this.#refuse(`nested deeper than ${this.#maxDepth} levels: flatten it`)
    }
    this.#open.push(added)
    this.#expected = next
  }

  /** jsonc-parser calls this with length 0 at the end of an unclosed text, before onError. */
  #end(length: number): void {
    if (length === 0) return
    this.#open.pop()
    this.#endValue()
  }

  #endValue(): void {
    const parent = this.#open.at(-1)
    if (parent !== undefined) parent.step = null
    if (parent === undefined) this.#expected = 'the end'
    else this.#expected = parent.names === null ? 'a comma or a closing bracket' : 'a comma or a closing brace'
  }

  #field(name: string): void {
    const parent = this.#open.at(-1)
    if (parent?.names == null) return
    parent.step = name
    this.#checkText(name)
    if (name === '__proto__') this.#refuse('this field name is not allowed: remove it')
    if (parent.names.has(name)) this.#refuse('this field is given twice: keep one')
    parent.names.add(name)
    this.#expected = 'a colon'
  }

  #separator(character: string): void {
    const parent = this.#open.at(-1)
    if (character === ',' && parent?.names === null) parent.step = ++parent.index
    this.#expected = character === ',' && parent?.names !== null ? NAME : VALUE
  }

  #literal(value: unknown, offset: number, length: number): void {
    if (typeof value === 'string') this.#checkText(value)
    const fault = typeof value === 'number' ? numberFault(this.#text.slice(offset, offset + length)) : null
    if (fault !== null) this.#refuse(fault)
    this.#endValue()
  }

  #checkText(value: string): void {
    if (LONE_SURROGATE.test(value)) this.#refuse('contains half a surrogate pair: send whole characters')
    if (value.includes('\0')) this.#refuse('contains a NUL character: remove it')
  }
}

/** The first fault of a string. `end`: where the scanner stopped, at the latest before a line break. */
function stringFault(text: string, start: number, end: number, isCutOff: boolean): string {
  // Includes the line break.
  for (const { 0: found, index } of text.slice(start, end + 1).matchAll(ESCAPE_OR_ODD)) {
    if (found.length > 1) continue
    const place = `character ${start + index}`
    if (found !== '\\') return `the control character at ${place} must be escaped`
    if (!isCutOff) return `the escape at ${place} does not exist`
  }
  return `a closing quote was expected at character ${end}`
}

/** RFC 6901. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

// Which number literals are accepted: those whose value an IEEE double represents. They are answered in
// the shortest form of that double.

/** 17 significant digits identify a double. */
const DIGITS_KEPT = 17
/** No double has more significant digits in decimal: a longer literal equals none. */
const DIGITS_OF_ANY_DOUBLE = 767
/** Literals up to this length without an exponent have at most 15 significant digits, which a double preserves. */
const SHORT = 15

const PARTS = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/**
 * What is wrong with a JSON number literal, or null if it is accepted. O(length); exact.
 * `76561197960287931`, `1e999`, `1e-400` and `0.1234567890123456789` are refused; `0.10000000000000001` is 0.1.
 */
export function numberFault(literal: string): string | null {
  if (literal.length <= SHORT && !/e/i.test(literal)) return null
  const [, whole = '', fraction = '', exponent] = PARTS.exec(literal) ?? []
  const value = Math.abs(Number(literal))
  if (!Number.isFinite(value)) return 'this number is too large: send it as a string'
  const digits = (whole + fraction).replace(/^0+/, '')
  if (value === 0) return digits === '' ? null : 'this number is too small: send it as a string'
  const isInteger = fraction === '' && exponent === undefined
  if (!isInteger && digits.length <= DIGITS_KEPT) return null
  if (equalsDouble(digits, Number(exponent ?? 0) - fraction.length, value)) return null
  return isInteger
    ? 'this integer would change, as JSON numbers are read as doubles: send it as a string'
    : `this number has more than ${DIGITS_KEPT} digits and would change: send it as a string, or with fewer digits`
}

/** Whether digits × 10^exponent equals a double greater than 0. */
function equalsDouble(digits: string, exponent: number, double: number): boolean {
  const kept = digits.slice(0, significant(digits))
  if (kept.length > DIGITS_OF_ANY_DOUBLE) return false
  const power = exponent + digits.length - kept.length
  let mantissa = double
  let halvings = 0n
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    halvings++
  }
  const left = (BigInt(kept) * 10n ** BigInt(Math.max(0, power))) << halvings
  return left === BigInt(mantissa) * 10n ** BigInt(Math.max(0, -power))
}

function significant(digits: string): number {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end--
  return end
}
