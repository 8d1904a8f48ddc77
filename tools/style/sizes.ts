// Finds code that is too large to read alone: functions over 60 lines, functions that other files can call with more
// than 4 parameters, and classes with more than 8 fields. A docstring allows one exception by the tag of its limit and
// a reason: `@long`, `@wide` or `@fields`. Finds comment lines over 120 characters, too.

import { parse } from '@babel/parser'

const LIMITS = { long: 60, wide: 4, fields: 8 } as const

type Limit = keyof typeof LIMITS

type Node = {
  readonly type: string
  readonly start: number
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
  readonly leadingComments?: readonly { readonly value: string }[]
  readonly [key: string]: unknown
}

/** What is known of a node from the nodes around it: name, docstrings, and whether other files can call it. */
type Context = {
  readonly type: string
  readonly name: string
  readonly docs: readonly string[]
  readonly exported: boolean
}

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|Class(Private)?Method)$/
const SIGNATURE = /^(TSMethodSignature|TSFunctionType)$/
const FIELD = /^Class(Private|Accessor)?Property$/
/** Nodes between a docstring and the function or class that it describes. */
const INSIDE_DECLARATION = /^(Export\w+|VariableDeclarat\w+|ClassDeclaration)$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

function nameOf(node: Node, outer: string): string {
  const named = [node.id, node.key].find(isNode)
  const name = named?.type === 'PrivateName' ? (named.id as Node).name : named?.name
  return typeof name === 'string' ? (outer === '' ? name : `${outer}.${name}`) : outer
}

/**
 * Every place in a file's text that is over a limit, as `limit file name: size`, in the order of the text. A function's
 * lines go from its first parameter to its closing bracket, functions inside it included. About 3 ms per file.
 */
export function oversizes(file: string, text: string): string[] {
  const { program } = parse(text, {
    sourceType: 'module',
    plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'],
  })
  const found: string[] = []

  const check = (limit: Limit, size: number, { name, docs }: Context): void => {
    const allowed = docs.some((doc) => new RegExp(`@${limit}\\s+\\S`).test(doc))
    if (size > LIMITS[limit] && !allowed) found.push(`${limit} ${file} ${name}: ${size}`)
  }

  const visit = (node: Node, outer: Context): void => {
    const own = (node.leadingComments ?? []).map(({ value }) => value)
    const context = {
      type: node.type,
      name: nameOf(node, outer.name),
      docs: [...own, ...(INSIDE_DECLARATION.test(outer.type) ? outer.docs : [])],
      exported: (outer.exported || node.type.startsWith('Export')) && node.accessibility !== 'private',
    }
    const inside = FUNCTION.test(node.type) ? { ...context, docs: [], exported: false } : context
    if (FUNCTION.test(node.type)) {
      check('long', node.loc.end.line - node.loc.start.line + 1, context)
      if (context.exported) check('wide', (node.params as readonly Node[]).length, context)
    }
    if (SIGNATURE.test(node.type) && context.exported) {
      check('wide', ((node.params ?? node.parameters) as readonly Node[]).length, context)
    }
    if (node.type === 'ClassBody') {
      const fields = (node.body as readonly Node[]).filter((one) => FIELD.test(one.type) && one.static !== true)
      check('fields', fields.length, context)
    }
    for (const [key, value] of Object.entries(node)) {
      if (key.endsWith('Comments') || key === 'loc') continue
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, inside)
    }
  }

  visit(program as unknown as Node, { type: '', name: '', docs: [], exported: false })
  return found
}

const COMMENT_WIDTH = 120
const COMMENT = /^\s*(?:\/\/|\/\*|\* )/
/** A suppression must be on one line. */
const SUPPRESSION = /^\s*\/\/ biome-ignore /

/** Comment lines over 120 characters, as `file:line`; the formatter wraps code, and no comments. */
export const wideComments = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, at) => {
    const isWide = line.length > COMMENT_WIDTH && COMMENT.test(line) && !SUPPRESSION.test(line)
    return isWide ? [`${file}:${at + 1}`] : []
  })
