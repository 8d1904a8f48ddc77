// Routes of games: the operator creates them, the tenant configures them.

import { z } from 'zod'
import { limitsOf, makeGame, removeGame, setGame, setGameLimits } from '../../commands/game.ts'
import { type Game, type GameLimits, NO_LIMITS } from '../../domain/game.ts'
import { ORIGIN_MAX_CHARACTERS, originFault } from '../../domain/origin.ts'
import { listAnswer } from '../../queries/deps.ts'
import { gameAnswer, listGames } from '../../queries/game.ts'
import { keyAnswer, keysOf } from '../../queries/key.ts'
import { fields, name, paging, storedName } from '../fields.ts'
import { checkIfMatch, etagOf } from '../pipeline/etag.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { anyGame, ownGame } from './own.ts'
import { deletedShape, gameShape, gamesShape, madeKeyShape } from './shapes.ts'

const ORIGINS_MAX = 100
const FIXED_ROOMS_MAX = 100
const ROOM_SIZE_MAX = 1_000

const origin = z
  .string('must be an origin, which is text')
  .superRefine((text, context) => {
    const fault = originFault(text)
    if (fault !== null) context.addIssue(fault)
  })
  .meta({
    description:
      'As browsers send it: `scheme://host[:port]` in lower case, without a usual port, or `null` for pages in sandboxed frames and in files.',
    maxLength: ORIGIN_MAX_CHARACTERS,
    examples: ['https://play.example.com', 'capacitor://localhost'],
  })

const integer = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

const settings = fields({
  name: name.optional(),
  cors_origins: z.array(origin, 'must be an array of origins').max(ORIGINS_MAX).optional(),
  sign_in: fields({
    guest: z.boolean().optional(),
    password: z.boolean().optional(),
    code: z.boolean().optional(),
    ticket: z.boolean().optional(),
  }).optional(),
  realtime: fields({
    enabled: z.boolean().optional(),
    require_player: z.boolean().optional(),
    allow_search: z.boolean().optional(),
    allow_create: z.boolean().optional(),
    max_room_size: integer(1, ROOM_SIZE_MAX).optional(),
    max_rooms: integer(0, 10_000).optional(),
    max_message_bytes: integer(64, 65_536).optional(),
    messages_per_second: integer(1, 100).optional(),
  }).optional(),
  fixed_rooms: z
    .array(
      fields({
        id: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9 and -'),
        name,
        max_members: integer(1, ROOM_SIZE_MAX),
        listed: z.boolean(),
      }).meta({ id: 'FixedRoomSettings' }),
      'must be an array of rooms',
    )
    .max(FIXED_ROOMS_MAX)
    .refine((rooms) => new Set(rooms.map(({ id }) => id)).size === rooms.length, 'must not name a room id twice')
    .optional(),
})

type Deps = Pick<RouteDeps, 'commands' | 'queries'>

export function gameRoutes(deps: Deps): Route[] {
  return [createGameRoute(deps), listGamesRoute(deps), getGameRoute(deps), updateGameRoute(deps), deleteGameRoute(deps)]
}

const createGameRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/',
    summary: 'Create a game with its first server key',
    needs: { permission: 'sys:games' },
    tenantOnly: true,
    records: true,
    body: fields({ name }),
    answers: { 201: fields({ game: gameShape, key: madeKeyShape }).meta({ id: 'MadeGame' }) },
    async handle({ body, context }) {
      const { id, game, firstKey, replayed } = await makeGame(deps.commands, body.name, context)
      const key = { ...keyAnswer(firstKey.prefix, firstKey.key, null), ...firstKey.shown }
      return { status: 201, body: { game: gameAnswer(id, game), key }, written: firstKey.handled.written, replayed }
    },
  })

const listGamesRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/',
    summary: 'List games',
    needs: { permission: 'sys:games' },
    tenantOnly: true,
    records: false,
    query: paging,
    answers: { 200: gamesShape },
    async handle({ query }) {
      const page = await listGames(deps.queries, query)
      const rows = page.rows.map(({ id, state }) => gameAnswer(id, state))
      return { status: 200, body: listAnswer('games', { ...page, rows }, query) }
    },
  })

const getGameRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/',
    summary: 'Read a game',
    needs: { permission: 'gm:{game}:details' },
    tenantOnly: true,
    records: false,
    answers: { 200: gameShape },
    async handle({ caller, params }) {
      const { id, state } = await ownGame(deps, caller, params.game ?? '')
      const body = gameAnswer(id, state)
      return { status: 200, body, headers: { ETag: etagOf(body) } }
    },
  })

const updateGameRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/gm/:game/',
    summary: 'Change a game; omitted fields stay unchanged',
    needs: { permission: 'gm:{game}:configure' },
    tenantOnly: true,
    records: true,
    body: settings,
    answers: { 200: gameShape },
    refusals: ['precondition_failed'],
    async handle({ caller, params, body, ifMatch, context }) {
      const { id } = await ownGame(deps, caller, params.game ?? '')
      const change = {
        name: body.name,
        corsOrigins: body.cors_origins,
        signIn: body.sign_in,
        realtime: body.realtime,
        fixedRooms: body.fixed_rooms,
      }
      const expect = (state: Game) => checkIfMatch(ifMatch, etagOf(gameAnswer(id, state)))
      const { after, written, replayed, current } = await setGame(deps.commands, id, { change, expect }, context)
      const answer = gameAnswer(id, after as Game)
      const headers = { ETag: etagOf(answer) }
      return { status: 200, body: answer, headers, written, unchangedAt: current?.at, replayed }
    },
  })

const deleteGameRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/gm/:game/',
    summary: 'Delete a game permanently with all its data',
    needs: { permission: 'sys:games' },
    tenantOnly: true,
    records: true,
    body: fields({ name: storedName }),
    answers: { 202: deletedShape },
    refusals: ['game_not_found', 'name_mismatch'],
    async handle({ caller, params, body, context }) {
      const { game: id = '' } = params
      // For a repeated call the game is already deleted.
      if (!context.repeated) await anyGame(deps, caller, id)
      const { written, replayed } = await removeGame(
        deps.commands,
        id,
        { name: body.name, keysOf: () => keysOf(deps.queries, id) },
        context,
      )
      return { status: 202, body: { deleted: id }, written, replayed }
    },
  })
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
