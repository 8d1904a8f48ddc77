// Parses a query string; each parameter is decoded once. `+` is a space, as forms and URLSearchParams write it.

import { type Fault, malformed } from '../problem.ts'
import { pointerOf } from './json-fault.ts'

/** Faults listed in one answer, and characters shown of a parameter's name. */
const FAULTS_MAX = 20
const NAME_MAX_CHARACTERS = 128
const OUTSIDE_URL = /[^ -~]/

const NONE: Readonly<Record<string, string>> = Object.freeze({})

/** The parameters of a query. Throws 400 `malformed` naming each that is given twice, empty or badly encoded. */
export function parseQuery(text: string): Readonly<Record<string, string>> {
  if (text === '') return NONE
  const found: Record<string, string> = {}
  const faults: Fault[] = []
  for (const parameter of text.split('&')) {
    if (parameter === '') continue
    const equals = parameter.indexOf('=')
    const sentName = equals < 0 ? parameter : parameter.slice(0, equals)
    const name = decoded(sentName)
    const value = equals < 0 ? '' : decoded(parameter.slice(equals + 1))
    const detail = name === null ? 'a parameter’s name is not percent-encoded UTF-8' : faultIn(found, name, value)
    if (detail !== null) faults.push({ pointer: pointerOf([(name ?? sentName).slice(0, NAME_MAX_CHARACTERS)]), detail })
    else if (name !== null && value !== null) found[name] = value
  }
  if (faults.length > 0) throw malformed(faults.slice(0, FAULTS_MAX), 'The query')
  return found
}

function faultIn(found: Readonly<Record<string, string>>, name: string, value: string | null): string | null {
  if (name === '__proto__') return 'unknown parameter: remove it'
  if (Object.hasOwn(found, name)) return 'is given twice: keep one'
  if (value === null) return 'is not percent-encoded UTF-8'
  if (value === '') return 'is empty: give it a value or leave it out'
  if (value.includes('\0')) return 'contains a NUL character: remove it'
  return null
}

function decoded(text: string): string | null {
  return decodeOnce(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Percent-decoded text, or null if it is not percent-encoded UTF-8. */
export function decodeOnce(text: string): string | null {
  if (OUTSIDE_URL.test(text)) return null
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
