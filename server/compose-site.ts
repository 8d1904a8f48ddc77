// The pages for browsers that this process serves: which files they are made of, and which origins the console calls.

import { basename, join } from 'node:path'
import { createSite, type Site } from '../http/site/site.ts'
import { readStaticFiles } from '../http/site/static-files.ts'
import { VERSION } from '../runtime/version.ts'
import { linksOrigin } from '../stores/s3/address.ts'
import type { Config } from './config.ts'

/** The folder of a build; the program may run from it, or from the sources beside it. */
const PROGRAM = join(import.meta.dirname, '..')
export const BUILD = basename(PROGRAM) === 'dist' ? PROGRAM : join(PROGRAM, 'dist')

type SiteConfig = Pick<Config, 'console' | 'publicUrl' | 'realtimeUrl' | 's3Url'>

/** `build`: the folder with the built pages. */
export async function openSite(config: SiteConfig, build: string = BUILD): Promise<Site> {
  return createSite({
    version: VERSION,
    console: config.console ? await readStaticFiles(join(build, 'console')) : 'off',
    consoleOrigins: consoleOrigins(config),
  })
}

/**
 * The API, the rooms, and the store of files. The page itself may have been opened under another name of this server.
 */
export function consoleOrigins({ publicUrl, realtimeUrl, s3Url }: SiteConfig): string[] {
  const rooms = new URL(realtimeUrl ?? publicUrl)
  const sockets = `${rooms.protocol === 'https:' ? 'wss:' : 'ws:'}//${rooms.host}`
  const files = s3Url === null ? [] : [linksOrigin(s3Url)]
  return [new URL(publicUrl).origin, rooms.origin, sockets, ...files]
}
