// The pages of the documentation that a server has, made from the documents that its API serves: where to begin, the
// HTTP API, the rooms, and the events of the history.

import type { Context } from '../pipeline/context.ts'
import { type StaticFile, sendStatic, staticFile } from '../site/static-files.ts'
import type {
  AsyncApi,
  Content,
  Documents,
  EventType,
  Message,
  OpenApi,
  Operation,
  Parameter,
  Response,
  Schema,
} from './documents.ts'
import { type Html, html, inline, json, type MenuGroup, page, paragraphs, pre, REFERENCE_POLICY } from './layout.ts'

export function docsPage({ openApi }: Documents): string {
  const body = html`<p>What this server answers, described by the server itself:</p>
<ul>
<li><a href="/docs/api/">HTTP API</a>: every operation with examples, every schema, every problem code</li>
<li><a href="/docs/api/rooms/">Rooms</a>: the events that clients and the server send over Socket.IO</li>
<li><a href="/docs/api/events/">Events</a>: what is recorded, for analysts</li>
</ul>
<h2 id="files">For tools</h2>
<ul>
<li><a href="/api/openapi.json">OpenAPI 3.1</a> and <a href="/api/asyncapi.json">AsyncAPI 3</a>: generate a client from them</li>
<li><a href="/api/schemas/events/">JSON Schemas</a> of all event types</li>
</ul>
<h2 id="guides">Guides</h2>
<p>Tutorials, how-to pages, explanations and the configuration are in the folder <code>docs</code> of the source code.
<code>npm run docs</code> shows them there as a site with search; <code>npm run docs:build</code> writes the site for any static server.</p>`
  const menu = [
    {
      name: 'Documentation',
      links: [
        { id: 'files', text: 'For tools' },
        { id: 'guides', text: 'Guides' },
      ],
    },
  ]
  return page({ title: 'Documentation', here: '/docs/', version: openApi.info.version, menu, body })
}

export function httpPage({ openApi }: Documents): string {
  const groups = openApi.tags.map((tag) => ({ ...tag, operations: operationsOf(openApi, tag.name) }))
  const schemas = Object.entries(openApi.components.schemas)
  const problems = Object.entries(openApi['x-problem-codes']).sort(([a], [b]) => (a < b ? -1 : 1))
  const menu: MenuGroup[] = [
    ...groups.map(({ name, operations }) => ({
      name,
      links: operations.map(({ operation }) => ({ id: operation.operationId, text: shortened(operation.summary) })),
    })),
    { name: 'Schemas', links: schemas.map(([name]) => ({ id: `schema-${name}`, text: name })) },
    { name: 'Problem codes', links: [{ id: 'problems', text: 'All problem codes' }] },
  ]
  const parts = { base: openApi.servers[0]?.url ?? '', schemas: openApi.components.schemas }
  const body = html`${paragraphs(openApi.info.description)}
<p>The same as a file: <a href="/api/openapi.json">OpenAPI 3.1</a>. In the examples <code>$TOKEN</code> is a bearer token.</p>
${groups.map(
  ({ name, description, operations }) => html`<h2 id="${idOf(name)}">${name}</h2>\n<p>${inline(description)}</p>
${operations.map((operation) => operationSection(operation, parts))}`,
)}
<h2 id="schemas">Schemas</h2>
<p>Bodies and answers by name.</p>
${schemas.map(
  ([name, schema]) => html`<section class="schema" id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>
${schema.description !== undefined && paragraphs(schema.description)}${fieldsOf(schema, isSent(name) ? 'required' : 'optional')}</section>\n`,
)}
<h2 id="problems">Problem codes</h2>
<p>Every refusal is a problem document (RFC 9457) with one of these codes.</p>
<dl class="fields">${problems.map(
    ([code, { status, title, todo }]) => html`<div id="problem-${code}"><dt><code>${code}</code></dt>
<dd><span class="type">${status}</span> · <span>${title}. ${inline(todo)}</span></dd></div>\n`,
  )}</dl>`
  return page({ title: 'HTTP API', here: '/docs/api/', version: openApi.info.version, menu, body })
}

/** The first part of a summary, for the menu. */
const shortened = (summary: string): string => summary.split(/[;:]/)[0] ?? summary

function operationsOf({ paths }: OpenApi, tag: string): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags = [] }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const isSent = (schema: string): boolean => /(Request|Change)$/.test(schema)

const idOf = (name: string): string => `group-${name.toLowerCase().replace(/\W+/g, '-')}`

export function roomsPage({ asyncApi, openApi }: Documents): string {
  const all = Object.entries(asyncApi.components.messages)
  const groups = [
    { name: 'Sent by clients', prefix: 'client.' },
    { name: 'Sent by the server', prefix: 'server.' },
  ].map(({ name, prefix }) => ({ name, messages: all.filter(([key]) => key.startsWith(prefix)) }))
  const menu = groups.map(({ name, messages }) => ({
    name,
    links: messages.map(([key, message]) => ({ id: key, text: message.name })),
  }))
  const body = html`${paragraphs(asyncApi.info.description)}
<p>The same as a file: <a href="/api/asyncapi.json">AsyncAPI 3</a>.</p>
${groups.map(
  ({ name, messages }) =>
    html`<h2 id="${idOf(name)}">${name}</h2>\n${messages.map(([key, message]) => messageSection(key, message, asyncApi))}`,
)}`
  return page({ title: 'Rooms', here: '/docs/api/rooms/', version: openApi.info.version, menu, body })
}

function messageSection(
  key: string,
  { name, summary, description, payload, examples = [] }: Message,
  { operations }: AsyncApi,
): Html {
  const asked = Object.values(operations).find(
    ({ reply, ...rest }) => JSON.stringify(rest).includes(`/${key}"`) && reply,
  )
  const answers = (asked?.reply?.messages ?? []).map(({ $ref }) => nameIn($ref))
  return html`<section class="operation" id="${key}"><h3><a href="#${key}"><code>${name}</code></a></h3>
<div class="columns"><div>
<p><strong>${summary}.</strong> ${inline(description)}</p>
${answers.length > 0 && html`<p class="who"><strong>Answered by:</strong> ${answers.map((one, index) => html`${index > 0 && ' or '}<a href="#${one}"><code>${one.replace('server.', '')}</code></a>`)}</p>`}
<h4>Content</h4>
${fieldsOf(payload, key.startsWith('client.') ? 'required' : 'optional')}
</div><div class="examples"><h4>Example</h4>
${examples.map(({ payload: example }) => json(example))}</div></div></section>
`
}

export function eventsPage({ events, openApi }: Documents): string {
  const menu = [{ name: 'Event types', links: events.map(({ title }) => ({ id: title, text: title })) }]
  const [first] = events
  const { data: _, type: __, ...envelope } = first?.properties ?? {}
  const body = html`<p>Everything that happens in a game is recorded as an event, and events are never changed. The history (<a
href="/docs/api/#listEvents"><code>GET /api/gm/{game}/events/</code></a>) answers one event per line. Each type has a JSON Schema, such as <a
href="/api/schemas/events/ScoreSubmitted.json">ScoreSubmitted.json</a>; <a href="/api/schemas/events/">a list</a> names all of them.
Later versions of the service may add fields and types; a field never changes its meaning.</p>
<h2 id="envelope">Fields of every event</h2>
${fieldsOf({ properties: envelope, required: first?.required ?? [] }, 'optional')}
<h2 id="types">Event types</h2>
<p>What is in <code>data</code>, by <code>type</code>.</p>
${events.map(eventSection)}`
  return page({ title: 'Events', here: '/docs/api/events/', version: openApi.info.version, menu, body })
}

const eventSection = ({
  title,
  description,
  properties = {},
}: EventType): Html => html`<section class="schema" id="${title}">
<h3><a href="#${title}">${title}</a></h3>
<p>${inline(description)} <a href="/api/schemas/events/${title}.json">JSON Schema<span class="hidden"> of ${title}</span></a></p>
${Object.keys(properties.data?.properties ?? {}).length > 0 && fieldsOf(properties.data ?? {}, 'optional')}</section>
`

// An operation of the HTTP API: who may call it, what it takes and answers, and its recorded example.

interface ShownOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface ApiParts {
  readonly base: string
  readonly schemas: Readonly<Record<string, Schema>>
}

function operationSection({ method, path, operation }: ShownOperation, { base, schemas }: ApiParts): Html {
  const { operationId, summary, description = '', parameters, responses } = operation
  const answers = Object.entries(responses)
  const successes = answers.filter(([status]) => Number(status) < 400)
  const refusals = answers.filter(([status]) => Number(status) >= 400)
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-name">
<h3 id="${operationId}-name"><a href="#${operationId}">${summary}</a></h3>
<p class="call"><span class="method">${method}</span> <code>${path}</code></p>
<div class="columns"><div>
${paragraphs(description)}${whoMay(operation)}
${parametersPart('Path', parameters, 'path')}${parametersPart('Query', parameters, 'query')}${parametersPart('Headers', parameters, 'header')}
${bodyPart(operation, schemas)}
<h4>Answers</h4>
<dl class="fields">${successes.map(successRow)}</dl>
<details><summary>Refusals</summary>
<dl class="fields">${refusals.map(refusalRow)}</dl></details>
</div><div class="examples">
<h4>Example</h4>
<pre tabindex="0"><code>${curlOf(base, method, path, operation)}</code></pre>
${successes.map(([status, response]) => answerExample(status, response))}
</div></div></section>
`
}

function whoMay({ security, ...operation }: Operation): Html {
  const schemes = security.flatMap(Object.keys)
  const { 'x-permission': permission, 'x-permission-or': or, 'x-tenant-only': isTenantOnly } = operation
  const permissions = [permission, or].filter((one) => one !== undefined).map((one) => html`<code>${one}</code>`)
  const who = schemes.includes('bearer')
    ? html`A bearer token${isTenantOnly && ' of a server key'}${permissions.length > 0 && ' with '}${permissions.map((one, index) => (index === 0 ? one : html` or ${one}`))}.`
    : html`${WITHOUT_TOKEN[schemes[0] ?? ''] ?? 'Anyone, without a token.'}`
  return html`<p class="who"><strong>Who may call:</strong> ${who}</p>`
}

const WITHOUT_TOKEN: Readonly<Record<string, string>> = {
  keyPrefix: 'Anyone who has an API key: send its prefix in X-API-Key.',
  realtimeSecret: 'A rooms process that has the shared secret.',
}

function bodyPart({ requestBody }: Operation, schemas: ApiParts['schemas']): Html | null {
  const [[type = '', { schema } = {}] = []] = Object.entries(requestBody?.content ?? {})
  if (schema?.$ref === undefined) return null
  if (type !== 'application/json') return html`<h4>Body</h4>\n<p class="type">${schemaLink(schema.$ref)}</p>\n`
  const { properties = {}, ...own } = schemas[nameIn(schema.$ref)] ?? {}
  return html`<h4>Body</h4>
<p class="type">JSON: ${schemaLink(schema.$ref)}${requestBody?.required === false && ', may be left out'}</p>
${Object.keys(properties).length > 0 && fieldsOf({ ...own, properties }, 'required')}
`
}

function parametersPart(title: string, parameters: readonly Parameter[], where: string): Html {
  const own = parameters.filter((one) => one.in === where)
  if (own.length === 0) return html``
  return html`<h4>${title}</h4>
<dl class="fields">${own.map((one) => row({ name: one.name, type: typeOf(one.schema), mark: one.required ? 'required' : null, about: one.description }))}</dl>
`
}

const named = ({ schema }: Content): Html => (schema.$ref === undefined ? typeOf(schema) : schemaLink(schema.$ref))

function successRow([status, { description, content = {} }]: readonly [string, Response]): Html {
  const [one] = Object.values(content)
  return html`<div><dt><code>${status}</code></dt><dd>${one && html`<span class="type">${named(one)}</span> · `}<span>${description}</span></dd></div>
`
}

function refusalRow([status, { 'x-problem-codes': codes = [] }]: readonly [string, Response]): Html {
  const links = codes.map(
    (code, index) => html`${index > 0 && ', '}<a href="#problem-${code}"><code>${code}</code></a>`,
  )
  return html`<div><dt><code>${status}</code></dt><dd>${links}</dd></div>
`
}

function answerExample(status: string, { content = {} }: Response): Html | null {
  const [[type = '', one] = []] = Object.entries(content)
  if (one?.example === undefined) return null
  const example = typeof one.example === 'string' ? pre(one.example) : json(one.example)
  return html`<h5>${status} <span class="type">${inline(type)}</span></h5>\n${example}\n`
}

// JSON Schemas: the type of a value in words, and the fields of an object.

const WORDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'whole number',
  null: 'null',
  number: 'number',
  object: 'object',
  string: 'text',
}
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', uri: 'URI', 'json-pointer': 'JSON pointer' }

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

const schemaLink = (reference: string): Html => html`<a href="#schema-${nameIn(reference)}">${nameIn(reference)}</a>`

/** Such as “text, 1 to 64 characters”, “list of Score”, “whole number or null”. */
function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(schema.$ref)
  if (schema.anyOf !== undefined) return joined(schema.anyOf.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined) {
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ' or ',
    )
  }
  if (schema.contentSchema !== undefined) return html`lines of JSON: ${typeOf(schema.contentSchema)}`
  if (schema.type === 'array') return html`list of ${typeOf(schema.items ?? {})}${bounds(schema)}`
  if (typeof schema.type === 'object')
    return joined(
      schema.type.map((type) => typeOf({ ...schema, type })),
      ' or ',
    )
  const word = FORMATS[schema.format ?? ''] ?? WORDS[schema.type ?? ''] ?? 'any JSON'
  return schema.type === 'null' ? html`null` : html`${word}${bounds(schema)}`
}

function bounds({ minLength, maxLength, minimum, maximum, maxItems }: Schema): string {
  if (maxItems !== undefined) return `, at most ${number(maxItems)}`
  if (maxLength !== undefined)
    return `, ${minLength === undefined ? 'at most' : `${number(minLength)} to`} ${number(maxLength)} characters`
  const isUnlimited = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
  if (minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER)
    return isUnlimited ? '' : `, at most ${number(maximum)}`
  return isUnlimited ? `, from ${number(minimum)}` : `, ${number(minimum)} to ${number(maximum)}`
}

const number = (value: number): string => value.toLocaleString('en-US')

const joined = (parts: readonly Html[], separator: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`

/** Which fields are marked: in what a caller sends the required ones, in what they receive the optional ones. */
type Marked = 'required' | 'optional'

/** The fields of an object; of another value its type. Objects without a name are shown inside. */
function fieldsOf(schema: Schema, marked: Marked): Html {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return html`<p class="type">${typeOf(schema)}</p>`
  const required = new Set(schema.required ?? [])
  const rows = entries.map(([name, field]) => {
    const mark = required.has(name) === (marked === 'required') ? marked : null
    return row({ name, type: typeOf(field), mark, about: field.description }, innerOf(field, marked))
  })
  return html`<dl class="fields">\n${rows}</dl>`
}

interface Row {
  readonly name: string
  readonly type: Html
  readonly mark: Marked | null
  readonly about?: string | undefined
}

function row({ name, type, mark, about }: Row, inner: Html | null = null): Html {
  return html`<div><dt><code>${name}</code>${mark !== null && html` <span class="mark">${mark}</span>`}</dt>
<dd><span class="type">${type}</span>${about !== undefined && html`<span class="about">${inline(about)}</span>`}${inner}</dd></div>
`
}

/** The fields of an object inside of a field, a list or a choice. */
function innerOf(field: Schema, marked: Marked): Html | null {
  const choices = field.anyOf ?? []
  const candidates = [field, field.items ?? {}, ...choices, ...choices.map(({ items = {} }) => items)]
  const inner = candidates.find(({ properties }) => properties !== undefined && Object.keys(properties).length > 0)
  return inner === undefined ? null : fieldsOf(inner, marked)
}

// An operation's example as a call that can be pasted into a shell.

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function curlOf(base: string, method: string, path: string, operation: Operation): string {
  const { parameters, requestBody, security } = operation
  const exampleOf = (name: string, where: string) => {
    const found = parameters.find((one) => one.in === where && one.name === name)
    return encodeURIComponent(String(found?.example ?? name))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name, 'path'))
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=${exampleOf(name, 'query')}`)
  const url = base.replace(/\/$/, '') + filled + (query.length > 0 ? `?${query.join('&')}` : '')
  const schemes = security.flatMap(Object.keys)
  const headers = [
    ...(schemes.includes('bearer') ? ['"Authorization: Bearer $TOKEN"'] : []),
    ...(schemes.includes('keyPrefix') ? ['"X-API-Key: $PREFIX"'] : []),
    ...(schemes.includes('realtimeSecret') ? ['"X-Realtime-Secret: $SECRET"'] : []),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['"Idempotency-Key: $(uuidgen)"'] : []),
  ].map((header) => `-H ${header}`)
  const body = requestBody?.content['application/json']?.example
  const json = body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]
  if (body === undefined && requestBody !== undefined)
    return [`curl -T file ${quoted(url)}`, ...headers].join(' \\\n  ')
  const first = method === 'GET' || (method === 'POST' && json.length > 0) ? 'curl' : `curl -X ${method}`
  return [`${first} ${quoted(url)}`, ...headers, ...json].join(' \\\n  ')
}

const PAGES: ReadonlyMap<string, (documents: Documents) => string> = new Map([
  ['/docs/', docsPage],
  ['/docs/api/', httpPage],
  ['/docs/api/rooms/', roomsPage],
  ['/docs/api/events/', eventsPage],
])

/**
 * Answers the pages below /docs/; false, leaving the response untouched, at other paths. `read` is called at the first
 * request.
 */
export function apiReference(read: () => Promise<Documents>): (ctx: Context, path: string) => Promise<boolean> {
  let documents: Promise<Documents> | null = null
  const pages = new Map<string, Promise<StaticFile>>()

  async function made(make: (documents: Documents) => string): Promise<StaticFile> {
    documents ??= read()
    return staticFile('index.html', Buffer.from(make(await documents)))
  }

  return async (ctx, path) => {
    const closed = path.endsWith('/') ? path : `${path}/`
    const make = PAGES.get(closed)
    if (make === undefined) return false
    const page = pages.get(closed) ?? made(make)
    pages.set(closed, page)
    sendStatic(ctx, await page, REFERENCE_POLICY)
    return true
  }
}
