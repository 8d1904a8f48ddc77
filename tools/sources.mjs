// The files that the built program depends on.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE =
  /\.(tsx?|css|html|svg)$|^(vite\.config|bundle)\.mjs$|^tsconfig.*\.json$|^(package|package-lock|examples)\.json$/
const NOT_SOURCES = new Set(['node_modules', 'dist', 'data', 'test', 'bench', 'docs', 'deploy'])

/** Their paths, always in the same order. */
export function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('.') || (entry.isDirectory() && NOT_SOURCES.has(entry.name))) return []
      if (entry.isDirectory()) return sourcesIn(path)
      return SOURCE.test(entry.name) ? [path] : []
    })
}
