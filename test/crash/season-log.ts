// What a log says about leaderboards with seasons: the model after all of its events, what is wrong with them, and what
// each submission must have been answered.

import { type StoredEvent, unsafeCast } from '../../domain/event.ts'
import type { Log } from '../../stores/contract/log.ts'
import { happenToPeople } from '../simulation/model/happen-people.ts'
import { happenToSeasons } from '../simulation/model/happen-seasons.ts'
import { Model, type ModelBoard, newBoard, type Sent } from '../simulation/model/model.ts'
import type { Joined } from '../simulation/model/seasons.ts'
import { allEvents } from './recorded-answers.ts'

export interface ReadLog {
  readonly model: Model
  /** One line for each event that is not allowed in its state. */
  readonly faults: readonly string[]
  /** The `row` in the extra data of a submission -> what each time that it is recorded must have been answered. */
  readonly joined: ReadonlyMap<string, readonly (Joined | null)[]>
}

/** Leaderboards keep their rules, and scores are not deleted. */
export async function readSeasonLog(log: Pick<Log, 'readAll'>): Promise<ReadLog> {
  const model = new Model()
  const faults: string[] = []
  const joined = new Map<string, (Joined | null)[]>()
  for await (const event of allEvents(log)) {
    if (event.type === 'LeaderboardCreated') model.boards.set(event.meta.board ?? '', boardOf(event))
    if (event.stream.startsWith('player-')) faults.push(...happenToPeople(model, event))
    faults.push(...happenToSeasons(model, event))
    if (event.type !== 'ScoreSubmitted') continue
    const sent = sentIn(event)
    const row = String(JSON.parse(sent.extra ?? '{}').row)
    joined.set(row, [...(joined.get(row) ?? []), model.record(sent)])
  }
  return { model, faults, joined }
}

function boardOf({ data, meta }: StoredEvent): ModelBoard {
  const { name, rules } = unsafeCast<Pick<ModelBoard, 'name' | 'rules'>>(data)
  return newBoard({ game: meta.game ?? '', name, rules })
}

function sentIn({ data, meta }: StoredEvent): Sent {
  const { board = '', player = '', time } = meta
  return { ...unsafeCast<Sent>(data), board, player, time }
}
