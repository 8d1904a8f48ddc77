// The network address of a call, for limits: an IPv4 address, or the /64 of an IPv6 address, which is what one device
// gets. X-Forwarded-For is believed only from trusted proxies.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net'

/** Whether an IP address, in the form of `canonical`, belongs to a trusted proxy. */
export type Trusted = (ip: string) => boolean

export const NOBODY: Trusted = () => false

/** Size of the cache; one look-up takes about 1.5 µs. */
const MAX_CACHED_ADDRESSES = 1_024

/**
 * Parses comma-separated addresses and networks (`10.0.0.0/8, ::1`). Throws RangeError naming an invalid entry, or one
 * that covers every address.
 */
export function trustedProxies(text: string): Trusted {
  const list = new BlockList()
  for (const entry of text.split(',').map((one) => one.trim())) {
    const [, given = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const ip = canonical(given)
    if (ip === null) throw new RangeError(`"${entry}" is not an address or a network such as 10.0.0.0/8`)
    const isV4 = !ip.includes(':')
    // A network written as IPv4-mapped addresses is one of IPv4 addresses.
    const mapped = isV4 && given.includes(':') ? 96 : 0
    const prefix = (bits === undefined ? (given.includes(':') ? 128 : 32) : Number(bits)) - mapped
    if (prefix > (isV4 ? 32 : 128)) throw new RangeError(`"${entry}" has too long a prefix`)
    if (prefix < 1) throw new RangeError(`"${entry}" covers every address: any client could then forge its address`)
    list.addSubnet(ip, prefix, isV4 ? 'ipv4' : 'ipv6')
  }
  const known = new Map<string, boolean>()
  return (ip) => {
    const cached = known.get(ip)
    if (cached !== undefined) return cached
    const found = list.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4')
    if (known.size >= MAX_CACHED_ADDRESSES) known.clear()
    known.set(ip, found)
    return found
  }
}

/** The network of the caller, in the form of `networkOf`. */
export function callerNetwork({ socket, headers }: IncomingMessage, trusted: Trusted): string {
  const peer = socket.remoteAddress
  if (trusted === NOBODY) return networkOf(peer)
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string') return networkOf(peer)
  return networkOf(lastUntrusted(canonical(peer ?? ''), forwarded, trusted) ?? peer)
}

/** The network of a connection's peer, in the form of `networkOf`; null for a trusted proxy. */
export function peerNetwork({ remoteAddress: peer }: Socket, trusted: Trusted): string | null {
  return trusted !== NOBODY && trusted(canonical(peer ?? '') ?? '') ? null : networkOf(peer)
}

/**
 * Each proxy appends the address it received the call from, so the caller is the rightmost entry that is not a trusted
 * proxy. An invalid entry ends the search, as nothing to its left can be trusted: the result is then the proxy that
 * added it.
 */
function lastUntrusted(peer: string | null, forwarded: string, trusted: Trusted): string | null {
  let found = peer
  let end = forwarded.length
  while (found !== null && end > 0 && trusted(found)) {
    const comma = forwarded.lastIndexOf(',', end - 1)
    const previous = canonical(withoutPort(forwarded.slice(comma + 1, end).trim()))
    if (previous === null) break
    found = previous
    end = comma
  }
  return found
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}

/** The canonical form of an address, an IPv4-mapped one as IPv4; null if invalid. */
function canonical(text: string): string | null {
  const family = isIP(text)
  if (family === 0) return null
  if (family === 4) return text
  const ip = text.replace(/%.*$/, '')
  const written = new SocketAddress({ address: ip, family: 'ipv6' }).address
  return /^::ffff:([\d.]+)$/.exec(written)?.[1] ?? written
}

/** The key of limits per network address: an IPv4 address, or the /64 of an IPv6 one. */
function networkOf(ip: string | undefined): string {
  if (ip === undefined) return 'unknown'
  if (!ip.includes(':')) return ip
  if (ip.startsWith('::ffff:') && ip.includes('.')) return ip.slice('::ffff:'.length)
  const [left = '', right = ''] = ip.replace(/%.*$/, '').split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === '' ? [] : right.split(':')
  const gap = ip.includes('::') ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
