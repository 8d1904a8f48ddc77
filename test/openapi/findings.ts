// Collects what was wrong, one report for each kind of fault of an operation.

import type { Call } from './draw-call.ts'
import type { Reply, Request } from './send-call.ts'

export interface Findings {
  add(fault: string, call: Call, reply: Reply | null, number: number): void
  addLink(fault: string, request: Request, reply: Reply | null): void
  addShare(fault: string): void
  /** Of all kinds together. */
  count(): number
  /** The first of each kind, with how often it happened. */
  reports(): readonly string[]
}

const SHOWN_MAX = 1_500

export function createFindings(seed: number): Findings {
  const kinds = new Map<string, { readonly report: string; times: number }>()
  const add = (kind: string, report: () => string) => {
    const known = kinds.get(kind)
    if (known !== undefined) known.times++
    else kinds.set(kind, { report: report(), times: 1 })
  }
  return {
    add: (fault, call, reply, number) =>
      add(`${call.operation.id} ${fault}`, () =>
        [
          `${call.operation.id}: ${fault}`,
          `seed ${seed}, request ${number}, by ${call.caller.kind}`,
          sentText(call),
          answerText(reply),
        ].join('\n  '),
      ),
    addLink: (fault, request, reply) =>
      add(`link ${fault}`, () => [`link: ${fault}`, `seed ${seed}`, sentText(request), answerText(reply)].join('\n  ')),
    addShare: (fault) => add(fault, () => fault),
    count: () => [...kinds.values()].reduce((sum, { times }) => sum + times, 0),
    reports: () => [...kinds.values()].map(({ report, times }) => `${times} times: ${report}`),
  }
}

function sentText({ method, path, headers, payload }: Request): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${shortened(String(payload ?? ''))}`
}

const answerText = (reply: Reply | null): string => (reply === null ? 'no answer' : textOf(reply))

const textOf = ({ status, headers, text }: Reply): string => `${status} ${headers['content-type']} ${shortened(text)}`

const shortened = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)
