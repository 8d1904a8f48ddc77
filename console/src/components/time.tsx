import { localTime, utcTime } from '../format.ts'

/** A time in the reader's zone. `TimeTip` shows it in UTC on hover and focus. */
export function Time({ at, seconds = true }: { readonly at: string; readonly seconds?: boolean }) {
  return (
    <time dateTime={at} tabIndex={0} data-utc={utcTime(at)}>
      {localTime(at, seconds)}
    </time>
  )
}
