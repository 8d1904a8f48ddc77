// The files of the demo: a bucket in which players may create saves, and a few saves.

import type { Client, PlayerClient } from '../clients/javascript/connect.ts'
import type { Bucket } from '../clients/javascript/file-shapes.ts'
import { ProblemError, Unreachable } from '../clients/javascript/problem.ts'
import { printable, type Terminal } from './terminal.ts'

export const SAVES = '/saves/'
const SAVED = 3
const UPLOAD_RETRY_MS = 3_000

/** Answers null and prints the reason if no file could be stored. */
export async function demoFiles(
  terminal: Terminal,
  server: Client,
  game: string,
  guests: readonly PlayerClient[],
): Promise<Bucket | null> {
  const { id } = await server.createBucket(game, { name: 'Saves' })
  await server.makeFolder(id, SAVES)
  const { rules, child_rules } = await server.folderRules(id, SAVES)
  const ofPlayers = { ...rules, list_files: 'player', create: 'player', read: 'player' } as const
  await server.setFolderRules(id, { path: SAVES, rules: ofPlayers, child_rules })
  const how = { contentType: 'application/json', patienceMs: UPLOAD_RETRY_MS }
  try {
    for (const [at, guest] of guests.slice(0, SAVED).entries()) {
      const name = guest.player.name ?? 'a player'
      const save = new Blob([JSON.stringify({ player: name, level: at + 1, coins: 120 * (at + 1) })])
      const path = `${SAVES}${name.toLowerCase().replaceAll(' ', '-')}.json`
      const { size } = await guest.uploadFile(id, path, save, how)
      terminal.err(`${printable(name)} saved ${path}, ${size} bytes`)
    }
  } catch (failure) {
    if (failure instanceof ProblemError && failure.code === 'files_off') {
      terminal.err('No files: this server has no file store. Set FILES_DIR or S3_URL and restart it.')
    } else if (failure instanceof Unreachable) {
      terminal.err(
        `No files: ${failure.message}. Check that the address in PUBLIC_URL (or S3_URL) can be reached from here.`,
      )
    } else throw failure
    return null
  }
  return server.bucket(id)
}
