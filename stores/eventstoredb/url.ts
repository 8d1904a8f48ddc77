// Parses EVENTSTORE_URL. The client library never sees the connection string, because its parser prints the whole
// string, password included, for each unknown option. No message made here contains any part of the string that may
// be secret.

import type { NodePreference } from '@eventstore/db-client'
import { StoresFault } from '../contract/faults.ts'

export interface Host {
  readonly address: string
  readonly port: number
}

export interface ServerUrl {
  /** `+discover` in the scheme, or `dnsDiscover=true`: the one host is a DNS name of all nodes. */
  readonly discover: boolean
  /** At least one; exactly one with `discover`. */
  readonly hosts: readonly Host[]
  readonly user: { readonly username: string; readonly password: string } | null
  readonly options: UrlOptions
  /** The connection string without user and password. */
  readonly shown: string
}

export interface UrlOptions {
  connectionName?: string
  defaultDeadline?: number
  discoveryInterval?: number
  dnsDiscover?: boolean
  gossipTimeout?: number
  keepAliveInterval?: number
  keepAliveTimeout?: number
  maxDiscoverAttempts?: number
  nodePreference?: NodePreference
  throwOnAppendFailure?: boolean
  tls?: boolean
  tlsCAFile?: string
  tlsVerifyCert?: boolean
  userCertFile?: string
  userKeyFile?: string
}

const FORM =
  'EVENTSTORE_URL must look like esdb://user:password@host:2113?tls=true, ' +
  'or esdb://user:password@host1:2113,host2:2113,host3:2113?tls=true for a cluster.'
const ENCODE =
  'EVENTSTORE_URL must have exactly one ":" and then one "@" between "//" and the first host, and no "@" after it. ' +
  'Percent-encode special characters in the user, the password and the options: @ is %40, : is %3A, ? is %3F, % is %25.'
const DEFAULT_PORT = 2_113
const HOST = /^([A-Za-z0-9_-][A-Za-z0-9._-]*)(?::(\d{1,5}))?$/

const TEXTS = ['connectionName', 'tlsCAFile', 'userCertFile', 'userKeyFile'] as const
const FLAGS = ['tls', 'tlsVerifyCert', 'throwOnAppendFailure', 'dnsDiscover'] as const
const NUMBERS = [
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
] as const
const PREFERENCES: readonly NodePreference[] = ['leader', 'follower', 'read_only_replica', 'random']

/** The library ignores case and treats `-` and `_` alike. */
const flat = (text: string): string => text.toLowerCase().replace(/[_-]/g, '')
/** The library accepts only this spelling of this option. */
const EXACT = 'dnsDiscover'
const NAMES = new Map(
  [...TEXTS, ...NUMBERS, ...FLAGS, 'nodePreference' as const].map((name) => [name === EXACT ? name : flat(name), name]),
)

/** The server had another name until version 24.10, and its documents write any of these schemes. */
const SCHEME = /^(esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\/(.*)$/s

/** Throws a StoresFault, without secret parts of the URL, if the URL cannot be used. */
export function parseUrl(url: string): ServerUrl {
  const [, scheme, discovers, rest] = SCHEME.exec(url.trim()) ?? []
  if (scheme === undefined || rest === undefined) throw new StoresFault(FORM)
  const cut = rest.indexOf('?')
  const authority = cut < 0 ? rest : rest.slice(0, cut)
  const query = cut < 0 ? '' : rest.slice(cut + 1).replace(/\/+$/, '')
  if (query.includes('@')) throw new StoresFault(ENCODE)
  const { user, hostList } = splitAuthority(authority)
  const hosts = parseHosts(hostList)
  const options = parseOptions(query)
  const discover = discovers !== undefined || options.dnsDiscover === true
  if (discover && hosts.length > 1) {
    const list = hosts.map(({ address, port }) => `${address}:${port}`).join(',')
    throw new StoresFault(
      `EVENTSTORE_URL names several hosts, of which DNS discovery would use the first only. ` +
        `Write ${scheme}://${list} without "+discover" and dnsDiscover.`,
    )
  }
  const shown = `${scheme}${discovers ?? ''}://${hostList}${query === '' ? '' : `?${query}`}`
  return { discover, hosts, user, options, shown }
}

/** The connection string without user and password; only its scheme if it cannot be parsed. */
export function shownUrl(url: string): string {
  try {
    return parseUrl(url).shown
  } catch {
    const [, scheme = 'esdb', discovers = ''] = SCHEME.exec(url.trim()) ?? []
    return `${scheme}${discovers}://…`
  }
}

function splitAuthority(authority: string): { user: ServerUrl['user']; hostList: string } {
  const parts = authority.split('@')
  const trimmed = (parts.at(-1) ?? '').replace(/\/+$/, '')
  if (parts.length === 1) return { user: null, hostList: trimmed }
  const [username, password, ...more] = (parts[0] ?? '').split(':')
  if (parts.length > 2 || !username || !password || more.length > 0) throw new StoresFault(ENCODE)
  return { user: { username: decoded(username), password: decoded(password) }, hostList: trimmed }
}

function parseHosts(list: string): Host[] {
  return list.split(',').map((one) => {
    const [, address, port] = HOST.exec(one) ?? []
    if (address === undefined) throw new StoresFault(FORM)
    return { address, port: port === undefined ? DEFAULT_PORT : Number(port) }
  })
}

function parseOptions(query: string): UrlOptions {
  const options: UrlOptions = {}
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const at = pair.indexOf('=')
    const given = at < 0 ? '' : pair.slice(0, at)
    const name = NAMES.get(given) ?? (flat(given) === flat(EXACT) ? undefined : NAMES.get(flat(given)))
    if (name === undefined) throw unknownOption(given)
    setOption(options, name, pair.slice(at + 1))
  }
  if (options.tlsVerifyCert === false) {
    throw new StoresFault(
      'EVENTSTORE_URL has tlsVerifyCert=false, which the client does not support: it always verifies certificates. ' +
        'Set tlsCAFile to the file with the certificate of your CA instead.',
    )
  }
  return options
}

function unknownOption(given: string): StoresFault {
  if (flat(given) === flat(EXACT)) return new StoresFault(`EVENTSTORE_URL: write ${EXACT} in exactly this spelling.`)
  const which = /^[A-Za-z_-]{1,40}$/.test(given) ? `option ${given}` : 'option'
  const known = [...NAMES.values()].sort().join(', ')
  return new StoresFault(`EVENTSTORE_URL has an ${which} that the client does not know. It knows ${known}. ${FORM}`)
}

function setOption(options: UrlOptions, name: keyof UrlOptions, value: string): void {
  if (isOneOf(TEXTS, name)) {
    if (value === '') throw badValue(name, 'a value')
    options[name] = decoded(value)
  } else if (isOneOf(FLAGS, name)) {
    if (value !== 'true' && value !== 'false') throw badValue(name, 'true or false')
    options[name] = value === 'true'
  } else if (isOneOf(NUMBERS, name)) {
    if (!/^-?\d{1,10}$/.test(value)) throw badValue(name, 'a whole number')
    options[name] = Number(value)
  } else {
    const preference = PREFERENCES.find((one) => flat(one) === flat(value))
    if (preference === undefined) throw badValue(name, PREFERENCES.join(', '))
    options.nodePreference = preference
  }
}

const badValue = (name: string, needed: string): StoresFault =>
  new StoresFault(`EVENTSTORE_URL: the option ${name} needs ${needed}.`)

function isOneOf<Name extends keyof UrlOptions>(names: readonly Name[], name: keyof UrlOptions): name is Name {
  return (names as readonly (keyof UrlOptions)[]).includes(name)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StoresFault(ENCODE)
  }
}
