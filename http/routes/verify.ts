// Verifies the views while the server runs: rebuilds them from the log and compares them with the active ones.

import { Refusal } from '../../domain/decider.ts'
import { linesBody, ndjsonChunks, UNBUFFERED } from '../pipeline/lines.ts'
import { type Route, route } from '../route.ts'
import { accessRecheck, type RouteDeps } from './deps.ts'
import { lineShape, type Progress, type Result } from './system-shapes.ts'

const PROGRESS_EVERY_MS = 1_000

export function verifyRoutes(deps: Pick<RouteDeps, 'mayStill' | 'verifying'>): Route[] {
  let isRunning = false
  return [
    route({
      method: 'GET',
      path: '/api/sys/verify/',
      summary: 'Verify the views against the log',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: false,
      answers: { 200: lineShape },
      lines: true,
      refusals: ['already_verifying'],
      async handle(call) {
        if (isRunning) {
          const detail = 'This node is already verifying. Wait until it is done.'
          throw new Refusal('conflict', 'already_verifying', detail)
        }
        isRunning = true
        let running: Promise<unknown> = Promise.resolve()
        const body = linesBody(
          (ending) =>
            lines(ending, (onProgress) => {
              const run = deps.verifying.run(onProgress, ending)
              running = run.catch(() => {})
              return run
            }),
          {
            isStillAllowed: accessRecheck(deps, call, 'sys:games'),
            stopping: deps.verifying.stopping,
            // After an abort it may still run for a moment; no second one may start until it ends.
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
  begin: (onProgress: (progress: Progress) => void) => Promise<Result>,
): AsyncGenerator<string> {
  let latest: Progress | null = null
  let result: Result | null = null
  let failure: unknown = null
  const over = begin((progress) => {
    latest = progress
  }).then(
    (found) => {
      result = found
    },
    (error) => {
      failure = error
    },
  )
  while (result === null && failure === null) {
    let timer: NodeJS.Timeout | undefined
    const second = new Promise((wake) => {
      timer = setTimeout(wake, PROGRESS_EVERY_MS)
    })
    await Promise.race([over, second])
    clearTimeout(timer)
    if (latest !== null && result === null && failure === null) yield* ndjsonChunks([{ progress: latest }])
  }
  if (result !== null) yield* ndjsonChunks([{ result }])
  else if (!ending.aborted) throw failure
}
