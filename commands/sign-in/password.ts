// Signs in by login and password. An unknown login, a wrong password and an invalidated one give the same failure after
// the same steps: equally many reads of log and vault, and a check against a hash.

import { setTimeout } from 'node:timers/promises'
import { linkOf } from '../../domain/links.ts'
import type { Player } from '../../domain/player.ts'
import { signInRejected } from '../../domain/session.ts'
import type { CommandContext } from '../command-context.ts'
import { playerNow } from '../player-now.ts'
import { begunBefore, currentClaim, digestOf } from './claims.ts'
import { orBusy, passwordHash } from './hash.ts'
import { isKnownAddress, noteAddress } from './known-addresses.ts'
import { mayPlay } from './may-play.ts'
import type { Proven, SignInDeps } from './sign-in-deps.ts'

/**
 * Minimum duration of looking up a login, because a known login needs more reads and decryption than an unknown one.
 */
const LOOK_UP_MS = 5

/** 401 `sign_in_rejected`; 429 `rate_limited`; 403 `player_banned`; 503 `sign_in_busy`. `network` is the caller's. */
export async function signInByPassword(
  deps: SignInDeps,
  game: string,
  sent: { readonly login: string; readonly typed?: string; readonly password: string; readonly network: string },
  context: CommandContext,
): Promise<Proven<Player>> {
  const digest = digestOf(deps, 'login', game, sent.login)
  const isTheirs = (state: Player | null, secret: string) => state !== null && linkOf(state, 'login')?.secret === secret
  const before = await begunBefore(deps, context)
  if (before !== null) {
    const isStillValid = async () => {
      const [holder, state] = [await currentClaim(deps, 'login', game, digest), await playerNow(deps, before)]
      return holder?.player === before && isTheirs(state, holder.secret)
    }
    return { id: before, state: mayPlay(await playerNow(deps, before), context.nowMs), made: false, isStillValid }
  }

  const { network } = sent
  const { nowMs } = context
  const secretOf = async () => (await currentClaim(deps, 'login', game, digest))?.secret ?? digest
  const isKnown = () => isKnownAddress(deps, secretOf, network, nowMs)
  const check = async () => {
    const [{ id, secret, state, storedHash }] = await Promise.all([lookUp(deps, game, digest), setTimeout(LOOK_UP_MS)])
    const hash = storedHash === null ? null : Buffer.from(storedHash).toString()
    const { fits, isStale } = await deps.passwords.verify(hash, sent.password, sent.network).catch(orBusy)
    if (!fits || !isTheirs(state, secret)) return null
    if (isStale) await rehash(deps, secret, sent)
    return { id, state, secret }
  }
  const proven = await deps.lockOut.attempt({ login: digest, network, nowMs }, check, isKnown)
  if (proven === null) throw signInRejected()
  const { id, secret } = proven
  // The password may have been invalidated while it was checked.
  const isStillValid = async () => isTheirs(await playerNow(deps, id), secret)
  await storeLogin(deps, sent.typed ?? sent.login, secret, isStillValid)
  const state = mayPlay(proven.state, nowMs)
  await noteAddress(deps, secret, { network, nowMs }, isStillValid)
  return { id, state, made: false, isStillValid }
}

async function lookUp(deps: SignInDeps, game: string, digest: string) {
  const holder = await currentClaim(deps, 'login', game, digest)
  const { player: id, secret } = holder ?? { player: digest, secret: digest }
  const [state, storedHash] = await Promise.all([playerNow(deps, id), deps.vault.get('password', secret)])
  return { id, secret, state, storedHash }
}

/**
 * Stores the login itself if an older version stored only its keyed hash: the player's export contains it. If the
 * player was deleted meanwhile, the stored login is destroyed again.
 */
async function storeLogin(
  { vault }: SignInDeps,
  login: string,
  secret: string,
  isStillTheirs: () => Promise<boolean>,
): Promise<void> {
  try {
    if ((await vault.get('login', secret)) !== null) return
    await vault.putIfAbsent('login', secret, Buffer.from(login))
    if (!(await isStillTheirs().catch(() => false))) await vault.destroy('login', secret)
  } catch {
    // The next sign-in tries again.
  }
}

/** Replaces the hash by one with the present parameters. If this fails, the next sign-in tries again. */
async function rehash(
  deps: SignInDeps,
  secret: string,
  { password, network }: { readonly password: string; readonly network: string },
): Promise<void> {
  try {
    await deps.vault.replace('password', secret, Buffer.from(await passwordHash(deps, password, network)))
  } catch {
    // The old hash stays valid.
  }
}
