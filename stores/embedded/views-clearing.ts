// Removes the rows of dropped views in steps, so that other calls are served meanwhile: large views take seconds.

import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import type { ViewsFile } from './views-file.ts'
import type { ViewsRegister } from './views-register.ts'

/** Resolves when all views retired before the call are cleared. The rest is cleared when the file is next opened. */
export function createViewsClearing(file: ViewsFile, register: ViewsRegister): () => Promise<void> {
  let clearing: Promise<void> = Promise.resolve()

  async function clear(): Promise<void> {
    while (file.walCheckpoint !== null) await file.walCheckpoint
    if (!file.db.isOpen) return
    file.settle()
    for (const _ of register.clearing()) {
      file.checkpointWalIfDue()
      await yieldToEventLoop()
      while (file.walCheckpoint !== null) await file.walCheckpoint
      if (!file.db.isOpen) return
      file.settle()
    }
  }

  return () => {
    clearing = clearing.catch(() => {}).then(clear)
    return clearing
  }
}
