// What a reader of the specification would keep on paper of buckets, folders, files and quotas.

import type { StoredEvent } from '../../domain/event.ts'

export class ModelFiles {
  happen(_event: StoredEvent): string[] {
    return []
  }
}
