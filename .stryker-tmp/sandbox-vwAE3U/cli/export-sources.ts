// Where the events of an export come from: one game's history or the whole log from a running server, or the stores
// themselves; and how far each of them is.

import type { Manifest } from '../archive/manifest.ts'
import type { EventsQuery, GameEvent, LogHead } from '../client/history.ts'
import { type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { wholeLog } from '../queries/whole-log.ts'
import { shareOf } from '../stores/support/share-of-log.ts'
import { asGame, asOperator } from './authenticated-clients.ts'
import type { OwnStores } from './own-stores.ts'
import type { Target } from './target.ts'

/** Pages of events, how far they go, and what the manifest says of where they are from. */
export interface Source {
  readonly scope: Manifest['scope']
  /** Asked once the pages are at their end. */
  installation(): string | null
  /** To the end, or less where `ending` says so. */
  pages(ending: AbortSignal): AsyncIterable<readonly StoredEvent[]>
  /** Of the whole, up to this event; null where it is not known. */
  share(last: StoredEvent): number | null
}

/** Events that are gathered from an answer before they are written. */
const PAGE = 500

/** One game's, as its server key may read it. How far it is, is estimated by the events' times. */
export async function ofGame(place: Target, query: EventsQuery): Promise<Source> {
  const { client, game } = await asGame(place)
  let first: number | null = null
  const end = query.until === undefined || Number.isNaN(Date.parse(query.until)) ? Date.now() : Date.parse(query.until)
  const filters = Object.entries(query).map(([name, value]) => [name, String(value)])
  return {
    scope: { game, filters: Object.fromEntries(filters) },
    installation: () => null,
    pages: (ending) => paged(client.events(game, query, ending)),
    share: ({ meta }) => {
      const at = Date.parse(meta.time)
      first ??= at
      return end > first ? (at - first) / (end - first) : null
    },
  }
}

/** Everything, as the operator's key may read it. */
export async function ofServer(place: Target): Promise<Source> {
  const operator = await asOperator(place)
  let log: LogHead | null = null
  const heard = (told: LogHead) => {
    log = told
  }
  const known = () => log
  return {
    scope: { whole: true },
    installation: () => known()?.installation ?? null,
    pages: (ending) => paged(operator.wholeLog(heard, ending)),
    share: ({ position }) => shareUpTo(position, known()?.head),
  }
}

/** Everything, as it lies. */
export async function ofStores({ stores, keys }: OwnStores): Promise<Source> {
  const head = await stores.log.head()
  return {
    scope: { whole: true },
    installation: () => keys.installation,
    pages: () => wholeLog(stores.log, null, head),
    share: ({ position }) => shareUpTo(position, head),
  }
}

const shareUpTo = (position: Position, head: Position | null | undefined): number | null =>
  head ? shareOf(position, head) : null

async function* paged(events: AsyncIterable<GameEvent>): AsyncGenerator<readonly StoredEvent[]> {
  let page: StoredEvent[] = []
  for await (const event of events) {
    page.push(unsafeCast<StoredEvent>(event))
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
