// Opens the parts of an installation's stores one after the other.

import type { DocumentStores, LogStores, MemoryStores, OpenedStores } from '../contract/stores.ts'

interface Closing {
  close(): Promise<void>
}

export interface Openers {
  readonly log: () => Promise<LogStores>
  readonly documents: () => Promise<DocumentStores>
  readonly memory: () => Promise<MemoryStores>
}

/** Opens one part after the other; where one does not open, those before it are closed again. */
export async function openTogether({ log, documents, memory }: Openers): Promise<OpenedStores> {
  const open: Closing[] = []
  const kept = async <Part extends Closing>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening
    open.unshift(part)
    return part
  }
  /** Closes each, even if others fail; rejects with the first failure. */
  const close = async () => {
    const closed: PromiseSettledResult<void>[] = []
    for (const part of open) closed.push(...(await Promise.allSettled([part.close()])))
    for (const one of closed) if (one.status === 'rejected') throw one.reason
  }
  try {
    return { ...(await kept(log())), ...(await kept(documents())), ...(await kept(memory())), close }
  } catch (failure) {
    // Why it could not be opened matters more than that it could not be closed.
    await close().catch(() => {})
    throw failure
  }
}
