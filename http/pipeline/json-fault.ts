// Finds the first fault of a JSON text and its place. strict-json.ts calls this only for a text that it refuses.
// jsonc-parser reads the text; the first fault ends the reading, so its recursion ends at the depth limit.

import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import type { Fault } from '../problem.ts'
import { numberFault } from './json-number.ts'

const LONE_SURROGATE = /\p{Surrogate}/u

class Found extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.detail)
    this.fault = fault
  }
}

/** The first fault of a JSON text in reading order, or null where it has none. O(its length). */
export function faultOf(text: string, maxDepth: number): Fault | null {
  try {
    visit(text, visitor(text, maxDepth), { disallowComments: true, allowTrailingComma: false })
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

/** Throws Found at the first fault. */
function visitor(text: string, maxDepth: number): JSONVisitor {
  const open: Open[] = []
  let expected = 'a value'

  const refuse = (detail: string): never => {
    const path = open.flatMap(({ step }) => (step === null ? [] : [step]))
    throw new Found({ pointer: pointerOf(path), detail })
  }

  const begin = (added: Open, next: string): void => {
    if (open.length === maxDepth) refuse(`nested deeper than ${maxDepth} levels: flatten it`)
    open.push(added)
    expected = next
  }

  const endValue = (): void => {
    const parent = open.at(-1)
    if (parent !== undefined) parent.step = null
    if (parent === undefined) expected = 'the end'
    else expected = parent.names === null ? 'a comma or a closing bracket' : 'a comma or a closing brace'
  }

  /** Called at the end of the text too, where nothing was closed; onError follows then. */
  const end = (_offset: number, length: number): void => {
    if (length === 0) return
    open.pop()
    endValue()
  }

  const checkText = (value: string): void => {
    if (LONE_SURROGATE.test(value)) refuse('holds half a surrogate pair: send whole characters')
    if (value.includes('\0')) refuse('holds a NUL character: remove it')
  }

  return {
    onObjectBegin: () => begin({ names: new Set(), index: 0, step: null }, 'a field name in double quotes'),
    onArrayBegin: () => begin({ names: null, index: 0, step: 0 }, 'a value'),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name) {
      const parent = open.at(-1)
      if (parent?.names == null) return
      parent.step = name
      checkText(name)
      if (name === '__proto__') refuse('this field name is not allowed: remove it')
      if (parent.names.has(name)) refuse('this field is given twice: keep one')
      parent.names.add(name)
      expected = 'a colon'
    },
    onSeparator(character) {
      const parent = open.at(-1)
      if (character === ',' && parent?.names === null) parent.step = ++parent.index
      expected = character === ',' && parent?.names !== null ? 'a field name in double quotes' : 'a value'
    },
    onLiteralValue(value, offset, length) {
      if (typeof value === 'string') checkText(value)
      const fault = typeof value === 'number' ? numberFault(text.slice(offset, offset + length)) : null
      if (fault !== null) refuse(fault)
      endValue()
    },
    onError(code, offset, length) {
      refuse(`not valid JSON: ${syntaxFault(code, offset, length, expected)}`)
    },
  }
}

function syntaxFault(code: ParseErrorCode, offset: number, length: number, expected: string): string {
  const string = `a string beginning at character ${offset}`
  switch (printParseErrorCode(code)) {
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return `${string} has an escape that does not exist`
    case 'InvalidCharacter':
      return `${string} has a control character that is not escaped`
    case 'UnexpectedEndOfString':
      return `a closing quote was expected at character ${offset + length}`
    case 'UnexpectedEndOfNumber':
      return `a digit was expected at character ${offset + length}`
    default:
      return `${expected} was expected at character ${offset}`
  }
}

/** RFC 6901. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
