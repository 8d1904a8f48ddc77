// Finds the first thing wrong with a JSON text, and where: the slow and careful reading behind strict-json.ts, which
// asks it only when something looks odd. Recursion ends at the depth limit, so no text can exhaust the stack.

import type { Fault } from '../problem.ts'
import { numberFault } from './json-number.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LONE_SURROGATE = /\p{Surrogate}/u

class Found extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.detail)
    this.fault = fault
  }
}

/** The first fault of a JSON text in reading order, or null where it has none. */
export function faultOf(text: string, maxDepth: number): Fault | null {
  try {
    new Reading(text, maxDepth).whole()
    return null
  } catch (error) {
    if (error instanceof Found) return error.fault
    throw error
  }
}

class Reading {
  private at = 0
  private readonly path: (string | number)[] = []
  private readonly text: string
  private readonly maxDepth: number

  constructor(text: string, maxDepth: number) {
    this.text = text
    this.maxDepth = maxDepth
  }

  whole(): void {
    this.value()
    if (this.at < this.text.length) this.unexpected('the end')
  }

  private value(): void {
    this.space()
    switch (this.text[this.at]) {
      case '{':
        this.members()
        break
      case '[':
        this.elements()
        break
      case '"':
        this.checkText(this.string())
        break
      default:
        this.scalar()
    }
    this.space()
  }

  private members(): void {
    const seen = new Set<string>()
    this.enter()
    if (this.taken('}')) return
    do {
      this.space()
      if (this.text[this.at] !== '"') this.unexpected('a field name in double quotes')
      const name = this.string()
      this.path.push(name)
      this.checkText(name)
      if (name === '__proto__') this.refuse('this field name is not allowed: remove it')
      if (seen.has(name)) this.refuse('this field is given twice: keep one')
      seen.add(name)
      this.space()
      if (!this.taken(':')) this.unexpected('a colon')
      this.value()
      this.path.pop()
    } while (this.taken(','))
    if (!this.taken('}')) this.unexpected('a comma or a closing brace')
  }

  private elements(): void {
    this.enter()
    if (this.taken(']')) return
    let index = 0
    do {
      this.path.push(index++)
      this.value()
      this.path.pop()
    } while (this.taken(','))
    if (!this.taken(']')) this.unexpected('a comma or a closing bracket')
  }

  /** Past an opening bracket and the space after it. */
  private enter(): void {
    if (this.opened === this.maxDepth) this.refuse(`nested deeper than ${this.maxDepth} levels: flatten it`)
    this.at++
    this.space()
  }

  /** Brackets open around here: one for each step of the path. */
  private get opened(): number {
    return this.path.length
  }

  private string(): string {
    const start = this.at++
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (Number.isNaN(code)) this.unexpected('a closing quote')
      if (code < 0x20) this.unexpected('a control character to be escaped')
      if (code === BACKSLASH) this.at++
      this.at++
      if (code === QUOTE) break
    }
    try {
      return String(JSON.parse(this.text.slice(start, this.at)))
    } catch {
      this.refuse(`not valid JSON: a string beginning at character ${start} has an escape that does not exist`)
    }
  }

  private scalar(): void {
    for (const word of ['true', 'false', 'null']) {
      if (!this.text.startsWith(word, this.at)) continue
      this.at += word.length
      return
    }
    NUMBER.lastIndex = this.at
    const [digits] = NUMBER.exec(this.text) ?? []
    if (digits === undefined) this.unexpected('a value')
    const fault = numberFault(digits)
    if (fault !== null) this.refuse(fault)
    this.at += digits.length
  }

  private checkText(text: string): void {
    if (LONE_SURROGATE.test(text)) this.refuse('holds half a surrogate pair: send whole characters')
    if (text.includes('\0')) this.refuse('holds a NUL character: remove it')
  }

  private space(): void {
    SPACE.lastIndex = this.at
    SPACE.test(this.text)
    this.at = SPACE.lastIndex
  }

  private taken(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private unexpected(wanted: string): never {
    this.refuse(`not valid JSON: ${wanted} was expected at character ${Math.min(this.at, this.text.length)}`)
  }

  private refuse(detail: string): never {
    throw new Found({ pointer: pointerOf(this.path), detail })
  }
}

/** RFC 6901. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
