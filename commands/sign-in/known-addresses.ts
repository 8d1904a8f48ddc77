// The network addresses from which a login has signed in within 30 days: for these the lock of an address after wrong
// passwords does not hold. The vault has them as digests under a key of this installation, beside the login's other
// secrets, so they outlast a restart and end with the login.

import { setTimeout } from 'node:timers/promises'
import { keyedDigest } from '../../credentials/master.ts'
import type { CommandDeps } from '../command-deps.ts'

const KNOWN_FOR_MS = 30 * 24 * 3_600_000
/** Addresses per login; the one that was used longest ago is dropped. */
export const KNOWN_ADDRESSES_MAX = 8
/** A sign-in this soon after the stored one is not written again. */
const UNWRITTEN_MS = 60_000
/** Minimum duration of a look-up, because a known login needs more reads than an unknown one. */
const LOOK_UP_MS = 5
/** Bytes of a digest that are kept. */
const DIGEST_BYTES = 16

/** Digest of an address -> Unix milliseconds of the last sign-in. The latest is first. */
type Known = readonly (readonly [digest: string, atMs: number])[]

type Deps = Pick<CommandDeps, 'vault' | 'keys'>

/** `secretOf` resolves to the id of the login's secrets, or to a made-up id for an unknown login. */
export async function isKnownAddress(
  deps: Deps,
  secretOf: () => Promise<string>,
  network: string,
  nowMs: number,
): Promise<boolean> {
  const lookUp = async () => {
    const secret = await secretOf()
    const digest = digestOf(deps, secret, network)
    const known = knownIn(await deps.vault.get('login-addresses', secret))
    return known.some(([one, atMs]) => one === digest && nowMs - atMs < KNOWN_FOR_MS)
  }
  const [isKnown] = await Promise.all([lookUp(), setTimeout(LOOK_UP_MS)])
  return isKnown
}

/**
 * Records a sign-in. If the login was released meanwhile (`isStillTheirs`), its addresses are destroyed again. Never
 * rejects: the next sign-in tries again.
 */
export async function noteAddress(
  deps: Deps,
  secret: string,
  { network, nowMs }: { readonly network: string; readonly nowMs: number },
  isStillTheirs: () => Promise<boolean>,
): Promise<void> {
  try {
    const { vault } = deps
    const digest = digestOf(deps, secret, network)
    const stored = await vault.get('login-addresses', secret)
    const known = knownIn(stored).filter(([, atMs]) => nowMs - atMs < KNOWN_FOR_MS)
    const [latest] = known
    if (latest?.[0] === digest && nowMs - latest[1] < UNWRITTEN_MS) return
    const others = known.filter(([one]) => one !== digest).slice(0, KNOWN_ADDRESSES_MAX - 1)
    const value = Buffer.from(JSON.stringify([[digest, nowMs], ...others]))
    if (stored === null) await vault.putIfAbsent('login-addresses', secret, value)
    else await vault.replace('login-addresses', secret, value)
    if (!(await isStillTheirs().catch(() => false))) await vault.destroy('login-addresses', secret)
  } catch {
    // Without it the lock of the address holds for this login, as for others.
  }
}

const digestOf = ({ keys }: Deps, secret: string, network: string): string =>
  keyedDigest(keys.digest, 'login address', secret, network).subarray(0, DIGEST_BYTES).toString('base64url')

function knownIn(stored: Uint8Array | null): Known {
  return stored === null || stored.length === 0 ? [] : JSON.parse(Buffer.from(stored).toString())
}
