import { useState } from 'preact/hooks'
import { ActionButton } from '../components/action-button.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Empty, Failed, Loading, NoPermission } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { whole } from '../format.ts'
import { type Accept, EVENTS_MAX, type EventFilter, useFeed } from '../history/event-feed.ts'
import { EventTable } from '../history/event-table.tsx'
import { FilterForm } from '../history/filter-form.tsx'
import { type Names, useNames } from '../history/names.ts'
import { isByPeople } from '../history/people-events.ts'
import { PeopleTable } from '../history/people-table.tsx'
import { chosenText, instant, oneOf } from '../parameters.ts'
import { may, type Session } from '../session.ts'
import { streamProgram } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useIsNarrow } from '../use-is-narrow.ts'

const SHOWN = {
  show: oneOf('people', 'all'),
  type: chosenText(),
  player: chosenText(),
  board: chosenText(),
  request: chosenText(),
  since: instant(),
  until: instant(),
}

const { tabs } = texts.history

/** What was recorded in the game, as it is recorded: what people did, and all events. */
export function HistoryPage({ session: { api, game } }: { readonly session: Session }) {
  const [{ show, ...shown }, setShown] = useAddress(SHOWN)
  const filter: EventFilter = Object.fromEntries(Object.entries(shown).filter(([, value]) => value))
  const isNarrow = useIsNarrow()
  const needed = `gm:${game ?? '<game>'}:history`
  const isPermitted = game !== null && may(needed)
  const names = useNames(isPermitted ? game : null)
  const query = { ...filter, limit: EVENTS_MAX }
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/events/?${search}`,
    typescript: streamProgram('events', [game, query]),
  }
  // Of one request each event is of interest.
  const isAll = show === 'all' || shown.request !== ''
  const content = isPermitted && (
    <div class="stack">
      <details class="filter-place" open={!isNarrow || Object.keys(filter).length > 0}>
        <summary>{texts.history.filter}</summary>
        <FilterForm
          key={JSON.stringify([isAll, filter])}
          boards={names.boards}
          filter={filter}
          isAll={isAll}
          onFilter={(next) => setShown({ ...NOTHING, ...next, show: isAll ? 'all' : 'people' })}
        />
      </details>
      <Events key={`${isAll}`} api={api} game={game} names={names} filter={filter} isAll={isAll} />
    </div>
  )
  return (
    <>
      <PageHead title={texts.pages.history} about={texts.history.about} call={isPermitted ? call : undefined} />
      {isPermitted ? (
        <Tabs
          label={texts.pages.history}
          tabs={[
            { name: tabs.people, content },
            { name: tabs.all, content },
          ]}
          shown={isAll ? tabs.all : tabs.people}
          onShown={(name) => setShown(name === tabs.all ? { show: 'all' } : { show: 'people', request: '', type: '' })}
        />
      ) : (
        <NoPermission needed={needed} />
      )}
    </>
  )
}

const NOTHING = { type: '', player: '', board: '', request: '', since: null, until: null }

interface EventsProps {
  readonly api: Session['api']
  readonly game: string
  readonly names: Names
  readonly filter: EventFilter
  readonly isAll: boolean
}

function Events(props: EventsProps) {
  const [isPaused, setPaused] = useState(false)
  const [times, setTimes] = useState(0)
  return (
    <Feed
      key={times}
      {...props}
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

const acceptAll: Accept = () => true

function Feed({ api, game, names, filter, isAll, isPaused, onPaused, onRetry }: FeedProps) {
  const feed = useFeed(api, game, { filter, accept: isAll ? acceptAll : isByPeople, isPaused })
  if (feed === null) return <Loading />
  const { events, dropped, error, isFollowing } = feed
  if (events.length === 0 && error !== null) return <Failed error={error} onRetry={onRetry} />
  const isOfPast = filter.until !== undefined
  const state = isPaused ? texts.history.paused : isFollowing ? texts.history.following : texts.history.reconnecting
  return (
    <>
      <div class="actions">
        {!isOfPast && (
          <ActionButton onAct={() => onPaused(!isPaused)}>
            {isPaused ? texts.history.follow : texts.board.pause}
          </ActionButton>
        )}
        <span class="soft">
          {isOfPast ? '' : state} {texts.history.count(whole(events.length), dropped > 0)}
          {isOfPast && events.length === EVENTS_MAX && ` ${texts.history.firstOfRange}`}
        </span>
      </div>
      {events.length === 0 ? (
        <Empty title={texts.history.none}>
          <p>{Object.keys(filter).length === 0 ? texts.history.noneAbout : texts.history.noMatchAbout}</p>
        </Empty>
      ) : isAll ? (
        <EventTable names={names} events={events} />
      ) : (
        <PeopleTable names={names} events={events} />
      )}
    </>
  )
}
