// Signing in without HTTP: the commands on stores in memory, with passwords that are cheap to hash.

import type { CommandContext } from '../../../commands/command-context.ts'
import type { CommandDeps } from '../../../commands/command-deps.ts'
import { createHandler } from '../../../commands/handle.ts'
import { createLockOut } from '../../../commands/sign-in/lock-out.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { randomIds } from '../../../credentials/command-ids.ts'
import { workingKeys } from '../../../credentials/master.ts'
import { createPasswords } from '../../../credentials/passwords.ts'
import { createTokens } from '../../../credentials/tokens.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../../../runtime/rate-limits.ts'
import type { CodeMail } from '../../../stores/contract/mail.ts'
import { createRates, createTransient } from '../../../stores/embedded/transient.ts'
import { createMemoryLog } from '../../memory/log.ts'
import { createMemoryVault } from '../../memory/vault.ts'

export const LONG_AGO_MS = Date.parse('2026-01-01T00:00:00.000Z')
export const GAME = 'agame'
export const NETWORK = '192.0.2.1'
/** Who calls without a player. */
export const NOBODY = { player: null, session: null, network: NETWORK }
/** Who asks for a code. */
export const asked = (email: string, network = NETWORK) => ({ game: { id: GAME, name: 'Quest' }, email, network })
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }
export const REGISTRATION = { login: 'ADA', password: 'a password', name: 'Ada', email: null }

export function signInRig() {
  const log = createMemoryLog()
  const vault = createMemoryVault()
  const commands: CommandDeps = {
    handler: createHandler(log),
    log,
    vault,
    keys: workingKeys(new Uint8Array(32).fill(7)),
    publish: async () => {},
  }
  const windows = createRates()
  const mails: CodeMail[] = []
  const deps: SignInDeps = {
    ...commands,
    transient: createTransient(),
    windows,
    passwords: createPasswords(CHEAP),
    tokens: createTokens(commands.keys.token),
    lockOut: createLockOut(windows),
    countsNetworks: true,
    addressLimits: DEFAULT_ADDRESS_LIMITS,
    mail: { send: (mail) => mails.push(mail) > 0, close: async () => {} },
    openSessions: async () => [],
    waitForProjection: async () => true,
    playerInViews: async () => null,
  }
  return { log, vault, deps, mails }
}

export const contextAt = (nowMs = LONG_AGO_MS): CommandContext => ({
  ...randomIds(),
  call: null,
  repeated: false,
  actor: 'ck_x',
  request: 'r',
  nowMs,
})
