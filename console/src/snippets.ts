// The calls of the pages as commands and programs to copy.

export interface ShownCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From `/api/` on, with query. */
  readonly path: string
  readonly body?: unknown
  /** The program, given the address of the server. */
  typescript(origin: string): string
}

/** A word for a POSIX shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** One command, which runs in bash as it is. */
export function curlCommand(origin: string, { method, path, body }: ShownCall, token: string): string {
  const parts = ['curl', '-sS']
  if (method !== 'GET') parts.push('-X', method)
  parts.push('-H', shellWord(`Authorization: Bearer ${token}`))
  if (body !== undefined)
    parts.push('-H', shellWord('Content-Type: application/json'), '-d', shellWord(JSON.stringify(body)))
  parts.push(shellWord(origin + path))
  return parts.join(' ')
}

/** A value as TypeScript source. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** `server.<method>(…)` as a program. */
export const program =
  (method: string, args: readonly unknown[]) =>
  (origin: string): string =>
    `${opening(origin)}
console.log(await server.${method}(${argumentsOf(args)}))
`

/** A program that prints each line of a stream. */
export const streamProgram =
  (method: string, args: readonly unknown[]) =>
  (origin: string): string =>
    `${opening(origin)}
for await (const line of server.${method}(${argumentsOf(args)})) console.log(line)
`

function argumentsOf(args: readonly unknown[]): string {
  return args
    .filter((value) => value !== undefined)
    .map(literal)
    .join(', ')
}

const CLIENT = '@scorebook/client/server'

const opening = (origin: string): string => `import { readFile } from 'node:fs/promises'
import { connect } from ${literal(CLIENT)}

const server = await connect({
  baseUrl: ${literal(origin)},
  // A file with the key: {"prefix", and "secret" or "private_key"}. Keep it outside the source.
  key: JSON.parse(await readFile('key.json', 'utf8')),
})
`
