import { open } from 'node:fs/promises'

/** Makes the creations, renames and removals of entries in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
