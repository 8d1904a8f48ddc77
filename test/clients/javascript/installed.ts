// The client package as `npm pack` makes it, built from the sources, and installed into a folder.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

/** The path of the tarball, in this folder. */
export async function packClient(folder: string): Promise<string> {
  const build = await mkdtemp(join(tmpdir(), 'scorebook-client-'))
  try {
    for (const file of ['package.json', 'README.md', 'LICENSE'])
      await cp(join(ROOT, 'clients/javascript', file), join(build, file))
    await run(process.execPath, [TSC, '-p', join(ROOT, 'clients/javascript'), '--outDir', join(build, 'dist')], {
      cwd: ROOT,
    })
    const { stdout } = await run('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: build })
    return join(folder, stdout.trim())
  } finally {
    await rm(build, { recursive: true, force: true })
  }
}

/** Unpacks the package into `node_modules` of this folder, as an installation without dependencies does. */
export async function installClient(folder: string): Promise<void> {
  const tarball = await packClient(folder)
  const installed = join(folder, 'node_modules/@scorebook/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  await rm(tarball)
}
