// What a start in development says: where the service is, where its key lies, and three lines to type next that work
// from here, whatever the port, the host and the data folder.

import { invocation, localUrl } from './target.ts'

interface Started {
  /** The address listened on, and the one that answers name. */
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly dataDir: string
  /** Where it is. */
  readonly operatorFile: string | null
}

export function greetingLines({ host, port, publicUrl, dataDir, operatorFile }: Started, version: string): string[] {
  const url = localUrl(host, port)
  const command = invocation({ url, dataDir })
  const elsewhere =
    new URL(publicUrl).origin === new URL(url).origin || isOwnDefault(host, publicUrl) ? null : publicUrl
  const lines = ['', `Scorebook ${version} is ready at ${url}`]
  if (elsewhere !== null) lines.push(`To the world it is ${elsewhere}`)
  if (operatorFile !== null) lines.push(`The operator key is in ${operatorFile}`)
  lines.push('', 'Next, in another terminal, in this folder:')
  // Each on a line of its own, with no comment behind it: zsh would take that for arguments.
  lines.push('', '  A game with players and scores to look at:', `    ${command} demo`)
  lines.push('  A game of your own:', `    ${command} game create "My game"`)
  lines.push('  Every call there is:', `    curl ${url}/api/openapi.json`, '')
  return lines
}

/** Where PUBLIC_URL is not set it is made of HOST and PORT, and says nothing new (PORT 0 means any). */
function isOwnDefault(host: string, publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return hostname === host || hostname === `[${host}]`
}
