// The download size of the client in a web page, which every game pays: entry points as esbuild bundles them,
// compressed.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { build } from 'esbuild'

const CLIENT = fileURLToPath(new URL('../../../clients/javascript', import.meta.url))

async function compressedBytes(...files: readonly string[]): Promise<number> {
  const contents = files.map((file) => `export * from './${file}.ts'`).join('\n')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: CLIENT, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

describe('the size of the client package', () => {
  it('is at most 8,192 bytes for games', async () => {
    expect(await compressedBytes('game-client')).to.be.within(4_000, 8_192)
  })

  it('is at most 11,264 bytes for games with an outbox', async () => {
    expect(await compressedBytes('game-client', 'outbox')).to.be.within(5_000, 11_264)
  })
})

describe('the version of the client package', () => {
  it('is the version of the server', () => {
    const version = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version
    expect(version('../../../clients/javascript/package.json')).to.equal(version('../../../package.json'))
  })
})
