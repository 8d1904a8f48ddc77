// Answers what any later middleware throws with a problem document.

import { answerProblem } from './answer.ts'
import type { Middleware } from './context.ts'
import type { Services } from './services.ts'

export function problems(services: Services): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      await answerProblem(services, ctx, error)
    }
  }
}
