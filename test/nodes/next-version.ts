// A second version of the program: the built one, with a higher version of one view.

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtProgram } from '../crash/build.ts'

export interface NextVersion {
  /** Its command line. */
  readonly program: string
  /** The view's keys in the built program and in this one. */
  readonly before: string
  readonly after: string
}

const VIEW = 'entries'
const VERSION = new RegExp(`(name: '${VIEW}',\\s+version: )(\\d+)`)

export function nextVersion(): NextVersion {
  const built = dirname(dirname(builtProgram()))
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-next-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const modules = join(built, 'node_modules')
  cpSync(built, folder, { recursive: true, filter: (path) => path !== modules })
  symlinkSync(modules, join(folder, 'node_modules'))
  const path = join(folder, 'projections', `${VIEW}.js`)
  const text = readFileSync(path, 'utf8')
  const version = Number(VERSION.exec(text)?.[2])
  if (Number.isNaN(version)) throw new Error(`${path} names no version`)
  writeFileSync(path, text.replace(VERSION, `$1${version + 1}`))
  return {
    program: join(folder, 'cli/main.js'),
    before: `${VIEW}@${version}`,
    after: `${VIEW}@${version + 1}`,
  }
}
