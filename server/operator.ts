// Creates the first key of an installation, the operator's: once, on an empty log, written to a file that only its
// owner can read. The key is in a file of its own before it is recorded, so that a process that was killed in between
// issues the same key when it runs again.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BEHIND_AFTER_MS } from '../commands/command-context.ts'
import type { CommandDeps } from '../commands/command-deps.ts'
import { issue } from '../commands/key.ts'
import { randomIds } from '../credentials/command-ids.ts'
import { toBase64url } from '../credentials/text.ts'
import { KEY_PREFIXES } from '../domain/key.ts'
import type { Progress } from '../projections/progress.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Stores } from '../stores/contract/stores.ts'
import { readJson, renameDurably, writePrivately } from '../stores/embedded/data-folder.ts'
import type { Config } from './config.ts'

export const operatorFile = (dataDir: string): string => join(dataDir, 'operator.json')

/** Contains a key that may not be recorded yet; it becomes the operator's file. */
const unrecordedFile = (dataDir: string): string => `${operatorFile(dataDir)}.unrecorded`

interface OperatorKey {
  readonly prefix: string
  /** 32 bytes, base64url. */
  readonly secret: string
}

/** Creates the operator's key on an empty log, in development only and where the API is served. Returns its file. */
export async function operatorOf(
  { config, now }: { readonly config: Config; readonly now: () => number },
  { log }: Pick<Stores, 'log'>,
  commands: CommandDeps,
  progress: Progress,
): Promise<string | null> {
  if (config.production || !config.roles.has('api')) return null
  const file = await makeOperator(commands, log, config.dataDir, now())
  // Wait until the views contain the new key, so that its first request is accepted.
  const head = file === null ? null : await log.head()
  if (head !== null) await progress.waitFor(null, head, BEHIND_AFTER_MS)
  return file
}

/**
 * Creates the operator's key if the log is empty or an earlier call was interrupted. Returns the file's path, or null
 * if it created none.
 */
export async function makeOperator(
  deps: CommandDeps,
  log: Log,
  dataDir: string,
  nowMs: number,
): Promise<string | null> {
  const path = operatorFile(dataDir)
  const isInterrupted = existsSync(unrecordedFile(dataDir))
  if (!isInterrupted && ((await log.head()) !== null || existsSync(path))) return null
  await issueOperator(deps, dataDir, nowMs)
  return path
}

/**
 * Issues an operator key and writes `{prefix, secret}` with mode 0600, replacing the previous file. Completes an
 * interrupted call: its key is issued once.
 */
export async function issueOperator(deps: CommandDeps, dataDir: string, nowMs: number): Promise<void> {
  const path = unrecordedFile(dataDir)
  const { prefix, secret } = (await readJson<OperatorKey>(path)) ?? (await createKey(path))
  const ids = {
    command: randomUUID(),
    generator: {
      id: () => prefix.slice(KEY_PREFIXES.server.length),
      secret: () => Buffer.from(secret, 'base64url'),
    },
  }
  const operator = {
    game: null,
    name: 'operator',
    kind: 'server',
    algorithm: 'hmac-sha256',
    permissions: ['sys:games'],
  } as const
  await issue(deps, operator, { ...ids, call: null, repeated: false, actor: null, request: null, nowMs })
  await complete(dataDir)
}

async function complete(dataDir: string): Promise<void> {
  try {
    await renameDurably(unrecordedFile(dataDir), operatorFile(dataDir))
  } catch (error) {
    // Another process that began with this data folder at the same time has renamed it.
    const isRenamed = (error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(operatorFile(dataDir))
    if (!isRenamed) throw error
  }
}

async function createKey(path: string): Promise<OperatorKey> {
  const { generator } = randomIds()
  const made = { prefix: KEY_PREFIXES.server + generator.id('key'), secret: toBase64url(generator.secret('key')) }
  await writePrivately(path, made)
  return made
}
