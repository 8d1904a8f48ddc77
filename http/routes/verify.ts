// The operator's proof, while the server runs: all views built once more from the log and compared with those that are shown.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { count, fields } from '../fields.ts'
import { linesBody, piecesOf, UNBUFFERED } from '../pipeline/lines.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { stillMay } from './still-may.ts'

const TELL_EVERY_MS = 1_000

const text = z.string().nullable()

const lineShape = z.union([
  fields({
    progress: fields({
      phase: z.enum(['rebuilding', 'comparing']),
      done: count.meta({ description: 'Events applied, or documents compared.' }),
      share: z.number().meta({ description: 'Of the phase, about; from 0 to 1.' }),
      per_second: count,
      eta_seconds: count.nullable(),
      at: text,
    }),
  }).meta({ id: 'VerifyProgress' }),
  fields({
    result: fields({
      equal: z.boolean(),
      position: z.string().meta({ description: 'The last event that both have.' }),
      events: count,
      documents: count,
      ranked: count.nullable(),
      parked: count,
      behind: z.boolean().meta({ description: 'Whether the views came to a stand before the end of the log.' }),
      differences: z.array(
        fields({ view: z.string(), collection: text, id: text, field: text, live: text, rebuilt: text }),
      ),
      found: count.meta({ description: 'How many differences there are; at most 1,000 are told.' }),
    }),
  }).meta({ id: 'VerifyResult' }),
])

export function verifyRoutes(deps: RouteDeps): Route[] {
  let isRunning = false
  return [
    route({
      method: 'GET',
      path: '/api/sys/verify/',
      summary: 'Rebuild everything beside the live views and compare: progress each second, and then the result',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: false,
      answers: { 200: lineShape },
      lines: true,
      refusals: ['already_verifying'],
      async handle(call) {
        if (isRunning) {
          const detail = 'This node is verifying already: wait until it is done.'
          throw new Refusal('conflict', 'already_verifying', detail)
        }
        isRunning = true
        let running: Promise<unknown> = Promise.resolve()
        const body = linesBody(
          (ending) =>
            lines(ending, (tell) => {
              const run = deps.verifying.run(tell, ending)
              running = run.catch(() => {})
              return run
            }),
          {
            mayReadOn: stillMay(deps, call, 'sys:games'),
            stopping: deps.events.stopping,
            // It ends with the signal; until then another one would be the second.
            over: () => void running.finally(() => (isRunning = false)),
          },
        )
        return { status: 200, body, headers: UNBUFFERED }
      },
    }),
  ]
}

async function* lines(
  ending: AbortSignal,
  begin: (tell: (progress: object) => void) => Promise<object>,
): AsyncGenerator<string> {
  let latest: object | null = null
  let result: object | null = null
  let failure: unknown = null
  const over = begin((progress) => {
    latest = progress
  }).then(
    (found) => {
      result = found
    },
    (why) => {
      failure = why
    },
  )
  while (result === null && failure === null) {
    let timer: NodeJS.Timeout | undefined
    const second = new Promise((wake) => {
      timer = setTimeout(wake, TELL_EVERY_MS)
    })
    await Promise.race([over, second])
    clearTimeout(timer)
    if (latest !== null && result === null && failure === null) yield* piecesOf([{ progress: latest }])
  }
  if (result !== null) yield* piecesOf([{ result }])
  else if (!ending.aborted) throw failure
}
