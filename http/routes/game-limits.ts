// Limits that the operator sets per game. The tenant can neither read nor change them.

import { z } from 'zod'
import { limitsOf, setGameLimits } from '../../commands/game.ts'
import { type Game, type GameLimits, NO_LIMITS } from '../../domain/game.ts'
import { fields } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { anyGame } from './own.ts'

/** Lower limits would refuse nearly every call. */
const BYTES_MIN = 2 ** 20
/** 1 PiB. */
const BYTES_MAX = 2 ** 50

const WRONG_BYTES = `must be a whole number of bytes from ${BYTES_MIN} to ${BYTES_MAX}, or null for no limit`
const bytes = z
  .int(WRONG_BYTES)
  .min(BYTES_MIN, WRONG_BYTES)
  .max(BYTES_MAX, WRONG_BYTES)
  .nullable()
  .meta({ description: 'Bytes that all calls of a day may record in this game; null: no limit.' })

const MAILS_MAX = 100_000
const WRONG_MAILS = `must be a whole number from 1 to ${MAILS_MAX}`
const mails = z
  .int(WRONG_MAILS)
  .min(1, WRONG_MAILS)
  .max(MAILS_MAX, WRONG_MAILS)
  .meta({ description: 'Sign-in codes mailed per 15 minutes, not counting those to confirmed addresses.' })

const limitsShape = fields({
  game: z.string(),
  recorded_bytes_per_day: bytes,
  mails_per_quarter_hour: mails,
}).meta({ id: 'GameLimits' })

const answer = (game: string, { recordedBytesPerDay, mailsPerQuarterHour }: GameLimits) => ({
  game,
  recorded_bytes_per_day: recordedBytesPerDay,
  mails_per_quarter_hour: mailsPerQuarterHour,
})

export function gameLimitRoutes(deps: Pick<RouteDeps, 'commands' | 'queries'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/gm/:game/limits/',
      summary: 'Read the limits of a game',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: false,
      answers: { 200: limitsShape },
      async handle({ caller, params }) {
        const { id } = await anyGame(deps, caller, params.game ?? '')
        return { status: 200, body: answer(id, await limitsOf(deps.commands, id)) }
      },
    }),
    route({
      method: 'PUT',
      path: '/api/gm/:game/limits/',
      summary: 'Change the limits of a game; omitted limits stay unchanged',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: true,
      body: fields({ recorded_bytes_per_day: bytes.optional(), mails_per_quarter_hour: mails.optional() }),
      answers: { 200: limitsShape },
      async handle({ caller, params, body, context }) {
        const { id } = await anyGame(deps, caller, params.game ?? '')
        const change = {
          recordedBytesPerDay: body.recorded_bytes_per_day,
          mailsPerQuarterHour: body.mails_per_quarter_hour,
        }
        const { after, written, replayed, current } = await setGameLimits(deps.commands, id, change, context)
        const limits = { ...NO_LIMITS, ...(after as Game).limits }
        return { status: 200, body: answer(id, limits), written, unchangedAt: current?.at, replayed }
      },
    }),
  ]
}
