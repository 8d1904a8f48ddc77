// Locates the first fault of a JSON text that strict-json.ts has refused. jsonc-parser reads the text and stops at the
// first fault, so its recursion is bounded by the depth limit.

import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser'
import type { Fault } from '../problem.ts'
import { numberFault } from './json-number.ts'

const LONE_SURROGATE = /\p{Surrogate}/u
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

/** An object or array that is not closed yet. */
interface Open {
  /** Field names so far; null in an array. */
  readonly names: Set<string> | null
  /** Elements before the current one. */
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
