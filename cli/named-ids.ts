// Ids in arguments and in --game: a name in their place is refused before a call, with the command that lists both.

import { hasIdForm, isBoardKey } from '../domain/board-key.ts'
import { UsageFault } from './failure.ts'
import { quoted } from './target.ts'
import { printable } from './terminal.ts'

const LISTS: Readonly<Record<string, (given: string) => string>> = {
  game: () => 'game list',
  leaderboard: () => 'board list',
  player: (given) => `player list --name ${quoted(printable(given))}`,
  bucket: () => 'bucket list',
}

/** `what`: the name of the argument; others than these are not ids. */
export function checkId(what: string, given: string, invocation: string): void {
  const list = LISTS[what]
  if (list === undefined || hasIdForm(given)) return
  const takesKey = what === 'leaderboard'
  if (takesKey && isBoardKey(given)) return
  throw new UsageFault(
    `"${printable(given)}" is not the id${takesKey ? ' or key' : ''} of a ${what}. Names and ids: ${invocation} ${list(given)}`,
  )
}
