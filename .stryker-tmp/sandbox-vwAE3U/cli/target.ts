// Where a command works: which server it talks to, which data folder holds its keys, and how one would type the next
// command so that it works in the same place.

import { UsageFault } from './failure.ts'
import { printable, type Terminal } from './terminal.ts'

/** Options that every command takes. */
export interface GlobalOptions {
  readonly url?: string
  readonly keyFile?: string
  readonly game?: string
  readonly json?: boolean
}

export interface Target {
  readonly url: string
  readonly dataDir: string
  /** The key to use, where one was named. */
  readonly keyFile: string | null
  /** The game meant, where one was named. */
  readonly game: string | null
  /** What to put before the next command: `npx scorebook`, or that with what makes it meet this place. */
  readonly invocation: string
}

const USUAL_DATA_DIR = './data'
const USUAL_PORT = '8080'
const USUAL_HOST = '127.0.0.1'

/** Throws UsageFault where --url is no address. What is wrong with the environment is the configuration's to say. */
export function placeOf({ env }: Terminal, options: GlobalOptions): Target {
  const dataDir = env.DATA_DIR || USUAL_DATA_DIR
  const url = options.url ?? localUrl(env.HOST || USUAL_HOST, env.PORT || USUAL_PORT)
  const named = options.url !== undefined
  if (named && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))) {
    throw new UsageFault(`${printable(url)} is no address of a server: give one such as http://127.0.0.1:8080.`)
  }
  return {
    url,
    dataDir,
    keyFile: options.keyFile ?? null,
    game: options.game ?? null,
    invocation: invocation({ url, dataDir }),
  }
}

/** How to reach a server on this machine that listens on a host and port. */
export function localUrl(host: string, port: string | number): string {
  if (host === '0.0.0.0' || host === '*') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** `npx scorebook` with the data folder and the address before and after it, where they are not the usual ones. */
export function invocation({ url, dataDir }: { readonly url: string; readonly dataDir: string }): string {
  const before = dataDir === USUAL_DATA_DIR ? '' : `DATA_DIR=${quoted(dataDir)} `
  const after = url === localUrl(USUAL_HOST, USUAL_PORT) ? '' : ` --url ${quoted(url)}`
  return `${before}npx scorebook${after}`
}

/** As one word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
