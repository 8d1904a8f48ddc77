// The network address of a call: the socket’s address, or what trusted proxies report, and nothing a caller made up.

import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { callerNetwork, NOBODY, trustedProxies } from '../../runtime/network.ts'
import { readConfig } from '../../server/config.ts'
import { createHttpClient } from '../front-door/http-client.ts'
import { createWorld } from './pipeline-world.ts'

const PROXIES = '10.0.0.0/8, 192.0.2.7, 2001:db8:ffff::/48, ::1'

function from(peer: string | undefined, forwarded?: string, proxies: string | null = PROXIES): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage
  return callerNetwork(request, proxies === null ? NOBODY : trustedProxies(proxies))
}

describe('the network address of a call', () => {
  const rows: readonly (readonly [what: string, peer: string, forwarded: string | undefined, network: string])[] = [
    ['the socket alone', '198.51.100.1', undefined, '198.51.100.1'],
    ['a trusted proxy that says nothing', '10.1.2.3', undefined, '10.1.2.3'],
    ['a header from a peer that is not trusted', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['a header from a neighbour of a trusted address', '192.0.2.8', '203.0.113.9', '192.0.2.8'],
    ['one proxy', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['one proxy, with what the caller made up before it', '10.1.2.3', '8.8.8.8, 203.0.113.9', '203.0.113.9'],
    ['what the caller made up naming a proxy', '10.1.2.3', '8.8.8.8, 10.9.9.9, 203.0.113.9', '203.0.113.9'],
    ['a chain of proxies', '10.1.2.3', '8.8.8.8, 203.0.113.9, 192.0.2.7,10.4.4.4', '203.0.113.9'],
    ['nobody but proxies', '10.1.2.3', '10.7.7.7, 10.4.4.4', '10.7.7.7'],
    ['an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['no address', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['no address at the right end', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
    ['no address behind a proxy', '10.1.2.3', '203.0.113.9, nonsense, 10.4.4.4', '10.4.4.4'],
    ['an empty entry', '10.1.2.3', '203.0.113.9,,10.4.4.4', '10.4.4.4'],
    ['an empty first entry', '10.1.2.3', ', 10.4.4.4', '10.4.4.4'],
    ['an address with noughts before it', '10.1.2.3', '203.0.113.010', '10.1.2.3'],
    ['a number for an address', '10.1.2.3', '3405803785', '10.1.2.3'],
    ['an address with a port', '10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
    ['an IPv6 address with a port', '10.1.2.3', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['an IPv4-mapped peer', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['an IPv4-mapped peer that is not trusted', '::ffff:198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['an IPv4-mapped address', '10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
    ['an IPv4-mapped address in hexadecimal', '10.1.2.3', '::FFFF:cb00:7109', '203.0.113.9'],
    ['an IPv4-mapped proxy', '10.1.2.3', '203.0.113.9, ::ffff:a04:404', '203.0.113.9'],
    ['an IPv6 peer', '::1', '203.0.113.9', '203.0.113.9'],
    ['an IPv6 proxy', '2001:db8:ffff:1::5', '203.0.113.9', '203.0.113.9'],
    ['an IPv6 peer that is not trusted', '2001:db8:fffe::5', '203.0.113.9', '2001:db8:fffe:0::/64'],
    ['one IPv6 address, however written', '10.1.2.3', '2001:0DB8:0001:0002:0:0:0:9', '2001:db8:1:2::/64'],
    ['an IPv6 address of a zone', '10.1.2.3', 'fe80::9%eth0', 'fe80:0:0:0::/64'],
  ]
  for (const [what, peer, forwarded, network] of rows) {
    it(`is right for ${what}`, () => expect(from(peer, forwarded)).to.equal(network))
  }

  it('is the address of the socket without trusted proxies', () => {
    expect(from('10.1.2.3', '203.0.113.9', null)).to.equal('10.1.2.3')
    expect(from('::ffff:10.1.2.3', '203.0.113.9', null)).to.equal('10.1.2.3')
    expect(from(undefined, '203.0.113.9', null)).to.equal('unknown')
    expect(from(undefined, '203.0.113.9')).to.equal('unknown')
  })

  it('treats a network of IPv4-mapped addresses as one of IPv4', () => {
    expect(from('10.1.2.3', '203.0.113.9', '::ffff:10.0.0.0/104')).to.equal('203.0.113.9')
    expect(from('11.1.2.3', '203.0.113.9', '::ffff:10.0.0.0/104')).to.equal('11.1.2.3')
  })
})

describe('TRUSTED_PROXIES', () => {
  const faultOf = (text: string): string => {
    try {
      readConfig({ TRUSTED_PROXIES: text })
    } catch (failure) {
      return (failure as Error).message
    }
    return 'none'
  }

  it('names no proxy unless it is set', () => {
    expect(readConfig({}).trustedProxies).to.equal(NOBODY)
    expect(readConfig({ TRUSTED_PROXIES: '' }).trustedProxies).to.equal(NOBODY)
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8' }).trustedProxies?.('10.2.3.4')).to.equal(true)
  })

  it('is refused if it names no address, or every address', () => {
    expect(faultOf('10.0.0.0/8, nginx')).to.equal(
      'TRUSTED_PROXIES: "nginx" is not an address or a network such as 10.0.0.0/8.',
    )
    for (const text of ['10.0.0.0/8,', '10.0.0.0/x', '10.0.0', '10.0.0.0/8/8', '1.2.3.4:80']) {
      expect(faultOf(text), text).to.contain('is not an address or a network')
    }
    for (const text of ['10.0.0.0/33', '::1/129']) expect(faultOf(text), text).to.contain('has too long a prefix')
    for (const text of ['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96', '::ffff:0.0.0.0/20']) {
      expect(faultOf(text), text).to.contain('covers every address')
    }
  })
})

describe('the rate limit of a network address', () => {
  const limits = {
    key: { perSecond: 1_000, burst: 1_000 },
    player: { perSecond: 1_000, burst: 1_000 },
    address: { perSecond: 1, burst: 2 },
    handshake: { perSecond: 1_000, burst: 1_000 },
    guest: { perSecond: 1_000, burst: 1_000 },
  }

  async function statuses(trusted: string | null, ...forwarded: string[]): Promise<number[]> {
    const world = await createWorld({
      rateLimits: limits,
      ...(trusted === null ? {} : { trustedProxies: trustedProxies(trusted) }),
    })
    const client = createHttpClient(world.port)
    const answered: number[] = []
    try {
      for (const one of forwarded) {
        const headers = { 'x-forwarded-for': one }
        answered.push((await client.call('GET', '/api/lb/b1/score/', { token: 'tenant', headers })).status)
      }
    } finally {
      client.close()
      await world.close()
    }
    return answered
  }

  it('is that of the caller behind a trusted proxy, and a caller cannot use the address of another', async () => {
    const calls = ['203.0.113.1', '203.0.113.1', '1.1.1.1, 203.0.113.1', '203.0.113.2'] as const
    expect(await statuses('127.0.0.1', ...calls)).to.deep.equal([200, 200, 429, 200])
    expect(await statuses(null, ...calls)).to.deep.equal([200, 200, 429, 429])
    expect(await statuses('127.0.0.2', ...calls)).to.deep.equal([200, 200, 429, 429])
  })
})
