// Several appends at once, by any log.

import type { Append, AppendResult, Log } from '../contract/log.ts'

/** As `Log.appendAll`. */
export const appendAll = (
  log: Pick<Log, 'append' | 'appendAll'>,
  appends: readonly Append[],
): readonly Promise<AppendResult>[] =>
  log.appendAll?.(appends) ?? appends.map(({ stream, expected, events }) => log.append(stream, expected, events))
