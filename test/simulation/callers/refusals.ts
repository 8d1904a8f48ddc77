// Refusals that routes make before they send a command.

import { Refusal } from '../../../domain/decider.ts'

export function notFound(what: 'game' | 'key' | 'leaderboard' | 'player' | 'score'): Refusal {
  return new Refusal('not_found', `${what}_not_found`, `There is no such ${what}.`)
}
