// Shows an operation of the HTTP API: who may call it, what it takes and answers, and its recorded example.

import { curlOf } from './curl.ts'
import type { Content, Operation, Parameter, Response, Schema } from './documents.ts'
import { type Html, html, inline, json, paragraphs } from './html.ts'
import { fieldsOf, nameIn, row, schemaLink, typeOf } from './schemas.ts'

export interface ShownOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export interface ApiParts {
  /** The URL of the server. */
  readonly base: string
  readonly schemas: Readonly<Record<string, Schema>>
}

export function operationSection({ method, path, operation }: ShownOperation, { base, schemas }: ApiParts): Html {
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
  const schema = requestBody?.content['application/json']?.schema
  if (schema?.$ref === undefined) return null
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
  return html`<h5>${status} <span class="type">${inline(type)}</span></h5>\n${json(one.example)}\n`
}
