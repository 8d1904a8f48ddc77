// Finds a text in the bytes of all files of a folder.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/**
 * The names of files that contain the text, in any case, in plain, base64 or hexadecimal, or have it in their names.
 */
export function filesContaining(folder: string, text: string): string[] {
  const bytes = Buffer.from(text)
  const spellings = [text, text.toLowerCase(), text.toUpperCase(), bytes.toString('hex')]
  for (const skipped of [0, 1, 2]) {
    const inside = bytes.subarray(skipped)
    spellings.push(inside.subarray(0, inside.length - (inside.length % 3)).toString('base64'))
  }
  return filesBelow(folder).filter((file) => {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return false
    const content = file + readFileSync(file, 'latin1')
    return spellings.some((one) => content.includes(one))
  })
}
