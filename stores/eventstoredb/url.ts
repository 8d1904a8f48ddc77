// The connection string: checked before the client library sees it, because that library prints the whole of it,
// password included, where it does not know an option.

import { StoresFault } from '../contract/faults.ts'

const OPTIONS = [
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'dnsdiscover',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
]
const FORM =
  'EVENTSTORE_URL must look like esdb://user:password@host:2113?tls=true or esdb+discover://user:password@host1,host2'
const KEEP_ALIVE_TIMEOUT_MS = 10_000
/**
 * How many connections differ from each other in a channel option, so that no two that live together share a transport.
 */
const DISTINCT = 1_000

let opened = 0

/** The connection string without user and password. */
export function shownUrl(url: string): string {
  const start = url.indexOf('://') + 3
  return url.slice(0, start) + url.slice(Math.max(start, url.lastIndexOf('@') + 1))
}

/**
 * Throws a StoresFault, without any part of the URL that may be secret, where the client
 * library would not know an option.
 */
export function checkUrl(url: string): void {
  if (!/^esdb(\+discover)?:\/\//.test(url.trim())) throw new StoresFault(FORM)
  const query = shownUrl(url).split('?').slice(1).join('&')
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = ''] = pair.split('=')
    const isKnown = /^[A-Za-z_-]+$/.test(name) && OPTIONS.includes(name.toLowerCase().replace(/[_-]/g, ''))
    if (!isKnown) {
      const which = pair.includes('=') && /^[A-Za-z_-]{1,40}$/.test(name) ? `option ${name}` : 'option'
      throw new StoresFault(`EVENTSTORE_URL has an ${which} that the client does not know. ${FORM}.`)
    }
  }
}

/**
 * The same connection string for one more connection. gRPC lets channels with the same options share one transport,
 * also a dead one: the keep-alive time-out, a little different each time, gives each connection its own.
 */
export function distinctUrl(url: string): string {
  const trimmed = url.trim().replace(/\/+$/, '')
  opened = (opened + 1) % DISTINCT
  const given = /[?&]keep[_-]?alive[_-]?timeout=(\d+)/i.exec(trimmed)?.[1]
  const timeoutMs = (given === undefined ? KEEP_ALIVE_TIMEOUT_MS : Number(given)) + opened
  return `${trimmed}${trimmed.includes('?') ? '&' : '?'}keepAliveTimeout=${timeoutMs}`
}

/** What can be said of why the client library would not take the connection string. */
export function unusable(error: unknown): StoresFault {
  // Its own message about the syntax quotes the string; those about certificate files do not.
  const isOfFiles = error instanceof Error && /^(Failed to load certificate|userCertFile must)/.test(error.message)
  return new StoresFault(isOfFiles ? `EVENTSTORE_URL cannot be used: ${(error as Error).message}` : `${FORM}.`)
}
