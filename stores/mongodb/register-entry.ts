// The form of an entry in the register of views.

import type { Checkpoint } from '../contract/views.ts'

export interface Entry {
  /** The view's key. */
  readonly _id: string
  readonly generation: string
  readonly collections: readonly Registered[]
  /** `p<partition>` -> checkpoint. */
  readonly checkpoints: Readonly<Record<string, StoredCheckpoint>>
  /**
   * `p<partition>`, or `all` for every partition -> number of commits that may have changed documents, not only added
   * some. Each is counted with the checkpoint that covers it. Absent if there was none.
   */
  readonly changes?: Readonly<Record<string, number>>
}

export interface Registered {
  readonly name: string
  /** JSON of the declared indexes; empty while its rows are being rewritten for new indexes. */
  readonly indexes: string
}

export interface StoredCheckpoint extends Checkpoint {
  /** Whether its writer counts changes: earlier versions of this program do not. */
  readonly counts?: true
}

/** The name of the count for every partition. */
export const ALL_CHANGES = 'all'
