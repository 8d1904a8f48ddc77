// The sources of an export with their progress: one game's history or the whole log from a running server, or the whole
// log from the stores.

import type { EventsQuery, GameEvent, LogHead } from '../clients/javascript/history.ts'
import { type Position, type StoredEvent, unsafeCast } from '../domain/event.ts'
import { dayStartMs, instantMs } from '../domain/iso-input.ts'
import type { Manifest } from '../portability/export/manifest.ts'
import { wholeLog } from '../queries/whole-log.ts'
import { shareOf } from '../stores/support/positions.ts'
import { asGame, asOperator } from './authenticated-clients.ts'
import type { OwnStores } from './own-stores.ts'
import type { Target } from './target.ts'

/** Pages of events, their progress, and the manifest fields about the source. */
export interface Source {
  readonly scope: Manifest['scope']
  /** Call it after the last page. */
  installation(): string | null
  /** Ends at the end of the events, or when `ending` aborts. */
  pages(ending: AbortSignal): AsyncIterable<readonly StoredEvent[]>
  /** The share up to this event; null if unknown. */
  share(last: StoredEvent): number | null
}

const PAGE = 500

/** One game's history, read with its server key. The share is estimated from the events' times. */
export async function ofGame(target: Target, query: EventsQuery): Promise<Source> {
  const { client, game } = await asGame(target)
  let first: number | null = null
  const until = query.until ?? ''
  const end = instantMs(until) ?? dayStartMs(until) ?? Date.now()
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

/** The whole log, read with the operator key. */
export async function ofServer(target: Target): Promise<Source> {
  const operator = await asOperator(target)
  let log: LogHead | null = null
  const onHead = (received: LogHead) => {
    log = received
  }
  const known = () => log
  return {
    scope: { whole: true },
    installation: () => known()?.installation ?? null,
    pages: (ending) => paged(operator.wholeLog(onHead, ending)),
    share: ({ position }) => shareUpTo(position, known()?.head),
  }
}

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
