// What the log says about submissions of many calls: each is recorded once, and its answer is the one that follows from
// the events of its player on its leaderboard up to it. Submissions are recognised by the name in their extra data.

import type { StoredEvent } from '../../domain/event.ts'
import type { ScoreSubmittedData } from '../../domain/score.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { Body } from '../front-door/http-client.ts'
import { canonical, scaled } from '../model/big-decimal.ts'

/** What the entry of a player shows; `every`: the leaderboard has an entry for each submission. */
export type Shows = 'every' | 'best' | 'latest' | 'total'

export const BOARD_SETTINGS: Readonly<Record<Shows, object>> = {
  every: { unique: false },
  best: {},
  latest: { keep: 'latest' },
  total: { keep: 'total' },
}

export interface Named {
  readonly name: string
  /** `lastingPart` of its result. */
  readonly answer: string | null
}

const PAGE = 1_000

/** The extra data of a submission with this name. */
export const extraDataOf = (name: string) => ({ row: name })

/** A result without its rank, which a repeat answers as it is now. */
export function lastingPart({ status, submitted, improved, score }: Body): string {
  const { id, player, score: value, extra_data, added, updated } = score
  return JSON.stringify({ status, submitted, improved, id, player, score: value, extra_data, added, updated })
}

/** One line for each submission that is not in the log once or was answered in another way, and each unknown one. */
export async function answerFaults(
  log: Pick<Log, 'readAll'>,
  shows: ReadonlyMap<string, Shows>,
  submissions: Iterable<Named>,
): Promise<string[]> {
  const due = await dueAnswers(log, shows)
  const faults: string[] = []
  for (const { name, answer } of submissions) {
    const [first, ...more] = due.get(name) ?? []
    if (first === undefined) faults.push(`${name} was answered ${answer} and is lost`)
    else if (more.length > 0) faults.push(`${name} is recorded ${more.length + 1} times`)
    else if (first !== answer) faults.push(`${name} was answered ${answer}, and the log says ${first}`)
    due.delete(name)
  }
  return [...faults, ...[...due.keys()].map((name) => `${name} is recorded and was never answered`)]
}

/** Name -> the answer of each time that it is recorded. */
async function dueAnswers(
  log: Pick<Log, 'readAll'>,
  shows: ReadonlyMap<string, Shows>,
): Promise<Map<string, string[]>> {
  const due = new Map<string, string[]>()
  const entries = new Map<string, Shown>()
  for await (const event of allEvents(log)) {
    if (event.type !== 'ScoreSubmitted') continue
    const own = event.data as unknown as ScoreSubmittedData
    const { name, answer, shown } = answerAfter(
      shows.get(event.meta.board ?? '') ?? 'best',
      entries.get(event.stream),
      {
        ...own,
        player: event.meta.player ?? '',
        time: event.meta.time,
      },
    )
    entries.set(event.stream, shown)
    due.set(name, [...(due.get(name) ?? []), answer])
  }
  return due
}

/** What an entry shows. */
interface Shown {
  readonly id: string
  readonly score: string
  readonly extra: string | null
  readonly added: string
  readonly updated: string
}

type Own = ScoreSubmittedData & { readonly player: string; readonly time: string }

function answerAfter(shows: Shows, before: Shown | undefined, own: Own) {
  const sum = canonical(scaled(own.score) + scaled(before?.score ?? '0'))
  const value = shows === 'total' ? sum : own.score
  const improved = before === undefined || scaled(value) > scaled(before.score)
  const isFirst = before === undefined || shows === 'every'
  const replaced: Shown = {
    id: isFirst ? own.id : before.id,
    score: value,
    extra: own.extra,
    added: isFirst ? own.time : before.added,
    updated: own.time,
  }
  const isShown = improved || shows === 'latest' || shows === 'total'
  const shown = isShown ? replaced : (before as Shown)
  const answer = lastingPart({
    status: isFirst ? 201 : 200,
    submitted: isFirst ? own.id : null,
    improved,
    score: { ...shown, player: own.player, extra_data: JSON.parse(shown.extra ?? 'null') },
  })
  return { name: JSON.parse(own.extra ?? '{}').row as string, answer, shown }
}

/** All events, in their order. */
export async function* allEvents(log: Pick<Log, 'readAll'>): AsyncIterable<StoredEvent> {
  for (let after: string | null = null; ; ) {
    const events: StoredEvent[] = await log.readAll(after, PAGE)
    yield* events
    if (events.length === 0) return
    after = events.at(-1)?.position ?? null
  }
}
