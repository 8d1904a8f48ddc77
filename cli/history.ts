// `scorebook history …`: a game's events as lines of JSON, to its end or as they come.

import type { EventsQuery } from '../client/history.ts'
import { does, type Invoked, type Shell, withExamples } from './command.ts'
import { asGame } from './connection.ts'

interface Filters extends Omit<EventsQuery, 'limit' | 'follow'> {
  readonly limit?: string
}

export function historyCommands(shell: Shell): void {
  const group = shell.program.command('history').description('a game’s recorded events, one a line')
  for (const [name, follow, about] of [
    ['export', false, 'all events, or those that the options leave, to the end of the history'],
    ['follow', true, 'the same, and then each event as it comes'],
  ] as const) {
    const command = group
      .command(name)
      .description(about)
      .option('--from <position>', 'after this position, as an event had it')
      .option('--since <time>', 'from this date or datetime on')
      .option('--type <type>', 'events of one type, such as ScoreSubmitted')
      .option('--board <id>', 'events of one leaderboard')
      .option('--player <id>', 'events of one player')
      .option('--limit <number>', 'so many at most')
    if (!follow) command.option('--until <time>', 'before this datetime, or to the end of this day')
    withExamples(command, follow ? 'history follow --type ScoreSubmitted' : 'history export > events.ndjson')
    does<Filters>(shell, command, async (invoked) => {
      await print(invoked, follow)
      return null
    })
  }
}

async function print({ terminal, place, options }: Invoked<Filters>, follow: boolean): Promise<void> {
  const { client, game } = await asGame(place)
  const { from, since, until, type, board, player, limit } = options
  const given = Object.entries({ from, since, until, type, board, player }).filter(([, value]) => value !== undefined)
  const number = limit === undefined ? {} : { limit: Number(limit) }
  const query: EventsQuery = { ...Object.fromEntries(given), ...number, follow }
  for await (const event of client.events(game, query)) terminal.out(JSON.stringify(event))
}
