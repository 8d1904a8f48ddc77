import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { GameEvent } from '../api.ts'
import { rulesIn } from '../board/use-rules.ts'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { Time } from '../components/time.tsx'
import { VirtualTable } from '../components/virtual-table.tsx'
import { PlayerById } from '../player/player-by-id.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { textIn } from './event-fields.ts'
import type { Names } from './names.ts'
import { isPeopleType } from './people-events.ts'
import { longestDigits, peopleLayout } from './people-layout.ts'
import { useOpenEvent } from './use-open-event.tsx'

interface PeopleTableProps {
  readonly names: Names
  /** Oldest first; the table shows the newest first. */
  readonly events: readonly GameEvent[]
}

const { columns } = texts.history
const COLUMNS = 3

/** What people did, newest first, in sentences with names. */
export function PeopleTable({ names, events }: PeopleTableProps) {
  const [open, dialog] = useOpenEvent(events)
  const digits = useMemo(() => longestDigits(events), [events])
  const row = (index: number) => {
    const event = events[events.length - 1 - index]
    if (event === undefined) return null
    return (
      <tr key={event.position} aria-rowindex={index + 2}>
        <td>
          <Time at={event.time} />
        </td>
        <td class="sentence">
          <Sentence event={event} names={names} />
        </td>
        <td class="actions-cell">
          <button type="button" class="quiet" onClick={() => open(event)}>
            {texts.history.details}
          </button>
        </td>
      </tr>
    )
  }
  return (
    <>
      <VirtualTable
        label={texts.history.tabs.people}
        head={
          <>
            <th scope="col">{columns.time}</th>
            <th scope="col">{columns.what}</th>
            <th scope="col" class="right">
              {texts.common.actions}
            </th>
          </>
        }
        columns={COLUMNS}
        count={events.length}
        row={row}
        layout={(width) => peopleLayout(digits, width)}
        look="people"
      />
      {dialog}
    </>
  )
}

/** What is done to a leaderboard, not on it. */
const WHOLE_BOARD: ReadonlySet<string> = new Set(['LeaderboardCreated', 'LeaderboardArchived'])

/** Who did what to whom. */
function Sentence({ event, names }: { readonly event: GameEvent; readonly names: Names }) {
  const { type, data, meta } = event
  if (!isPeopleType(type)) return <Name name={type} id={type} />
  const [board, player, actor] = ['board', 'player', 'actor'].map((name) => textIn(meta, name))
  const key = names.keys.get(actor ?? '')
  // A game's client calls for the player who is signed in to it.
  const isOwn = player != null && key?.kind === 'client'
  const { verb, own = verb } = texts.history.people[type] as { readonly verb: string; readonly own?: string }
  const parts: ComponentChildren[] = [
    isOwn ? <PlayerById id={player} /> : <Name name={key?.name} id={actor ?? texts.history.service} />,
    isOwn ? own : verb,
  ]
  if (player != null && !isOwn) parts.push(<PlayerById id={player} />)
  const isOfBoard = WHOLE_BOARD.has(type)
  const what = isOfBoard ? null : detailOf(event, names)
  if (what !== null) parts.push(what)
  if (board != null) {
    if (!isOfBoard) parts.push(texts.history.on)
    parts.push(
      <a href={to.leaderboard(board)}>
        <Name name={names.boards.get(board)} id={board} />
      </a>,
    )
  }
  const rules = type === 'LeaderboardRulesRequested' ? rulesIn({ data }) : null
  if (rules !== null) parts.push(<span class="soft">{texts.rules.inWords(rules)}</span>)
  return (
    <>
      {parts.map((part, at) => (
        <span key={at}>{part} </span>
      ))}
    </>
  )
}

/** The text that the event is about: a score, a name, a path, a reason. */
function detailOf({ type, data, stream }: GameEvent, names: Names): ComponentChildren {
  const score = textIn(data, 'score')
  if (score !== null) return <NumberText value={score} />
  const text = textIn(data, 'path') ?? textIn(data, 'reason')
  if (text !== null) return <bdi class="wrap">{text}</bdi>
  const name = textIn(data, 'name')
  if (name !== null && type !== 'PlayerCreated') return <Name name={name} id={name} />
  if (!type.startsWith('Key')) return null
  const prefix = stream.slice('key-'.length)
  return <Name name={names.keys.get(prefix)?.name} id={prefix} />
}
