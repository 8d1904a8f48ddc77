// Checks whether a backup is what its installation wrote: its codes are keyed from the root secret, which is among its
// secrets, encrypted under the master key. Someone who can only write to the destination can compute every checksum
// there, but none of these codes.

import { createHash } from 'node:crypto'
import { workingKeys } from '../../credentials/master.ts'
import { StoresFault } from '../../stores/contract/faults.ts'
import type { Secret } from '../../stores/contract/vault.ts'
import { ROOT, type RootedKey } from '../../stores/log-decorators/sealing/open.ts'
import { byId, keyIdOf, type MasterKeys, openRow } from '../../stores/log-decorators/sealing/row.ts'
import { type BackupCodes, createBackupCodes, isSameCode, manifestCode } from './codes.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { BackupHeading, BackupManifest } from './manifest.ts'
import { manifestName } from './objects.ts'
import { readSecrets } from './secrets.ts'

/** The backup's secrets are encrypted under a master key that is not configured. The message says what to do. */
export class OtherMasterKey extends StoresFault {}

/** Of `sealingKey`. */
const KEY_ID = /^[0-9a-f]{16}$/
const WHAT_TO_DO =
  'Use another copy of the backups, and find out who can write there: they may have added an operator key or changed scores. ' +
  '--trust reads it without this check.'

/** `why`: what may have happened to it. */
export const mismatch = ({ shown }: BackupDestination, name: string, why: string): BackupFault =>
  new BackupFault(`${name} in ${shown} does not match its authentication code: ${why}. ${WHAT_TO_DO}`)

/**
 * Checks the newest manifest and its secrets, and returns what the codes of the log and of older manifests are checked
 * with. Throws OtherMasterKey and BackupFault.
 */
export async function openCodes(
  destination: BackupDestination,
  newest: BackupManifest,
  keys: MasterKeys<RootedKey>,
): Promise<BackupCodes> {
  requireCode(destination, newest)
  const sum = createHash('sha256')
  let root: Secret | null = null
  for await (const secrets of readSecrets(destination, newest.secrets, (line) => sum.update(line))) {
    root ??= secrets.find(({ kind, id }) => kind === ROOT.kind && id === ROOT.id) ?? null
  }
  const codes = createBackupCodes(workingKeys(openRoot(destination, root, keys)).backup, newest.installation)
  requireAuthentic(destination, codes, newest)
  if (sum.digest('hex') !== newest.authentication?.secrets_sha256) {
    throw mismatch(destination, 'The set of secrets', 'a secret was added, removed or replaced')
  }
  return codes
}

function openRoot(destination: BackupDestination, root: Secret | null, keys: MasterKeys<RootedKey>): Uint8Array {
  if (root === null) throw mismatch(destination, 'The set of secrets', 'the root secret was removed')
  const id = keyIdOf(root.value)
  const key = byId(keys).get(id)
  if (key === undefined && KEY_ID.test(id)) throw otherKeys(keys, new Set([id]))
  const opened = key === undefined ? null : openRow(key, ROOT, root.value)
  if (opened === null) throw mismatch(destination, 'The root secret', 'it was changed or replaced')
  return opened
}

/** Throws BackupFault if the manifest was changed, or has no code. */
export function requireAuthentic(destination: BackupDestination, codes: BackupCodes, backup: BackupHeading): void {
  const { code, text, log_chain, secrets_sha256 } = requireCode(destination, backup)
  const isOfIt = backup.installation === codes.installation
  if (isOfIt && isSameCode(code, manifestCode(codes.manifestKey({ ...backup, log_chain, secrets_sha256 }), text)))
    return
  const why = 'it was changed, or is not of this installation (if a newer backup is well, remove this object)'
  throw mismatch(destination, manifestName(backup.id), why)
}

function requireCode({ shown }: BackupDestination, { id, authentication, head }: BackupHeading) {
  if (authentication !== null) return authentication
  const older =
    head === null ? '' : ` To restore the log up to its end from a newer backup, pass --at ${head} instead of --backup.`
  throw new BackupFault(
    `Backup ${id} in ${shown} has no authentication code: version 0.2.0 or earlier made it, or somebody removed the code. ` +
      'Nobody can tell whether its events were changed. Make a new backup there, which writes everything again, or pass --trust if ' +
      `nobody else can write to ${shown}.${older}`,
  )
}

/** Throws OtherMasterKey if secrets are encrypted under another one. */
export async function refuseOtherKeys(
  destination: BackupDestination,
  newest: BackupManifest,
  keys: MasterKeys,
): Promise<void> {
  const ids = byId(keys)
  const others = new Set<string>()
  for await (const secrets of readSecrets(destination, newest.secrets)) {
    for (const { value } of secrets) if (value.length > 0 && !ids.has(keyIdOf(value))) others.add(keyIdOf(value))
  }
  if (others.size > 0) throw otherKeys(keys, others)
}

const otherKeys = (keys: MasterKeys, others: ReadonlySet<string>): OtherMasterKey =>
  new OtherMasterKey(
    `The backup's secrets are encrypted under master key ${[...others].join(', ')}; the configured keys are ` +
      `${[...byId(keys).keys()].join(', ')}. A backup never contains the master key: set MASTER_KEY (or MASTER_KEY_OLD) to that key, ` +
      'or DATA_DIR to the folder with its secrets.json.',
  )
