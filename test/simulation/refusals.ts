// What routes refuse before they send a command, and when they must not: a repeated call is answered as its first one was,
// though what it was about may be gone by then.

import type { Intent } from '../../commands/intent.ts'
import { Refusal } from '../../domain/decider.ts'
import type { Running } from './node.ts'

export function notFound(what: 'game' | 'key' | 'leaderboard' | 'player' | 'score'): Refusal {
  return new Refusal('not_found', `${what}_not_found`, `There is no such ${what}.`)
}

/** Whether this node's views know the call as one that was recorded. */
export async function isRepeat(node: Running, intent: Intent): Promise<boolean> {
  const [seen] = await node.queries.views.get(node.queries.viewKey('commands'), 'commands', [intent.command])
  return seen !== null
}
