// The rules of a leaderboard over time, and the rule change that runs now.

import type { Api, LeaderboardRules, Rebuild } from '../api.ts'
import { may } from '../session.ts'
import { type Loaded, useLoad } from '../use-load.ts'
import { previousRules, rulesIn } from './rules-history.ts'

export interface RulesState {
  /** When the leaderboard was created, ISO 8601; null without the permission to read the history. */
  readonly created: string | null
  /** The rules before those in force; null if there are none. */
  readonly previous: LeaderboardRules | null
  /** The running or the last rule change; null if there was none. */
  readonly change: Rebuild | null
}

const RUNNING_MS = 1_000
/** Somebody waits for the end of a change. */
const RUNNING_PAUSE_FACTOR = 2
const IDLE_MS = 15_000

export const isRunning = (change: Rebuild | null): boolean => change?.state === 'queued' || change?.state === 'running'

/** `runs`: whether a change is known to run, so that its progress is read often. */
export function useRules(api: Api, game: string | null, board: string, runs: boolean): Loaded<RulesState> {
  const read = async (): Promise<RulesState> => {
    if (game === null || !may(`gm:${game}:history`)) return { created: null, previous: null, change: null }
    const rulesOf = async (type: string) => {
      const events: { time: string; rules: LeaderboardRules | null }[] = []
      for await (const event of api.eventsOnce(game, { board, type })) {
        events.push({ time: event.time, rules: rulesIn(event) })
      }
      return events
    }
    const [created, requested] = await Promise.all([
      rulesOf('LeaderboardCreated'),
      rulesOf('LeaderboardRulesRequested'),
    ])
    const change = requested.length > 0 && may(`lb:${board}:configure`) ? await api.rebuildOf(board) : null
    // After the state of the change: the events of one that is done are recorded then.
    const changed = await rulesOf('LeaderboardRulesChanged')
    const applied = [...created, ...changed].flatMap(({ rules }) => (rules === null ? [] : [rules]))
    return { created: created[0]?.time ?? null, previous: previousRules(applied), change }
  }
  return useLoad(`rules ${board}`, read, {
    ...(runs ? { everyMs: RUNNING_MS, pauseFactor: RUNNING_PAUSE_FACTOR } : { everyMs: IDLE_MS }),
    keeps: true,
  })
}
