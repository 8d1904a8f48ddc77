// Opens the groups of stores of an installation one after the other.

import type { DocumentStores, LogStores, MemoryStores, OpenedStores } from '../contract/stores.ts'

interface Closing {
  close(): Promise<void>
}

interface Openers {
  readonly log: () => Promise<LogStores>
  readonly documents: () => Promise<DocumentStores>
  readonly memory: (documents: DocumentStores) => Promise<MemoryStores>
}

/** Opens one group after the other; if one fails, closes those before it. */
export async function openTogether({ log, documents, memory }: Openers): Promise<OpenedStores> {
  const open: Closing[] = []
  const kept = async <Part extends Closing>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening
    open.unshift(part)
    return part
  }
  /** Closes all, even if one fails; rejects with the first failure. */
  const close = async () => {
    const closed: PromiseSettledResult<void>[] = []
    for (const part of open) closed.push(...(await Promise.allSettled([part.close()])))
    for (const one of closed) if (one.status === 'rejected') throw one.reason
  }
  try {
    const [inLog, inDocuments] = [await kept(log()), await kept(documents())]
    return { ...inLog, ...inDocuments, ...(await kept(memory(inDocuments))), close }
  } catch (failure) {
    // The error of the open matters more than an error of the close.
    await close().catch(() => {})
    throw failure
  }
}
