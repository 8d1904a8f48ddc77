// Builds the console into dist/console/, as static files for any server at /console/. `npx vite console` serves it for
// development, with the API of a running server: SCOREBOOK_URL, default http://127.0.0.1:8080.

import { renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = process.env.SCOREBOOK_URL ?? 'http://127.0.0.1:8080'
const proxy = { '/api': server, '/health': server, '/files': server }

const BUILDING = '.building'
/** Where the bundle is written, absolute, until it is whole. */
let building = ''
let isWritten = false
/** A server that starts meanwhile reads the build before this one, whole; a build that fails leaves that one in place. */
const replacing = {
  name: 'replace-build',
  apply: 'build',
  config: ({ build }) => ({ build: { outDir: build.outDir + BUILDING } }),
  configResolved: ({ root, build }) => {
    building = resolve(root, build.outDir)
  },
  writeBundle: () => {
    isWritten = true
  },
  closeBundle: () => {
    if (!isWritten) return
    const built = building.slice(0, -BUILDING.length)
    rmSync(built, { recursive: true, force: true })
    renameSync(building, built)
  },
}

export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  cacheDir: fileURLToPath(new URL('../node_modules/.vite-console', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [replacing],
  build: {
    outDir: fileURLToPath(new URL('../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
}
