// A server on a copy of a board whose players are signed in: each of them submits with a token of its own.

import { join } from 'node:path'
import { sealingKeys, workingKeys } from '../../credentials/master.ts'
import { createTokens } from '../../credentials/tokens.ts'
import { defaultPermissions } from '../../domain/permissions.ts'
import { openDataFolder } from '../../stores/embedded/data-folder.ts'
import { openVault } from '../../stores/embedded/vault.ts'
import { ROOT } from '../../stores/log-decorators/sealing/open.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { drawnSubmissions, withBoardLoad } from './board-load.ts'
import { numbers, playerId, sessionId } from './events.ts'
import { largeBoard } from './large-board.ts'
import type { Loader, Server } from './processes.ts'
import { IN_FLIGHT } from './submissions.ts'
import { submitText, type World } from './test-game.ts'

const SEED = 7

export interface Callers {
  readonly server: Server
  /** Submissions of callers drawn uniformly. */
  submissions(count: number): string[]
}

interface CallersOptions {
  readonly callers: number
  /** The folder whose dist/ runs. */
  readonly checkout?: string
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Starts the server and calls `measure`, as `withBoardLoad`. Each caller has submitted once then, so that caches hold
 * what they have room for.
 */
export async function withCallers<Result>(
  loader: Loader,
  { callers, checkout, env = {} }: CallersOptions,
  measure: (callers: Callers) => Promise<Result>,
): Promise<Result> {
  const { dataDir, world } = await largeBoard(callers, checkout, true)
  const tokens = await tokensOf(dataDir, world, callers)
  const board = { entries: callers, ...(checkout === undefined ? {} : { checkout }), env, signedIn: true }
  return withBoardLoad(board, async ({ server }) => {
    const draw = drawnSubmissions(callers, numbers(SEED))
    const submission = (of?: number) => {
      const { player, score } = draw(of)
      return submitText(world.board, tokens[player] ?? '', { score })
    }
    const submissions = (count: number) => Array.from({ length: count }, () => submission())
    const once = tokens.map((_, of) => submission(of))
    await loader.load({ port: server.port, connections: IN_FLIGHT, requests: once })
    return measure({ server, submissions })
  })
}

/** Signs the tokens with the installation's own key: to ask the server for each of them takes minutes. */
async function tokensOf(dataDir: string, { game, key }: World, count: number): Promise<string[]> {
  const vault = await openVault(join(dataDir, 'vault.sqlite'))
  const root = await sealVault(vault, sealingKeys(await openDataFolder(dataDir))).get(ROOT.kind, ROOT.id)
  await vault.close()
  if (root === null) throw new Error(`The vault in ${dataDir} has no root secret.`)
  const tokens = createTokens(workingKeys(root).token)
  const shared = { key: key.prefix, game, permissions: defaultPermissions('client', game) }
  const issued: string[] = []
  for (let n = 0; n < count; n++) {
    const claims = { ...shared, player: playerId(n), session: sessionId(n) }
    issued.push((await tokens.issue(claims, Date.now())).token)
  }
  return issued
}
