// Where a call comes from, for limits: an IPv4 address as it is, an IPv6 one as its /64, which is what one device gets.
// Behind proxies that are trusted, it is what they say in X-Forwarded-For; anybody else's
// word for it counts for nothing.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net'

/** Answers whether an IP address, in the form that `canonical` gives it, is that of a trusted proxy. */
export type Trusted = (ip: string) => boolean

export const NOBODY: Trusted = () => false

/** Addresses remembered, as looking each up takes about 1.5 µs. */
const KNOWN_MOST = 1_024

/**
 * Reads addresses and networks (`10.0.0.0/8, ::1`), comma-separated. Throws RangeError, naming the one that
 * is none, or that is everybody.
 */
export function trustedProxies(text: string): Trusted {
  const list = new BlockList()
  for (const entry of text.split(',').map((one) => one.trim())) {
    const [, given = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const ip = canonical(given)
    if (ip === null) throw new RangeError(`"${entry}" is no address and no network such as 10.0.0.0/8`)
    const isV4 = !ip.includes(':')
    // A network written as IPv4-mapped addresses is one of IPv4 addresses.
    const mapped = isV4 && given.includes(':') ? 96 : 0
    const prefix = (bits === undefined ? (given.includes(':') ? 128 : 32) : Number(bits)) - mapped
    if (prefix > (isV4 ? 32 : 128)) throw new RangeError(`"${entry}" has too long a prefix`)
    if (prefix < 1) throw new RangeError(`"${entry}" is everybody: anybody could then say where they come from`)
    list.addSubnet(ip, prefix, isV4 ? 'ipv4' : 'ipv6')
  }
  const known = new Map<string, boolean>()
  return (ip) => {
    const told = known.get(ip)
    if (told !== undefined) return told
    const found = list.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4')
    if (known.size >= KNOWN_MOST) known.clear()
    known.set(ip, found)
    return found
  }
}

/** The network of who made this call, as `networkOf` names it. */
export function callerNetwork({ socket, headers }: IncomingMessage, trusted: Trusted): string {
  const peer = socket.remoteAddress
  if (trusted === NOBODY) return networkOf(peer)
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string') return networkOf(peer)
  return networkOf(lastUntrusted(canonical(peer ?? ''), forwarded, trusted) ?? peer)
}

/** The network at the other end of a connection, as `networkOf` names it; null where that is a trusted proxy. */
export function peerNetwork({ remoteAddress: peer }: Socket, trusted: Trusted): string | null {
  return trusted !== NOBODY && trusted(canonical(peer ?? '') ?? '') ? null : networkOf(peer)
}

/**
 * Each proxy adds at the right end whom it heard from: so, from the right, the first that is no trusted proxy. Nothing
 * left of an entry that is no address is believed, as nobody trusted vouches for it: then it is the proxy that heard of
 * that.
 */
function lastUntrusted(peer: string | null, forwarded: string, trusted: Trusted): string | null {
  let found = peer
  let end = forwarded.length
  while (found !== null && end > 0 && trusted(found)) {
    const comma = forwarded.lastIndexOf(',', end - 1)
    const heardFrom = canonical(withoutPort(forwarded.slice(comma + 1, end).trim()))
    if (heardFrom === null) break
    found = heardFrom
    end = comma
  }
  return found
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}

/** An address in the one way to write it, an IPv4-mapped one as IPv4; null for what is none. */
function canonical(text: string): string | null {
  const family = isIP(text)
  if (family === 0) return null
  if (family === 4) return text
  const ip = text.replace(/%.*$/, '')
  const written = new SocketAddress({ address: ip, family: 'ipv6' }).address
  return /^::ffff:([\d.]+)$/.exec(written)?.[1] ?? written
}

/** The one spelling that limits per network address are kept by: an IPv4 address, or the /64 of an IPv6 one. */
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
