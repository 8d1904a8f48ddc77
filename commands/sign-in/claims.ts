// Claims on logins and e-mail addresses: their streams, and releasing them with their secrets.

import { keyedDigest } from '../../credentials/master.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Link } from '../../domain/links.ts'
import {
  type LoginClaimedData,
  type LoginEvent,
  type LoginKind,
  login,
  loginStream,
  mailStream,
  releaseLogin,
} from '../../domain/login.ts'
import { session, sessionStream } from '../../domain/session.ts'
import { type CommandContext, withoutIdempotencyKey } from '../command-context.ts'
import type { CommandDeps } from '../command-deps.ts'
import { foldStream } from '../fold.ts'
import type { PlayerRef } from '../player.ts'
import { playerNow } from '../player-now.ts'

/** The digest of a login or address in its stream's name. `text` is in canonical form. */
export function digestOf({ keys }: Pick<CommandDeps, 'keys'>, kind: LoginKind, game: string, text: string): string {
  return keyedDigest(keys.digest, kind, game, text).toString('hex')
}

export const claimStream = (kind: LoginKind, game: string, digest: string): string =>
  kind === 'login' ? loginStream(game, digest) : mailStream(game, digest)

/** The present claim; null if the login or address is free. */
export function currentClaim(
  { log }: CommandDeps,
  kind: LoginKind,
  game: string,
  digest: string,
): Promise<LoginClaimedData | null> {
  return foldStream<LoginClaimedData | null, LoginEvent>(log, login, claimStream(kind, game, digest))
}

/** The id of the secrets that a call stores; it differs if an Idempotency-Key is reused with another body. */
export const secretId = ({ generator, call }: CommandContext): string => generator.id(`sign-in ${call}`)

/** A claim on a login or address, with the digest in its stream's name. */
export interface ClaimedLogin {
  readonly game: string
  readonly digest: string
  readonly claim: LoginClaimedData
}

/** Releases the claim with this secret; does nothing if the login or address is free or claimed by another. */
export async function release(
  deps: CommandDeps,
  { game, player }: PlayerRef,
  link: Pick<Link, 'kind' | 'digest' | 'secret'>,
  context: CommandContext,
): Promise<void> {
  const about = { stream: claimStream(link.kind, game, link.digest), game, player }
  await deps.handler.handle(login, about, withoutIdempotencyKey(context), releaseLogin(link.secret))
}

/** Destroys all secrets of a claim. */
export async function destroySecrets({ vault }: CommandDeps, secret: string): Promise<void> {
  const kinds = ['password', 'login', 'login-addresses', 'email'] as const
  await Promise.all(kinds.map((kind) => vault.destroy(kind, secret)))
}

/** The kinds of a player's links with this secret; none if the player is deleted. */
export async function linksBy(deps: CommandDeps, player: string, secret: string): Promise<ReadonlySet<LoginKind>> {
  const state = await playerNow(deps, player)
  const links = state === null || state.deleted ? [] : state.links
  return new Set(links.filter((link) => link.secret === secret).map(({ kind }) => kind))
}

/** Destroys the secrets of a released claim, except those of kinds still linked. Idempotent. */
export async function destroyUnlinked(
  { vault }: CommandDeps,
  secret: string,
  linked: ReadonlySet<LoginKind>,
): Promise<void> {
  if (!linked.has('login')) {
    await vault.destroy('password', secret)
    await vault.destroy('login', secret)
    await vault.destroy('login-addresses', secret)
  }
  if (!linked.has('email')) await vault.destroy('email', secret)
}

interface FailedClaim {
  readonly kind: LoginKind
  readonly game: string
  readonly digest: string
  readonly secret: string
}

/**
 * Destroys the secrets of a failed claim. If the log did not answer, they stay: the claim may have been recorded.
 */
export async function destroyUnclaimed(
  deps: CommandDeps,
  { kind, game, digest, secret }: FailedClaim,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refusal) || error.code === 'log_unavailable') return
  // A copy of the call may have claimed it on another node. If that cannot be read, an unused hash stays in the vault.
  const holder = await currentClaim(deps, kind, game, digest).catch(() => undefined)
  if (holder !== undefined && holder?.secret !== secret) await destroySecrets(deps, secret).catch(() => {})
}

/** Releases every login and address of a player, and destroys all their sign-in secrets. Idempotent. */
export async function forgetSignIns(
  deps: CommandDeps,
  { game, player }: PlayerRef,
  links: readonly Pick<Link, 'kind' | 'digest' | 'secret'>[],
  context: CommandContext,
): Promise<void> {
  for (const link of links) {
    await destroySecrets(deps, link.secret)
    await release(deps, { game, player }, link, context)
  }
  await deps.vault.destroy('guest-token', player)
}

/**
 * The player of the session that an earlier attempt of this call has started on any node; null if none. A repeated call
 * needs no proof, because the code or ticket was used up.
 */
export async function begunBefore({ log }: CommandDeps, { call, generator }: CommandContext): Promise<string | null> {
  if (call === null) return null
  const stream = sessionStream(generator.id('session'))
  const [first] = await log.readStream(stream, 0, 1)
  if (first?.meta.call !== call) return null
  return (await foldStream(log, session, stream))?.player ?? null
}
