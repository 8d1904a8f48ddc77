// The final report of the demo: the leaderboards, a top ten, the neighbours of one player, and commands to try next.

import type { Client, PlayerClient } from '../clients/javascript/connect.ts'
import type { Bucket } from '../clients/javascript/file-shapes.ts'
import type { RoomInfo } from '../clients/javascript/rooms.ts'
import type { Leaderboard } from '../clients/javascript/score-shapes.ts'
import { rulesText } from './board.ts'
import { aroundLines, scoreLines } from './board-scores.ts'
import type { Answer } from './command.ts'
import { SAVES } from './demo-files.ts'
import { formatInteger } from './progress.ts'
import type { Target } from './target.ts'
import { textTable } from './text-table.ts'

const TOP = 10
const AROUND = 5

interface DemoResult {
  readonly target: Target
  readonly columns: number
  readonly game: string
  readonly client: Client
  readonly boards: readonly Leaderboard[]
  readonly guests: readonly PlayerClient[]
  /** Whether the server keeps running after the demo. */
  readonly isServed: boolean
  /** Null if no file could be stored. */
  readonly bucket: Bucket | null
  /** The listed rooms. */
  readonly rooms: readonly RoomInfo[]
}

export async function reportLines(result: DemoResult): Promise<Answer> {
  const { target, columns, game, client, boards, guests, bucket, rooms, isServed } = result
  const present = await Promise.all(boards.map(({ id }) => client.leaderboard(id)))
  const shown = present[0] as Leaderboard
  const top = await client.scores(shown.id, { limit: TOP })
  const middle = await client.scores(shown.id, { limit: 1, offset: Math.floor(shown.entries / 2) })
  const player = middle.scores[0]?.player ?? guests[0]?.player.id ?? ''
  const around = await client.scores(shown.id, { around: player, limit: AROUND })
  const name = around.scores.find(({ player: one }) => one === player)?.player_name ?? 'a player'
  const lines = [
    '',
    ...textTable(
      [
        { title: 'leaderboard' },
        { title: 'name' },
        { title: 'entries', align: 'right' },
        { title: 'rules', mayCut: true },
      ],
      present.map((board) => [board.id, board.name, formatInteger(board.entries), rulesText(board)]),
      columns,
    ),
    '',
    `Top ten of "${shown.name}":`,
    '',
    ...scoreLines(top.scores, columns),
    '',
    `Around ${name}:`,
    '',
    ...aroundLines(around, columns),
    '',
    ...(isServed ? [] : [`Start the server to see the game: ${target.invocation} serve`, '']),
    'Commands to try next:',
    ...nextLines(result, present, player).map((line) => `  ${line}`),
  ]
  return { json: { game, leaderboards: present, players: guests.length, top, around, bucket, rooms }, lines }
}

function nextLines({ target, game, bucket }: DemoResult, boards: readonly Leaderboard[], player: string): string[] {
  const { invocation: command } = target
  const [high, laps, runs] = boards
  return [
    `${command} board top ${high?.id} --limit 20`,
    `${command} board top ${runs?.id} --order newest --limit 5`,
    `${command} board around ${laps?.id} ${player}`,
    `${command} score submit ${high?.id} 99999.000000000000000001 --player ${player}`,
    `${command} board around ${high?.id} ${player} --limit 3`,
    `${command} player list --name otter --game ${game}`,
    ...(bucket === null ? [] : [`${command} bucket ls ${bucket.id} ${SAVES}`]),
    `${command} rooms watch ${game}`,
  ]
}
