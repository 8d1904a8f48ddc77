// What happened to a leaderboard, for marks on the track of the slider "Moment" and on charts.

import { useMemo, useRef } from 'preact/hooks'
import type { Api, GameEvent, Season } from '../api.ts'
import { textIn } from '../history/event-fields.ts'
import { usePlayerNames } from '../player/player-names.ts'
import { may } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import type { AppliedRules } from './use-rules.ts'

export interface Mark {
  readonly kind: 'rules' | 'season' | 'ban' | 'deletion'
  /** ISO 8601. */
  readonly time: string
  /** What happened, and to whom. */
  readonly text: string
  readonly player: string | null
}

/** The newest bans and deletions. */
const MARKS_MAX = 200
const EVERY_MS = 5_000
/** Later reads skip most of the history. */
const PAUSE_FACTOR = 5
/** Later reads begin so long before the last one: clocks differ, and events appear a moment after their time. */
const OVERLAP_MS = 60_000
const NO_EVENTS: readonly GameEvent[] = []

interface MarksOf {
  readonly api: Api
  readonly game: string | null
  readonly board: string
  readonly applied: readonly AppliedRules[]
  readonly seasons: readonly Season[]
  /** Whether bans and deletions are read, too: this reads the whole history of the game. */
  readonly withPlayers: boolean
}

/** The marks of a leaderboard, in order of time. */
export function useMarks({ api, game, board, applied, seasons, withPlayers }: MarksOf): readonly Mark[] {
  const mayRead = game !== null && may(`gm:${game}:history`)
  const known = useRef<ReadonlyMap<string, GameEvent>>(new Map())
  const readMs = useRef<number | null>(null)
  const read = async (): Promise<readonly GameEvent[]> => {
    const began = Date.now()
    const since = readMs.current === null ? {} : { since: new Date(readMs.current - OVERLAP_MS).toISOString() }
    const added = await Promise.all([
      newest(api, game ?? '', { type: 'PlayerBanned', ...since }),
      newest(api, game ?? '', { type: 'PlayerUnbanned', ...since }),
      newest(api, game ?? '', { type: 'ScoreDeleted', board, ...since }),
    ])
    readMs.current = began
    const all = new Map([...known.current, ...added.flat().map((event) => [event.id, event] as const)])
    const last = [...all.values()].toSorted((x, y) => (x.time < y.time ? -1 : 1)).slice(-MARKS_MAX)
    known.current = new Map(last.map((event) => [event.id, event]))
    return last
  }
  const events = useLoad(mayRead && withPlayers ? `marks ${board}` : null, read, {
    everyMs: EVERY_MS,
    pauseFactor: PAUSE_FACTOR,
    keeps: true,
    tags: ['player', `board:${board}`],
  })
  const ofPlayers = events.value ?? NO_EVENTS
  const names = usePlayerNames(ofPlayers.map(playerOf))
  return useMemo(() => {
    const marks: Mark[] = [
      ...applied.slice(1).map(({ time }): Mark => ({ kind: 'rules', time, text: texts.marks.rules, player: null })),
      ...seasons
        .filter(({ state }) => state !== 'open')
        .map(
          ({ season, ends }): Mark => ({ kind: 'season', time: ends, text: texts.marks.season(season), player: null }),
        ),
      ...ofPlayers.map((event): Mark => {
        const player = playerOf(event)
        const what = texts.marks[event.type as 'PlayerBanned']
        const kind = event.type === 'ScoreDeleted' ? 'deletion' : 'ban'
        return { kind, time: event.time, text: what(names.get(player) ?? player), player }
      }),
    ]
    return marks.toSorted((a, b) => (a.time < b.time ? -1 : 1))
  }, [applied, seasons, ofPlayers, names])
}

const playerOf = ({ meta }: Pick<GameEvent, 'meta'>): string => textIn(meta, 'player') ?? ''

async function newest(
  api: Pick<Api, 'eventsOnce'>,
  game: string,
  filter: { readonly type: string; readonly board?: string; readonly since?: string },
): Promise<GameEvent[]> {
  const events: GameEvent[] = []
  for await (const event of api.eventsOnce(game, filter)) {
    events.push(event)
    if (events.length > 2 * MARKS_MAX) events.splice(0, MARKS_MAX)
  }
  return events.slice(-MARKS_MAX)
}
