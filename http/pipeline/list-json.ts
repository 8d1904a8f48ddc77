// Strict JSON parsing of a body with a list, whose elements are refused one by one. A large body is parsed in turns, so
// that nobody waits for the whole.

import type { Refusal } from '../../domain/decider.ts'
import { malformed } from '../problem.ts'
import { closingQuote, parsed, refusalOf, strictly, utf8Text } from './strict-json.ts'

/** Stands for an element of a list that is refused by itself. */
export class RefusedElement {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

/** A field whose elements are refused one by one, and how many the call takes. */
interface List {
  readonly field: string
  readonly max: number
}

/** Does a part of the work when it is its turn. */
export type Turn = <Value>(work: () => Value) => Promise<Value>

/** Characters of elements parsed in a turn: some milliseconds in the worst case. */
const TURN_CHARACTERS = 32_768
/** What is parsed in one turn, without white space: an element, and all that is beside the elements. */
const MAX_CHARACTERS = 65_536
const SIZE = `${MAX_CHARACTERS.toLocaleString('en')} characters`
const isTooLong = (text: string): boolean =>
  text.length > MAX_CHARACTERS && text.replaceAll(/[ \t\r\n]+/g, '').length > MAX_CHARACTERS
const QUOTE = 0x22

type Range = readonly [start: number, end: number]

/**
 * The value of a JSON text in UTF-8, as `parseStrictJson`. An element of the list that breaks a rule becomes a
 * RefusedElement; a list that is too long has null for each element. Throws 400 `malformed`, also for an element that
 * is not JSON.
 */
export async function parseListJson(bytes: Buffer, list: List, turn: Turn): Promise<unknown> {
  const text = await turn(() => utf8Text(bytes))
  const elements = await turn(() => elementsOf(text, list))
  const { field, max } = list
  if (elements === null) {
    if (isTooLong(text)) {
      throw malformed([{ pointer: `/${field}`, detail: `must be a list, and all else at most ${SIZE}` }], 'The body')
    }
    return turn(() => strictValue(text))
  }
  // A refusal takes far more time than reading a short element, and the call refuses the whole list.
  if (elements.length > max) return { [field]: elements.map(() => null) }
  const rest = withoutElements(text, elements)
  if (isTooLong(rest)) {
    throw malformed([{ pointer: '', detail: `must be at most ${SIZE} beside "${field}"` }], 'The body')
  }
  const value = (await turn(() => strictValue(rest))) as Record<string, unknown>
  const values: unknown[] = []
  while (values.length < elements.length) {
    await turn(() => {
      for (let read = 0; values.length < elements.length && read < TURN_CHARACTERS; ) {
        const nth = values.length
        const [start, end] = elements[nth] as Range
        values.push(elementIn(text.slice(start, end), `/${field}/${nth}`))
        read += end - start
      }
    })
  }
  value[field] = values
  return value
}

function strictValue(text: string): unknown {
  const value = strictly(text)
  if (value === undefined) throw refusalOf(text)
  return value
}

/** The text with null in place of each element. */
function withoutElements(text: string, elements: readonly Range[]): string {
  let rest = ''
  let from = 0
  for (const [start, end] of elements) {
    rest += `${text.slice(from, start)}null`
    from = end
  }
  return rest + text.slice(from)
}

/** `pointer`: of the element. Throws if it is not JSON: where it ends is then unknown. */
function elementIn(text: string, pointer: string): unknown {
  if (isTooLong(text)) {
    return new RefusedElement(malformed([{ pointer: '', detail: `must be at most ${SIZE}` }], 'The submission'))
  }
  const value = strictly(text)
  if (value !== undefined) return value
  if (parsed(text) === undefined) throw refusalOf(text, 'The body', pointer)
  return new RefusedElement(refusalOf(text, 'The submission'))
}

/**
 * Where the elements of a field's list are in the text of an object, if that is JSON; null: it has no such list. Of a
 * list that is too long, one more than it may have.
 */
function elementsOf(text: string, { field, max }: List): Range[] | null {
  const begin = new RegExp(`"${field}"\\s*:\\s*\\[`, 'y')
  const found: Range[] = []
  let depth = 0
  /** Where the element begins that is being read; -1 outside the list. */
  let start = -1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        begin.lastIndex = at
        if (depth === 1 && start < 0 && begin.test(text)) {
          depth = 2
          at = begin.lastIndex - 1
          start = at + 1
        } else at = closingQuote(text, at)
        if (at < 0) return null
        break
      case 0x5b: // [
      case 0x7b: // {
        depth++
        break
      case 0x2c: // ,
        if (start >= 0 && depth === 2) {
          found.push([start, at])
          if (found.length > max) return found
          start = at + 1
        }
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        if (start >= 0 && depth === 1) {
          if (text.slice(start, at).trim() !== '') found.push([start, at])
          return found
        }
    }
  }
  return null
}
