// Two nodes of one installation on the servers under test, each with its own connections and view progress: the node of
// a world, and a second one with the same master key.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../server/config.ts'
import { start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { turn } from '../until.ts'
import { createHttpClient } from './http-client.ts'
import { codeIn, mailsTo } from './mails.ts'
import { handshake, openWorld, type World } from './world.ts'

interface ServerNodes {
  readonly a: World
  readonly b: World
  /** The code of the first mail to an address, sent by either node. */
  codeTo(email: string): Promise<string>
  close(): Promise<void>
}

export async function openServerNodes(): Promise<ServerNodes> {
  const a = await openWorld()
  const { masterKey } = JSON.parse(await readFile(join(a.dataDir, 'secrets.json'), 'utf8'))
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-beside-'))
  const config: Config = { ...BASE_CONFIG, dataDir, masterKey: Buffer.from(masterKey, 'base64'), ...a.storeUrls }
  const running = await start(config, pino({ level: 'silent' }), () => a.clock.nowMs)
  const port = running.port ?? 0
  const client = createHttpClient(port)
  const end = async () => {
    client.close()
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const b: World = { ...a, operator: a.operator, dataDir, port, end, close: end, call: client.call }
  // A start waits two seconds for the views; on a busy machine they may learn of the operator’s key later.
  for (const node of [a, b]) while ((await handshake(node, a.operator)).status !== 200);
  return {
    a,
    b,
    codeTo: (email) => firstCode([a, b], email),
    close: async () => {
      await end()
      await a.close()
    },
  }
}

async function firstCode(nodes: readonly World[], email: string): Promise<string> {
  for (;;) {
    const mails = await Promise.all(nodes.map((node) => mailsTo(node, email)))
    const code = mails
      .flat()
      .map(codeIn)
      .find((found) => found !== '')
    if (code !== undefined) return code
    await turn()
  }
}
