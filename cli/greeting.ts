// The greeting of a start in development: the address, the key file, and three commands to try next, which work for any
// port, host and data folder.

import { invocation, localUrl } from './target.ts'

interface Started {
  /** The listening address and the public one. */
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly dataDir: string
  /** Path of the operator key file. */
  readonly operatorFile: string | null
  /** The admin port if it is not the usual one, which was taken. */
  readonly movedAdminPort: number | null
}

export function greetingLines(started: Started, version: string): string[] {
  const { host, port, publicUrl, dataDir, operatorFile, movedAdminPort } = started
  const url = localUrl(host, port)
  const command = invocation({ url, dataDir })
  const elsewhere =
    new URL(publicUrl).origin === new URL(url).origin || isOwnDefault(host, publicUrl) ? null : publicUrl
  const lines = ['', `Scorebook ${version} is ready at ${url}`]
  if (elsewhere !== null) lines.push(`The public address is ${elsewhere}`)
  if (movedAdminPort !== null) {
    lines.push(`The usual ADMIN_PORT is taken: metrics and health are at ${localUrl(host, movedAdminPort)}`)
  }
  if (operatorFile !== null) lines.push(`The operator key is in ${operatorFile}`)
  lines.push('', 'Next, in another terminal, in this folder:')
  // One command per line without a comment behind it, because zsh would pass that as arguments.
  lines.push('', '  Create a demo game with players and scores:', `    ${command} demo`)
  lines.push('  Create your own game:', `    ${command} game create "My game"`)
  lines.push('  List all API calls:', `    curl ${url}/api/openapi.json`, '')
  return lines
}

/** Without PUBLIC_URL the public address derives from HOST and PORT, and is not worth printing (PORT 0 means any). */
function isOwnDefault(host: string, publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return hostname === host || hostname === `[${host}]`
}
