// Creates a log of any size: players with their submissions, written directly into the log of a folder.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sealingKey } from '../../../credentials/master.ts'
import type { Json, StoredEvent } from '../../../domain/event.ts'
import { appending } from '../../../portability/import/import-append.ts'
import { openLog } from '../../../stores/embedded/log.ts'
import { openEmbeddedDocuments } from '../../../stores/embedded/open.ts'
import { sealVault } from '../../../stores/log-decorators/sealing/vault.ts'
import type { TestGame } from './test-game.ts'

export const MASTER = Buffer.alloc(32, 7)
export const keys = { current: sealingKey(MASTER), previous: [] }
/** Submissions of one player. */
const EACH = 20

/** Appends players and submissions to the log, as commands would. Returns the players' ids. */
export async function fillLog(
  dataDir: string,
  { game, board }: Pick<TestGame, 'game' | 'board'>,
  count: number,
  report: (line: string) => void = () => {},
  extra: Json = null,
): Promise<string[]> {
  const log = await openLog(join(dataDir, 'log.sqlite'))
  const documents = await openEmbeddedDocuments(dataDir, { onFailure: () => {} })
  const append = appending(log, sealVault(documents.vault, keys))
  const players: string[] = []
  const beganMs = Date.now() - count
  let made = 0
  const event = (stream: string, revision: number, type: string, data: object, meta: object): StoredEvent => {
    const time = new Date(beganMs + made++).toISOString()
    const common = { v: 1, game, command: randomUUID(), actor: null, request: null, time }
    return {
      position: '',
      stream,
      revision,
      id: randomUUID(),
      type,
      data: data as StoredEvent['data'],
      meta: { ...meta, ...common },
    }
  }
  while (made < count) {
    const some = Array.from({ length: 500 }, (_, n) => idOf(players.length + n))
    players.push(...some)
    const events = some.map((player) =>
      event(
        `player-${player}`,
        0,
        'PlayerCreated',
        { name: `P ${player.slice(-4)}`, guest: true, externalId: null },
        { player },
      ),
    )
    for (let n = 0; n < EACH; n++) {
      for (const player of some) {
        const data = {
          id: idOf(made + 50_000_000),
          score: `${(made * 7919) % 9}.${made % 99_991}1`,
          secondary: null,
          extra,
          playerName: null,
        }
        events.push(event(`lb_${board}-${player}`, n, 'ScoreSubmitted', data, { board, player }))
      }
    }
    await append(events)
    report(`${made} of ${count} events made`)
  }
  await log.close()
  await documents.close()
  return players
}

/** 24 characters of a–z and 2–7, as ids have. */
function idOf(n: number): string {
  return n
    .toString(32)
    .padStart(24, '0')
    .replace(/[0-9a-v]/g, (digit) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(digit, 32)] ?? '')
}
