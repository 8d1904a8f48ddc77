// Routes to issue, list, change and revoke a game's API keys. Only the answer to the issuing call contains the secret.

import { z } from 'zod'
import { lastUsedOf } from '../../access/last-used.ts'
import { issue, revoke, setPermissions } from '../../commands/key.ts'
import { isSoundPublicKey } from '../../credentials/signatures.ts'
import { fromBase64url } from '../../credentials/text.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Key, KeyAlgorithm } from '../../domain/key.ts'
import { coversGrant, defaultPermissions, isGrantable, isOperators, type MayGrant } from '../../domain/permissions.ts'
import { type Folded, listAnswer, type Page, type Paging } from '../../queries/deps.ts'
import { findGames } from '../../queries/game.ts'
import { findKey, keyAnswer, listKeys } from '../../queries/key.ts'
import { fields, name, nullAsLeftOut, paging, permissionList } from '../fields.ts'
import { type Caller, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { keyAlgorithm, keyKind } from './enumerations.ts'
import { anyGame } from './own.ts'
import { deletedShape, keyShape, keysShape, madeKeyShape } from './shapes.ts'

/** How a key signs: fields of the body that makes one. */
export const signingFields = {
  algorithm: keyAlgorithm,
  public_key: nullAsLeftOut(
    z
      .string('must be base64url')
      .refine(
        (text) => fromBase64url(text, 32) !== null,
        'must be 32 bytes as base64url without padding (43 characters)',
      ),
  ).meta({ description: 'Of an Ed25519 key pair of yours. Default: the server makes the pair.' }),
}

interface Signing {
  readonly algorithm: KeyAlgorithm
  readonly public_key?: string | undefined
}

export const fitsAlgorithm = ({ public_key, algorithm }: Signing): boolean =>
  public_key === undefined || algorithm === 'ed25519'

export const UNFIT_PUBLIC_KEY = { path: ['public_key'], error: 'is allowed with ed25519 only: leave it out' }

const newKey = fields({
  name,
  kind: keyKind,
  algorithm: signingFields.algorithm,
  permissions: permissionList.optional().meta({ description: 'Default: those of its kind.' }),
  public_key: signingFields.public_key,
}).refine(fitsAlgorithm, UNFIT_PUBLIC_KEY)

const needs = { permission: 'gm:{game}:keys', or: 'sys:games' }

type Deps = Pick<RouteDeps, 'commands' | 'queries'>

export function keyRoutes(deps: Deps): Route[] {
  return [issueKeyRoute(deps), listKeysRoute(deps), updateKeyRoute(deps), revokeKeyRoute(deps)]
}

const issueKeyRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/keys/',
    summary: 'Issue a key; only this answer contains its secret',
    needs,
    tenantOnly: true,
    refusesOperatorTokens: true,
    records: true,
    body: newKey,
    answers: { 201: madeKeyShape },
    refusals: ['weak_public_key', 'permission_not_grantable', 'too_many_keys'],
    async handle({ caller, params, body, context }) {
      checkPublicKey(body.public_key)
      const { id: game } = await anyGame(deps, caller, params.game ?? '')
      const { kind, algorithm, permissions = defaultPermissions(kind, game), public_key: publicKey } = body
      if (context.repeated) checkRepeatedGrant(caller, permissions)
      else grantsOf(caller, game, await otherGamesIn(deps, permissions, game))(permissions)
      const fresh = { game, name: body.name, kind, algorithm, permissions, publicKey }
      const { prefix, key, shown, handled } = await issue(deps.commands, fresh, context)
      const { written, replayed } = handled
      return { status: 201, body: { ...keyAnswer(prefix, key, null), ...shown }, written, replayed }
    },
  })

const listKeysRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/keys/',
    summary: 'List keys, including revoked ones',
    needs,
    tenantOnly: true,
    records: false,
    query: paging,
    answers: { 200: keysShape },
    async handle({ caller, params, query }) {
      const { id: game } = await anyGame(deps, caller, params.game ?? '')
      const page = await listKeys(deps.queries, game, query)
      return { status: 200, body: await keysAnswer(deps, page, query) }
    },
  })

/** A page of keys, each with the last day of its use. */
export async function keysAnswer({ commands }: Pick<Deps, 'commands'>, page: Page<Folded<Key>>, query: Paging) {
  const rows = await Promise.all(
    page.rows.map(async ({ id, state }) =>
      keyAnswer(id, state, await lastUsedOf(commands.vault, { kind: 'last-used', id })),
    ),
  )
  return listAnswer('keys', { ...page, rows }, query)
}

const updateKeyRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/gm/:game/keys/:prefix/',
    summary: 'Change the permissions of a key',
    needs,
    tenantOnly: true,
    refusesOperatorTokens: true,
    records: true,
    body: fields({ permissions: permissionList }),
    answers: { 200: keyShape },
    refusals: ['key_revoked', 'permission_not_grantable'],
    async handle({ caller, params, body: { permissions }, context }) {
      const { prefix, game } = await ownKey(deps, caller, params)
      const mayGrant = grantsOf(caller, game, await otherGamesIn(deps, permissions, game))
      const change = { prefix, game, permissions, mayGrant }
      const handled = await setPermissions(deps.commands, change, context)
      const { after, written, replayed, current } = handled
      const body = keyAnswer(
        prefix,
        after as Key,
        await lastUsedOf(deps.commands.vault, { kind: 'last-used', id: prefix }),
      )
      return { status: 200, body, written, unchangedAt: current?.at, replayed }
    },
  })

const revokeKeyRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/gm/:game/keys/:prefix/',
    summary: 'Revoke a key and all its tokens',
    needs,
    tenantOnly: true,
    refusesOperatorTokens: true,
    records: true,
    answers: { 200: deletedShape },
    async handle({ caller, params, context }) {
      const { prefix, game } = await ownKey(deps, caller, params)
      const { written, replayed, current } = await revoke(deps.commands, prefix, game, context)
      return { status: 200, body: { deleted: prefix }, written, unchangedAt: current?.at, replayed }
    },
  })

async function ownKey(deps: Pick<RouteDeps, 'queries'>, caller: Caller, params: Readonly<Record<string, string>>) {
  const { id: game } = await anyGame(deps, caller, params.game ?? '')
  const found = await findKey(deps.queries, params.prefix ?? '')
  if (found === null || found.state.game !== game) {
    throw new Refusal('not_found', 'key_not_found', 'There is no such key.')
  }
  return { prefix: found.id, game }
}

/** 400 `weak_public_key`. */
export function checkPublicKey(text: string | undefined): void {
  if (text === undefined) return
  const bytes = fromBase64url(text, 32)
  if (bytes !== null && isSoundPublicKey(bytes)) return
  const detail =
    'public_key is not a canonical curve point, or is of small order, so anyone could sign for it. Generate a new pair.'
  const errors = [{ pointer: '/public_key', detail: 'must be a canonical Ed25519 public key of full order' }]
  throw new Refusal('malformed', 'weak_public_key', detail, { errors })
}

const ID = /^[a-z2-7]{24}$/

/**
 * Throws 422 `permission_not_grantable`, or else 403 `permission_needed` with the first permission that the caller's
 * token does not cover. O(granted permissions × permissions of the token).
 */
export function grantsOf(
  caller: Pick<Caller, 'may' | 'permissions'>,
  game: string,
  otherGames: ReadonlySet<string>,
): MayGrant {
  return (granted) => {
    const namesOther = (permission: string) => permission.split(':').some((part) => otherGames.has(part))
    const impossible = granted.find((permission) => !isGrantable(permission, game) || namesOther(permission))
    if (impossible !== undefined) throw notGrantable(impossible)
    checkCovered(caller, caller.permissions, granted)
  }
}

/**
 * For a repeated call, whose answer contains the secret again: 403 `permission_needed` for a token that could not have
 * made the first call. A token that could keeps this right, even if its key has lost permissions since.
 */
export function checkRepeatedGrant(caller: Pick<Caller, 'may' | 'issuedWith'>, granted: readonly string[]): void {
  checkCovered(caller, caller.issuedWith, granted)
}

function checkCovered(caller: Pick<Caller, 'may'>, held: readonly string[], granted: readonly string[]): void {
  if (caller.may('sys:games')) return
  const needed = granted.find((permission) => !held.some((one) => coversGrant(one, permission)))
  if (needed === undefined) return
  const detail = `To grant ${needed} to a key, your token needs a permission that covers it. Leave it out, or use a key that has it.`
  throw new Refusal('forbidden', 'permission_needed', detail, { needed })
}

/** The ids of other games in the permissions. Reads documents once. */
export async function otherGamesIn(
  { queries }: Pick<RouteDeps, 'queries'>,
  permissions: readonly string[],
  game: string,
): Promise<ReadonlySet<string>> {
  const parts = new Set(permissions.flatMap((permission) => permission.split(':')))
  const requested = [...parts].filter((part) => part !== game && ID.test(part))
  if (requested.length === 0) return new Set()
  const found = await findGames(queries, requested)
  return new Set(requested.filter((_, index) => found[index] !== null))
}

function notGrantable(permission: string): Refusal {
  const reason = isOperators(permission) ? 'only the operator has it' : 'it names another game'
  const detail = `No key of this game can have ${permission}: ${reason}. Leave it out.`
  return new Refusal('unprocessable', 'permission_not_grantable', detail)
}
