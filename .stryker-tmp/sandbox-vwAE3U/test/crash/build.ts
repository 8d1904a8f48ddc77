// The program as it is shipped, built once for all crash tests of this process: starting it from source would take far
// longer, many times over.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let built: string | null = null

/** The path of the built command line. */
export function builtProgram(): string {
  if (built !== null) return built
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-built-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', folder, '--declaration', 'false']
  execFileSync(process.execPath, [compiler, ...options], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n')
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  built = join(folder, 'cli/main.js')
  return built
}
