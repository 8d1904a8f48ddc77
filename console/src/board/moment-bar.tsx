import { useEffect, useState } from 'preact/hooks'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { instantAt, type Moment, POSITIONS } from './use-moment.ts'

interface MomentBarProps {
  readonly moment: Moment
  /** Why it cannot play; null if it can. */
  readonly unplayable: string | null
  /** Whether the table shows the wanted instant. */
  readonly isShown: boolean
}

/** Positions per step while it plays, and the least time that each is shown. */
const PLAY_STEP = 10
const PLAY_MS = 150

/** Chooses the instant that the board is shown at, and plays the board's past. */
export function MomentBar({ moment, unplayable, isShown }: MomentBarProps) {
  const { span, wanted: position, move: onPosition } = moment
  const [isPlaying, setPlaying] = useState(false)
  const instant = instantAt(span, position)

  useEffect(() => {
    if (!isPlaying || !isShown) return
    if (position >= POSITIONS) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => onPosition(Math.min(POSITIONS, position + PLAY_STEP)), PLAY_MS)
    return () => clearTimeout(timer)
  }, [isPlaying, isShown, position, onPosition])

  const play = () => {
    if (unplayable !== null) return toast(unplayable, 'bad')
    if (!isPlaying && position >= POSITIONS) onPosition(0)
    setPlaying(!isPlaying)
  }
  const move = (to: number) => {
    setPlaying(false)
    onPosition(to)
  }
  return (
    <section class={`panel ${instant === null ? '' : 'past'}`} aria-label={texts.board.moment}>
      <div class="moment">
        <button type="button" onClick={play} aria-disabled={unplayable === null ? undefined : true}>
          {isPlaying ? texts.board.pause : texts.board.play}
        </button>
        <input
          type="range"
          aria-label={texts.board.moment}
          min={0}
          max={POSITIONS}
          step={1}
          value={position}
          aria-valuetext={instant ?? texts.board.now}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
        <span class="moment-at">{instant === null ? texts.board.live : <Time at={instant} />}</span>
        {instant !== null && (
          <button type="button" class="quiet" onClick={() => move(POSITIONS)}>
            {texts.board.backToNow}
          </button>
        )}
      </div>
    </section>
  )
}
