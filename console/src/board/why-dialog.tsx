import type { Api, RankedScore } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Name } from '../components/name.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

interface WhyDialogProps {
  readonly api: Api
  readonly score: RankedScore
  readonly onClose: () => void
}

const effects: Readonly<Record<string, string>> = texts.why.effects

/** The events that explain a score, in the order of the log. */
export function WhyDialog({ api, score, onClose }: WhyDialogProps) {
  const why = useLoad(`why ${score.id}`, () => api.why(score.id))
  const title = (
    <>
      {texts.why.title} <Name name={score.player_name} id={score.player} whole />: {score.score}
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Shown of={why}>
        {({ events, left_out: leftOut = 0 }) => (
          <ol class="timeline">
            {leftOut > 0 && <li class="soft">{texts.why.leftOut(leftOut)}</li>}
            {events.map(({ effect, event }) => (
              <li key={event.position}>
                <p>
                  <strong>{effects[effect] ?? effect}</strong> <Time at={event.time} />
                </p>
                <details>
                  <summary>{event.type}</summary>
                  <JsonView value={event} label={event.type} />
                  {typeof event.meta.request === 'string' && (
                    <a href={to.history({ request: event.meta.request })}>{texts.history.ofRequest}</a>
                  )}
                </details>
              </li>
            ))}
          </ol>
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
