// The pages of the documentation that a server has: where to begin, the HTTP API, the rooms, and the events of the
// history.

import type { AsyncApi, Documents, EventType, Message, OpenApi } from './documents.ts'
import { type Html, html, inline, json, paragraphs } from './html.ts'
import { type MenuGroup, page } from './layout.ts'
import { operationSection, type ShownOperation } from './operations.ts'
import { fieldsOf, nameIn } from './schemas.ts'

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

/** Whether callers send what the schema describes. */
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
