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
  const { wanted, moveTo } = moment
  const [isPlaying, setPlaying] = usePlaying(moment, isShown)
  const isNarrow = useIsNarrow()
  const play = () => {
    if (unplayable !== null) return toast(unplayable, 'bad')
    if (!isPlaying && moment.position >= POSITIONS) moment.movePosition(0)
    setPlaying(!isPlaying)
  }
  const choose = (instant: string | null) => {
    setPlaying(false)
    moveTo(instant)
  }
  const otherMoments = <GoTo moment={{ ...moment, moveTo: choose }} {...goTo} />
  return (
    <section class={`moment-bar ${wanted === null ? '' : 'past'}`} aria-label={texts.board.moment}>
      <div class="moment">
        <button type="button" onClick={play} aria-disabled={unplayable === null ? undefined : true}>
          {isPlaying ? texts.board.pause : texts.board.play}
        </button>
        <Track moment={moment} marks={marks} onStep={onStep} beforeMove={() => setPlaying(false)} onChoose={choose} />
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
          {otherMoments}
        </details>
      ) : (
        otherMoments
      )}
    </section>
  )
}

/** Whether the past plays: the next position once this one is shown, to the end. */
function usePlaying({ position, movePosition }: Moment, isShown: boolean) {
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    if (!isPlaying || !isShown) return
    if (position >= POSITIONS) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => movePosition(Math.min(POSITIONS, position + PLAY_STEP)), PLAY_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isShown, position])
  return [isPlaying, setPlaying] as const
}

interface TrackProps extends Pick<MomentBarProps, 'moment' | 'marks' | 'onStep'> {
  /** Called before the person moves it. */
  readonly beforeMove: () => void
  readonly onChoose: (instant: string | null) => void
}

/** The slider with its marks, between the buttons for one event back and forward. */
function Track({ moment, marks, onStep, beforeMove, onChoose }: TrackProps) {
  const { span, wanted, position, movePosition } = moment
  const [isStepping, setStepping] = useState(false)
  const step = async (direction: -1 | 1) => {
    if (isStepping) return
    beforeMove()
    setStepping(true)
    await onStep(direction).finally(() => setStepping(false))
  }
  return (
    <>
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
            beforeMove()
            movePosition(Number(event.currentTarget.value))
          }}
        />
        <MarkTrack span={span} marks={marks} onChoose={onChoose} />
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
    </>
  )
}
