// Run before `npm start`: builds when there is no build, or when a source file is newer than it.

import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const NOT_SOURCES = new Set(['node_modules', 'dist', 'data', '.git', 'test', 'bench', 'docs'])

function newest(folder) {
  let latest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) latest = NOT_SOURCES.has(entry.name) ? latest : Math.max(latest, newest(path))
    else if (/\.ts$|^tsconfig.*\.json$|^package\.json$/.test(entry.name)) {
      latest = Math.max(latest, statSync(path).mtimeMs)
    }
  }
  return latest
}

const built = statSync(`${root}dist/.built`, { throwIfNoEntry: false })?.mtimeMs ?? 0
if (newest(root.replace(/\/$/, '')) > built) {
  process.stderr.write('Building ...\n')
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${root}dist/.built`, '')
}
