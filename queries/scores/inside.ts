// Where an index of windows is asked, whatever is ranked in it.

import type { WindowIndex } from '../../ranking/window-index.ts'
import type { Entry } from './entry.ts'
import type { Reader } from './reader.ts'

export interface Inside {
  readonly reader: Reader
  readonly index: WindowIndex
  /** Unix milliseconds. */
  readonly since: number
  readonly until: number
  /** The entries of members, in their order; null where they are not there so. */
  entriesOf(members: readonly string[]): Promise<Entry[] | null>
  /** A player's inside, best first. */
  entriesOfPlayer(player: string): Promise<Entry[]>
}
