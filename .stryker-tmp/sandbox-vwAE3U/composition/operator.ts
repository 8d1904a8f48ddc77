// Creates the first key of an installation, the operator's: once, on an empty log, written to a file that only its owner
// can read.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandDeps } from '../commands/command-deps.ts'
import { issue } from '../commands/key.ts'
import { randomIds } from '../credentials/command-ids.ts'
import type { Log } from '../stores/contract/log.ts'
import { writePrivately } from '../stores/embedded/data-folder.ts'

export const operatorFile = (dataDir: string): string => join(dataDir, 'operator.json')

/** Creates the operator's key if the log is empty. Returns the file's path, or null if it created none. */
export async function makeOperator(
  deps: CommandDeps,
  log: Log,
  dataDir: string,
  nowMs: number,
): Promise<string | null> {
  const path = operatorFile(dataDir)
  if ((await log.head()) !== null || existsSync(path)) return null
  await issueOperator(deps, dataDir, nowMs)
  return path
}

/** Issues an operator key and writes `{prefix, secret}` with mode 0600, replacing the previous file. */
export async function issueOperator(deps: CommandDeps, dataDir: string, nowMs: number): Promise<void> {
  const context = { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs }
  const operator = {
    game: null,
    name: 'operator',
    kind: 'server',
    algorithm: 'hmac-sha256',
    permissions: ['sys:games'],
  } as const
  const { prefix, shown } = await issue(deps, operator, context)
  await writePrivately(operatorFile(dataDir), { prefix, ...shown })
}
