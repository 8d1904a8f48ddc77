// A folder as the documentation has it: `npx scorebook` runs the built program, and `data` is the folder of a server.

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { builtProgram } from '../crash/build.ts'

export interface DocsFolder {
  readonly path: string
  /** The environment of a shell there. */
  readonly env: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** `url`: the server's address, for commands; `dataDir`: its folder. */
export async function docsFolder(url: string, dataDir: string): Promise<DocsFolder> {
  const path = await mkdtemp(join(tmpdir(), 'scorebook-docs-'))
  await symlink(dataDir, join(path, 'data'))
  await mkdir(join(path, 'bin'))
  const npx = `#!/bin/sh\n[ "$1" = scorebook ] || exit 9\nshift\nexec "${process.execPath}" "${builtProgram()}" "$@"\n`
  await writeFile(join(path, 'bin', 'npx'), npx)
  await chmod(join(path, 'bin', 'npx'), 0o755)
  const env = {
    PATH: [join(path, 'bin'), process.env.PATH].join(delimiter),
    HOME: path,
    PORT: new URL(url).port,
  }
  return { path, env, remove: () => rm(path, { recursive: true, force: true }) }
}
