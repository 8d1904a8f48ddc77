// The scripted cases of docs/vectors, whose README describes the format.

import { readFileSync } from 'node:fs'

/** What happens to the next request: its loss, the loss of its answer, or this answer in the server's place. */
export type Fault =
  | 'lost request'
  | 'lost answer'
  | { readonly status: number; readonly code: string; readonly retry_after: number | null }

export interface CallStep {
  readonly as: string
  /** Method, a space, and the path after `/api`. */
  readonly call: string
  readonly body?: unknown
  readonly key?: string
  readonly network?: readonly Fault[]
  readonly answer?: unknown
  readonly refused?: Readonly<Record<string, unknown>>
  readonly save?: Readonly<Record<string, string>>
}

export interface EmitStep extends Pick<CallStep, 'answer' | 'refused' | 'save'> {
  readonly on: string
  readonly emit: string
  readonly body: object
}

export type Step =
  | CallStep
  | EmitStep
  | { readonly connect: string; readonly as: string }
  | { readonly on: string; readonly hears: string; readonly body: unknown }
  | { readonly cut: string }
  | { readonly restore: string }

export interface Suite {
  readonly about: string
  readonly version: 1
  readonly setup: readonly Step[]
  readonly cases: readonly { readonly name: string; readonly steps: readonly Step[] }[]
}

export const SUITES = ['errors', 'paging', 'idempotency', 'retry', 'rooms'] as const

export function readSuite(name: (typeof SUITES)[number]): Suite {
  return JSON.parse(readFileSync(new URL(`../../docs/vectors/${name}.json`, import.meta.url), 'utf8'))
}
