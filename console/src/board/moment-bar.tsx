import { useEffect, useState } from 'preact/hooks'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { useIsNarrow } from '../use-is-narrow.ts'
import { GoTo, type GoToProps } from './go-to.tsx'
import { MarkTrack } from './mark-track.tsx'
import type { Mark } from './moment-marks.ts'
import { type Moment, POSITIONS } from './use-moment.ts'

interface MomentBarProps extends Omit<GoToProps, 'moment'> {
  readonly moment: Moment
  /** Why it cannot play; null if it can. */
  readonly unplayable: string | null
  /** Whether the table shows the wanted instant. */
  readonly isShown: boolean
  readonly marks: readonly Mark[]
  /** One event back (-1) or forward (1). */
  readonly onStep: (direction: -1 | 1) => Promise<void>
}

/** Positions per step while it plays, and the least time that each is shown. */
const PLAY_STEP = 10
const PLAY_MS = 150

/** Chooses the instant that the board is shown at, and plays the board's past. */
export function MomentBar({ moment, unplayable, isShown, marks, onStep, ...goTo }: MomentBarProps) {
  const { span, wanted, position, movePosition, moveTo } = moment
  const [isPlaying, setPlaying] = useState(false)
  const [isStepping, setStepping] = useState(false)
  const isNarrow = useIsNarrow()

  useEffect(() => {
    if (!isPlaying || !isShown) return
    if (position >= POSITIONS) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => movePosition(Math.min(POSITIONS, position + PLAY_STEP)), PLAY_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isShown, position])

  const play = () => {
    if (unplayable !== null) return toast(unplayable, 'bad')
    if (!isPlaying && position >= POSITIONS) movePosition(0)
    setPlaying(!isPlaying)
  }
  const step = async (direction: -1 | 1) => {
    if (isStepping) return
    setPlaying(false)
    setStepping(true)
    await onStep(direction).finally(() => setStepping(false))
  }
  const choose = (instant: string | null) => {
    setPlaying(false)
    moveTo(instant)
  }
  return (
    <section class={`moment-bar ${wanted === null ? '' : 'past'}`} aria-label={texts.board.moment}>
      <div class="moment">
        <button type="button" onClick={play} aria-disabled={unplayable === null ? undefined : true}>
          {isPlaying ? texts.board.pause : texts.board.play}
        </button>
        <button
          type="button"
          class="icon"
          aria-label={texts.board.eventBack}
          title={texts.board.eventBack}
          aria-busy={isStepping}
          onClick={() => step(-1)}
        >
          ‹
        </button>
        <div class="track">
          <input
            type="range"
            aria-label={texts.board.moment}
            min={0}
            max={POSITIONS}
            step={1}
            value={position}
            aria-valuetext={wanted ?? texts.board.now}
            onInput={(event) => {
              setPlaying(false)
              movePosition(Number(event.currentTarget.value))
            }}
          />
          <MarkTrack span={span} marks={marks} onChoose={choose} />
        </div>
        <button
          type="button"
          class="icon"
          aria-label={texts.board.eventForward}
          title={texts.board.eventForward}
          aria-disabled={wanted === null ? true : undefined}
          onClick={() => wanted !== null && step(1)}
        >
          ›
        </button>
        <span class="moment-at">{wanted === null ? texts.board.live : <Time at={wanted} />}</span>
        {wanted !== null && (
          <button type="button" class="quiet" onClick={() => choose(null)}>
            {texts.board.backToNow}
          </button>
        )}
      </div>
      {isNarrow ? (
        <details class="more-moments">
          <summary>{texts.board.otherMoments}</summary>
          <GoTo moment={{ ...moment, moveTo: choose }} {...goTo} />
        </details>
      ) : (
        <GoTo moment={{ ...moment, moveTo: choose }} {...goTo} />
      )}
    </section>
  )
}
