// Several appends at once, by any log.

import type { Append, AppendResult, Log } from '../contract/log.ts'

/** As `Log.appendAll`. */
export const appendAll = (
  log: Pick<Log, 'append' | 'appendAll'>,
  appends: readonly Append[],
): readonly Promise<AppendResult>[] =>
  log.appendAll?.(appends) ?? appends.map(({ stream, expected, events }) => log.append(stream, expected, events))

/**
 * Sends the appends that passed a check together, by a function such as `Log.appendAll`; the promise of each other one
 * rejects with its Error. Calls nothing if none has passed.
 */
export function appendWithout<Ready>(
  checked: readonly (Ready | Error)[],
  send: (ready: readonly Ready[]) => readonly Promise<AppendResult>[],
): readonly Promise<AppendResult>[] {
  const ready = checked.filter((one): one is Ready => !(one instanceof Error))
  if (ready.length === checked.length) return send(ready)
  const sent = (ready.length === 0 ? [] : send(ready)).values()
  return checked.map((one) =>
    one instanceof Error ? Promise.reject(one) : (sent.next().value as Promise<AppendResult>),
  )
}
