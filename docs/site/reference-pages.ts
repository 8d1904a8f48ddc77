// The generated pages of the reference as Markdown. Pure functions of what the program says of itself.

import { z } from 'zod'
import { EVENT_SCHEMAS, schemaPath } from '../../http/event-schemas/all.ts'

export interface Help {
  /** Such as `['board', 'top']`. */
  readonly path: readonly string[]
  readonly text: string
}

const generated = (title: string, what: string) => `# ${title}\n\nGenerated from ${what} when the site is built.\n`

/** Options of every command, which its help repeats. */
const GLOBAL = /\n\nGlobal Options:\n(?: {2}.*\n?)+/

export function commandLinePage(whole: string, commands: readonly Help[]): string {
  const parts = commands.map(({ path, text }) => {
    const depth = path.length === 1 ? '##' : '###'
    return `${depth} ${path.join(' ')}\n\n\`\`\`text\n${text.replace(GLOBAL, '\n').trim()}\n\`\`\`\n`
  })
  return [
    generated('Command line', 'the help of each command'),
    `\`\`\`text\n${whole.trim()}\n\`\`\`\n`,
    ...parts,
  ].join('\n')
}

interface Variable {
  readonly name: string
  readonly usual: string
  readonly meaning: string
}

/** The variables that the help of `serve` lists: `NAME default   meaning`, with further lines indented. */
export function variablesIn(help: string): Variable[] {
  const lines = help.split(/\nEnvironment [^\n]*\n/)[1]?.split('\n') ?? []
  const found: Variable[] = []
  for (const line of lines) {
    const [, names = '', meaning = ''] = /^ {2}([A-Z].*?)(?: {2,}(.*))?$/.exec(line) ?? []
    if (names === '') {
      const last = found.pop()
      if (last !== undefined) found.push({ ...last, meaning: `${last.meaning} ${line.trim()}`.trim() })
      continue
    }
    for (const one of names.split(', ')) {
      const [name = '', ...usual] = one.split(' ')
      found.push({ name, usual: usual.join(' '), meaning })
    }
  }
  return found
}

/** Throws if the help and the configuration do not name the same variables. */
export function configurationPage(help: string, names: readonly string[]): string {
  const variables = variablesIn(help)
  const listed = variables.map(({ name }) => name)
  const differing = [...names.filter((one) => !listed.includes(one)), ...listed.filter((one) => !names.includes(one))]
  if (differing.length > 0)
    throw new Error(`only in server/config.ts or only in the help of serve: ${differing.join(', ')}`)
  const rows = variables.map(
    ({ name, usual, meaning }) => `| \`${name}\` | ${usual === '' ? '' : `\`${usual}\``} | ${cell(meaning)} |`,
  )
  const more =
    'Empty counts as unset. `npx scorebook doctor` checks them all and says what to change. ' +
    '[Running on servers](../servers.md) and [operations](../operations.md) say more about each.\n'
  const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
  return [generated('Configuration', '`server/config.ts` and the help of `serve`'), more, `${table}\n`].join('\n')
}

export function eventsPage(): string {
  const parts = [...EVENT_SCHEMAS].map(([type, { about, data }]) => {
    const fields = fieldsOf(z.toJSONSchema(data, { reused: 'inline' }))
    const table =
      fields.length === 0 ? 'No data.\n' : `| Field | Type | Meaning |\n|---|---|---|\n${fields.join('\n')}\n`
    return `## ${type}\n\n${escaped(about)} JSON Schema: \`${schemaPath(type)}\`.\n\n${table}`
  })
  const more =
    'What the history answers in `data`, by type. Fields may be added; a field that exists keeps its name and meaning. ' +
    '[The protocol](../protocol.md#13-history) has the fields around it.\n'
  return [generated('Events', 'the schemas of the events'), more, ...parts].join('\n')
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Schema
}

function fieldsOf(schema: unknown): string[] {
  const { properties = {} } = schema as Schema
  return Object.entries(properties).map(([name, one]) => {
    const described = one.description ?? one.anyOf?.find(({ description }) => description !== undefined)?.description
    return `| \`${name}\` | ${cell(typeOf(one))} | ${cell(described ?? '')} |`
  })
}

function typeOf({ type, anyOf, const: only, enum: values, items }: Schema): string {
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}`
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'anything')
}

/** Vue would read braces and tags outside of code. */
const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('{', '&#123;')
/** Without links to examples of addresses. */
const cell = (text: string) =>
  escaped(text)
    .replaceAll('|', '\\|')
    .replace(/\b[a-z]+:\/\/[^\s,]+/g, '`$&`')
