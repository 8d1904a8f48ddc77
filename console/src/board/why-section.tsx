import { useState } from 'preact/hooks'
import type { Api, RankedScore, ScoreExplanation } from '../api.ts'
import { JsonView } from '../components/json-view.tsx'
import { Pager } from '../components/paged-table.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { localDecimal } from '../decimals.ts'
import { textIn } from '../history/event-fields.ts'
import { type KeyNames, useKeyNames } from '../history/names.ts'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import { rulesIn } from './use-rules.ts'

interface WhySectionProps {
  readonly api: Api
  readonly game: string | null
  readonly score: RankedScore
}

const PAGE = 20

/** Why a score has its value, as sentences in the order of the log; of a total its submissions, newest first. */
export function WhySection({ api, game, score }: WhySectionProps) {
  const [offset, setOffset] = useState(0)
  const why = useLoad(`why ${score.id} ${score.updated} ${offset}`, () => api.why(score.id, { limit: PAGE, offset }), {
    keeps: true,
    tags: ['board', `player:${score.player}`],
  })
  const keys = useKeyNames(game)
  return (
    <Shown of={why}>
      {({ events, left_out: leftOut = 0, ...page }) => (
        <>
          {isPage(page) && <p class="soft">{texts.why.total(page.count)}</p>}
          <ol class="timeline" aria-busy={why.isLoading}>
            {leftOut > 0 && <li class="soft">{texts.why.leftOut(leftOut)}</li>}
            {events.map((one, at) => (
              <Explained key={one.event.position} {...one} before={scoreBefore(events, at)} keys={keys} />
            ))}
          </ol>
          {isPage(page) && <Pager page={page} onOffset={setOffset} />}
        </>
      )}
    </Shown>
  )
}

type PageOf = Pick<ScoreExplanation, 'count' | 'offset' | 'limit' | 'next_offset'>

/** Whether the explanation is that of a total, which comes in pages. */
const isPage = (page: PageOf): page is { [Name in keyof PageOf]-?: Exclude<PageOf[Name], undefined> } =>
  page.count !== undefined

type Explanation = ScoreExplanation['events'][number]

const scoreIn = ({ event }: Explanation): string | null => textIn(event.data, 'score')

/** The score that an event replaced; null if there was none. */
function scoreBefore(events: readonly Explanation[], at: number): string | null {
  const before = events.slice(0, at).findLast((one) => scoreIn(one) !== null)
  return before === undefined ? null : scoreIn(before)
}

interface ExplainedProps extends Explanation {
  readonly before: string | null
  readonly keys: KeyNames
}

/** One event, as a sentence. */
function Explained({ effect, event, before, keys }: ExplainedProps) {
  const actor = textIn(event.meta, 'actor')
  const request = textIn(event.meta, 'request')
  return (
    <li>
      <p>{sentenceOf({ effect, event, before, by: actor === null ? null : (keys.get(actor)?.name ?? actor) })}</p>
      <p class="soft small">
        <Time at={event.time} />
      </p>
      <details>
        <summary>{event.type}</summary>
        <JsonView value={event} label={event.type} />
        {request !== null && <a href={to.history({ request })}>{texts.history.ofRequest}</a>}
      </details>
    </li>
  )
}

interface Sentence extends Explanation {
  readonly before: string | null
  /** The name of the key that recorded the event; null: the service. */
  readonly by: string | null
}

function sentenceOf({ effect, event, before, by }: Sentence): string {
  const { sentences } = texts.why
  const rules = rulesIn(event)
  if (rules !== null) return sentences.rules(texts.rules.inWords(rules))
  const { score, secondary } = event.data
  const local = (value: unknown) => (typeof value === 'string' ? localDecimal(value) : null)
  const submitted = sentences.submitted(local(score) ?? '', local(secondary), by)
  const old = before === null ? null : localDecimal(before)
  switch (effect) {
    case 'began':
      return submitted
    case 'counted':
      return sentences.counted(submitted)
    case 'improved':
      return old === null ? submitted : sentences.improved(submitted, old)
    case 'replaced':
      return old === null ? submitted : sentences.replaced(submitted, old)
    case 'removed':
      return sentences.removed(by)
    case 'hidden':
      return sentences.hidden(by)
    case 'shown':
      return sentences.shown(by)
    default:
      return event.type
  }
}
