import { localTime, type Precision, utcTime } from '../format.ts'

/** A time in the reader's zone. `TimeTip` shows it in UTC on hover and focus. */
export function Time({ at, precision = 'second' }: { readonly at: string; readonly precision?: Precision }) {
  return (
    <time dateTime={at} tabIndex={0} data-utc={utcTime(at)}>
      {localTime(at, precision)}
    </time>
  )
}
