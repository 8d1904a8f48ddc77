import { useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { TextField } from '../components/fields.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Empty, Failed, Loading, NoPermission } from '../components/states.tsx'
import { whole } from '../format.ts'
import { EVENTS_MAX, type EventFilter, useFeed } from '../history/event-feed.ts'
import { EventTable } from '../history/event-table.tsx'
import { currentSearch, go } from '../navigation.ts'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { streamProgram } from '../snippets.ts'
import { texts } from '../texts.ts'

const FIELDS = ['type', 'player', 'board', 'request'] as const

function filterIn(search: URLSearchParams): EventFilter {
  return Object.fromEntries(FIELDS.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])))
}

/** What was recorded in the game, as it is recorded. */
export function HistoryPage({ session: { api, game } }: { readonly session: Session }) {
  const filter = filterIn(currentSearch())
  const needed = `gm:${game ?? '<game>'}:history`
  const isPermitted = game !== null && may(needed)
  const query = { ...filter, limit: EVENTS_MAX }
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/events/?${search}`,
    typescript: streamProgram('events', [game, query]),
  }
  return (
    <>
      <PageHead title={texts.pages.history} about={texts.history.about} call={isPermitted ? call : undefined} />
      {isPermitted ? (
        <>
          <FilterForm key={JSON.stringify(filter)} filter={filter} />
          <Events api={api} game={game} filter={filter} />
        </>
      ) : (
        <NoPermission needed={needed} />
      )}
    </>
  )
}

/** The filter is part of the address, so that it can be sent to somebody. */
function FilterForm({ filter }: { readonly filter: EventFilter }) {
  const [draft, setDraft] = useState<EventFilter>(filter)
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault()
        go(to.history({ ...draft }))
      }}
    >
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={texts.history.fields[name]}
          value={draft[name] ?? ''}
          onValue={(value) => setDraft({ ...draft, [name]: value.trim() })}
        />
      ))}
      <div class="actions row-of-actions">
        <button type="submit">{texts.history.show}</button>
        <button type="button" class="quiet" onClick={() => go(to.history({}))}>
          {texts.history.clear}
        </button>
      </div>
    </form>
  )
}

interface EventsProps {
  readonly api: Api
  readonly game: string
  readonly filter: EventFilter
}

function Events({ api, game, filter }: EventsProps) {
  const [isPaused, setPaused] = useState(false)
  const [times, setTimes] = useState(0)
  return (
    <Feed
      key={times}
      api={api}
      game={game}
      filter={filter}
      isPaused={isPaused}
      onPaused={setPaused}
      onRetry={() => setTimes((before) => before + 1)}
    />
  )
}

interface FeedProps extends EventsProps {
  readonly isPaused: boolean
  readonly onPaused: (isPaused: boolean) => void
  readonly onRetry: () => void
}

function Feed({ api, game, filter, isPaused, onPaused, onRetry }: FeedProps) {
  const feed = useFeed(api, game, filter, isPaused)
  if (feed === null) return <Loading />
  const { events, dropped, error, isFollowing } = feed
  if (events.length === 0 && error !== null) return <Failed error={error} onRetry={onRetry} />
  const state = isPaused ? texts.history.paused : isFollowing ? texts.history.following : texts.history.reconnecting
  return (
    <>
      <div class="actions">
        <ActionButton onAct={() => onPaused(!isPaused)}>
          {isPaused ? texts.history.follow : texts.board.pause}
        </ActionButton>
        <span class="soft">
          {state} {texts.history.count(whole(events.length), dropped > 0)}
        </span>
      </div>
      {events.length === 0 ? (
        <Empty title={texts.history.none}>
          <p>{Object.keys(filter).length === 0 ? texts.history.noneAbout : texts.history.noMatchAbout}</p>
        </Empty>
      ) : (
        <EventTable api={api} game={game} events={events} />
      )}
    </>
  )
}
