import type { GameEvent } from '../api.ts'
import { rulesIn } from '../board/use-rules.ts'
import { Dialog } from '../components/dialog.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { textIn } from './event-fields.ts'

interface EventDialogProps {
  readonly event: GameEvent
  readonly onClose: () => void
}

/** One event in full. */
export function EventDialog({ event, onClose }: EventDialogProps) {
  const request = textIn(event.meta, 'request')
  const rules = rulesIn(event)
  return (
    <Dialog title={event.type} onClose={onClose} wide>
      <p>
        <Time at={event.time} />
      </p>
      {rules !== null && <p>{texts.rules.inWords(rules)}</p>}
      <JsonView value={event} label={event.type} />
      <div class="actions">
        {request !== null && (
          <a class="button" href={to.history({ request })} onClick={onClose}>
            {texts.history.ofRequest}
          </a>
        )}
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  )
}
