// An operation's example as a call that can be pasted into a shell.

import type { Operation } from './documents.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** `base`: the URL of the server. */
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
  const first = method === 'GET' || (method === 'POST' && json.length > 0) ? 'curl' : `curl -X ${method}`
  return [`${first} ${quoted(url)}`, ...headers, ...json].join(' \\\n  ')
}
