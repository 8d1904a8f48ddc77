// A service with one game, two players and their scores, a backup destination, and restores of it into new folders.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import { command, newFolder, openService, type Service } from '../../cli/service.ts'
import { keyIn } from '../export/crawl.ts'

export const MASTER = Buffer.from('master-key-marker-master-key-mar')
export const MASTER_KEY = MASTER.toString('base64')
export const MASTER_FORMS = [MASTER, MASTER_KEY, MASTER.toString('base64url'), MASTER.toString('hex')]

/** The output of `backup --json`. */
export interface MadeBackup {
  readonly id: string
  readonly events: number
  readonly new_events: number
  readonly head: string
  readonly rewritten: number
  readonly removed: readonly string[]
}

export interface BackedUp {
  readonly service: Service
  readonly game: string
  readonly board: string
  readonly ada: string
  readonly bob: string
  /** Of the game's saved key. */
  readonly client: Client
  /** Where the backups are: not created yet. */
  readonly destination: string
  backUp(...more: string[]): Promise<MadeBackup>
}

/** `now`: instead of the clock. */
export async function openBackedUp(now?: () => number): Promise<BackedUp> {
  const service = await openService({ MASTER_KEY, DATA_DIR: await newFolder() }, now)
  const { json } = service
  const game = (await json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
  const board = (await json<{ id: string }>('board', 'create', 'High scores', '--unique')).id
  const [ada = '', bob = ''] = [
    (await json<{ id: string }>('player', 'create', 'Ada Marker')).id,
    (await json<{ id: string }>('player', 'create', 'Bob Marker')).id,
  ]
  const client = await connect({ baseUrl: service.url, key: await keyIn(service.dataDir, game) })
  await client.submit(board, { player: ada, score: '10', player_name: 'Ada Marker' })
  await client.submit(board, { player: bob, score: '20', extra_data: { note: 'Bob Marker wrote this' } })
  const destination = join(await newFolder(), 'destination')
  const backUp = (...more: string[]) => json<MadeBackup>('backup', '--to', destination, ...more)
  return { service, game, board, ada, bob, client, destination, backUp }
}

/** The folder of a restore that succeeds. */
export async function restoredFolder(
  { destination }: Pick<BackedUp, 'destination'>,
  ...more: string[]
): Promise<string> {
  const folder = join(await newFolder(), 'restored')
  const result = await command({ MASTER_KEY }, 'restore', '--from', destination, '--to', folder, ...more)
  expect(result.code, result.err).to.equal(0)
  return folder
}

/** Runs `use` with a server on a restore, and a client with the game's key as it was saved before the backup. */
export async function withRestored<Result>(
  from: BackedUp,
  options: readonly string[],
  use: (service: Service, client: Client) => Promise<Result>,
): Promise<Result> {
  const service = await openService({ MASTER_KEY, DATA_DIR: await restoredFolder(from, ...options) })
  try {
    const key = await keyIn(from.service.dataDir, from.game)
    return await use(service, await connect({ baseUrl: service.url, key }))
  } finally {
    await service.close()
  }
}

/** Whether any file of a folder contains the bytes, also after decompression. */
export function holds(folder: string, wanted: string | Buffer): boolean {
  return readdirSync(folder).some((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return holds(path, wanted)
    const bytes = readFileSync(path)
    return bytes.includes(wanted) || (name.endsWith('.gz') && gunzipSync(bytes).includes(wanted))
  })
}
