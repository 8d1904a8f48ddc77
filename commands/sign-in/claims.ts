// Claims on logins and addresses: their streams in the log, their content, and releasing them with all
// that the vault keeps for them.

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

/** What a login, or an address, is called in the log. Both come in canonical form. */
export function digestOf({ keys }: Pick<CommandDeps, 'keys'>, kind: LoginKind, game: string, text: string): string {
  return keyedDigest(keys.digest, kind, game, text).toString('hex')
}

export const claimStream = (kind: LoginKind, game: string, digest: string): string =>
  kind === 'login' ? loginStream(game, digest) : mailStream(game, digest)

/** Who holds it; null while nobody does. */
export function currentClaim(
  { log }: CommandDeps,
  kind: LoginKind,
  game: string,
  digest: string,
): Promise<LoginClaimedData | null> {
  return foldStream<LoginClaimedData | null, LoginEvent>(log, login, claimStream(kind, game, digest))
}

/** The id under which the vault keeps what a call brings: another one for the same key sent with other words. */
export const secretId = ({ generator, call }: CommandContext): string => generator.id(`sign-in ${call}`)

/** A claim on a login or address, by the digest that its stream is named by. */
export interface ClaimedLogin {
  readonly game: string
  readonly digest: string
  readonly claim: LoginClaimedData
}

/** Frees a login or an address that was claimed under this secret. Harmless when it is free, or another's. */
export async function release(
  deps: CommandDeps,
  { game, player }: PlayerRef,
  link: Pick<Link, 'kind' | 'digest' | 'secret'>,
  context: CommandContext,
): Promise<void> {
  const about = { stream: claimStream(link.kind, game, link.digest), game, player }
  await deps.handler.handle(login, about, withoutIdempotencyKey(context), releaseLogin(link.secret))
}

/** The vault keeps nothing of a claim any more. */
export async function destroySecrets({ vault }: CommandDeps, secret: string): Promise<void> {
  const kinds = ['password', 'login', 'email'] as const
  await Promise.all(kinds.map((kind) => vault.destroy(kind, secret)))
}

/** What a player who is not deleted is linked to under this secret. */
export async function linksBy(deps: CommandDeps, player: string, secret: string): Promise<ReadonlySet<LoginKind>> {
  const state = await playerNow(deps, player)
  const links = state === null || state.deleted ? [] : state.links
  return new Set(links.filter((link) => link.secret === secret).map(({ kind }) => kind))
}

/** The vault keeps nothing of a released claim but the link to its player. Idempotent. */
export async function destroyUnlinked(
  { vault }: CommandDeps,
  secret: string,
  linked: ReadonlySet<LoginKind>,
): Promise<void> {
  if (!linked.has('login')) {
    await vault.destroy('password', secret)
    await vault.destroy('login', secret)
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
 * After a claim that failed: the vault keeps nothing for it, where it is known not to stand. While that is unknown (the
 * log did not answer) it may yet be recorded, and needs what is kept.
 */
export async function destroyUnclaimed(
  deps: CommandDeps,
  { kind, game, digest, secret }: FailedClaim,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refusal) || error.code === 'log_unavailable') return
  // A copy of the call may have come through elsewhere meanwhile. If this is unknown, a
  // hash that nothing names is left.
  const holder = await currentClaim(deps, kind, game, digest).catch(() => undefined)
  if (holder !== undefined && holder?.secret !== secret) await destroySecrets(deps, secret).catch(() => {})
}

/**
 * Lets go of every login and address of a player, and of all by which they could prove who they are. May be done again.
 */
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
 * The player of the session that this very call has begun before, on whatever node; null where it has not. What proved
 * them then is used up, and need not be shown again by who sends the same call.
 */
export async function begunBefore({ log }: CommandDeps, { call, generator }: CommandContext): Promise<string | null> {
  if (call === null) return null
  const stream = sessionStream(generator.id('session'))
  const [first] = await log.readStream(stream, 0, 1)
  if (first?.meta.call !== call) return null
  return (await foldStream(log, session, stream))?.player ?? null
}
