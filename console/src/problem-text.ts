// Errors in words: what was wrong, where, and what to do.

import { ProblemError, Unreachable } from './api.ts'
import { texts } from './texts.ts'

export function problemText(error: unknown): string {
  if (error instanceof Unreachable) return texts.states.offline
  if (!(error instanceof ProblemError)) return error instanceof Error ? error.message : String(error)
  const places = error.errors.map(
    ({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', ' › ') || texts.states.body}: ${detail}`,
  )
  return [error.detail, ...places].join(' ')
}

/** The permission that was missing; null for another error. */
export function neededOf(error: unknown): string | null {
  if (!(error instanceof ProblemError) || error.status !== 403) return null
  return typeof error.fields.needed === 'string' ? error.fields.needed : ''
}
