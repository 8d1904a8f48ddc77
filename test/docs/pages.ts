// The pages of the documentation and the examples in them: a code block after `<!-- example: name -->`.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLE = /<!-- example: ([\w-]+) -->\n```(\w+)\n([\s\S]*?)\n```/g
/**
 * Blocks of these languages run as they are. `sh` is for commands with placeholders, or that change the reader's
 * machine.
 */
const RUNNABLE = /^```(bash|js|html)\n/gm

/** The README and the pages of `docs/` with examples. analysts.md has its own runner. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  ['README.md', ...['start.md', 'tutorials', 'how-to'].flatMap((path) => markdownBelow(`docs/${path}`))].map((page) => [
    page,
    readFileSync(`${ROOT}${page}`, 'utf8'),
  ]),
)

function markdownBelow(path: string): string[] {
  if (path.endsWith('.md')) return [path]
  return readdirSync(`${ROOT}${path}`, { withFileTypes: true }).flatMap((entry) =>
    markdownBelow(`${path}/${entry.name}`),
  )
}

const EXAMPLES: ReadonlyMap<string, string> = new Map(
  [...PAGES.values()].flatMap((text) => [...text.matchAll(EXAMPLE)].map(([, name = '', , code = '']) => [name, code])),
)

export const exampleNames = (): string[] => [...EXAMPLES.keys()].sort()

export function example(name: string): string {
  const code = EXAMPLES.get(name)
  if (code === undefined) throw new Error(`no page has the example ${name}`)
  return code
}

/** Pages with a block that could run and is no example, or with two examples of one name. */
export function pagesWithUnnamedBlocks(): string[] {
  return [...PAGES].flatMap(([page, text]) =>
    (text.match(RUNNABLE) ?? []).length === [...text.matchAll(EXAMPLE)].length ? [] : [page],
  )
}
