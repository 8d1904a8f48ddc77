import { useState } from 'preact/hooks'
import type { Api, RankedScore, ScoreExplanation } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Name } from '../components/name.tsx'
import { Pager } from '../components/paged-table.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { whole } from '../format.ts'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import { rulesIn } from './use-rules.ts'

interface WhyDialogProps {
  readonly api: Api
  readonly score: RankedScore
  readonly onClose: () => void
}

const effects: Readonly<Record<string, string>> = texts.why.effects

const PAGE = 20

/** The events that explain a score, in the order of the log; of a total its submissions, newest first, in pages. */
export function WhyDialog({ api, score, onClose }: WhyDialogProps) {
  const [offset, setOffset] = useState(0)
  const why = useLoad(`why ${score.id} ${offset}`, () => api.why(score.id, { limit: PAGE, offset }), { keeps: true })
  const title = (
    <>
      {texts.why.title} <Name name={score.player_name} id={score.player} whole />:{' '}
      <span class="number">{score.score}</span>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Shown of={why}>
        {({ events, left_out: leftOut = 0, ...page }) => (
          <>
            {isPage(page) && <p class="soft">{texts.why.total(page.count, whole(page.count))}</p>}
            <ol class="timeline" aria-busy={why.isLoading}>
              {leftOut > 0 && <li class="soft">{texts.why.leftOut(leftOut)}</li>}
              {events.map((one) => (
                <Explained key={one.event.position} {...one} />
              ))}
            </ol>
            {isPage(page) && <Pager page={page} onOffset={setOffset} />}
          </>
        )}
      </Shown>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  )
}

type PageOf = Pick<ScoreExplanation, 'count' | 'offset' | 'limit' | 'next_offset'>

/** Whether the explanation is that of a total, which comes in pages. */
const isPage = (page: PageOf): page is { [Name in keyof PageOf]-?: Exclude<PageOf[Name], undefined> } =>
  page.count !== undefined

/** One event, what it did, and with which score or rules. */
function Explained({ effect, event }: ScoreExplanation['events'][number]) {
  const rules = rulesIn(event)
  const { score, secondary } = event.data
  return (
    <li>
      <p class="explained">
        <strong>{effects[effect] ?? effect}</strong>
        {typeof score === 'string' && <span class="number">{score}</span>}
        {typeof secondary === 'string' && (
          <span>
            <span class="soft">{texts.board.columns.secondary}</span> <span class="number">{secondary}</span>
          </span>
        )}
        <span class="soft">
          <Time at={event.time} />
        </span>
      </p>
      {rules !== null && <p class="soft">{texts.rules.inWords(rules)}</p>}
      <details>
        <summary>{event.type}</summary>
        <JsonView value={event} label={event.type} />
        {typeof event.meta.request === 'string' && (
          <a href={to.history({ request: event.meta.request })}>{texts.history.ofRequest}</a>
        )}
      </details>
    </li>
  )
}
