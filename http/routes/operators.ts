// Routes of operators: their own keys, and tokens of a game with which they call what its server keys may.

import { issueOperatorKey, revokeOperatorKey } from '../../commands/operator-key.ts'
import { issueOperatorToken } from '../../commands/operator-token.ts'
import { keyAnswer, listOperatorKeys, liveOperatorKeys } from '../../queries/key.ts'
import { fields, name, paging, permissionList } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { checkPublicKey, fitsAlgorithm, keysAnswer, otherGamesIn, signingFields, UNFIT_PUBLIC_KEY } from './keys.ts'
import { anyGame } from './own.ts'
import { deletedShape, keysShape, madeKeyShape, tokenShape } from './shapes.ts'

const operators = { needs: { permission: 'sys:games' }, tenantOnly: true } as const

type Deps = Pick<RouteDeps, 'commands' | 'queries' | 'handshake'>

export function operatorRoutes(deps: Deps): Route[] {
  return [gameTokenRoute(deps), issueRoute(deps), listRoute(deps), revokeRoute(deps)]
}

const gameTokenRoute = (deps: Deps) =>
  route({
    ...operators,
    method: 'POST',
    path: '/api/gm/:game/token/',
    summary: 'Get a token of a game as operator',
    records: false,
    body: fields({
      permissions: permissionList
        .optional()
        .meta({ description: 'Left out or empty: the default ones of a server key.' }),
    }).optional(),
    answers: { 200: tokenShape },
    async handle({ caller, params, body, context }) {
      const { id: game } = await anyGame(deps, caller, params.game ?? '')
      const permissions = body?.permissions ?? []
      const otherGames = await otherGamesIn(deps, permissions, game)
      const { key, expiresAt } = caller
      const request = { key, expiresAt, game, permissions, otherGames }
      return { status: 200, body: await issueOperatorToken(deps.handshake.tokens, request, context.nowMs) }
    },
  })

const issueRoute = (deps: Deps) =>
  route({
    ...operators,
    method: 'POST',
    path: '/api/sys/keys/',
    summary: 'Issue an operator key; only this answer contains its secret',
    records: true,
    body: fields({ name, ...signingFields }).refine(fitsAlgorithm, UNFIT_PUBLIC_KEY),
    answers: { 201: madeKeyShape },
    refusals: ['weak_public_key', 'too_many_keys'],
    async handle({ body, context }) {
      checkPublicKey(body.public_key)
      const fresh = { name: body.name, algorithm: body.algorithm, publicKey: body.public_key }
      const live = () => liveOperatorKeys(deps.queries)
      const { prefix, key, shown, handled } = await issueOperatorKey(deps.commands, fresh, live, context)
      const { written, replayed } = handled
      return { status: 201, body: { ...keyAnswer(prefix, key, null), ...shown }, written, replayed }
    },
  })

const listRoute = (deps: Deps) =>
  route({
    ...operators,
    method: 'GET',
    path: '/api/sys/keys/',
    summary: 'List operator keys, including revoked ones',
    records: false,
    query: paging,
    answers: { 200: keysShape },
    handle: async ({ query }) => ({
      status: 200,
      body: await keysAnswer(deps, await listOperatorKeys(deps.queries, query), query),
    }),
  })

const revokeRoute = (deps: Deps) =>
  route({
    ...operators,
    method: 'DELETE',
    path: '/api/sys/keys/:prefix/',
    summary: 'Revoke an operator key and all its tokens',
    records: true,
    answers: { 200: deletedShape },
    refusals: ['last_operator_key'],
    async handle({ params, context }) {
      const { prefix = '' } = params
      const live = () => liveOperatorKeys(deps.queries)
      const { written, replayed, current } = await revokeOperatorKey(deps.commands, prefix, live, context)
      return { status: 200, body: { deleted: prefix }, written, unchangedAt: current?.at, replayed }
    },
  })
