// The secrets at a backup destination. There is one set of them, that of the newest backup, for all backups: no backup
// has a secret that was destroyed since.

import { createHash } from 'node:crypto'
import type { Secret } from '../../stores/contract/vault.ts'
import { secretIn } from '../import/vault-file.ts'
import { type BackupDestination, BackupFault } from './destination.ts'
import type { SecretsEntry } from './manifest.ts'
import { compressedLines, parsedLine, readLines, secretsName, sha256Hex } from './objects.ts'

/** A secret; `value` is encrypted, in base64. */
export interface SecretLine {
  readonly kind: string
  readonly id: string
  readonly value: string
}

const SECRETS_PER_OBJECT = 20_000

interface SecretsWriter {
  add(secret: SecretLine): Promise<void>
  finish(): Promise<WrittenSecrets>
}

interface WrittenSecrets {
  readonly entries: readonly SecretsEntry[]
  /** SHA-256 of all of them as lines. */
  readonly sum: string
}

export const secretLine = ({ kind, id, value }: SecretLine): string => `${JSON.stringify({ kind, id, value })}\n`

export function createSecretsWriter(destination: BackupDestination): SecretsWriter {
  const entries: SecretsEntry[] = []
  const sum = createHash('sha256')
  let lines: string[] = []

  async function write(): Promise<void> {
    const bytes = await compressedLines(lines)
    const sha256 = sha256Hex(bytes)
    await destination.write(secretsName(sha256), bytes)
    entries.push({ sha256, bytes: bytes.length, secrets: lines.length })
    lines = []
  }

  return {
    async add(secret) {
      const line = secretLine(secret)
      sum.update(line)
      lines.push(line)
      if (lines.length === SECRETS_PER_OBJECT) await write()
    },
    async finish() {
      if (lines.length > 0) await write()
      return { entries, sum: sum.digest('hex') }
    },
  }
}

/**
 * Still encrypted. Throws BackupFault if an object is missing or was changed. `onLine`: of each secret, as it was
 * written.
 */
export async function* readSecrets(
  destination: BackupDestination,
  entries: readonly SecretsEntry[],
  onLine: (line: string) => void = () => {},
): AsyncGenerator<readonly Secret[]> {
  for (const { sha256, secrets: count } of entries) {
    const lines = await readLines(destination, secretsName(sha256), sha256)
    if (lines.length !== count) throw new BackupFault(`${secretsName(sha256)} has another number of secrets.`)
    for (const line of lines) onLine(`${line}\n`)
    yield lines.map((line) => {
      const secret = secretIn(parsedLine(line, secretsName(sha256)))
      if (secret !== null) return secret
      throw new BackupFault(`${secretsName(sha256)} has a line that is no secret: a backup did not write it.`)
    })
  }
}
