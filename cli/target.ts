// The target of a command: the server, the data folder with its keys, and how to type the next command for the same
// target.

import { UsageFault } from './failure.ts'
import { printable, type Terminal } from './terminal.ts'

export interface GlobalOptions {
  readonly url?: string
  readonly keyFile?: string
  readonly game?: string
  readonly json?: boolean
}

export interface Target {
  readonly url: string
  readonly dataDir: string
  readonly keyFile: string | null
  readonly game: string | null
  /** Prefix of suggested commands: `npx scorebook`, with the variables and options that select this target. */
  readonly invocation: string
}

const USUAL_DATA_DIR = './data'
const USUAL_PORT = '8080'
const USUAL_HOST = '127.0.0.1'

/** Throws UsageFault if --url is invalid. The configuration reports faults of the environment. */
export function targetOf({ env }: Terminal, options: GlobalOptions): Target {
  const dataDir = env.DATA_DIR?.trim() || USUAL_DATA_DIR
  const url = options.url ?? localUrl(env.HOST?.trim() || USUAL_HOST, env.PORT?.trim() || USUAL_PORT)
  const named = options.url !== undefined
  if (named && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))) {
    throw new UsageFault(`${printable(url)} is not the URL of a server. Pass one such as http://127.0.0.1:8080.`)
  }
  return {
    url,
    dataDir,
    keyFile: options.keyFile ?? null,
    game: options.game ?? null,
    invocation: invocation({ url, dataDir }),
  }
}

/** The URL of a server on this machine that listens on a host and port. */
export function localUrl(host: string, port: string | number): string {
  if (host === '0.0.0.0' || host === '*') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** `npx scorebook`, with data folder and address if they are not the defaults. */
export function invocation({ url, dataDir }: { readonly url: string; readonly dataDir: string }): string {
  const before = dataDir === USUAL_DATA_DIR ? '' : `DATA_DIR=${quoted(dataDir)} `
  const after = url === localUrl(USUAL_HOST, USUAL_PORT) ? '' : ` --url ${quoted(url)}`
  return `${before}npx scorebook${after}`
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
