// Bundles the server and the command line, without the packages they use, into a folder: bundle.mjs <folder>. What is loaded on demand
// stays in files of its own. Beside each file is its source map, by which traces name the sources.

import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Name the folder to write to: node tools/bundle.mjs dist\n')
  process.exit(2)
}

// Sets the exit code itself: it prints what is wrong, and throws.
buildSync({
  absWorkingDir: root,
  entryPoints: ['cli/main.ts'],
  outbase: '.',
  outdir: folder,
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})
// Read from beside the chunk that uses it.
copyFileSync(`${root}/http/openapi/examples.json`, `${folder}/chunks/examples.json`)
