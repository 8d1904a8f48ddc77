// Removes from node_modules what a server never loads: source maps, types, sources and builds for other platforms. License
// texts stay. Prints the size that is left. Used by the Dockerfile: trim-modules.mjs <folder>...

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const NEVER_LOADED = /\.(map|tsbuildinfo|flow|cc|cpp|h|gyp|gypi)$|\.d\.[cm]?ts$|(?<!\.d)\.[cm]?ts$/i
const PAGES = /\.(md|markdown)$/i
const LEGAL = /^(licen[cs]e|notice|copying|copyright|authors)/i
const HERE = `${process.platform}-${process.arch}`

let bytes = 0
function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (folder.endsWith('/prebuilds') && entry.name !== HERE) rmSync(path, { recursive: true })
      else if (isSourceOfNative(folder, entry.name)) rmSync(path, { recursive: true })
      else trim(path)
    } else if (!entry.isFile()) continue
    else if (!LEGAL.test(entry.name) && (NEVER_LOADED.test(entry.name) || PAGES.test(entry.name))) rmSync(path)
    else bytes += statSync(path).size
  }
}

/** The C++ sources of a package that ships prebuilt binaries. */
function isSourceOfNative(folder, name) {
  if (name !== 'src') return false
  try {
    return readFileSync(join(folder, 'package.json'), 'utf8').includes('"prebuilds') && readdirSync(folder).includes('binding.gyp')
  } catch {
    return false
  }
}

for (const folder of process.argv.slice(2)) trim(folder)
process.stdout.write(`${(bytes / 2 ** 20).toFixed(1)} MiB left\n`)
